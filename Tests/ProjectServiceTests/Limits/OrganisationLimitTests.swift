import GRDB
import Messages
import ServiceRuntime
import Testing

@testable import ProjectService

/// How much an organisation may keep.
struct OrganisationLimitTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try ProjectStore.migrator.migrate(store)
    }

    /// Adds the projects of an organisation with numbers up to one.
    private func add(_ last: Int, to organisation: String, _ db: Database) throws {
        try db.execute(
            sql: """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                INSERT OR IGNORE INTO project
                SELECT ?2 || i, ?2, '' || i, '', '', 0, 0, '', 0, x'' FROM n
                """, arguments: [last, organisation])
    }

    /// Why something is refused; empty if it isn't.
    private func reason(_ require: () throws -> Void) throws -> String {
        do {
            try require()
            return ""
        } catch let refusal as Refusal { return refusal.reason }
    }

    @Test func `an organisation has at most 5,000 projects`() throws {
        #expect(OrganisationLimits.mostProjects == 5_000)
        try store.write { db in
            func refused(_ organisation: String) throws -> String {
                try reason { try OrganisationLimits.requireRoomForProject(of: organisation, db) }
            }
            try add(OrganisationLimits.mostProjects - 1, to: "o", db)
            #expect(try refused("o") == "")
            try add(OrganisationLimits.mostProjects, to: "o", db)
            #expect(try refused("o") == "project.limit")
            #expect(try refused("p") == "")

            try db.execute(sql: "DELETE FROM project WHERE id = 'o1'")
            #expect(try refused("o") == "")
        }
    }

    @Test func `nothing is added when the projects of an organisation are too large`() throws {
        try store.write { db in
            func refused(_ organisation: String) throws -> String {
                try reason { try OrganisationLimits.requireRoom(in: organisation, db) }
            }
            try add(2, to: "o", db)
            try add(1, to: "p", db)
            try JournalStore.add(IssueEntry(by: "ann", note: "x"), to: 1, of: "o1", db)
            try MeetingStore.save(ProjectMeeting(id: "m", title: "Roof"), of: "o1", db)
            let kept = "SELECT bytes FROM projectSize WHERE project = 'o1'"
            let size = try #require(try Int.fetchOne(db, sql: kept))
            #expect(size > 200)

            try db.execute(
                sql: "UPDATE projectSize SET bytes = ? WHERE project = 'o2'",
                arguments: [OrganisationLimits.mostBytes - size - 1])
            #expect(try refused("o") == "")
            try db.execute(sql: "UPDATE projectSize SET bytes = bytes + 1 WHERE project = 'o2'")
            #expect(try refused("o") == "project.large")
            #expect(try refused("p") == "")

            try db.execute(sql: "DELETE FROM project WHERE id = 'o1'")
            #expect(try refused("o") == "")
        }
    }

    @Test func `a conflict that replaces another is counted once`() throws {
        try store.write { db in
            try add(1, to: "o", db)
            func size(_ conflicts: [MirrorConflict]) throws -> Int? {
                try ConflictStore.save(conflicts, of: "o1", db)
                return try Int.fetchOne(db, sql: "SELECT bytes FROM projectSize")
            }
            let conflict = MirrorConflict(
                issue: 1, field: "subject", ours: "Roof", theirs: "Cellar", reason: "")

            let one = try #require(try size([conflict]))
            #expect(one == PartSizes.overhead + 10)
            #expect(try size([conflict, conflict]) == one)
        }
    }
}
