import GRDB
import Messages
import Testing

@testable import AccountService

/// How much the log-ins of an account leave behind.
struct EndedSessionTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
    }

    /// Numbers from 1 to another, as SQL.
    private func numbers(to last: Int) -> String {
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(last))"
    }

    private func count(_ rows: String, _ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(rows)")
    }

    @Test func `5,000 ended sessions are kept, and those whose tokens are still valid`() throws {
        #expect(LiveSession.mostEnded == 5_000)
        try store.write { db in
            try db.execute(
                sql: """
                    INSERT INTO organisation VALUES ('o', 'o', x'');
                    INSERT INTO account (id, name, organisation, password, isHead, isOwner, account)
                        VALUES ('ann', 'ann', 'o', '', 0, 0, x''),
                            ('bob', 'bob', 'o', '', 0, 0, x'');
                    INSERT INTO session VALUES ('live', 'ann', '', 1, 1, 0, x'00', x''),
                        ('bob', 'bob', '', 1, 1, 1, x'01', x'');
                    \(numbers(to: LiveSession.mostEnded + 20))
                    INSERT INTO session
                    SELECT 's' || i, 'ann', '', 1, 1, i, CAST('token' || i AS BLOB), x'' FROM n;
                    """)

            try LiveSession.forgetEnded(of: "ann", before: 6, db)
            #expect(try count("session", db) == LiveSession.mostEnded + 17)
            try LiveSession.forgetEnded(of: "ann", before: 10_000, db)
            #expect(try count("session WHERE account = 'ann'", db) == LiveSession.mostEnded + 1)
            #expect(try count("session WHERE id IN ('live', 'bob', 's21')", db) == 3)
            #expect(try count("session WHERE id = 's20'", db) == 0)
        }
    }

    /// Two accounts of one organisation.
    private static let accounts = """
        INSERT INTO organisation VALUES ('o', 'o', x'');
        INSERT INTO account (id, name, organisation, password, isHead, isOwner, account)
            VALUES ('ann', 'ann', 'o', '', 0, 0, x''), ('bob', 'bob', 'o', '', 0, 0, x'');
        """

    @Test func `sessions with very many former tokens are deleted in stretches`() throws {
        let (month, tokens) = (Int64(30 * 86_400_000), 3 * LiveSession.tokensAtOnce + 10)
        try store.write { db in
            try db.execute(sql: Self.accounts)
            for (number, id) in ["old", "late", "live"].enumerated() {
                let ended = [1_000, 1_000 + month, 0][number]
                try db.execute(
                    sql: """
                        INSERT INTO session VALUES (?1, 'ann', '', 1, ?2, ?3, CAST(?1 AS BLOB), x'')
                        """, arguments: [id, month, ended])
                try db.execute(
                    sql: """
                        \(numbers(to: tokens))
                        INSERT INTO formerToken (token, session)
                        SELECT CAST(?1 || i AS BLOB), ?1 FROM n
                        """, arguments: [id])
            }
            func old() throws -> Int? { try count("formerToken WHERE session = 'old'", db) }

            var left = [try old()]
            while try LiveSession.prune(at: month + 2_000, db) { left.append(try old()) }

            #expect(
                left == [0, 1, 2, 3].map { Optional(tokens - $0 * LiveSession.tokensAtOnce) })
            #expect(try count("session WHERE id IN ('late', 'live')", db) == 2)
            #expect(try count("session", db) == 2 && count("formerToken", db) == 2 * tokens)
            let most = 3 * LiveSession.sessionsAtOnce
            try db.execute(
                sql: """
                    \(numbers(to: most))
                    INSERT INTO session
                    SELECT 's' || i, 'bob', '', 1, 1, 1, CAST('token' || i AS BLOB), x'' FROM n
                    """)
            var stretches = 1
            while try LiveSession.prune(at: month + 2_000, db) {
                #expect(
                    try count("session WHERE account = 'bob'", db)
                        == most - stretches * LiveSession.sessionsAtOnce)
                stretches += 1
            }
            #expect(stretches == 4)
        }
    }

    @Test func `fifty boards of one account renew their tokens for a week`() throws {
        try store.write { db in
            try db.execute(sql: Self.accounts)
            var now: Int64 = 1_795_000_000_000
            let end = now + 7 * 86_400_000
            while now < end {
                for _ in 0..<50 { try RefreshAllowance.use("ann", at: now, db) }
                // A minute before they expire.
                now += LiveSession.tokenLife - 60_000
            }
        }
    }

    @Test func `tokens of an account are exchanged 12,000 times, and 12,000 times more each day`()
        throws
    {
        try store.write { db in
            try db.execute(sql: Self.accounts)
            /// How many tokens are exchanged at a time before an exchange is refused.
            func exchanges(by account: String, at now: Int64) throws -> Int {
                for count in 0...20_000 {
                    do { try RefreshAllowance.use(account, at: now, db) } catch is Refusal {
                        return count
                    }
                }
                return .max
            }
            let now: Int64 = 1_795_000_000_000
            #expect(try exchanges(by: "ann", at: now) == 12_000)
            #expect(try exchanges(by: "ann", at: now + 7_199) == 0)
            #expect(try exchanges(by: "ann", at: now + 7_200) == 1)
            #expect(try exchanges(by: "ann", at: now + 86_400_000) == 11_999)
            #expect(try exchanges(by: "bob", at: now + 86_400_000) == 12_000)
        }
    }

    @Test func `the audit has the newest 10,000 log-ins and log-outs of an account`() throws {
        #expect(AuditTrail.mostOfAnyone == 10_000)
        try store.write { db in
            try db.execute(
                sql: """
                    \(numbers(to: AuditTrail.mostOfAnyone))
                    INSERT INTO audit (time, organisation, who, action, subject, detail)
                    SELECT i, 'o', 'ann', 'logged in', 'ann', '' FROM n
                    """)
            func note(_ action: AuditAction, by account: String) throws {
                try AuditTrail.note(action, by: account, organisation: "o", at: 1, db)
            }
            try note(.roleGranted, by: "ann")
            try note(.loggedIn, by: "bob")
            #expect(try count("audit", db) == AuditTrail.mostOfAnyone + 2)

            try note(.loggedOut, by: "ann")
            #expect(try count("audit", db) == AuditTrail.mostOfAnyone + 2)
            #expect(try Int.fetchOne(db, sql: "SELECT min(number) FROM audit") == 2)
            #expect(try count("audit WHERE action = 'role granted'", db) == 1)
        }
    }

    @Test func `what an earlier version left in the audit is deleted little by little`() throws {
        try store.write { db in
            let (most, portion) = (AuditTrail.mostOfAnyone, AuditTrail.portion)
            try db.execute(
                sql: """
                    \(numbers(to: most + 2 * portion))
                    INSERT INTO audit (time, organisation, who, action, subject, detail)
                    SELECT i, 'o', 'ann', 'logged in', 'ann', '' FROM n
                    """)
            for left in [most + portion + 1, most + 2, most] {
                try AuditTrail.note(.loggedIn, by: "ann", organisation: "o", at: 1, db)
                #expect(try count("audit", db) == left)
            }
        }
    }
}
