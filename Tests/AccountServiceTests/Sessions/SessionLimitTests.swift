import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import AccountService

extension Processes {
    /// How much of the store one account can fill.
    @Suite struct SessionLimitTests {
        /// Numbers from 1 to another, as SQL.
        private func numbers(to last: Int) -> String {
            """
            WITH RECURSIVE one (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM one WHERE n < \(last))
            """
        }

        @Test func `beyond a thousand sessions, a log-in ends the one unused for longest`() throws {
            #expect(LiveSession.mostLive == 1_000)
            let office = try Office()
            let ann = try office.person("ann")
            let now = WallClock.milliseconds()
            try office.system.edit(
                .account,
                """
                INSERT INTO session (id, account, device, began, used, ended, token, code)
                \(numbers(to: LiveSession.mostLive))
                SELECT 'session-' || n, '\(ann.id)', 'script', 1, \(now) - n * 1000, 0,
                    CAST(printf('%032d', n) AS BLOB), x'' FROM one
                """)

            let own = try office.access("ann")

            let sessions = try office.ask(ListSessions(), for: Sessions.self, as: own).sessions
            #expect(sessions.count == LiveSession.mostLive)
            #expect(sessions.first?.isThis == true)
            #expect(sessions.last?.id == "session-\(LiveSession.mostLive - 1)")
            #expect(
                try office.audit().filter { $0.action == "logged out for a new log-in" }.count == 1)
            let ended = try office.system.published(by: .account)
                .filter { $0.type == AccessRevoked.protobufName }
                .map { try AccessRevoked(unpacking: $0.data).session }
            #expect(ended == ["session-\(LiveSession.mostLive)"])
        }

        @Test func `a session that is refreshed nonstop ends, but one of many years doesn't`()
            throws
        {
            let office = try Office()
            try office.person("ann")
            let old = try office.logIn("ann")
            let fast = try office.logIn("ann")
            for (session, time) in [(old, 1), (fast, WallClock.milliseconds())] {
                try office.editStopped(
                    """
                    INSERT INTO formerToken (token, session, time)
                    \(numbers(to: LiveSession.mostFormerTokens))
                    SELECT CAST('\(session.session)' || n AS BLOB), '\(session.session)', \(time)
                    FROM one
                    """)
            }

            let refresh = RefreshAccess(refreshToken: fast.refreshToken, audiences: ["notifier"])
            #expect(try office.refusal(of: refresh) == .over)
            #expect(try office.audit().contains { $0.action == "refreshed too often" })
            let granted = try office.refresh(old.refreshToken)

            #expect(!granted.tokens.isEmpty)
            let kept = "SELECT count(*) FROM formerToken WHERE session = '\(old.session)'"
            #expect(try office.system.query(.account, kept) == [["1"]])
        }

        @Test func `whoever exchanges tokens nonstop waits, but a used one still ends its session`()
            throws
        {
            let office = try Office()
            let ann = try office.person("ann")
            let first = try office.logIn("ann").refreshToken
            let (next, other) = ([UInt8](repeating: 9, count: 32), [UInt8](repeating: 8, count: 32))
            func exchange(_ token: [UInt8], for next: [UInt8]) -> RefreshAccess {
                RefreshAccess(
                    refreshToken: token, audiences: ["notifier"], nextRefreshToken: next)
            }
            /// Tries an exchange when the allowance is used up. On a busy machine it may succeed,
            /// because another exchange has become free by then.
            func exhausted(_ command: RefreshAccess) throws -> Refusal? {
                let full = WallClock.milliseconds() + 86_400_000
                try office.system.edit(
                    .account,
                    "INSERT OR REPLACE INTO refreshAllowance VALUES ('\(ann.id)', \(full))")
                let answer = try office.answer(to: command)
                return answer.type == Refusal.protobufName
                    ? try Refusal(unpacking: answer.data) : nil
            }
            _ = try office.ask(exchange(first, for: next), for: AccessGranted.self)

            var refused: Refusal?
            try eventually("the exchange can't be repeated") {
                refused = try exhausted(exchange(first, for: next))
                return refused != nil
            }
            #expect(refused?.code == .conflict)
            #expect(refused?.isBecause(.answersLimit) == true)
            #expect(try exhausted(exchange(first, for: other)) == Refusal.over)
            #expect(try office.audit().contains { $0.action == "refresh token used twice" })
        }
    }
}
