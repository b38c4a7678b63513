import Foundation
import GRDB
import Messages
import Testing

@testable import ServiceRuntime

/// What a store deletes by itself.
struct HousekeeperTests {
    private static let day: Int64 = 24 * 3600 * 1000

    /// A new store with the tables of the runtime.
    static func withStore(_ body: (Database) throws -> Void) throws {
        var migrator = DatabaseMigrator()
        Ledger.register(in: &migrator, now: 0)
        AccessKeys.register(in: &migrator)
        JobRunner.register(in: &migrator)
        BelievedTime.register(in: &migrator)
        let store = try DatabaseQueue()
        try migrator.migrate(store)
        try store.inDatabase(body)
    }

    /// Publishes events 11 to 110, one a day, of 1,000 bytes each.
    private func publish(_ db: Database) throws {
        for sequence in 11...110 {
            try db.execute(
                sql: "INSERT INTO outbox (sequence, time, envelope) VALUES (?, ?, ?)",
                arguments: [
                    sequence, Int64(sequence) * Self.day,
                    Data(Envelope(data: [UInt8](repeating: 1, count: 992)).packed()),
                ])
        }
    }

    /// Lets the clock run up to a day, as on a machine that is never off.
    private func run(_ housekeeper: Housekeeper, until day: Int64) throws {
        var now = housekeeper.believed.seen ?? day * Self.day
        while now < day * Self.day {
            now = min(now + 5 * 3_600_000, day * Self.day)
            try housekeeper.prune(at: now)
        }
        try housekeeper.prune(at: now)
    }

    private func oldest(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT min(sequence) FROM outbox")
    }

    @Test func `the last event before a time is found`() throws {
        try Self.withStore { db in
            let empty = try Ledger(db)
            #expect(try empty.last(before: .max) == 0)
            try publish(db)
            let ledger = try Ledger(db)
            #expect(try ledger.last(before: 11 * Self.day) == 10)
            #expect(try ledger.last(before: 11 * Self.day + 1) == 11)
            #expect(try ledger.last(before: 60 * Self.day) == 59)
            #expect(try ledger.last(before: .max) == 110)
        }
    }

    @Test func `events are kept for a follower that hasn't seen them, but not forever`() throws {
        try Self.withStore { db in
            try publish(db)
            try db.execute(sql: "INSERT INTO follower VALUES ('plan-service', 12, 0)")
            let housekeeper = try Housekeeper(db, ledger: Ledger(db))

            try run(housekeeper, until: 60)
            #expect(try oldest(db) == 13)
            try run(housekeeper, until: 130)
            #expect(try oldest(db) == 40)
            try run(housekeeper, until: 220)
            #expect(try oldest(db) == 110)
        }
    }

    @Test func `nothing is deleted because the clock was wrong for less than a day`() throws {
        try Self.withStore { db in
            try publish(db)
            try db.execute(
                sql: "INSERT INTO inbox (id, time, reply, asker) VALUES (x'00', ?, x'', '')",
                arguments: [111 * Self.day])
            func replies() throws -> Int? {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM inbox")
            }
            let first = try Housekeeper(db, ledger: Ledger(db))
            try run(first, until: 111)
            #expect(try oldest(db) == 81)

            // The clock is two years ahead, for some hours and through a restart.
            try first.prune(at: 841 * Self.day)
            let second = try Housekeeper(db, ledger: Ledger(db))
            for hour in 1..<24 { try second.prune(at: 841 * Self.day + Int64(hour) * 3_600_000) }
            // Nearly a day has passed since the leap.
            #expect(try oldest(db) == 82)
            #expect(try replies() == 1)

            // A day after the leap, it counts.
            try second.prune(at: 842 * Self.day)
            #expect(try oldest(db) == 110)
            #expect(try replies() == 0)
        }
    }

    @Test func `a reply is kept longer than its id is accepted, and gone after two days`() throws {
        #expect(Housekeeper.replyAge >= MessageID.oldestNew + MessageID.farthestAhead)
        try Self.withStore { db in
            try db.execute(
                sql: "INSERT INTO inbox (id, time, reply, asker) VALUES (x'00', ?, x'', '')",
                arguments: [100 * Self.day])
            func replies() throws -> Int? {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM inbox")
            }
            let housekeeper = try Housekeeper(db, ledger: Ledger(db))
            try run(housekeeper, until: 100)
            for hour in 1..<24 {
                try housekeeper.prune(at: 100 * Self.day + Int64(hour) * 3_600_000)
                #expect(try replies() == 1, "\(hour) h")
            }
            try run(housekeeper, until: 102)
            #expect(try replies() == 0)
        }
    }

