import Messages

/// Puts together a snapshot that comes in parts: it counts only when all of it is there.
struct SnapshotAssembly {
    /// More was sent than any producer puts into a snapshot.
    struct TooLarge: Error {}

    private var epoch: UInt64 = 0
    private(set) var sequence: UInt64 = 0
    private var events: [[UInt8]] = []
    private var bytes = 0
    /// The part that is wanted next; 0 when none has come.
    private(set) var next: UInt32 = 0

    /// Takes a part.
    ///
    /// - Returns: the whole snapshot as one page when this was its last part, else nil.
    /// - Throws: ``TooLarge`` when the parts have more bytes than a snapshot may have; they are
    ///   forgotten then.
    mutating func add(_ page: ReplayPage) throws(TooLarge) -> ReplayPage? {
        if page.part == 0 {
            self = SnapshotAssembly()
            (epoch, sequence) = (page.epoch, page.snapshotSequence)
        }
        guard page.part == next, page.epoch == epoch, page.snapshotSequence == sequence else {
            return nil
        }
        bytes += page.events.reduce(0) { $0 + $1.count }
        guard bytes <= Snapshot.mostBytes else {
            self = SnapshotAssembly()
            throw TooLarge()
        }
        events += page.events
        next += 1
        guard next >= page.parts else { return nil }
        var whole = page
        whole.events = events
        self = SnapshotAssembly()
        return whole
    }
}
