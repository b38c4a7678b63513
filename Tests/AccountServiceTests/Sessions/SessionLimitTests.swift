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
                try office.system.edit(
                    .account,
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
    }
}