    @Test func `which commands' replies were deleted is kept`() throws {
        try Self.withStore { db in
            var ids = MessageID.Generator()
            let id = ids.next(at: 100 * Self.day)
            try db.execute(
                sql: "INSERT INTO inbox (id, time, reply, asker) VALUES (?, ?, x'', '')",
                arguments: [Data(id.bytes), 100 * Self.day])
            let ledger = try Ledger(db)
            let housekeeper = try Housekeeper(db, ledger: ledger)

            try run(housekeeper, until: 100)
            #expect(!ledger.deletedReplies.contains(id))
            try run(housekeeper, until: 102)

            #expect(ledger.deletedReplies.contains(id))
            #expect(try Ledger(db).deletedReplies == ledger.deletedReplies)
        }
    }

    @Test func `which replies were deleted is kept even if the deletion was undone once`() throws {
        struct Undone: Error {}
        try Self.withStore { db in
            var ids = MessageID.Generator()
            let id = ids.next(at: 100 * Self.day)
            let ledger = try Ledger(db)
            try ledger.transaction { try ledger.keep([], to: id, of: "", at: 100 * Self.day) }
            func delete() throws {
                try ledger.pruneReplies(before: 102 * Self.day)
                try ledger.keepDeletedReplies()
            }

            #expect(throws: Undone.self) {
                try ledger.transaction {
                    try delete()
                    throw Undone()
                }
            }
            #expect(try !Ledger(db).deletedReplies.contains(id))
            try ledger.transaction { try delete() }

            #expect(try Ledger(db).deletedReplies.contains(id))
        }
    }

    @Test func `what is deleted after the clock was set back is kept when what lay ahead isn't`()
        throws
    {
        try Self.withStore { db in
            let (back, hour) = (100 * Self.day, Int64(3_600_000))
            var ids = MessageID.Generator()
            let id = ids.next(at: back)
            try db.execute(
                sql: "INSERT INTO deletedReply (first, last) VALUES (?, ?)",
                arguments: [back + hour / 2, back + 3 * Self.day])
            try db.execute(
                sql: "INSERT INTO inbox (id, time, reply, asker) VALUES (?, ?, x'', '')",
                arguments: [Data(id.bytes), back])
            let ledger = try Ledger(db)
            let housekeeper = try Housekeeper(db, ledger: ledger)

            // The machine is off when the day is over.
            for hours: Int64 in [0, 6, 12, 18, 23] {
                try housekeeper.prune(at: back + hours * hour)
            }
            #expect(!ledger.deletedReplies.contains(id))
            try housekeeper.prune(at: back + 25 * hour)

            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM inbox") == 0)
            #expect(ledger.deletedReplies.contains(id))
            #expect(ledger.deletedReplies.spans.count == 1)
            #expect(ledger.deletedReplies.spans.allSatisfy { $0.last == id.milliseconds })
        }
    }

    @Test func `events are bounded in bytes`() throws {
        try Self.withStore { db in
            try publish(db)
            let ledger = try Ledger(db)
            let size = try #require(
                try Int64.fetchOne(db, sql: "SELECT max(length(envelope)) FROM outbox"))

            #expect(try ledger.last(beyond: UInt64(size) * 100) == 0)
            #expect(try ledger.last(beyond: UInt64(size) * 30) == 80)
            #expect(try ledger.last(beyond: 0) == 109)
        }
    }

    @Test func `finished jobs are deleted by age and number, others never`() throws {
        try Self.withStore { db in
            for number in 0..<1600 {
                let isEnded = number != 3
                try db.execute(
                    sql: """
                        INSERT INTO job VALUES (?, 'toy.Work', x'', ?, 0, 0, '', 1, ?, '')
                        """,
                    arguments: [
                        String(format: "%08d", number),
                        (isEnded ? Job.State.succeeded : Job.State.queued).rawValue,
                        isEnded ? 40 * Self.day : 0,
                    ])
            }
            let ids = "SELECT id FROM job ORDER BY id"

            for _ in 0..<4 { try JobRunner.prune(db, at: 41 * Self.day) }
            let kept = try String.fetchAll(db, sql: ids)
            #expect(kept.count == 1001)
            #expect(kept.first == "00000003")
            #expect(kept[1] == "00000600")
            for _ in 0..<4 { try JobRunner.prune(db, at: 71 * Self.day) }
            #expect(try String.fetchAll(db, sql: ids) == ["00000003"])
        }
    }
}
