import Messages

/// Assembles a snapshot that arrives in parts; it is used only when all are there.
struct SnapshotAssembly {
    /// The parts are larger than any producer's snapshot may be.
    struct TooLarge: Error {}

    private var epoch: UInt64 = 0
    private(set) var sequence: UInt64 = 0
    /// The cause that all events of the snapshot name. A producer that was started again may make
    /// another snapshot at the same sequence, with its events in other parts.
    private var cause: [UInt8] = []
    private var events: [[UInt8]] = []
    private var bytes = 0
    /// The number of the next part; 0 when none has arrived.
    private(set) var next: UInt32 = 0

    /// Adds a part; a part that does not follow the last is ignored. After a part of another
    /// snapshot, the parts are dropped: the first one is next.
    ///
    /// - Returns: the whole snapshot as one page after its last part, else nil.
    /// - Throws: ``TooLarge`` when the parts have more bytes than a snapshot may have; they are
    ///   dropped.
    mutating func add(_ page: ReplayPage) throws(TooLarge) -> ReplayPage? {
        let cause = Self.cause(of: page)
        if page.part == 0 {
            self = SnapshotAssembly()
            (epoch, sequence, self.cause) = (page.epoch, page.snapshotSequence, cause)
        }
        guard page.part == next, page.epoch == epoch, page.snapshotSequence == sequence else {
            return nil
        }
        guard cause == self.cause else {
            self = SnapshotAssembly()
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

    /// The cause that the events of a part name; empty if there is none.
    private static func cause(of page: ReplayPage) -> [UInt8] {
        guard let first = page.events.first else { return [] }
        do { return try Envelope(stored: first).causationId } catch { return [] }
    }
}
