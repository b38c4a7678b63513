import Credentials
import Foundation
import Messages
import ServiceRuntime

/// How the owner of an installation logs in for the first time where access to the bus alone
/// doesn't make anyone its owner: with the code in a file that only the account running the service
/// can read. It is a reset code, so the session that it begins can only set a password.
enum OwnerCode {
    /// The path of the file with the code, which exists while the owner has no password.
    static func path(in directory: String) -> String { "\(directory)/owner-code" }

    /// The kind of the timer that replaces the code.
    static let timer = "ownerCode"

    /// Writes a new code in place of the last one and sets the timer for the next; or deletes the
    /// file when none is needed.
    static func offer(in transaction: Transaction) throws {
        let path = path(in: transaction.dataDirectory)
        guard transaction.isBusShared,
            let owner = try Fact.owner.read(transaction.db),
            try Account.password(of: owner, transaction.db).isEmpty
        else { return transaction.afterCommit { unlink(path) } }
        let code = Secret.code()
        try Codes.keep(
            .reset, Secret.hash(code: code) ?? [], for: owner,
            expires: transaction.now + Codes.resetLife,
            transaction.db)
        // The code in the file stays valid for at least half its life.
        try transaction.setTimer(
            timer, subject: "", due: transaction.now + Codes.resetLife / 2)
        transaction.afterCommit {
            unlink(path)
            // If it can't be written, the next start tries again.
            _ = FileManager.default.createFile(
                atPath: path, contents: Data("\(code)\n".utf8),
                attributes: [.posixPermissions: 0o600])
        }
    }
}
