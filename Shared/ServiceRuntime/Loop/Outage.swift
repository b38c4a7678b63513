import Bus
import Foundation
import GRDB
import Messages

/// A failure of the environment that keeps the process from continuing. Its description names the
/// file and the fix.
///
/// Nothing is left half done, because everything happens in transactions; the supervisor starts the
/// process again.
public struct Outage: Error, CustomStringConvertible {
    /// The exit code, from sysexits(3) where it has one.
    public let exitCode: Int32
    /// What is wrong and what to do.
    public let description: String

    /// Makes an outage with its exit code and sentence.
    public init(exitCode: Int32, _ description: String) {
        self.exitCode = exitCode
        self.description = description
    }

    /// EX_CONFIG: a setting is wrong.
    public static let configuration: Int32 = 78
    /// EX_IOERR: the disk failed, is full or is read-only.
    public static let storage: Int32 = 74
    /// EX_DATAERR: the store is damaged or from a newer version.
    public static let badStore: Int32 = 65
    /// EX_TEMPFAIL: another process is using what this one needs.
    public static let occupied: Int32 = 75
    /// EX_SOFTWARE: a defect.
    public static let defect: Int32 = 70

    /// What a failure of SQLite means for the operator; nil when the statement is at fault and not
    /// the environment.
    public init?(_ error: DatabaseError, store path: String) {
        let directory = (path as NSString).deletingLastPathComponent
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(
                exitCode: Self.storage,
                "the disk that holds \(path) is full; free some space and start again, "
                    + "nothing that was acknowledged is lost")
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            self.init(
                exitCode: Self.badStore,
                "the store \(path) is damaged (\(error.message ?? "malformed")); it was left as it "
                    + "is: move it away and restore a backup")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
            self.init(
                exitCode: Self.storage,
                "the store \(path) can't be written (\(error.message ?? "read-only")); make the "
                    + "file and its directory \(directory) writable for this account")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                exitCode: Self.occupied,
                "another program has locked the store \(path); close it and start again")
        case .SQLITE_IOERR:
            self.init(
                exitCode: Self.storage,
                "the disk that holds \(path) failed (\(error.message ?? "input/output error")); "
                    + "check the disk and its free space, then start again")
        case .SQLITE_NOMEM:
            self.init(exitCode: Self.storage, "out of memory while using \(path)")
        default:
            return nil
        }
    }

    /// True when the process has to stop: the disk, the store's file or a socket failed.
    static func isOutage(_ error: any Error) -> Bool {
        if error is BusError { return true }
        guard let error = error as? DatabaseError else { return false }
        return Outage(error, store: "") != nil
    }
}

/// A failure of something beside the store, such as a damaged file. It ends no process, because it
/// concerns only those who need that file.
///
/// Whoever sent the message gets its refusal. The refusal is not kept, so that the same command is
/// carried out once the file is good again.
public protocol PartialOutage: Error {
    /// What is wrong and what to do.
    var refusal: Refusal { get }
}

extension Transaction {
    /// Logs a failure that leaves something out of an answer.
    public func logLeftOut(_ outage: some PartialOutage) {
        turn.log.write(.error, "left out", [.error: "\(outage)"])
    }
}
