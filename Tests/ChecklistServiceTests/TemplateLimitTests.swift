import GRDB
import Messages
import Testing

@testable import ChecklistService

/// How many checklists an organisation may keep.
struct TemplateLimitTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try ChecklistStore.migrator.migrate(store)
    }

    /// Adds the checklists of an organisation with numbers up to one.
    private func add(_ last: Int, to organisation: String, _ db: Database) throws {
        try db.execute(
            sql: """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                INSERT OR IGNORE INTO template SELECT ?2 || i, ?2, '', '' || i, 1, 0 FROM n
                """, arguments: [last, organisation])
    }

    /// The reason for which a version is refused; empty if it isn't.
    private func refused(
        _ version: UInt32, in organisation: String, _ db: Database
    ) throws -> String {
        do {
            let template = ChecklistTemplate(organisation: organisation, version: version)
            try TemplateLimits.requireRoom(for: template, db)
            return ""
        } catch let refusal as Refusal { return refusal.reason }
    }

    @Test func `an organisation has at most 20,000 checklists, which can be changed`() throws {
        try store.write { db in
            try add(TemplateLimits.most - 1, to: "o", db)
            #expect(try refused(1, in: "o", db) == "")
            try add(TemplateLimits.most, to: "o", db)
            #expect(try refused(1, in: "o", db) == "template.limit")
            #expect(try refused(2, in: "o", db) == "")
            #expect(try refused(1, in: "p", db) == "")
        }
    }

    @Test func `no version is added when those of an organisation have too much`() throws {
        try store.write { db in
            try add(2, to: "o", db)
            let versions = VersionStore(template: "o1")
            var size = 0
            for version in 1...3 as ClosedRange<UInt32> {
                let body = [UInt8](repeating: UInt8(version), count: 1_000)
                try versions.add(version, body, db)
                let row = "SELECT bytes FROM templateSize WHERE template = 'o1'"
                let now = try #require(try Int.fetchOne(db, sql: row))
                #expect(now > size)
                size = now
            }

            let set = "UPDATE templateSize SET bytes = ? WHERE template = 'o2'"
            try db.execute(sql: set, arguments: [TemplateLimits.mostBytes - size - 1])
            #expect(try refused(2, in: "o", db) == "")
            try db.execute(sql: set, arguments: [TemplateLimits.mostBytes - size])
            #expect(try refused(2, in: "o", db) == "template.large")
            #expect(try refused(2, in: "p", db) == "")
        }
    }
}
