import Bus
import Foundation
import GRDB
import Messages
import Testing

@testable import ServiceRuntime

extension Authority {
    /// A verifier for the toy service that knows the key.
    ///
    /// - Parameters:
    ///   - isIssuer: whether the service issues the tokens.
    ///   - body: what to do with it.
    func withVerifier(isIssuer: Bool = false, _ body: (TokenVerifier) throws -> Void) throws {
        var migrator = DatabaseMigrator()
        Ledger.register(in: &migrator, now: 0)
        AccessKeys.register(in: &migrator)
        let store = try DatabaseQueue()
        try migrator.migrate(store)
        try store.write { db in
            try db.execute(
                sql: "INSERT INTO accessKey (id, key, ends) VALUES (?, ?, 0)",
                arguments: [Data(publicKey.prefix(8)), Data(publicKey)])
            try body(
                TokenVerifier(
                    audience: .transitAlert, keys: AccessKeys(), db: db, isIssuer: isIssuer))
        }
    }
}

/// What a service remembers about tokens that it has verified.
struct TokenCacheTests {
    private let authority = Authority()

    /// The number of results that it remembers.
    private func remembered(_ verifier: TokenVerifier) throws -> Int {
        var found: Any = verifier
        for label in ["cache", "entries"] {
            let child = Mirror(reflecting: found).children.first { $0.label == label }
            found = try #require(child).value
        }
        return Mirror(reflecting: found).children.count
    }

    @Test func `only a bounded number of valid tokens is remembered`() throws {
        let now = WallClock.milliseconds()
        try authority.withVerifier { verifier in
            for number in 0..<TokenVerifier.cacheSize + 50 {
                let token = authority.token("account \(number)")
                let principal = try verifier.principal(of: token, at: now)
                guard principal?.account == "account \(number)" else {
                    Issue.record("token \(number) was refused")
                    return
                }
            }
            let count = try remembered(verifier)
            #expect((1...TokenVerifier.cacheSize).contains(count))
        }
    }

    @Test func `fewer tokens are remembered when they are large`() throws {
        let now = WallClock.milliseconds()
        let others = (1...60).map { "\($0) " + String(repeating: "x", count: 900) }
        try authority.withVerifier { verifier in
            var size = 0
            for number in 100..<300 {
                let token = authority.sign(
                    authority.claims("account \(number)", caresFor: others))
                size = token.count
                let principal = try verifier.principal(of: token, at: now)
                #expect(principal?.caresFor.count == 60)
            }
            let count = try remembered(verifier)
            #expect((1...TokenVerifier.cacheBytes / (3 * size)).contains(count))
        }
    }

    @Test func `invalid tokens are not remembered`() throws {
        let now = WallClock.milliseconds()
        try authority.withVerifier { verifier in
            for number in 0..<50 {
                let expired = authority.sign(
                    authority.claims("account \(number)", issued: -3_600_000))
                let forged = Authority(seed: 2).token("account \(number)")
                let results = try [expired, forged].map {
                    try verifier.principal(of: $0, at: now)
                }
                #expect(results == [nil, nil])
            }
            let count = try remembered(verifier)
            #expect(count == 0)
        }
    }
}
