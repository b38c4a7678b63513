import Bus
import Messages

/// Decides who a message comes from and whether it may be sent by that one.
final class Doorkeeper {
    private let verifier: TokenVerifier
    private let workerToken: [UInt8]
    /// Whom a message without a token comes from.
    private let stranger: Principal
    /// True when every message comes with a key.
    private let isGuarded: Bool

    /// - Parameter connection: in a directory, which only its owner may enter, no token is needed.
    init(verifier: TokenVerifier, workerToken: [UInt8], connection: Connection) {
        self.verifier = verifier
        self.workerToken = workerToken
        stranger = connection.address.isPrivate ? .machineOwner : .anonymous
        isGuarded = connection.isGuarded
    }

    /// Whether a message is handled.
    enum Admission {
        /// It is, in this one's name.
        case admitted(Principal)
        /// It isn't, and who sent it is this one as far as is known.
        case denied(Refusal, Principal)
    }

    /// Judges who sent a message, and whether that one may.
    func admit(
        _ envelope: Envelope, from peer: Peer?, by access: Access, at now: Int64
    ) throws -> Admission {
        let unknown = Principal.anonymous.coming(from: peer)
        guard peer != nil || !isGuarded else {
            return .denied(.forbidden("no key has come with this message"), unknown)
        }
        guard let principal = try principal(of: envelope.token, at: now)?.coming(from: peer) else {
            return .denied(.badToken, unknown)
        }
        guard access.allows(principal) else {
            return .denied(access.refusal(of: principal), principal)
        }
        return .admitted(principal)
    }

    /// - Returns: nil for a token that is worth nothing.
    private func principal(of token: [UInt8], at now: Int64) throws -> Principal? {
        if token.isEmpty { return stranger }
        if token == workerToken { return .system }
        return try verifier.principal(of: token, at: now)
    }
}

extension Refusal {
    /// Whatever is wrong with a token, its sender gets the same refusal.
    static let badToken = Refusal(
        code: .badToken, message: "the access token is not valid here; log in again")
}
