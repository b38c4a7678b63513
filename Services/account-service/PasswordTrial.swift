import Credentials
import Messages
import ServiceRuntime

/// A password that someone has typed, and what it is to be compared with. Names that no account has
/// cost the same: they are compared with a hash that no password opens.
struct PasswordTrial: Sendable {
    /// The account's id; empty when there is none.
    let account: String
    /// The hash that was kept when it was typed; empty for none.
    let stored: String
    let typed: String
    /// The password to set instead; empty for none.
    var replacement = ""
    let device: String
    /// At whose attempts it is counted.
    let subject: String

    /// Under what the attempts at a name are counted: not the name, because people type their
    /// password there. Each key is counted by itself, so that no one's attempts keep another out.
    static func subject(_ name: String, in transaction: Transaction) -> String {
        let name = Secret.fingerprint(Account.folded(name))
        return transaction.principal.peer.map { "\(name) \($0.name)" } ?? name
    }

    /// What came of it.
    struct Outcome: Sendable {
        let trial: PasswordTrial
        let isRight: Bool
        /// The hash to keep from now on; nil to leave it.
        let hash: String?
    }

    /// A hash of what no one types: 32 random bytes.
    private static let dummy = Result {
        try PasswordHash(of: Secret.code() + Secret.code())
    }

    /// Makes the dummy, so that the first attempt is not slower.
    static func prepare() throws { _ = try dummy.get() }

    /// The one hash with which it is compared, whether there is an account or not.
    func compared() throws -> PasswordHash {
        stored.isEmpty ? try Self.dummy.get() : PasswordHash(stored)
    }

    /// Compares.
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
    /// Empty for none.
    let email: String
    let displayName: String
    let password: String
    /// The hash of the invitation's code; empty when sign-up is open.
    let invitation: [UInt8]
    let organisation: String
    var passwordHash = ""

    /// With the hash of the password.
    func hash() throws -> Newcomer {
        var hashed = self
        hashed.passwordHash = try PasswordHash(of: password).text
        return hashed
    }
}
