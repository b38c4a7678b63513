import GRDB
import Messages
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

    @Test func `what an entry says is cut, so that a hundred roles don't take 45 KB`() throws {
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
