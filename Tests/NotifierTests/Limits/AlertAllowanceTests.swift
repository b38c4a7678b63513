import GRDB
import Messages
import Testing

@testable import Notifier

/// How many alerts an account may request, and how many notices are kept.
struct AlertAllowanceTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try NotifierStore.migrator.migrate(store)
    }

    /// The refusal of an alert that an account requests; nil if it is counted.
    private func refusal(
        _ kind: AlertAllowance, by account: String, at now: Int64, _ db: Database
    ) throws -> Refusal? {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM requestedAlert") ?? 0
        do {
            try kind.use("\(count)", by: account, at: now, db)
            return nil
        } catch let refusal as Refusal { return refusal }
    }

    @Test(arguments: [
        (AlertAllowance.test, RefusalReason.testLimit, "3590"),
        (AlertAllowance.call, RefusalReason.callLimit, "86390"),
        (AlertAllowance.mailbox, RefusalReason.mailboxLimit, "86390"),
    ])
    func `an account requests a number of alerts, and then waits until the first counts no longer`(
        kind: AlertAllowance, reason: RefusalReason, seconds: String
    ) throws {
        let start: Int64 = 1_700_000_000_000
        try store.write { db in
            for number in 0..<kind.most {
                let time = start + Int64(number)
                #expect(try refusal(kind, by: "ann", at: time, db) == nil)
            }
            let refused = try refusal(kind, by: "ann", at: start + 10_000, db)
            #expect(refused?.isBecause(reason) == true)
            #expect(refused?.arguments["seconds"] == seconds)
            #expect(try refusal(kind, by: "bob", at: start + 10_000, db) == nil)

            let end = start + kind.period
            #expect(try refusal(kind, by: "ann", at: end - 1, db) != nil)
            #expect(try refusal(kind, by: "ann", at: end, db) == nil)
            #expect(try refusal(kind, by: "ann", at: end, db) != nil)
            // The clock was set back.
            #expect(try refusal(kind, by: "ann", at: start - 1, db) == nil)
            let rows = "SELECT count(*) FROM requestedAlert WHERE account = 'ann'"
            #expect(try Int.fetchOne(db, sql: rows) == 1)
        }
    }

    @Test func `a feed keeps its newest 200,000 notices`() throws {
        #expect(Notice.most == 200_000)
        let alert = Alert(raised: AlertRaised(recipient: "ann"))
        let topic = alert.address.topic
        try store.write { db in
            _ = try Notice.append(alert, .raised, at: 1, db)
            try db.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                    INSERT INTO notice (feed, sequence, time, notice) SELECT ?2, i, 1, x'' FROM n
                    """, arguments: [Notice.most, topic])
            try db.execute(sql: "UPDATE feed SET head = ?", arguments: [Notice.most])
            func first() throws -> Int64? {
                try Int64.fetchOne(
                    db, sql: "SELECT min(sequence) FROM notice WHERE feed = ?", arguments: [topic])
            }
            #expect(try first() == 1)

            let notice = try Notice.append(alert, .repeated, at: 2, db)
            #expect(notice.feedSequence == UInt64(Notice.most) + 1)
            #expect(try first() == 2)
            _ = try Notice.append(alert, .repeated, at: 3, db)
            #expect(try first() == 3)
        }
    }
}
