import Bus
import Messages
import Testing

@testable import ServiceRuntime

/// The tokens whose key may still be on its way.
struct AwaitedKeyTests {
    private static let moment: Int64 = 1_000

    private let authority = Authority()
    /// The account-service after it was moved, or has made another key.
    private let next = Authority(seed: 2)

    @Test func `the key of a token is awaited for a minute after it was issued, and no longer`()
        throws
    {
        let now = WallClock.milliseconds()
        try authority.withVerifier { verifier in
            for (age, isAwaited) in [
                (-TokenVerifier.skew - Self.moment, false), (-TokenVerifier.skew, true), (0, true),
                (TokenVerifier.keyDelay, true), (TokenVerifier.keyDelay + Self.moment, false),
            ] {
                var claims = next.claims()
                (claims.issued, claims.expires) = (now - age, now - age + 600_000)
                let awaited = try verifier.awaitsKey(of: next.sign(claims), at: now)
                #expect(awaited == isAwaited, "\(age) ms after it was issued")
            }
        }
    }

    @Test func `no key is awaited that the service knows, or for a token that can't be good`()
        throws
    {
        let now = WallClock.milliseconds()
        var (nameless, extreme) = (next.claims(), next.claims())
        nameless.keyId = []
        (extreme.issued, extreme.expires) = (Int64.min, Int64.max)
        let tokens: [(String, [UInt8])] = [
            ("forged", next.sign(authority.claims())), ("good", authority.token()),
            ("for another service", next.token(audience: .notifier)),
            ("of no one", next.token("")), ("of no key", next.sign(nameless)),
            ("of the first moment", next.sign(extreme)),
            ("not a token", Array("steward".utf8)), ("none", []),
        ]
        try authority.withVerifier { verifier in
            for (what, token) in tokens {
                let awaited = try verifier.awaitsKey(of: token, at: now)
                #expect(!awaited, "\(what)")
            }
        }
    }

    @Test func `the service that issues tokens awaits none of its own keys`() throws {
        let now = WallClock.milliseconds()
        try authority.withVerifier(isIssuer: true) { verifier in
            let awaited = try verifier.awaitsKey(of: next.token(), at: now)
            #expect(!awaited)
        }
    }
}
