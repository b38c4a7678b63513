import Foundation
import Messages
import TestSupport
import Testing

@testable import AccountService

extension Processes {
    @Suite struct SignUpTests {
        private func signUp(_ office: Office, _ name: String, _ email: String) throws -> SignUp {
            SignUp(
                name: name, password: Office.password,
                invitation: try office.ask(Invite(), for: Invitation.self).code, email: email)
        }

        @Test func `people log in with their name or their e-mail address`() throws {
            let office = try Office()
            _ = try office.ask(signUp(office, "ann", "Ann@Example.org"), for: Account.self)

            #expect(try office.logIn("ann").account?.email == "Ann@Example.org")
            #expect(try office.logIn("ann@example.ORG").account?.name == "ann")
        }

        @Test func `no two accounts share a name or an e-mail address`() throws {
            let office = try Office()
            _ = try office.ask(signUp(office, "ann", "ann@example.org"), for: Account.self)

            for (name, email) in [
                ("bob", "ANN@example.org"), ("Ann@example.org", ""), ("ANN", "bob@example.org"),
            ] {
                #expect(try office.refusal(of: signUp(office, name, email)).code == .conflict)
            }
            _ = try office.ask(signUp(office, "bob", ""), for: Account.self)
            _ = try office.ask(signUp(office, "eve", ""), for: Account.self)
        }

        @Test func `text that can't be an e-mail address is refused`() throws {
            let office = try Office()
            for email in ["ann", "@example.org", "ann@", "a@b@c", "ann @example.org"] {
                #expect(try office.refusal(of: signUp(office, "ann", email)).code == .invalid)
            }
        }

        @Test(arguments: ["newcomer", "openSignUp"])
        func `after many sign-ups one needs an invitation or has to wait`(kind: String) throws {
            let office = try Office()
            _ = try office.ask(SetSignUp(isOpen: true), for: Organisation.self)
            _ = try office.ask(
                SignUp(name: "ann", password: Office.password), for: Account.self)
            // A wait longer than this test.
            try office.system.edit(
                .account, "UPDATE failure SET count = 300 WHERE kind = '\(kind)' AND count = 1")

            let refusal = try office.refusal(of: SignUp(name: "bob", password: Office.password))
            #expect(refusal.isBecause(.signUpLimit))
            _ = try office.ask(signUp(office, "eve", ""), for: Account.self)
        }

        @Test func `whoever learns that a name is taken has used up an attempt`() throws {
            let office = try Office()
            _ = try office.ask(signUp(office, "ann", "ann@example.org"), for: Account.self)
            _ = try office.ask(SetSignUp(isOpen: true), for: Organisation.self)
            let tries = [
                SignUp(name: "ann", password: Office.password),
                SignUp(name: "bob", password: Office.password, email: "ann@example.org"),
            ]

            for signUp in tries {
                #expect(try office.refusal(of: signUp).isBecause(.nameTaken))
            }

            let counted = "SELECT kind FROM failure WHERE kind <> 'source' AND count > 1"
            #expect(
                try office.system.query(.account, counted + " ORDER BY kind")
                    == [["newcomer"], ["openSignUp"]])
            // A wait longer than this test.
            try office.system.edit(.account, "UPDATE failure SET count = 300 WHERE count > 1")
            for signUp in tries {
                #expect(try office.refusal(of: signUp).isBecause(.signUpLimit))
            }
        }

        @Test func `a malformed sign-up doesn't reveal whether its name is taken`() throws {
            let office = try Office()
            try office.person("ann")
            _ = try office.ask(SetSignUp(isOpen: true), for: Organisation.self)

            for name in ["ann", "bob"] {
                let signUp = SignUp(
                    name: name, password: Office.password, displayName: "a\u{1}b")
                #expect(try office.refusal(of: signUp).code == .invalid)
            }
        }

        @Test func `an invitation ends with the right of whoever made it`() throws {
            let office = try Office()
            try office.person("boss", Grant(role: .administrator))
            let boss = try office.access("boss")
            let head = Grant(role: .administrator)
            let codes = try (0..<3).map { _ in
                try office.ask(Invite(grants: [head]), for: Invitation.self, as: boss).code
            }
            func signUp(_ name: String, _ code: String) -> SignUp {
                SignUp(name: name, password: Office.password, invitation: code)
            }
            let ann = try office.ask(signUp("ann", codes[0]), for: Account.self)
            #expect(ann.grants == [head])

            _ = try office.ask(RevokeRole(account: "boss", grant: head), for: Account.self)
            #expect(try office.refusal(of: signUp("bob", codes[1])) == .invitationOver)

            _ = try office.ask(GrantRole(account: "boss", grant: head), for: Account.self)
            _ = try office.ask(
                SetAccountDisabled(account: "boss", isDisabled: true), for: Account.self)
            #expect(try office.refusal(of: signUp("eve", codes[2])) == .invitationOver)
        }

        @Test func `the code of a reset ends with the right of whoever made it`() throws {
            let office = try Office()
            try office.person("boss", Grant(role: .administrator))
            try office.person("ann")
            let boss = try office.access("boss")
            let code = try office.ask(
                ResetPassword(account: "ann"), for: ResetCode.self, as: boss
            ).code

            _ = try office.ask(
                SetAccountDisabled(account: "boss", isDisabled: true), for: Account.self)
            #expect(try office.refusal(of: LogIn(name: "ann", password: code)) == .wrong)

            let next = try office.ask(ResetPassword(account: "ann"), for: ResetCode.self).code
            let session = try office.ask(LogIn(name: "ann", password: next), for: LoggedIn.self)
            #expect(session.mustChangePassword)
        }

        @Test func `an empty name logs nobody in`() throws {
            let office = try Office()
            try office.person("ann")

            #expect(
                try office.refusal(of: LogIn(name: "", password: Office.password)) == .wrong)
        }
    }
}
