import Bus
import CSodium
import GRDB
import Messages

/// Judges access tokens: whose they are, or that they are worth nothing here.
package final class TokenVerifier {
    /// How many bytes an Ed25519 public key has.
    static let keySize = 32
    static let signatureSize = 64
    /// A longer token is not read.
    static let longestToken = 64 << 10
    /// How far ahead the clock may be that a token comes from: milliseconds.
    static let skew: Int64 = 60_000
    /// How many judgements are remembered.
    static let cacheSize = 10_000

    private struct Judgement {
        let principal: Principal
        let from: Int64
        let until: Int64
    }

    private let audience: String
    private let keys: AccessKeys
    private let db: Database
    /// Only tokens that were found good, so that no one fills it with others.
    private var cache = BoundedCache<[UInt8], Judgement>(mostEntries: cacheSize)

    /// A verifier that accepts tokens for one service, by the keys in its store.
    package init(audience: ServiceName, keys: AccessKeys, db: Database) {
        self.audience = audience.rawValue
        self.keys = keys
        self.db = db
        let isReady = sodium_init() >= 0
        precondition(isReady, "libsodium has found no source of randomness")
    }

    /// Drops what is no longer certain.
    func forget(_ change: AccessKeys.Change) {
        switch change {
        case .keys: cache.removeAll()
        case .account(let account): cache.removeAll { $1.principal.account == account }
        }
    }

    /// - Returns: the account of a good token; nil for any other.
    package func principal(of token: [UInt8], at now: Int64) throws -> Principal? {
        if let known = cache[token] {
            if (known.from..<known.until).contains(now) { return known.principal }
            _ = cache.take(token)
            return nil
        }
        guard let judgement = try judge(token),
            (judgement.from..<max(judgement.from, judgement.until)).contains(now)
        else { return nil }
        cache.put(judgement, for: token)
        return judgement.principal
    }

    /// What costs nothing comes before the signature.
    private func judge(_ token: [UInt8]) throws -> Judgement? {
        guard token.count <= Self.longestToken,
            let parts: AccessToken = unpackOrNil(token), parts.packed() == token,
            parts.signature.count == Self.signatureSize,
            let claims: Claims = unpackOrNil(parts.claims),
            claims.audience == audience, !claims.account.isEmpty, claims.expires > claims.issued,
            claims.issued > Int64.min + Self.skew,
            let key = try keys.key(claims.keyId, db),
            crypto_sign_verify_detached(
                parts.signature, parts.claims, UInt64(parts.claims.count), key.bytes) == 0,
            try !keys.isRevoked(claims, db)
        else { return nil }
        return Judgement(
            principal: Principal(claims), from: claims.issued - Self.skew,
            until: key.ends == 0 ? claims.expires : min(claims.expires, key.ends))
    }

    private func unpackOrNil<M: ProtobufMessage>(_ bytes: [UInt8]) -> M? {
        do { return try M(unpacking: bytes) } catch { return nil }
    }
}
