import Bus
import Credentials
import Foundation
import Messages
import TestSupport
import Testing

@testable import AccountService

extension Processes {
    @Suite struct LogInTests {
        @Test func `a person with the right name and password is let in`() throws {
            let office = try Office()
            let ann = try office.person("ann")

            let reply = try office.logIn("ann")

            #expect(reply.account == ann)
            #expect(reply.refreshToken.count == 32)
            #expect(!reply.mustChangePassword)
        }

        @Test func `case doesn't matter in a name, but does in a password`() throws {
            let office = try Office()
            try office.person("Ann@Example.org")

            _ = try office.logIn("ann@example.ORG")
            let other = Office.password.uppercased()

            #expect(
                try office.refusal(of: LogIn(name: "ann@example.org", password: other)) == .wrong)
        }

        @Test func `a wrong name, a wrong password and a disabled account get the same reply`()
            throws
        {
            let office = try Office()
            try office.person("ann")
            try office.person("dan")
            _ = try office.ask(
                SetAccountDisabled(account: "dan", isDisabled: true), for: Account.self)

            let tries = [
                LogIn(name: "nobody", password: Office.password),
                LogIn(name: "ann", password: "another password"),
                LogIn(name: "dan", password: Office.password), LogIn(name: "ann", password: ""),
                LogIn(name: "", password: ""), LogIn(name: "ann' OR 1=1 --", password: "x"),
                LogIn(name: "ann", password: String(repeating: "x", count: 5000)),
            ]

            for attempt in tries { #expect(try office.refusal(of: attempt) == .wrong) }
        }

        @Test func `nobody logs in to the machine owner's account until it has a password`()
            throws
        {
            let office = try Office()
            let owner = try office.ask(WhoAmI(), for: Account.self)

            #expect(owner.grants == [Grant(role: .owner)])
            #expect(owner.organisation == "local")
            #expect(try office.refusal(of: LogIn(name: owner.name, password: "")) == .wrong)
            _ = try office.ask(ChangePassword(new: Office.password), for: Account.self)
            #expect(try office.logIn(owner.name).account?.id == owner.id)
        }

        @Test func `the machine owner is the same person with and without a log-in`() throws {
            let office = try Office()
            let owner = try office.ask(WhoAmI(), for: Account.self)

            _ = try office.ask(ChangePassword(new: Office.password), for: Account.self)

            // Services keep what belongs to the machine's owner under this name.
            #expect(owner.id == NSUserName())
            #expect(try office.logIn(owner.name).account?.id == NSUserName())
        }

        @Test func `signing up needs an invitation, which works once`() throws {
            let office = try Office()
            let invitation = try office.ask(Invite(), for: Invitation.self)
            let signUp = { (name: String, code: String) in
                SignUp(name: name, password: Office.password, invitation: code)
            }

            let refused = try office.refusal(of: signUp("ann", ""))
            _ = try office.ask(signUp("ann", invitation.code.lowercased()), for: Account.self)

            #expect(refused.code == .forbidden)
            #expect(try office.refusal(of: signUp("bob", invitation.code)) == .invitationOver)
            #expect(try office.refusal(of: signUp("bob", "no code")) == .invitationOver)
        }

        @Test func `anyone can sign up where sign-up is open, and gets no role`() throws {
            let office = try Office()
            _ = try office.ask(SetSignUp(isOpen: true), for: Organisation.self)

            let account = try office.ask(
                SignUp(name: "ann", password: Office.password), for: Account.self)

            #expect(account.grants == [])
            #expect(
                try office.refusal(of: SignUp(name: "ANN", password: Office.password)).code
                    == .conflict)
        }

        @Test func `guessing is slowed down, even for names that no account has`() throws {
            let office = try Office()
            try office.person("ann")

            for name in ["ann", "nobody"] {
                let guess = LogIn(name: name, password: "x")
                for _ in 0..<5 { #expect(try office.refusal(of: guess) == .wrong) }
                var refusal = try office.refusal(of: guess)
                // On a busy machine the wait may already be over; the next one is twice as long.
                var longest = 1
                while refusal == .wrong, longest < 64 {
                    refusal = try office.refusal(of: guess)
                    longest *= 2
                }
                let waits = ["1 second"] + (1...longest).dropFirst().map { "\($0) seconds" }
                #expect(
                    waits.map { "there were too many failed attempts; try again in \($0)" }
                        .contains(refusal.message))
            }
        }

