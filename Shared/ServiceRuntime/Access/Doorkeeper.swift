import Bus
import Messages

/// Decides who sent a message and whether that sender may send it.
final class Doorkeeper {
    private let verifier: TokenVerifier
    private let workerToken: [UInt8]
    /// The sender of a message without a token.
    private let stranger: Principal
    /// True when every message must come with a key.
    private let isGuarded: Bool

    /// Creates the doorkeeper of a service.
    ///
    /// - Parameters:
    ///   - verifier: verifies access tokens.
    ///   - workerToken: the token of the service's own workers.
    ///   - connection: how the service is reached. In a directory, which only its owner may enter,
    ///     no token is needed.
    init(verifier: TokenVerifier, workerToken: [UInt8], connection: Connection) {
        self.verifier = verifier
        self.workerToken = workerToken
        stranger = connection.address.isPrivate ? .machineOwner : .anonymous
        isGuarded = connection.isGuarded
    }

    /// Whether a message is admitted.
    enum Admission {
        /// It is, on behalf of this principal.
        case admitted(Principal)
        /// It is not. The principal is the sender, as far as known.
        case denied(Refusal, Principal)
    }

    /// Decides whether a message is admitted.
    func admit(
        _ envelope: Envelope, from peer: Peer?, by access: Access, at now: Int64
    ) throws -> Admission {
        let unknown = Principal.anonymous.coming(from: peer)
        guard peer != nil || !isGuarded else {
            return .denied(.forbidden("this message came without a key"), unknown)
        }
        guard let principal = try principal(of: envelope.token, at: now)?.coming(from: peer) else {
            return .denied(try refusal(of: envelope.token, at: now), unknown)
        }
        guard access.allows(principal) else {
            return .denied(access.refusal(of: principal), principal)
        }
        return .admitted(principal)
    }

    /// Why a token that is not valid is refused.
    private func refusal(of token: [UInt8], at now: Int64) throws -> Refusal {
        if try verifier.awaitsKeys() { return .keyAwaited }
        return try verifier.awaitsKey(of: token, at: now) ? .newKeyAwaited : .badToken
    }

    /// - Returns: nil for a token that is not valid.
    private func principal(of token: [UInt8], at now: Int64) throws -> Principal? {
        if token.isEmpty { return stranger }
        if token == workerToken { return .system }
        return try verifier.principal(of: token, at: now)
    }
}

extension Refusal {
    /// The one refusal for every invalid token, whatever is wrong with it, unless its key may still
    /// arrive.
    static let badToken = Refusal(
        code: .badToken, message: "the access token is not valid here; log in again"
    ).because(.tokenInvalid)

    /// The refusal of every token while none can be verified.
    static let keyAwaited = Refusal(
        code: .badToken,
        message: "there is no key yet to verify access tokens; start the service that issues "
            + "them if it isn't running, and try again"
    ).because(.keyAwaited)

    /// The refusal of a token that was issued a moment ago, with a key that is not known.
    static let newKeyAwaited = Refusal(
        code: .badToken,
        message: "the key to verify the access token has not arrived yet; try again in a moment"
    ).because(.keyAwaited)
}
