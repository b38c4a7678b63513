import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import AccountService

extension Processes {
    @Suite struct ScopeTests {
        @Test func `a crew member can't change other accounts, nor learn anything about them`()
            throws
        {
            let office = try Office()
            try office.person("ann", Grant(role: .crew))
            try office.person("bob")
            let ann = try office.access("ann")

            let here = [
                try office.refusal(of: GrantRole(account: "bob", grant: Grant()), as: ann),
                try office.refusal(of: SetAccountDisabled(account: "bob"), as: ann),
                try office.refusal(of: ResetPassword(account: "bob"), as: ann),
                try office.refusal(of: AddCarer(carer: "ann", account: "bob"), as: ann),
            ]
            let nowhere = [
                try office.refusal(of: GrantRole(account: "x", grant: Grant()), as: ann),
                try office.refusal(of: SetAccountDisabled(account: "x"), as: ann),
                try office.refusal(of: ResetPassword(account: "x"), as: ann),
                try office.refusal(of: AddCarer(carer: "ann", account: "x"), as: ann),
            ]

            #expect(here == nowhere)
            #expect(here.allSatisfy { $0.code == .forbidden })
            let accounts = try office.ask(ListAccounts(), for: Accounts.self, as: ann).accounts
            #expect(accounts.map(\.name) == ["ann"])
            let denials = try office.audit().filter { $0.action == "denied" }
            #expect(denials.map(\.count) == [2, 2, 2, 2])
        }

        @Test func `an administrator governs their own organisation and sees no other`() throws {
            let office = try Office()
            let diner = try office.ask(CreateOrganisation(name: "Diner"), for: Organisation.self)
            try office.person("boss", in: diner.id, Grant(role: .administrator))
            try office.person("cook", in: diner.id)
            try office.person("ann")
            let boss = try office.access("boss")

            _ = try office.ask(
                GrantRole(account: "cook", grant: Grant(role: .crew)), for: Account.self, as: boss)
            let accounts = try office.ask(ListAccounts(), for: Accounts.self, as: boss).accounts
            let foreign = try office.refusal(of: ResetPassword(account: "ann"), as: boss)

            #expect(accounts.map(\.name) == ["boss", "cook"])
            #expect(foreign == .noAccount("ann"))
            #expect(
                try office.refusal(of: ListAccounts(organisation: "local"), as: boss).code
                    == .notFound)
            #expect(
                try office.refusal(
                    of: GrantRole(account: "cook", grant: Grant(role: .owner)), as: boss)
                    == .lacks(.owner))
            #expect(
                try office.refusal(of: CreateOrganisation(name: "x"), as: boss) == .lacks(.owner))
        }

        @Test func `logging out, a new password and a lost role end access tokens immediately`()
            throws
        {
            let office = try Office()
            try office.person("ann", Grant(role: .supervisor))
            let who = WhoAmI()

            let first = try office.access("ann")
            _ = try office.ask(LogOut(), for: LoggedOut.self, as: first)
            #expect(try office.refusal(of: who, as: first).code == .badToken)

            let second = try office.access("ann")
            _ = try office.ask(
                ChangePassword(present: Office.password, new: "battery staple horse"),
                for: Account.self, as: second)
            #expect(try office.refusal(of: who, as: second).code == .badToken)
            #expect(
                try office.refusal(of: LogIn(name: "ann", password: Office.password)) == .wrong)

            let third = try office.ask(
                LogIn(name: "ann", password: "battery staple horse"), for: LoggedIn.self)
            let token = try #require(
                try office.refresh(third.refreshToken).tokens["account-service"])
            _ = try office.ask(
                RevokeRole(account: "ann", grant: Grant(role: .supervisor)), for: Account.self)
            #expect(try office.refusal(of: who, as: token).code == .badToken)
        }

        @Test func `logging out everywhere ends every session`() throws {
            let office = try Office()
            try office.person("ann")
            let other = try office.logIn("ann", device: "phone").refreshToken
            let ann = try office.access("ann")
            let sessions = try office.ask(ListSessions(), for: Sessions.self, as: ann).sessions

            let ended = try office.ask(LogOut(everywhere: true), for: LoggedOut.self, as: ann)

            #expect(sessions.map(\.isThis) == [true, false])
            #expect(sessions.map(\.device) == ["laptop", "phone"])
            #expect(ended.sessions == 2)
            #expect(try office.refusal(of: RefreshAccess(refreshToken: other)) == .over)
        }

        @Test func `a session that began with a code may only set a password`() throws {
            let office = try Office()
            try office.person("ann")
            let code = try office.ask(ResetPassword(account: "ann"), for: ResetCode.self).code
            let logIn = try office.ask(LogIn(name: "ann", password: code), for: LoggedIn.self)
            let granted = try office.refresh(logIn.refreshToken)
            let token = try #require(granted.tokens["account-service"])

            #expect(try office.refusal(of: ListAccounts(), as: token).code == .forbidden)
            _ = try office.ask(
                ChangePassword(present: code, new: Office.password), for: Account.self, as: token)

            let next = try office.refresh(granted.refreshToken)
            #expect(next.tokens.count == ServiceName.allCases.count)
            _ = try office.logIn("ann")
        }

        @Test func `a token for another service is refused`() throws {
            let office = try Office()
            try office.person("ann")
            let granted = try office.refresh(try office.logIn("ann").refreshToken)
            let stolen = try #require(granted.tokens["notifier"])

            #expect(try office.refusal(of: WhoAmI(), as: stolen).code == .badToken)
        }
    }
}
