import GRDB
import Messages
import TestSupport
import Testing

@testable import AccountService

@Suite struct ThrottleTests {
    @Test(
        arguments: [
            (0, 0), (4, 0), (5, 1), (6, 2), (7, 4), (8, 8), (9, 16), (10, 32), (11, 64), (12, 128),
            (13, 256), (14, 512), (15, 900), (16, 900), (1_000_000, 900),
        ])
    func `five attempts per name are free, then each failure doubles the wait`(
        failures: Int, seconds: Int64
    ) {
        #expect(Throttle.account.pause(after: failures) == seconds * 1000)
    }

    @Test(arguments: [(19, 0), (20, 1), (21, 2), (30, 900)])
    func `twenty attempts per source are free`(failures: Int, seconds: Int64) {
        #expect(Throttle.source.pause(after: failures) == seconds * 1000)
    }

    @Test func `the refusal of an early attempt says how long to wait`() throws {
        let failures = Failures(count: 8, last: 1_000_000)

        #expect(
            throws: Refusal.forbidden("there were too many failed attempts; try again in 8 seconds")
                .because(.attemptsLimit, ["seconds": "8"])
        ) {
            try Throttle.account.attempt(failures, at: 1_000_001)
        }
        #expect(
            try Throttle.account.attempt(failures, at: 1_008_000)
                == Failures(count: 9, last: 1_008_000))
    }

    @Test func `a wait is rounded up in words`() {
        #expect(Throttle.words(1) == "1 second")
        #expect(Throttle.words(1001) == "2 seconds")
        #expect(Throttle.words(119_001) == "2 minutes")
        #expect(Throttle.words(900_000) == "15 minutes")
    }

    @Test func `after a day everything is forgotten`() {
        let failures = Failures(count: 50, last: 0)

        #expect(Throttle.account.counting(failures, at: Throttle.memory) == Failures())
        #expect(Throttle.account.counting(failures, at: Throttle.memory - 1).count == 50)
    }

    @Test func `one failure of a source is forgiven each minute`() {
        let failures = Failures(count: 30, last: 0)

        #expect(Throttle.source.counting(failures, at: 59_999).count == 30)
        #expect(Throttle.source.counting(failures, at: 600_000).count == 20)
    }

    @Test func `signing up without an invitation is free for some, and then one a minute`() throws {
        let bounds: [(Throttle, Int)] = [(.newcomer, 20), (.openSignUp, 200)]
        for (throttle, free) in bounds {
            var failures = Failures()
            for _ in 0..<free {
                failures = try throttle.attempt(failures, at: 1_000_000)
            }
            #expect(
                throws: Refusal.forbidden(
                    "many have signed up lately; try again in 1 second, or ask for an invitation"
                ).because(.signUpLimit, ["seconds": "1"])
            ) {
                try throttle.attempt(failures, at: 1_000_000)
            }
            #expect(throttle.counting(failures, at: 1_060_000).count == free - 1)
        }
    }

    @Test func `setting the clock back neither locks anyone out nor lets anyone off for long`()
        throws
    {
        let failures = Failures(count: 15, last: 1_000_000_000)

        let next = try Throttle.account.attempt(failures, at: 5000)
        #expect(next == Failures(count: 16, last: 5000))
        let early = 5000 + Throttle.longest - 1
        #expect(throws: Refusal.self) { try Throttle.account.attempt(next, at: early) }
        #expect(try Throttle.account.attempt(next, at: early + 1).count == 17)
    }

    @Test func `strangers who try very many names leave the newest counts, and a trace`() throws {
        let store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
        let (left, entries) = try store.write { db in
            for number in 1...9 {
                try Throttle.account.count("name \(number)", at: Int64(number), db)
            }
            try Throttle.prune(at: 10, keeping: 6, db)
            try Throttle.account.count("name 10", at: 10, db)
            try Throttle.prune(at: 11, keeping: 6, db)
            return (
                try String.fetchAll(db, sql: "SELECT subject FROM failure ORDER BY last"),
                try AuditTrail.read(before: 0, limit: 9, of: .all, db)
            )
        }

        #expect(left == (5...10).map { "name \($0)" })
        #expect(entries.map(\.action) == ["counts of failed attempts deleted"])
        #expect(entries.map(\.count) == [4])
    }

    @Test func `whoever has to wait is not forgotten, however many names are tried later`() throws {
        let store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
        let left = try store.write { db in
            for time in 1...5 as ClosedRange<Int64> {
                try Throttle.account.count("ann", at: time, db)
            }
            for number in 1...9 {
                try Throttle.account.count("name \(number)", at: 100 + Int64(number), db)
            }
            try Throttle.prune(at: 200, keeping: 3, db)
            return try String.fetchAll(db, sql: "SELECT subject FROM failure ORDER BY last")
        }

        #expect(left == ["ann", "name 8", "name 9"])
        #expect(throws: Refusal.self) {
            try store.write { try Throttle.account.count("ann", at: 201, $0) }
        }
    }

    @Test func `the counts to keep are found by an index`() throws {
        let store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
        let steps = try store.read { try $0.steps(of: Throttle.displacement, [1]) }

        #expect(steps.contains { $0.contains("failureByCount") }, "\(steps)")
        #expect(!steps.contains { $0.contains("TEMP B-TREE FOR ORDER") }, "\(steps)")
    }

    @Test func `very many counts are deleted in portions, so that no turn takes long`() throws {
        let store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
        let rounds = try store.write { db in
            for number in 0..<2 * Throttle.portion + 1 {
                try Throttle.account.count("name \(number)", at: 1, db)
            }
            return try (1...4).map { _ in try Throttle.prune(at: 2, keeping: 0, db) }
        }

        #expect(rounds == [true, true, false, false])
    }

    @Test func `a count that is forgiven leaves nothing in the store`() throws {
        let store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
        let left = try store.write { db in
            for throttle in [Throttle.account, .source] {
                try throttle.count("ann", at: 1, db)
                try throttle.forgive("ann", at: 2, db)
            }
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM failure")
        }

        #expect(left == 0)
    }
}
