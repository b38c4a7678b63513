import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import AccountService

extension Processes {
    @Suite struct SessionTests {
        @Test func `a refresh token works once and is exchanged for the next`() throws {
            let office = try Office()
            try office.person("ann")
            let first = try office.logIn("ann").refreshToken

            let granted = try office.refresh(first)
            let next = try office.refresh(granted.refreshToken)

            #expect(granted.refreshToken != first)
            #expect(next.tokens.keys.sorted() == ServiceName.allCases.map(\.rawValue).sorted())
        }

        @Test func `an access token is signed, names its service and is valid for ten minutes`()
            throws
        {
            let office = try Office()
            let ann = try office.person("ann", Grant(role: .supervisor))
            let logIn = try office.logIn("ann")

            let granted = try office.refresh(logIn.refreshToken)

            let token = try AccessToken(unpacking: try #require(granted.tokens["notifier"]))
            let claims = try Claims(unpacking: token.claims)
            #expect(claims.account == ann.id)
            #expect(claims.name == "ann")
            #expect(claims.grants == [Grant(role: .supervisor)])
            #expect(claims.audience == "notifier")
            #expect(claims.session == logIn.session)
            #expect(claims.expires - claims.issued == 600_000)
            let key = try office.system.published(by: .account)
                .filter { $0.type == KeyPublished.protobufName }
                .map { try KeyPublished(unpacking: $0.data) }
            #expect(key.count == 1)
            #expect(key.first.map { Array($0.publicKey.prefix(8)) } == claims.keyId)
            #expect(token.signature.count == 64)
        }

        @Test func `using a refresh token twice ends the session for both`() throws {
            let office = try Office()
            try office.person("ann")
            let stolen = try office.logIn("ann").refreshToken
            let granted = try office.refresh(stolen)

            let refresh = { RefreshAccess(refreshToken: $0, audiences: ["notifier"]) }
            #expect(try office.refusal(of: refresh(stolen)) == .over)
            #expect(try office.refusal(of: refresh(granted.refreshToken)) == .over)
            #expect(try office.audit().contains { $0.action == "refresh token used twice" })
            let revoked = try office.system.published(by: .account)
                .filter { $0.type == AccessRevoked.protobufName }
            #expect(revoked.count == 1)
            _ = try office.logIn("ann")
        }

        @Test func `a missing, a foreign and an old token are refused in the same words`() throws {
            let office = try Office()
            try office.person("ann")
            let ended = try office.logIn("ann").refreshToken
            _ = try office.ask(
                LogOut(everywhere: true), for: LoggedOut.self, as: office.access("ann"))
            try office.person("bob")
            let refreshed = try office.logIn("bob").refreshToken
            let rested = try office.logIn("ann").refreshToken
            try office.system.edit(
                .account,
                "UPDATE session SET used = used - 89 * 86400000 "
                    + "WHERE account = (SELECT id FROM account WHERE name = 'bob')")
            _ = try office.refresh(refreshed)
            // A session that was not used for 90 days.
            try office.system.edit(
                .account, "UPDATE session SET used = used - 91 * 86400000 WHERE ended = 0")

            for token in [[], [1], [UInt8](repeating: 7, count: 32), ended, rested] {
                #expect(
                    try office.refusal(of: RefreshAccess(refreshToken: token)) == .over)
            }
        }

        @Test func `after a lost reply the client is told to begin again, and can log in`() throws {
            let office = try Office()
            try office.person("ann")
            let token = try office.logIn("ann").refreshToken
            let command = RefreshAccess(refreshToken: token, audiences: ["notifier"])
            let id = office.client.makeID()
            _ = try office.client.ask(command, for: AccessGranted.self, id: id)

            try office.restart()

            let again = #expect(throws: ClientError.self) {
                try office.client.ask(command, for: AccessGranted.self, id: id)
            }
            #expect(again?.description.contains("begin again") == true)
            _ = try office.logIn("ann")
        }

        @Test func `disabling an account ends its sessions and its tokens`() throws {
            let office = try Office()
            let ann = try office.person("ann")
            let token = try office.logIn("ann").refreshToken

            _ = try office.ask(
                SetAccountDisabled(account: "ann", isDisabled: true), for: Account.self)

            #expect(try office.refusal(of: RefreshAccess(refreshToken: token)) == .over)
            let revoked = try office.system.published(by: .account)
                .filter { $0.type == AccessRevoked.protobufName }
                .map { try AccessRevoked(unpacking: $0.data) }
            #expect(revoked == [AccessRevoked(account: ann.id, authEpoch: 1)])
        }

