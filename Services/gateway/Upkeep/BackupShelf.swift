import Foundation
import Speech

/// A directory of backups that are named after the time at which each was begun. Only the newest
/// are kept; whatever else is in the directory is left alone.
struct BackupShelf {
    /// The maximum number of backups that may be kept.
    static let most = 1000
    /// The ending of a backup that is incomplete: it is being made, or being deleted.
    private static let partial = ".part"

    /// Where it is.
    let path: String

    /// The directory of the backup that begins at a time, in milliseconds since 1970:
    /// `2026-11-23T03-15-00.000Z`, in UTC, so that the names sort by time.
    func directory(at time: Int64) -> String {
        // The milliseconds are added as digits, because a date with a fraction may be rounded down
        // to the name of the millisecond before.
        let (seconds, rest) = (time / 1000, time % 1000)
        let name = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        let fraction = String(1000 + rest).dropFirst()
        return "\(path)/\(name.dropLast().replacing(":", with: "-")).\(fraction)Z"
    }

    /// Begins a backup that is named after a time, or after a moment later if that name is taken.
    ///
    /// - Returns: the folder that it is made in, and the directory that it becomes.
    func begin(at time: Int64) throws -> (folder: BackupFolder, target: String) {
        for moment in time..<time + Self.mostAtOnce {
            let target = directory(at: moment)
            var folder = BackupFolder(path: target + Self.partial)
            // In this order, because a backup that is made at the same time may end in between.
            let isTaken = [folder.path, target].contains {
                FileManager.default.fileExists(atPath: $0)
            }
            guard !isTaken else { continue }
            if try folder.makeNew() { return (folder, target) }
        }
        throw Failure(
            .refused, "too many backups are being made in \(path)", advice: "wait for them")
    }

    /// The maximum number of backups that can begin at the same time.
    private static let mostAtOnce: Int64 = 1000

    /// Deletes what interrupted backups left, so that they don't fill the disk, however many in a
    /// row are interrupted. A backup that is being made stays.
    ///
    /// - Throws: if something can't be deleted, once everything else is.
    func clear() throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        var problem: (any Error)?
        for name in try FileManager.default.contentsOfDirectory(atPath: path)
        where name.hasSuffix(Self.partial) && Self.isDated(name.dropLast(Self.partial.count)) {
            do { try BackupFolder(path: "\(path)/\(name)").delete() } catch { problem = error }
        }
        if let problem { throw problem }
    }

    /// Deletes the oldest backups beyond a number, and what is left of interrupted ones.
    ///
    /// - Parameters:
    ///   - made: the directory of the backup that was just made. It stays, even if a wrong clock
    ///     has given others a later date.
    /// - Returns: how many backups were deleted.
    func prune(to count: Int, made: String) throws -> Int {
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        let others = names.filter { Self.isDated($0) && "\(path)/\($0)" != made }
            .filter { FileManager.default.fileExists(atPath: "\(path)/\($0)/manifest.json") }
        let old = others.sorted(by: >).dropFirst(count - 1)
        for name in old {
            // Rename it first: a backup with missing files must not look complete.
            let (whole, part) = ("\(path)/\(name)", "\(path)/\(name)\(Self.partial)")
            try FileManager.default.moveItem(atPath: whole, toPath: part)
            try BackupFolder(path: part).delete()
        }
        try clear()
        return old.count
    }

    private static func isDated(_ name: some StringProtocol) -> Bool {
        let form = Array("0000-00-00T00-00-00.000Z".utf8)
        let bytes = Array(name.utf8)
        return bytes.count == form.count
            && zip(bytes, form).allSatisfy { byte, sign in
                sign == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == sign
            }
    }
}
