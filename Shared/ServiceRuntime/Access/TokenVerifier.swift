import Bus
import CSodium
import GRDB
import Messages

/// Verifies access tokens and finds the accounts they belong to.
package final class TokenVerifier {
    /// The size of an Ed25519 public key in bytes.
    static let keySize = 32
    static let signatureSize = 64
    /// The maximum size of a token in bytes; a longer one is not read.
    static let longestToken = 64 << 10
    /// How far the issuer's clock may be ahead, in milliseconds.
    static let skew: Int64 = 60_000
    /// How long after a token was issued its key may still be on its way, in milliseconds. A key
    /// comes with an event: within a second or two, even after a restart of either service.
    static let keyDelay: Int64 = 60_000
    /// The maximum number of verified tokens that are kept.
    static let cacheSize = 10_000
    /// About how much memory they may use, in bytes.
    static let cacheBytes = 16 << 20

    private struct Judgement {
        let principal: Principal
        let from: Int64
        let until: Int64
    }

    private let audience: String
    private let isIssuer: Bool
    private let keys: AccessKeys
    private let db: Database
    /// Only valid tokens, so that nobody can fill it with others.
    private var cache = BoundedCache<[UInt8], Judgement>(
        mostEntries: cacheSize, mostWeight: cacheBytes)

    /// Makes a verifier that accepts tokens for one service, by the keys in its store.
    ///
    /// - Parameters:
    ///   - audience: the service.
    ///   - keys: the keys that it knows.
    ///   - db: its store.
    ///   - isIssuer: true for the service that issues the tokens, which knows its keys at once.
    package init(
        audience: ServiceName, keys: AccessKeys, db: Database, isIssuer: Bool = false
    ) {
        self.audience = audience.rawValue
        self.isIssuer = isIssuer
        self.keys = keys
        self.db = db
        let isReady = sodium_init() >= 0
        precondition(isReady, "libsodium has found no source of randomness")
    }

    /// Drops the verified tokens that a change may have made invalid.
    func forget(_ change: AccessKeys.Change) {
        switch change {
        case .keys: cache.removeAll()
        case .account(let account): cache.removeAll { $1.principal.account == account }
        }
    }

    /// Whether no token can be verified yet, because no key has arrived from the issuer.
    func awaitsKeys() throws -> Bool { try keys.isEmpty(db) }

    /// Whether the key that a token names may still arrive: the token was issued a moment ago, and
    /// the key is not known.
    ///
    /// Anyone can write such a token. Refusing it costs no more than refusing any other, and
    /// nothing is kept of it.
    func awaitsKey(of token: [UInt8], at now: Int64) throws -> Bool {
        guard !isIssuer, let claims = read(token)?.claims,
            claims.keyId.count == AccessKeys.idSize,
            (now - Self.keyDelay...now + Self.skew).contains(claims.issued)
        else { return false }
        return try keys.key(claims.keyId, db) == nil
    }

    /// - Returns: the account of a valid token; nil for any other.
    package func principal(of token: [UInt8], at now: Int64) throws -> Principal? {
        if let known = cache[token] {
            if (known.from..<known.until).contains(now) { return known.principal }
            _ = cache.take(token)
            return nil
        }
        guard let judgement = try judge(token),
            (judgement.from..<max(judgement.from, judgement.until)).contains(now)
        else { return nil }
        // The token itself, and about twice as much for what it says.
        cache.put(judgement, for: token, weight: 3 * token.count)
        return judgement.principal
    }

    /// Verifies a token. Cheap checks come before the signature.
    private func judge(_ token: [UInt8]) throws -> Judgement? {
        guard let (parts, claims) = read(token), let key = try keys.key(claims.keyId, db),
            crypto_sign_verify_detached(
                parts.signature, parts.claims, UInt64(parts.claims.count), key.bytes) == 0,
            try !keys.isRevoked(claims, db)
        else { return nil }
        return Judgement(
            principal: Principal(claims), from: claims.issued - Self.skew,
            until: key.ends == 0 ? claims.expires : min(claims.expires, key.ends))
    }

    /// Reads a token, and examines whatever can be examined without its key.
    private func read(_ token: [UInt8]) -> (parts: AccessToken, claims: Claims)? {
        guard token.count <= Self.longestToken,
            let parts: AccessToken = unpackOrNil(token), parts.packed() == token,
            parts.signature.count == Self.signatureSize,
            let claims: Claims = unpackOrNil(parts.claims),
            claims.audience == audience, !claims.account.isEmpty, claims.expires > claims.issued,
            claims.issued > Int64.min + Self.skew
        else { return nil }
        return (parts, claims)
    }

    private func unpackOrNil<M: ProtobufMessage>(_ bytes: [UInt8]) -> M? {
        do { return try M(unpacking: bytes) } catch { return nil }
    }
}