        @Test func `a reset code works once, and a new password must be set`() throws {
            let office = try Office()
            try office.person("ann")
            let token = try office.logIn("ann").refreshToken

            let code = try office.ask(ResetPassword(account: "ann"), for: ResetCode.self).code
            let logIn = LogIn(name: "ann", password: code.lowercased())
            let reply = try office.ask(logIn, for: LoggedIn.self)

            #expect(reply.mustChangePassword)
            #expect(try office.refusal(of: logIn) == .wrong)
            #expect(
                try office.refusal(of: LogIn(name: "ann", password: Office.password)) == .wrong)
            #expect(try office.refusal(of: RefreshAccess(refreshToken: token)) == .over)
            // Until then only account-service is accessible.
            let granted = try office.refresh(reply.refreshToken)
            #expect(Array(granted.tokens.keys) == ["account-service"])
        }

        @Test func `a code for another device logs in once, instead of a password`() throws {
            let office = try Office()
            try office.person("ann")
            try office.person("bob")
            let own = try office.access("ann")
            let first = try office.ask(MakeLogInCode(), for: LogInCode.self, as: own)
            let code = try office.ask(MakeLogInCode(), for: LogInCode.self, as: own)
            #expect(code.name == "ann")
            #expect(code.code.count == 9)

            // The first code is no longer valid, and a code works only for its own account.
            #expect(
                try office.refusal(of: LogIn(name: "ann", password: first.code)) == .wrong)
            #expect(try office.refusal(of: LogIn(name: "bob", password: code.code)) == .wrong)
            let logIn = LogIn(name: "ann", password: code.code.lowercased())
            let reply = try office.ask(logIn, for: LoggedIn.self)

            #expect(!reply.mustChangePassword)
            #expect(try office.refusal(of: logIn) == .wrong)
            let granted = try office.refresh(reply.refreshToken)
            #expect(granted.tokens.count > 1)
            // The password and the other session stay.
            _ = try office.logIn("ann")
            #expect(try office.ask(WhoAmI(), for: Account.self, as: own).name == "ann")
        }

        @Test func `a code for another device ends after two minutes, and when its maker logs out`()
            throws
        {
            let office = try Office()
            try office.person("ann")
            let own = try office.access("ann")
            let begun = WallClock.milliseconds()
            let made = try office.ask(MakeLogInCode(), for: LogInCode.self, as: own)
            let late = made.code
            #expect(Self.isAbout(begun + 120_000, made.expires))
            try office.system.edit(.account, "UPDATE logInCode SET expires = expires - 120000")
            #expect(try office.refusal(of: LogIn(name: "ann", password: late)) == .wrong)

            let code = try office.ask(MakeLogInCode(), for: LogInCode.self, as: own).code
            _ = try office.ask(LogOut(), for: LoggedOut.self, as: own)
            #expect(try office.refusal(of: LogIn(name: "ann", password: code)) == .wrong)
        }

        @Test(arguments: [("logInCode", false), ("resetCode", false), ("resetCode", true)])
        func `a code that was made while the clock was ahead is no longer valid`(
            table: String, isSlight: Bool
        ) throws {
            let office = try Office()
            try office.person("ann")
            let code =
                table == "resetCode"
                ? try office.ask(ResetPassword(account: "ann"), for: ResetCode.self).code
                : try office.ask(
                    MakeLogInCode(), for: LogInCode.self, as: office.access("ann")
                ).code
            let leap = isSlight ? 30_000 : 86_400_000
            try office.system.edit(.account, "UPDATE \(table) SET expires = expires + \(leap)")

            let answer = try office.answer(to: LogIn(name: "ann", password: code))

            #expect((answer.type == LoggedIn.protobufName) == isSlight)
        }

        @Test func `a reset code expires after an hour`() throws {
            let office = try Office()
            try office.person("ann")
            let begun = WallClock.milliseconds()
            let made = try office.ask(ResetPassword(account: "ann"), for: ResetCode.self)
            let code = made.code
            #expect(Self.isAbout(begun + 3_600_000, made.expires))
            try office.system.edit(.account, "UPDATE resetCode SET expires = expires - 3600000")

            #expect(try office.refusal(of: LogIn(name: "ann", password: code)) == .wrong)
        }

        @Test func `restoring a backup revives no session, code or token`() throws {
            let office = try Office()
            try office.person("ann")
            let token = try office.logIn("ann").refreshToken
            let invitation = try office.ask(Invite(), for: Invitation.self)
            try office.system.backUp(.account, to: "backup")
            let granted = try office.refresh(token)
            office.service.kill()
            try office.system.restore(.account, from: "backup")

            try office.restart("--restored")

            for token in [token, granted.refreshToken] {
                #expect(try office.refusal(of: RefreshAccess(refreshToken: token)) == .over)
            }
            let signUp = SignUp(
                name: "bob", password: Office.password, invitation: invitation.code)
            #expect(try office.refusal(of: signUp) == .invitationOver)
            let ann = try office.logIn("ann")
            let new = try office.refresh(ann.refreshToken)
            #expect(try claims(new).authEpoch > claims(granted).authEpoch)
            #expect(try claims(new).keyId != claims(granted).keyId)

            // This happens only once: an ordinary start ends no session.
            try office.restart()
            _ = try office.refresh(new.refreshToken)
        }

        @Test func `a store that was set back revives no session once a follower shows it`() throws
        {
            let office = try Office()
            try office.person("ann")
            let token = try office.logIn("ann").refreshToken
            try office.system.backUp(.account, to: "copy")
            let granted = try office.refresh(token)
            try office.person("bob")
            let newest = try #require(try office.system.published(by: .account).last)
            office.service.kill()
            try office.system.restore(.account, from: "copy")
            try office.restart()

            let position = Replay(
                follower: "notifier", epoch: newest.epoch, after: newest.sequence,
                afterId: newest.id)
            // A new history begins some seconds after the previous one at the earliest.
            try eventually("the service has noticed") {
                _ = try office.answer(to: position)
                return try office.system.query(.account, "SELECT count(*) FROM epoch") == [["2"]]
            }

            for token in [token, granted.refreshToken] {
                #expect(try office.refusal(of: RefreshAccess(refreshToken: token)) == .over)
            }
            let new = try office.refresh(try office.logIn("ann").refreshToken)
            #expect(try claims(new).keyId != claims(granted).keyId)

            // This happens only once: an ordinary start ends no session.
            try office.restart()
            _ = try office.refresh(new.refreshToken)
        }

        /// Whether a time is the other one or a little later, as on a busy machine.
        private static func isAbout(_ time: Int64, _ other: Int64) -> Bool {
            (time - 1_000...time + 60_000).contains(other)
        }

        private func claims(_ granted: AccessGranted) throws -> Claims {
            let token = try #require(granted.tokens["notifier"])
            return try Claims(unpacking: try AccessToken(unpacking: token).claims)
        }
    }
}
