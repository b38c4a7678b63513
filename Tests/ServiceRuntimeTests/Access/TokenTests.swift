import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// Access tokens in practice: real processes, with a toy in place of account-service.
    @Suite(.serialized) struct Tokens {
        let authority = Authority()

        @Test func `a valid token acts for its account, and no token for the machine's owner`()
            throws
        {
            let toys = try Toys()
            try toys.startService()
            _ = try toys.startAccounts(authority)

            #expect(try toys.refusal(with: authority.token()) == nil)
            #expect(try toys.refusal(with: []) == nil)
            let askers = try toys.system.query(
                .transitAlert, "SELECT asker FROM inbox ORDER BY asker")
            #expect(askers == [[""], ["ann"]])
        }

        @Test func `every invalid token is refused the same way and counted`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            _ = try toys.startAccounts(authority)
            let stranger = Authority(seed: 2)
            let bad: [(String, [UInt8])] = [
                ("of another service", authority.token(audience: .notifier)),
                ("expired", authority.sign(authority.claims(issued: -700_000))),
                ("not yet valid", authority.sign(authority.claims(issued: 120_000))),
                ("without end", authority.sign(authority.claims(life: 0))),
                ("of no one", authority.token("")),
                ("of a key that never came", stranger.sign(stranger.claims(issued: -130_000))),
                ("signed by another", forged()),
                ("not a token", [1, 2, 3]), ("random", Array("steward".utf8)),
            ]

            for (what, token) in bad {
                #expect(try toys.refusal(with: token) == .badToken, "\(what)")
            }

            #expect(try toys.entries() == [])
            let status = try toys.client.ask(ReadStatus(), for: ServiceStatus.self)
            // A client that gets no answer soon sends its message again.
            #expect(status.counters["access.denied"] ?? 0 >= UInt64(bad.count))
            #expect(service.err.contains("level=notice service=transit-alert-service"))
            #expect(service.err.contains("outcome=denied"))
        }

        /// The claims name the known key, but another key signed them.
        private func forged() -> [UInt8] {
            var claims = authority.claims()
            claims.keyId = Array(authority.publicKey.prefix(8))
            return Authority(seed: 2).sign(claims)
        }

        @Test func `until the first key has come, a token is refused with that reason`() throws {
            let toys = try Toys()
            try toys.startService()
            let early = try #require(try toys.refusal(with: authority.token()))
            #expect(early.code == .badToken && early.isBecause(.keyAwaited))
            #expect(try toys.entries() == [])

            _ = try toys.startAccounts(authority)
            try eventually("the token is valid") {
                try toys.refusal(with: authority.token()) == nil
            }
        }

        @Test func `until the key of a new token has come, it is refused with that reason`() throws
        {
            let toys = try Toys()
            try toys.startService()
            let accounts = try toys.startAccounts(authority)
            let next = Authority(seed: 2)
            let token = next.token()
            let early = try #require(try toys.refusal(with: token))
            #expect(early.code == .badToken && early.isBecause(.keyAwaited))
            // Nothing is kept of a key that somebody invents, and the one that is known stays good.
            #expect(try toys.keys().count == 1)
            #expect(try toys.entries() == [])
            #expect(try toys.refusal(with: authority.token()) == nil)

            _ = try accounts.ask(KeyPublished(publicKey: next.publicKey), for: Raised.self)

            try eventually("the token is valid") { try toys.refusal(with: token) == nil }
        }

        @Test func `a clock that is a little ahead does no harm`() throws {
            let toys = try Toys()
            try toys.startService()
            _ = try toys.startAccounts(authority)

            let token = authority.sign(authority.claims(issued: 50_000))

            #expect(try toys.refusal(with: token) == nil)
        }

        @Test func `a valid token is refused once it has expired`() throws {
            let toys = try Toys()
            try toys.startService()
            _ = try toys.startAccounts(authority)
            let begun = WallClock.milliseconds()
            let token = authority.sign(authority.claims(issued: -595_000))
            // A token is valid for ten minutes. A busy machine may take longer than the rest.
            let isFresh =
                try toys.refusal(with: token) == nil
                || WallClock.milliseconds() >= begun + 5000

            try eventually("it has expired") {
                try toys.refusal(with: token) == .badToken
            }

            #expect(isFresh)
        }

        @Test(arguments: [true, false])
        func `a revoked token is refused within a second`(isSession: Bool) throws {
            let toys = try Toys()
            try toys.startService()
            let accounts = try toys.startAccounts(authority)
            let other = authority.sign(authority.claims("bob"))
            var epoch: UInt64 = 1

            let time = try shortestTime(under: .seconds(1)) {
                let revoked = isSession ? "s\(epoch + 1)" : ""
                let old = authority.sign(
                    authority.claims(
                        authEpoch: isSession ? 1 : epoch, session: isSession ? revoked : "s1"))
                epoch += 1
                let new = authority.sign(authority.claims(authEpoch: isSession ? 1 : epoch))
                for token in [old, new, other] { #expect(try toys.refusal(with: token) == nil) }
                _ = try accounts.ask(
                    AccessRevoked(
                        account: "ann", authEpoch: isSession ? 0 : epoch, session: revoked),
                    for: Raised.self)
                let time = try ContinuousClock().measure {
                    try eventually("it is refused") { try toys.refusal(with: old) == .badToken }
                }
                for token in [new, other] { #expect(try toys.refusal(with: token) == nil) }
                return time
            }

            #expect(time < .seconds(1))
        }

        @Test func `a revocation survives a restart of both services`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            let accounts = try toys.launchAccounts(authority)
            func revoke(_ account: String) throws {
                _ = try accounts.client.ask(
                    AccessRevoked(account: account, authEpoch: 2), for: Raised.self)
                try eventually("\(account) is refused") {
                    try toys.refusal(with: authority.token(account)) == .badToken
                }
            }
            func expectRevoked() throws {
                #expect(try toys.refusal(with: authority.token("ann")) == .badToken)
                #expect(try toys.refusal(with: authority.token("bob")) == nil)
            }
            try revoke("ann")

            service.kill()
            accounts.program.kill()
            try toys.startService()
            try expectRevoked()

            try toys.system.start("toy-accounts")
            // By then the service has heard of everything before.
            try revoke("eve")
            try expectRevoked()
        }

        @Test func `the end of a session is kept by the later of the two clocks`() throws {
            let toys = try Toys()
            try toys.startService()
            try toys.launchAccounts(authority).program.kill()
            let ahead = 3 * 24 * 3600
            try toys.setClock("\(ahead)")
            try toys.startShifted("toy-accounts")
            let accounts = try toys.system.client(of: .account)
            accounts.clock = toys.client.clock

            _ = try accounts.ask(AccessRevoked(account: "ann", session: "s1"), for: Raised.self)

            let least = WallClock.milliseconds() + Int64(ahead - 3600) * 1000
            try eventually("it is kept as long as its tokens may live") {
                try toys.system.query(
                    .transitAlert,
                    "SELECT time > \(least) FROM accessRevocation WHERE session = 's1'") == [["1"]]
            }
        }

        @Test func `a token is refused once the key that signed it has expired`() throws {
            let toys = try Toys()
            try toys.startService()
            let accounts = try toys.startAccounts(authority)
            let token = authority.token()
            #expect(try toys.refusal(with: token) == nil)

            let soon = WallClock.milliseconds() + 4000
            _ = try accounts.ask(
                KeyPublished(publicKey: authority.publicKey, ends: soon), for: Raised.self)
            let refusal = try toys.refusal(with: token)
            #expect(refusal == nil || WallClock.milliseconds() >= soon)

            try eventually("it has ended") {
                try toys.refusal(with: token) == .badToken
            }
            #expect(WallClock.milliseconds() >= soon)
        }

        @Test func `a missing role is named, and nothing is stored`() throws {
            let toys = try Toys()
            try toys.startService()
            _ = try toys.startAccounts(authority)
            let id = toys.client.makeID()

            toys.client.token = authority.token(grants: [Grant(role: .crew, site: "x")])
            let denied = try toys.refusal(of: Withdraw(account: "a", amount: 1), id: id)
            toys.client.token = authority.token(grants: [Grant(role: .siteManager, site: "x")])
            let allowed = try toys.refusal(of: Withdraw(account: "a", amount: 1), id: id)

            #expect(denied.code == .forbidden)
            #expect(denied.message == "this needs the role site manager at a site")
            #expect(allowed.message == "a does not hold that much")
        }

        @Test func `the reply to a command is only for the account that sent it`() throws {
            let toys = try Toys()
            try toys.startService()
            _ = try toys.startAccounts(authority)
            let id = toys.client.makeID()
            toys.client.token = authority.token("ann")
            _ = try toys.deposit(5, id: id)

            toys.client.token = authority.token("bob")
            let refusal = try toys.refusal(of: Deposit(account: "a", amount: 5), id: id)

            #expect(
                refusal == Refusal.conflict("another command has this id").because(.idTaken))
        }

        @Test func `over TCP a message without a token is anonymous`() throws {
            let toys = try Toys()
            let bus = "tcp://127.0.0.1:\(Loopback.port())"
            try toys.system.start("toy-service", bus: bus)
            let client = try toys.system.client(bus: bus)

            let open = try client.ask(ReadBalance(account: "a"), for: Balance.self)
            let refused = #expect(throws: ClientError.self) {
                try client.ask(Deposit(account: "a", amount: 1), for: Deposited.self)
            }

            #expect(open.balance == 0)
            #expect(
                refused
                    == .refused(
                        Refusal.forbidden("this needs an account; log in with steward login")
                            .because(.accountNeeded)))
        }

        @Test func `no part of a token is in a log, at any level`() throws {
            let toys = try Toys()
            let service = try toys.system.launch(
                "toy-service", adding: ["STEWARD_LOG": "trace"])
            try service.waitUntilReady()
            _ = try toys.startAccounts(authority)
            let (good, bad) = (authority.token("annabel"), Authority(seed: 2).token("annabel"))

            _ = try toys.refusal(with: good)
            _ = try toys.refusal(with: bad)

            // A token ends with its signature, which looks like nothing else in a log.
            let log = service.err
            for signature in [good, bad].map({ Array($0.suffix(64)) }) {
                var texts = [
                    signature.map { String($0, radix: 16) }.joined(), "\(signature)",
                    Data(signature).map { String(format: "%02x", $0) }.joined(),
                ]
                // Three bytes are four letters of Base64, and the signature may begin in any.
                texts += (0..<3).map { Data(signature.dropFirst($0)).base64EncodedString() }
                for text in texts { #expect(!log.contains(text.dropFirst().prefix(12))) }
            }
            #expect(!service.err.contains("annabel"))
        }
    }
}