        @Test func `the wait survives kill -9, and applies to the right password too`() throws {
            let office = try Office()
            try office.person("ann")
            for _ in 0..<5 { _ = try office.refusal(of: LogIn(name: "ann", password: "x")) }
            try office.system.edit(.account, "UPDATE failure SET count = 15")

            try office.restart()

            let attempt = LogIn(name: "ann", password: Office.password)
            #expect(try office.refusal(of: attempt).message.hasSuffix("in 15 minutes"))
        }

        @Test func `after a successful log-in the next attempts are free again`() throws {
            let office = try Office()
            try office.person("ann")
            for _ in 0..<4 { _ = try office.refusal(of: LogIn(name: "ann", password: "x")) }
            _ = try office.logIn("ann")

            for _ in 0..<5 {
                #expect(try office.refusal(of: LogIn(name: "ann", password: "x")) == .wrong)
            }
        }

        @Test func `a hash that has become too cheap is replaced at the next log-in`() throws {
            let office = try Office()
            try office.person("ann")
            let old = try PasswordTrialFixture.cheapHash(of: Office.password)
            try office.system.edit(
                .account, "UPDATE account SET password = '\(old)' WHERE name = 'ann'")

            _ = try office.logIn("ann")

            let new = try office.system.query(
                .account, "SELECT password FROM account WHERE name = 'ann'")
            #expect(new.first?.first?.contains("m=19456,t=2") == true)
            _ = try office.logIn("ann")
        }

        /// What libsodium writes before the salt: the algorithm and its cost.
        private func cost(_ hash: PasswordHash) -> [Substring] {
            Array(hash.text.split(separator: "$").prefix(3))
        }

        @Test func `an unknown name costs one hash, just as a known one does`()
            throws
        {
            let stored = try PasswordTrialFixture.hash(of: Office.password)
            let trial = { (stored: String) in
                PasswordTrial(
                    account: "", stored: stored, typed: "another password", device: "",
                    subject: "")
            }

            let known = try trial(stored).compared()
            let unknown = try trial("").compared()

            #expect(known.text == stored)
            #expect(cost(unknown) == cost(known))
            #expect(cost(unknown) == ["argon2id", "v=19", "m=19456,t=2,p=1"])
            #expect(!unknown.needsRehash())
            // It is made once, not for each attempt, and no password matches it.
            #expect(try trial("").compared() == unknown)
            #expect(try !trial("").check().isRight)
        }

        @Test func `a wrong password and an unknown name get the same bytes in reply`() throws {
            let office = try Office()
            try office.person("ann")

            let answers = try ["ann", "nobody"].map { name in
                var answer = try office.answer(to: LogIn(name: name, password: "wrong"))
                // Clear what differs in any two answers.
                (answer.id, answer.time, answer.causationId, answer.correlationId) = ([], 0, [], [])
                return answer.packed()
            }

            #expect(answers[0] == answers[1])
        }

        @Test func `a wrong password and an unknown name take the service the same time`() throws {
            let office = try Office()
            try office.person("ann")
            let clock = ContinuousClock()
            var ratios: [Double] = []
            var median = 0.0
            // Measure one right after the other and in either order, because the machine does other
            // work too. All pairs count; a busy machine needs more of them for a clear result.
            repeat {
                for number in 0..<40 {
                    try office.forgetFailures()
                    let times = try (number % 2 == 0 ? ["ann", "nobody"] : ["nobody", "ann"]).map {
                        let attempt = LogIn(name: $0, password: "wrong")
                        return try clock.measure { _ = try office.answer(to: attempt) }
                    }
                    ratios.append(number % 2 == 0 ? times[0] / times[1] : times[1] / times[0])
                }
                median = ratios.sorted()[ratios.count / 2]
            } while ratios.count < 400 && !(1 / 1.1...1.1).contains(median)

            #expect((1 / 1.1...1.1).contains(median), "\(median) of \(ratios.count) pairs")
        }
    }
}
