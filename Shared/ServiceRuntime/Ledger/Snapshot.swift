import Foundation
import Messages

/// A service's state at one moment as events, in parts that each fit into a message. It is stored
/// in an unlinked file, so it uses no memory and disappears with the process.
final class Snapshot: Sendable {
    /// The maximum size of its events in bytes. A follower keeps all of them in memory, and has 256
    /// MiB in all.
    static let mostBytes = 64 << 20

    /// The history that the sequence belongs to.
    let epoch: UInt64
    /// The sequence up to which the events describe the state.
    let sequence: UInt64
    private let file: Int32
    /// The range of each part in the file, in bytes; there is at least one.
    private let parts: [Range<Int>]

    /// Makes a snapshot that owns the file.
    fileprivate init(epoch: UInt64, sequence: UInt64, file: Int32, parts: [Range<Int>]) {
        (self.epoch, self.sequence, self.file, self.parts) = (epoch, sequence, file, parts)
    }

    deinit { close(file) }

    /// The number of parts.
    var count: Int { parts.count }

    /// The packed events of a part.
    func events(_ part: Int) throws -> [[UInt8]] {
        let place = parts[part]
        var bytes = [UInt8](repeating: 0, count: place.count)
        guard pread(file, &bytes, bytes.count, off_t(place.lowerBound)) == bytes.count else {
            throw Unreadable()
        }
        return try ReplayPage(stored: bytes).events
    }

    private struct Unreadable: Error {}
}

/// Writes a snapshot into its file, part by part.
struct SnapshotWriter {
    /// The state is larger than a snapshot may be.
    struct TooLarge: Error, CustomStringConvertible {
        var description: String {
            "the present state has more than \(Snapshot.mostBytes >> 20) MiB; delete what is no "
                + "longer needed"
        }
    }

    private let file: Int32
    private var bytes = 0
    private var parts: [Range<Int>] = []
    private var part = ReplayPage()
    private var size = 0

    /// Creates the file.
    ///
    /// - Parameter path: the name under which it is created; it is unlinked immediately.
    init(path: String) throws(Outage) {
        file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.outage(path) }
        unlink(path)
    }

    /// Appends an event.
    ///
    /// - Throws: ``TooLarge``, or an `Outage` when it can't be written.
    mutating func add(_ event: [UInt8]) throws {
        bytes += event.count
        guard bytes <= Snapshot.mostBytes else { throw TooLarge() }
        if size + event.count > ReplayDesk.pageBytes, size > 0 { try endPart() }
        part.events.append(event)
        size += event.count
    }

    /// Writes the last part and returns the snapshot, which owns the file.
    mutating func finish(epoch: UInt64, sequence: UInt64) throws(Outage) -> Snapshot {
        if size > 0 || parts.isEmpty { try endPart() }
        return Snapshot(epoch: epoch, sequence: sequence, file: file, parts: parts)
    }

    /// Closes the file of an unfinished snapshot.
    func discard() { close(file) }

    private mutating func endPart() throws(Outage) {
        let bytes = part.packed()
        let start = parts.last?.upperBound ?? 0
        guard pwrite(file, bytes, bytes.count, off_t(start)) == bytes.count else {
            throw Self.outage("a snapshot")
        }
        parts.append(start..<start + bytes.count)
        (part, size) = (ReplayPage(), 0)
    }

    private static func outage(_ path: String) -> Outage {
        Outage(
            exitCode: Outage.storage,
            "can't write \(path) (\(String(cString: strerror(errno)))); free some space")
    }
}
