import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import AccountService

extension Processes {
    /// The service while its clock is days ahead, and after the clock was set back.
    @Suite struct LeapTests {
        @Test func `a clock that is ahead for a while deletes no invitation and no code`() throws {
            let office = try Office()
            try office.person("ann")
            let invitation = try office.ask(Invite(), for: Invitation.self)
            let reset = try office.ask(ResetPassword(account: "ann"), for: ResetCode.self).code
            let clock = office.system.path("clock")
            try Data("0".utf8).write(to: URL(filePath: clock))
            try office.restart(
                adding: [
                    "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
                    "SHIFTED_CLOCK": clock,
                ])

            let days = 10 * 24 * 3_600
            let ahead = WallClock.milliseconds() + Int64(days) * 1_000
            try Data("\(days)".utf8).write(to: URL(filePath: clock), options: .atomic)
            try eventually("the service has deleted what is old") {
                try office.system.query(
                    .account, "SELECT due > \(ahead) FROM timer WHERE kind = 'prune'") == [["1"]]
            }
            try Data("0".utf8).write(to: URL(filePath: clock), options: .atomic)
            try eventually("the service goes by the right clock") {
                try office.system.query(
                    .account, "SELECT due < \(ahead) FROM timer WHERE kind = 'prune'") == [["1"]]
            }

            let bob = try office.ask(
                SignUp(name: "bob", password: Office.password, invitation: invitation.code),
                for: Account.self)
            #expect(bob.name == "bob")
            let ann = try office.ask(LogIn(name: "ann", password: reset), for: LoggedIn.self)
            #expect(ann.mustChangePassword)
        }

        @Test func `a clock that is 100 days ahead for a while ends no session`() throws {
            let office = try Office()
            try office.person("ann")
            let token = try office.logIn("ann").refreshToken
            let clock = URL(filePath: office.system.path("clock"))
            try Data("0".utf8).write(to: clock)
            try office.restart(
                adding: [
                    "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
                    "SHIFTED_CLOCK": clock.path,
                ])
            try eventually("the clock was seen before it leaps") {
                try office.system.query(.account, "SELECT count(*) FROM clockSeen") == [["1"]]
            }

            let days = 100 * 24 * 3_600
            try Data("\(days)".utf8).write(to: clock, options: .atomic)
            office.client.clock = { WallClock.milliseconds() + Int64(days) * 1_000 }
            let granted = try office.refresh(token)
            try Data("0".utf8).write(to: clock, options: .atomic)
            office.client.clock = WallClock.milliseconds

            let again = try office.refresh(granted.refreshToken)
            #expect(!again.tokens.isEmpty)
        }

        // Tokens of the last exchange, and of an earlier one.
        @Test(arguments: [
            ("session SET used", "device = 'laptop'"), ("formerToken SET time", "true"),
        ])
        func `ending a session that has tokens from a time to come revokes all of its account`(
            column: String, condition: String
        ) throws {
            let office = try Office()
            let ann = try office.person("ann")
            let granted = try office.refresh(try office.logIn("ann").refreshToken)
            let other = try office.logIn("ann", device: "phone").refreshToken
            let ahead = WallClock.milliseconds() + 30 * 24 * 3_600_000
            try office.editStopped("UPDATE \(column) = \(ahead) WHERE \(condition)")

            let token = try #require(granted.tokens["account-service"])
            _ = try office.ask(LogOut(), for: LoggedOut.self, as: token)

            let revoked = try office.system.published(by: .account)
                .filter { $0.type == AccessRevoked.protobufName }
                .map { try AccessRevoked(unpacking: $0.data) }
            #expect(revoked.contains(AccessRevoked(account: ann.id, authEpoch: 1)))
            #expect(try !office.refresh(other).tokens.isEmpty)
        }

        @Test func `tokens that were issued again while the clock was ahead are revoked too`()
            throws
        {
            let office = try Office()
            let ann = try office.person("ann")
            let first = try office.logIn("ann").refreshToken
            let next = try office.refresh(first).refreshToken
            let clock = URL(filePath: office.system.path("clock"))
            let days = 30 * 24 * 3_600
            try Data("\(days)".utf8).write(to: clock)
            try office.restart(
                adding: [
                    "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
                    "SHIFTED_CLOCK": clock.path,
                ])
            office.client.clock = { WallClock.milliseconds() + Int64(days) * 1_000 }
            _ = try office.ask(
                RefreshAccess(
                    refreshToken: first, audiences: [ServiceName.account.rawValue],
                    nextRefreshToken: next), for: AccessGranted.self)
            try office.restart()
            office.client.clock = WallClock.milliseconds

            // Whoever uses a former refresh token ends the session.
            let refusal = try office.refusal(of: RefreshAccess(refreshToken: first))

            #expect(refusal == .sessionOver)
            let revoked = try office.system.published(by: .account)
                .filter { $0.type == AccessRevoked.protobufName }
                .map { try AccessRevoked(unpacking: $0.data) }
            #expect(revoked.contains(AccessRevoked(account: ann.id, authEpoch: 1)))
        }
    }
}
