import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ServiceRuntime

/// Tokens that were tampered with. The variable `MUTATIONS` sets how many are tried.
struct MutatedTokenTests {
    private let authority = Authority()

    @Test func `no mutated token is accepted or causes a crash`() throws {
        let text = ProcessInfo.processInfo.environment["MUTATIONS"] ?? ""
        let rounds = Int(text) ?? 20_000
        var seed = Seed(UInt64(rounds))
        let grants = [Grant(role: .crew, site: "here"), Grant(role: .owner)]
        let good = authority.sign(
            authority.claims(grants: grants, caresFor: ["child", "other child"]))
        let now = WallClock.milliseconds()
        try authority.withVerifier { verifier in
            let whole = try verifier.principal(of: good, at: now)
            #expect(whole?.account == "ann")
            var accepted: [[UInt8]] = []
            for _ in 0..<rounds {
                let token = Self.mutate(good, &seed)
                guard token != good else { continue }
                if try verifier.principal(of: token, at: now) != nil { accepted.append(token) }
            }
            #expect(accepted == [])
        }
    }

    /// Makes one to four changes: flips a bit; replaces, removes or inserts a byte; cuts off or
    /// doubles a piece.
    private static func mutate(_ token: [UInt8], _ seed: inout Seed) -> [UInt8] {
        var token = token
        for _ in 0..<(1 + seed.below(4)) where !token.isEmpty {
            let place = Int(seed.below(token.count))
            switch seed.below(6) {
            case 0: token[place] ^= 1 << UInt8(seed.below(8))
            case 1: token[place] = UInt8(seed.below(256))
            case 2: token.remove(at: place)
            case 3: token.insert(UInt8(seed.below(256)), at: place)
            case 4: token.removeLast(min(token.count, 1 + Int(seed.below(40))))
            default:
                let end = min(token.count, place + 1 + Int(seed.below(40)))
                token.insert(contentsOf: token[place..<end], at: place)
            }
        }
        return token
    }

    @Test func `a token has exactly one valid encoding`() throws {
        let good = authority.token()
        let now = WallClock.milliseconds()
        try authority.withVerifier { verifier in
            // An unknown field, which the codec would skip.
            let padded = try verifier.principal(of: good + [0x78, 1], at: now)
            let plain = try verifier.principal(of: good, at: now)
            #expect(padded == nil)
            #expect(plain?.account == "ann")
        }
    }
}
