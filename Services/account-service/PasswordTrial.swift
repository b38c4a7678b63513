import Credentials
import Messages
import ServiceRuntime

/// A password that someone typed, and the hash to compare it with. A name without an account costs
/// the same: it is compared with a hash that matches no password.
struct PasswordTrial: Sendable {
    /// The account's id; empty when there is none.
    let account: String
    /// The hash that was stored when the password was typed; empty for none.
    let stored: String
    let typed: String
    /// The new password to set; empty for none.
    var replacement = ""
    let device: String
    /// The subject under which the attempt is counted.
    let subject: String
    /// Where the person is, as the command says.
    var place = ""

    /// The subject under which attempts at a name are counted. It is not the name, because people
    /// type their password there by mistake. Each key counts separately, and each place that a
    /// service names, so that nobody can lock another out.
    static func subject(
        _ name: String, at place: String = "", in transaction: Transaction
    ) -> String {
        let name = Secret.fingerprint(Account.folded(name))
        return [name, transaction.principal.peer?.name ?? "", place].filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    /// The result of comparing.
    struct Outcome: Sendable {
        let trial: PasswordTrial
        let isRight: Bool
        /// The hash to store; nil to keep the present one.
        let hash: String?
    }

    /// A hash of a random password that nobody types.
    private static let dummy = Result {
        try PasswordHash(of: Secret.code() + Secret.code())
    }

    /// Makes the dummy in advance, so that the first attempt is not slower.
    static func prepare() throws { _ = try dummy.get() }

    /// The single hash to compare with, whether there is an account or not.
    func compared() throws -> PasswordHash {
        stored.isEmpty ? try Self.dummy.get() : PasswordHash(stored)
    }

    /// Compares the passwords.
    func check() throws -> Outcome {
        let hash = try compared()
        let isRight = hash.accepts(typed) && !stored.isEmpty
        if !replacement.isEmpty {
            let new = try PasswordHash(of: replacement)
            return Outcome(trial: self, isRight: isRight, hash: new.text)
        }
        guard isRight, hash.needsRehash() else {
            return Outcome(trial: self, isRight: isRight, hash: nil)
        }
        return Outcome(trial: self, isRight: true, hash: try PasswordHash(of: typed).text)
    }
}

/// Someone who is about to get an account.
struct Newcomer: Sendable {
    let name: String
    /// The e-mail address; empty for none.
    let email: String
    let displayName: String
    let password: String
    /// The hash of the invitation's code; empty when sign-up is open.
    let invitation: [UInt8]
    let organisation: String
    var passwordHash = ""

    /// The newcomer with the hash of the password.
    func hash() throws -> Newcomer {
        var hashed = self
        hashed.passwordHash = try PasswordHash(of: password).text
        return hashed
    }
}
