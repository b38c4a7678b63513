import Credentials
import Foundation
import Messages
import ServiceRuntime

/// How the owner of an installation comes in for the first time where reaching the bus makes no one
/// its owner: with the code in a file that only who runs the service can read. The code is one of a
/// reset, so that the session which it begins can do nothing but set a password.
enum OwnerCode {
    /// Where the code is for as long as the owner has no password.
    static func path(in directory: String) -> String { "\(directory)/owner-code" }

    /// The kind of the timer that replaces the code.
    static let timer = "ownerCode"

    /// Writes a new code in place of the last one, and sets the timer for the next; or takes the
    /// file away when none is needed.
    static func offer(in transaction: Transaction) throws {
        let path = path(in: transaction.dataDirectory)
        guard transaction.isBusShared,
            let owner = try Fact.owner.read(transaction.db),
            try Account.required(id: owner, transaction.db).password(transaction.db).isEmpty
        else { return transaction.afterCommit { unlink(path) } }
        let code = Secret.code()
        try Codes.keepReset(
            Secret.hash(code: code) ?? [], for: owner, expires: transaction.now + Codes.resetLife,
            transaction.db)
        // The code in the file is good for half its life at least.
        try transaction.setTimer(
            timer, subject: "", due: transaction.now + Codes.resetLife / 2)
        transaction.afterCommit {
            unlink(path)
            // When it can't be written, the next start tries again.
            _ = FileManager.default.createFile(
                atPath: path, contents: Data("\(code)\n".utf8),
                attributes: [.posixPermissions: 0o600])
        }
    }
}
