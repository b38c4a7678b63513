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

    /// Why a version is refused; empty if it isn't.
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
        #expect(TemplateLimits.most == 20_000)
        try store.write { db in
            try add(TemplateLimits.most - 1, to: "o", db)
            #expect(try refused(1, in: "o", db) == "")
            try add(TemplateLimits.most, to: "o", db)
            #expect(try refused(1, in: "o", db) == "template.limit")
            #expect(try refused(2, in: "o", db) == "")
            #expect(try refused(1, in: "p", db) == "")
        }
    }

    private static let harbour = SiteRow(
        organisation: "o", site: Site(id: "s", name: "Harbour"))

    @Test func `a site uses its own lists, and the organisation's where it has none of that name`()
        throws
    {
        func save(
            _ id: String, _ name: String, kind: ListKind = .preShift, site: String = "",
            organisation: String = "o", removed: Bool = false, _ db: Database
        ) throws {
            try TemplateRow(
                template: ChecklistTemplate(
                    id: id, organisation: organisation, site: site, name: name, kind: kind,
                    version: 1, removed: removed)
            ).save(isNew: true, db)
        }
        try store.write { db in
            try save("1", "Bar", kind: .after, db)
            try save("2", "Opening", db)
            try save("3", "opening", site: "s", db)
            try save("4", "Grill", db)
            try save("5", "Grill", site: "s", removed: true, db)
            try save("6", "Cellar", site: "t", db)
            try save("7", "Cellar", organisation: "p", db)
            try save("8", "Attic", removed: true, db)
            // This makes reading one that isn't used fail.
            try db.execute(
                sql: """
                    UPDATE templateVersion SET body = x'FF'
                    WHERE template IN ('2', '5', '6', '7', '8')
                    """)

            let used = try TemplateRow.inUse(at: Self.harbour, db).map(\.template.id)

            #expect(used == ["4", "3", "1"])
        }
    }

    @Test func `no list of a site is read when all of them together are too large`() throws {
        try store.write { db in
            try add(128, to: "o", db)
            try db.execute(
                sql: """
                    INSERT INTO templateVersion (template, version, digest, body)
                    SELECT id, 1, x'', zeroblob(131072) FROM template;
                    UPDATE templateVersion SET body = zeroblob(131073) WHERE template = 'o1'
                    """)

            #expect {
                try TemplateRow.inUse(at: Self.harbour, db)
            } throws: { ($0 as? Refusal)?.reason == "checklist.large" }
        }
    }

    @Test func `no version is added when those of an organisation are too large`() throws {
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
