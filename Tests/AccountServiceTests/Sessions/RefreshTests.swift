import Bus
import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct RefreshTests {
        private static let next = [UInt8](repeating: 9, count: 32)

        private func refresh(_ token: [UInt8], next: [UInt8]) -> RefreshAccess {
            RefreshAccess(refreshToken: token, audiences: ["notifier"], nextRefreshToken: next)
        }

        @Test func `only whoever proposed the next token may repeat the exchange`() throws {
            let office = try Office()
            try office.person("ann")
            let first = try office.logIn("ann").refreshToken
            let command = refresh(first, next: Self.next)

            let granted = try office.ask(command, for: AccessGranted.self)
            let again = try office.ask(command, for: AccessGranted.self)

            #expect(granted.refreshToken == Self.next)
            #expect(again.refreshToken == Self.next)
            #expect(again.tokens.keys.sorted() == ["notifier"])
            let other = [UInt8](repeating: 8, count: 32)
            #expect(try office.refusal(of: refresh(first, next: other)) == .over)
            #expect(try office.refusal(of: refresh(Self.next, next: other)) == .over)
        }

        @Test func `the exchange can't be repeated once its next token has been used`() throws {
            let office = try Office()
            try office.person("ann")
            let first = try office.logIn("ann").refreshToken
            let command = refresh(first, next: Self.next)
            _ = try office.ask(command, for: AccessGranted.self)
            _ = try office.refresh(Self.next)

            #expect(try office.refusal(of: command) == .over)
        }

        @Test func `the next token is new and has 32 bytes`() throws {
            let office = try Office()
            try office.person("ann")
            let other = try office.logIn("ann").refreshToken
            let used = try office.logIn("ann").refreshToken
            let present = try office.refresh(used).refreshToken

            for next in [[1], [UInt8](repeating: 9, count: 33), present, used, other] {
                let refused = try office.refusal(of: refresh(present, next: next))
                #expect(refused.code == .invalid)
            }
            _ = try office.ask(refresh(present, next: Self.next), for: AccessGranted.self)
        }

        @Test func `after kill -9 the answer of a lost exchange can still be fetched`() throws {
            let office = try Office()
            try office.person("ann")
            _ = try office.steward("login ann", typing: [Office.password])
            // The contents of the file if the program was killed before the answer came.
            let kept = try office.keptSession()
            try office.keep(session: ["next": Data(Self.next).base64EncodedString(), "expires": 0])
            let token = try #require(
                (kept["refreshToken"] as? String).flatMap {
                    Data(base64Encoded: $0)
                })
            let command = refresh([UInt8](token), next: Self.next)
            _ = try office.ask(command, for: AccessGranted.self)
            try office.restart()

            #expect(try office.steward("whoami").out.hasPrefix("ann "))

            let after = try office.keptSession()
            #expect(after["refreshToken"] as? String == Data(Self.next).base64EncodedString())
            #expect(after["next"] == nil)
        }

        /// In each round the access tokens have expired, and one side is killed while they are
        /// renewed.
        @Test(arguments: ["steward", "account-service"])
        func `a person stays logged in, whichever side is killed during a renewal`(
            victim: String
        ) throws {
            let office = try Office()
            try office.person("ann")
            _ = try office.steward("login ann", typing: [Office.password])

            for round in 0..<24 {
                try office.keep(session: ["expires": 0])
                let program = try office.spawnSteward("whoami")
                // Before, during and after the exchange, which takes about 20 ms here.
                let moment = ContinuousClock.now + .milliseconds(round * 3)
                try eventually("it is time to kill") { ContinuousClock.now >= moment }
                if victim == "steward" {
                    program.kill()
                } else {
                    try office.restart()
                    _ = try program.waitForEnd()
                }
            }

            try office.keep(session: ["expires": 0])
            let who = try office.steward("whoami")
            #expect(who.out.hasPrefix("ann "), "\(who.err)")
            #expect(try office.audit().allSatisfy { !$0.action.contains("twice") })
        }

        @Test func `many simultaneous commands renew the session once`() throws {
            let office = try Office()
            try office.person("ann")
            _ = try office.steward("login ann", typing: [Office.password])
            let used = "SELECT count(*) FROM formerToken"
            let before = try office.system.query(.account, used)

            for round in 1...3 {
                try office.keep(session: ["expires": 0])
                let programs = try (0..<8).map { _ in try office.spawnSteward("whoami") }
                for program in programs { #expect(try program.waitForEnd() == .exited(0)) }
                let count = try #require(before.first?.first.flatMap { Int($0) })
                #expect(try office.system.query(.account, used) == [["\(count + round)"]])
            }
        }

        @Test func `using a copy of the session elsewhere ends it for both`() throws {
            let office = try Office()
            try office.person("ann")
            _ = try office.steward("login ann", typing: [Office.password])
            try office.keep(session: ["expires": 0])
            let thief = office.sessionFile(home: "thief")
            try office.system.makeFolder("thief/.config/steward")
            try FileManager.default.copyItem(atPath: office.sessionFile(), toPath: thief)

            let first = try office.steward("whoami", home: "thief")
            let honest = try office.steward("whoami")

            #expect(first.out.hasPrefix("ann "))
            #expect(honest.end == .exited(1))
            #expect(honest.err.contains("your session is over"))
            #expect(honest.err.contains("log in again: steward login"))
            let after = try office.steward("whoami", home: "thief")
            #expect(!after.out.hasPrefix("ann "))
            #expect(try office.audit().contains { $0.action == "refresh token used twice" })
        }

        @Test func `after a session ends, nobody silently becomes the machine's owner`() throws {
            let office = try Office()
            try office.person("ann")
            _ = try office.steward("login ann", typing: [Office.password])
            try office.system.edit(.account, "UPDATE session SET ended = 1")
            try office.keep(session: ["expires": 0])

            for _ in 1...2 {
                let site = try office.steward("site add Mine --zone Europe/Berlin")
                #expect(site.end == .exited(1))
                #expect(site.err.contains("your session is over"))
                #expect(site.err.contains("go on as the owner of this machine: steward logout"))
            }
            #expect(try office.steward("status").err.contains("do not answer"))

            #expect(try office.steward("logout").out == "logged out\n")
            #expect(try office.steward("site add Mine --zone Europe/Berlin").end == .exited(0))
            #expect(try office.steward("login ann", typing: [Office.password]).end == .exited(0))
        }

        @Test func `an unreadable session isn't treated as none`() throws {
            let office = try Office()
            try office.system.makeFolder(".config/steward/session")

            let who = try office.steward("whoami")

            #expect(who.end == .exited(70))
            #expect(who.err.contains("the file of your session can't be read"))
        }

        @Test func `a session renews itself when its access tokens have expired`() throws {
            let office = try Office()
            try office.person("ann")
            _ = try office.steward("login ann", typing: [Office.password])
            let before = try office.keptSession()
            _ = try office.steward("whoami")
            let unchanged = try office.keptSession()

            try office.keep(session: ["expires": 0])
            #expect(try office.steward("whoami").out.hasPrefix("ann "))

            let after = try office.keptSession()
            #expect(unchanged["refreshToken"] as? String == before["refreshToken"] as? String)
            #expect(after["refreshToken"] as? String != before["refreshToken"] as? String)
            let attributes = try FileManager.default.attributesOfItem(atPath: office.sessionFile())
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }
}

extension Office {
    /// The session that the command line keeps.
    func keptSession() throws -> [String: Any] {
        let bytes = try Data(contentsOf: URL(filePath: sessionFile()))
        let all = try JSONSerialization.jsonObject(with: bytes) as? [String: [String: Any]]
        return try #require(all?.values.first)
    }

    /// Changes the session that the command line keeps.
    func keep(session changes: [String: Any]) throws {
        let bytes = try Data(contentsOf: URL(filePath: sessionFile()))
        var all = try #require(
            try JSONSerialization.jsonObject(with: bytes) as? [String: [String: Any]])
        for bus in all.keys { all[bus]?.merge(changes) { $1 } }
        try JSONSerialization.data(withJSONObject: all)
            .write(to: URL(filePath: sessionFile()))
    }
}
