import Bus
import Messages

/// Decides who a message comes from and whether it may be sent by that one. What its table doesn't
/// name is refused.
final class Doorkeeper {
    private let access: [String: Access]
    private let verifier: TokenVerifier
    private let workerToken: [UInt8]
    /// Whom a message without a token comes from.
    private let stranger: Principal

    /// - Parameter address: in a directory, which only its owner may enter, no token is needed.
    init<S: Service>(
        _: S.Type, verifier: TokenVerifier, workerToken: [UInt8], address: BusAddress
    ) {
        access = S.wholeAccess
        let closed = S.answered.filter { S.access[$0] == nil }
        precondition(closed.isEmpty, "\(S.name.rawValue).access has no row for \(closed)")
        self.verifier = verifier
        self.workerToken = workerToken
        if case .directory = address { stranger = .machineOwner } else { stranger = .anonymous }
    }

    /// - Throws: the refusal of who may not send this message, or whose token is worth nothing.
    func admit(_ envelope: Envelope, at now: Int64) throws -> Principal {
        let principal = try principal(of: envelope.token, at: now)
        guard let row = access[envelope.type] else {
            throw Refusal.forbidden("no one may do this")
        }
        guard row.allows(principal) else { throw row.refusal(of: principal) }
        return principal
    }

    private func principal(of token: [UInt8], at now: Int64) throws -> Principal {
        if token.isEmpty { return stranger }
        if token == workerToken { return .system }
        guard let principal = try verifier.principal(of: token, at: now) else {
            throw Refusal.forbidden("the access token is not valid here; log in again")
        }
        return principal
    }
}
