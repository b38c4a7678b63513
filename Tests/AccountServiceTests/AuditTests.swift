import Bus
import Credentials
import GRDB
import Messages
import TestSupport
import Testing

@testable import AccountService

struct AuditTests {
    @Test func `audit entries from strangers are limited, and displace no others`() throws {
        let store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
        let entries = try store.write { db in
            for number in 1...9 {
                let time = Int64(number) * 1_000_000
                try AuditTrail.note(.roleGranted, by: "boss", organisation: "o", at: time, db)
                try AuditTrail.note(.logInFailed, by: "", organisation: "o", at: time, db)
                try AuditTrail.note(
                    Denial(type: "x"), to: "eve", organisation: "o", at: time, db)
            }
            try AuditTrail.prune(at: 10_000_000, keeping: 4, db)
            return try AuditTrail.read(before: 0, limit: 100, of: .one("o"), db)
        }

        let times = { (action: String) in entries.filter { $0.action == action }.map(\.time) }
        let newest = (6...9).reversed().map { Int64($0) * 1_000_000 }
        #expect(times("role granted").count == 9)
        #expect(times("denied") == newest)
        #expect(times("log-in failed") == newest)
    }

    @Test func `a count of denials that would be too large stops at the largest possible number`()
        throws
    {
        let store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
        let counts = try store.write { db in
            for count in [UInt64.max - 1, .max, 5] {
                try AuditTrail.note(
                    Denial(type: "x"), to: "eve", count: count, organisation: "o", at: 1, db)
            }
            return try AuditTrail.read(before: 0, limit: 9, of: .one("o"), db).map(\.count)
        }

        #expect(counts == [UInt64(Int64.max)])
    }

    @Test(arguments: [
        (AuditTrail.pruning, "auditByTime"), (Throttle.forgiving, "subject>?"),
        (Throttle.expiry, "failureByTime"),
    ])
    func `rows to delete are found by an index`(statement: String, index: String) throws {
        let store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
        let steps: [String] = try store.read { db in
            let count = statement.contains("?2") ? 2 : 1
            return try db.steps(
                of: statement, StatementArguments(Array(repeating: "", count: count)))
        }

        #expect(steps.contains { $0.hasPrefix("SEARCH") && $0.contains(index) }, "\(steps)")
        #expect(!steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")
    }

    @Test func `whoever logs in is found by an index`() throws {
        let store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
        let steps = try store.read {
            try $0.steps(of: "SELECT id FROM account \(Account.logInCondition)", ["ann"])
        }
        #expect(!steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")
        #expect(steps.contains { $0.contains("accountByEmail (email=?)") }, "\(steps)")
    }

    @Test func `a name's failures from all sources are forgiven, and those of others stay`() throws
    {
        let store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
        let left = try store.write { db in
            let ann = Secret.fingerprint(Account.folded("Ann"))
            for subject in [ann, ann + " kiosk", ann + " kiosk 192.0.2.1", ann + "0", "0" + ann] {
                try Throttle.account.count(subject, at: 1000, db)
            }
            try Throttle.forgive(account: Account(name: "Ann"), db)
            return try String.fetchSet(db, sql: "SELECT subject FROM failure")
        }

        #expect(left.count == 2)
        #expect(left.allSatisfy { !$0.contains(" ") })
    }

    @Test func `the text of an entry is cut, so that a hundred roles don't take 45 KB`() throws {
        let store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
        let details = try store.write { db in
            for count in [1000, 1001] {
                let detail = String(repeating: "å", count: count)
                try AuditTrail.note(.invited, by: "a", detail, organisation: "o", at: 1, db)
            }
            return try AuditTrail.read(before: 0, limit: 9, of: .one("o"), db).map(\.detail)
        }

        let longest = String(repeating: "å", count: 1000)
        #expect(details == [longest + "…", longest])
    }
}

extension Processes {
    @Suite struct AuditPageTests {
        @Test func `500 long entries don't fit into one answer, and the pages have them all`()
            throws
        {
            let office = try Office()
            try office.system.edit(
                .account,
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
                INSERT INTO audit (time, organisation, who, action, subject, detail)
                SELECT strftime('%s', 'now') * 1000, 'local', hex(zeroblob(50)), 'long',
                    hex(zeroblob(50)), i || hex(zeroblob(1000))
                FROM n
                """)

            var (numbers, sizes): ([UInt64], [Int]) = ([], [])
            var before: UInt64 = 0
            repeat {
                let page = try office.ask(ReadAudit(before: before, limit: 500), for: Audit.self)
                numbers += page.entries.filter { $0.action == "long" }.map(\.number)
                sizes.append(page.entries.count)
                before = page.next
            } while before > 0 && sizes.count < 100

            #expect(numbers.count == 600)
            #expect(numbers == numbers.sorted(by: >) && Set(numbers).count == 600)
            #expect(sizes.count > 1 && sizes.allSatisfy { $0 > 0 })
            let exact = try office.ask(ReadAudit(limit: 1), for: Audit.self)
            #expect(exact.entries.map(\.number) == [exact.next] && exact.next == numbers.first)
        }
    }
}
