import Foundation
import Messages

/// A service's present state told as events, as of one moment, in parts that each fit into a
/// message. It lies in a file without a name: it takes no memory, and is gone with the process.
final class Snapshot: Sendable {
    /// Bytes of events that it may have. A follower holds all of them in memory at once, in which a
    /// service has 256 MiB in all.
    static let mostBytes = 64 << 20

    /// The history that the sequence counts in.
    let epoch: UInt64
    /// The events tell the state up to this sequence.
    let sequence: UInt64
    private let file: Int32
    /// Where each part is in the file, in bytes. There is one at least.
    private let parts: [Range<Int>]

    /// Takes the file over.
    fileprivate init(epoch: UInt64, sequence: UInt64, file: Int32, parts: [Range<Int>]) {
        (self.epoch, self.sequence, self.file, self.parts) = (epoch, sequence, file, parts)
    }

    deinit { close(file) }

    /// How many parts it has.
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
    /// There is more state than a snapshot may have.
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

    /// Begins the file.
    ///
    /// - Parameter path: its name while it is made; it loses it at once.
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

    /// Ends the file and hands it over.
    mutating func finish(epoch: UInt64, sequence: UInt64) throws(Outage) -> Snapshot {
        if size > 0 || parts.isEmpty { try endPart() }
        return Snapshot(epoch: epoch, sequence: sequence, file: file, parts: parts)
    }

    /// Gives the file up.
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
