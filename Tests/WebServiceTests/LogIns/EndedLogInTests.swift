import Bus
import TestSupport
import TestThreads
import Testing

/// Log-ins that are over.
@Suite(.waiting) struct EndedLogInTests {
    @Test func `however many log-ins are over, all are deleted soon`() throws {
        let lobby = try Lobby()
        lobby.kill()
        try lobby.system.edit(
            .web,
            """
            INSERT INTO logIn (cookie, session, ends, logIn)
            WITH RECURSIVE one (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM one WHERE n < 2500)
            SELECT randomblob(32), 'session', 1, x'' FROM one
            """)
        try lobby.start()

        try eventually("all are deleted") {
            try lobby.system.query(.web, "SELECT count(*) FROM logIn") == [["0"]]
        }
    }
}
