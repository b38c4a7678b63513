import Messages
import TestSupport
import Testing

extension Processes {
    /// What `steward logout` says when it can't end the session.
    @Suite struct LogoutTests {
        /// An installation in which ann has logged in at the terminal.
        private func office() throws -> Office {
            let office = try Office()
            try office.person("ann")
            _ = try office.steward("login ann", typing: [Office.password])
            return office
        }

        @Test func `someone whose session is over must log in to log out everywhere`() throws {
            let office = try office()
            let other = try office.logIn("ann")
            let kept = try office.keptSession()
            let own = try #require(kept["session"] as? String)
            try office.system.edit(.account, "UPDATE session SET ended = 1 WHERE id = '\(own)'")
            try office.keep(session: ["expires": 0])

            for _ in 1...2 {
                let logOut = try office.steward("logout --everywhere")

                #expect(logOut.end == .exited(1))
                #expect(logOut.out == "")
                #expect(logOut.err.contains("your session is over"))
            }
            _ = try office.refresh(other.refreshToken)

            _ = try office.steward("login ann", typing: [Office.password])
            let logOut = try office.steward("logout --everywhere")
            #expect(logOut.out == "logged out everywhere: 2 sessions\n", "\(logOut.err)")
        }

        @Test func `a new log-in stays in place while the earlier one is ended`() throws {
            let office = try office()
            func kept() throws -> String {
                try #require(try office.keptSession()["session"] as? String)
            }
            let former = try kept()
            // Ending a session takes a while.
            try office.system.edit(
                .account,
                """
                CREATE TABLE much (i INTEGER);
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
                INSERT INTO much SELECT i FROM n;
                CREATE TRIGGER slow BEFORE UPDATE ON session WHEN NEW.ended > 0 BEGIN
                    SELECT sum(a.i * b.i) FROM much a, much b;
                END
                """)

            let logIn = try office.spawnSteward("login ann", typing: [Office.password])
            var seen = [former]
            var ended: [[String]] = []
            try eventually("she is logged in\n\(logIn.err)") {
                let isOver = !logIn.isRunning
                let present = try kept()
                if seen.last != present {
                    seen.append(present)
                    ended += try office.system.query(
                        .account, "SELECT ended FROM session WHERE id = '\(former)'")
                }
                return isOver
            }

            // Other programs of hers, such as one that follows her ride, continue with the new one.
            #expect(seen.count == 2)
            #expect(ended == [["0"]])
            #expect(try logIn.waitForEnd() == .exited(0))
            #expect(
                try office.system.query(
                    .account, "SELECT id FROM session WHERE ended = 0") == [[kept()]])
        }

        @Test func `a log-out that the service doesn't carry out keeps the log-in`() throws {
            let office = try office()
            try office.system.edit(
                .account,
                """
                CREATE TRIGGER endless BEFORE UPDATE ON session WHEN NEW.ended > 0 BEGIN
                    SELECT RAISE(ABORT, 'a session is kept');
                END
                """)

            let failed = try office.steward("logout")

            #expect(failed.end == .exited(70))
            #expect(failed.out == "")
            #expect(failed.err.contains("nothing was changed"))

            try office.system.edit(.account, "DROP TRIGGER endless")
            #expect(try office.steward("whoami").out.hasPrefix("ann "))
            #expect(try office.steward("logout").out == "logged out\n")
            #expect(
                try office.system.query(
                    .account, "SELECT count(*) FROM session WHERE ended = 0") == [["0"]])
        }
    }
}
