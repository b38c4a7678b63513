import Bus
import Credentials
import Messages
import ServiceRuntime

/// The keys that sign access tokens, and the tokens.
enum Keys {
    /// The kind of the timer that makes the next key.
    static let rotation = "rotate"

    static func makeFirstKey(in transaction: Transaction) throws {
        guard try IssuingKey.all(at: transaction.now, transaction.db).isEmpty else { return }
        try begin(IssuingKey(begins: transaction.now), in: transaction)
    }

    /// Publishes the next key, which signs an hour later; the present one is accepted until its
    /// last tokens have expired.
    static func rotateKeys(_: String, due: Int64, in transaction: Transaction) throws {
        let next = IssuingKey(begins: transaction.now + IssuingKey.notice)
        try endKeys(
            at: next.begins + LiveSession.tokenLife + IssuingKey.grace, in: transaction)
        try begin(next, in: transaction)
    }

    /// Ends all keys immediately: no token signed before is accepted any longer.
    static func replaceKeys(in transaction: Transaction) throws {
        try endKeys(at: transaction.now, in: transaction)
        try begin(IssuingKey(begins: transaction.now), in: transaction)
    }

    private static func endKeys(at time: Int64, in transaction: Transaction) throws {
        for var key in try IssuingKey.all(at: transaction.now, transaction.db)
        where key.ends == 0 || key.ends > time {
            key.ends = time
            try key.save(transaction.db)
            try transaction.publish(key.published, subject: "")
        }
    }

    private static func begin(_ key: IssuingKey, in transaction: Transaction) throws {
        try key.save(transaction.db)
        try transaction.publish(key.published, subject: "")
        try transaction.setTimer(
            rotation, subject: "", due: key.begins + IssuingKey.term - IssuingKey.notice)
    }

    /// Makes a packed access token for each of the services.
    static func tokens(
        for account: Account, _ session: LiveSession, audiences: [String],
        in transaction: Transaction
    ) throws -> [String: [UInt8]] {
        let keys = try IssuingKey.all(at: transaction.now, transaction.db)
        guard let key = keys.first(where: { $0.begins <= transaction.now }) ?? keys.last else {
            throw Refusal(code: .internal, message: "there is no key to sign with")
        }
        var tokens: [String: [UInt8]] = [:]
        for audience in audiences {
            let claims = Claims(
                keyId: key.pair.id, account: account.id, name: account.name,
                organisation: account.organisation, grants: account.grants, audience: audience,
                issued: transaction.now, expires: transaction.now + LiveSession.tokenLife,
                authEpoch: account.authEpoch, session: session.id, caresFor: account.caresFor
            ).packed()
            tokens[audience] = AccessToken(claims: claims, signature: key.pair.sign(claims))
                .packed()
        }
        return tokens
    }
}

extension IssuingKey {
    /// Makes a new key.
    init(begins: Int64) { self.init(pair: SigningKey(), begins: begins, ends: 0) }

    /// The event that publishes it to every service.
    var published: KeyPublished { KeyPublished(publicKey: pair.publicKey, ends: ends) }
}
