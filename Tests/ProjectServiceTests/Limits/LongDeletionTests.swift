import GRDB
import Messages
import TestStore
import Testing

@testable import ProjectService
@testable import ServiceRuntime

/// A project with very much history, while it is being deleted.
struct LongDeletionTests {
    @Test func `the meetings of a project go in stretches, and aren't found meanwhile`() throws {
        let store = try MemoryStore(of: .project, ProjectStore.migrator)
        try store.run { transaction in
            let db = transaction.db
            let row = ProjectRow(
                project: Project(id: "p", identifier: "house", name: "House", organisation: "o"),
                mark: "m")
            try row.save(db)
            let guests = [MeetingGuest(name: "Ann", mail: "ann@example.org", account: "ann")]
            for number in 1...2_500 {
                let meeting = ProjectMeeting(
                    id: "m\(number)", title: "Roof", start: 1_000, end: 2_000, guests: guests)
                try MeetingStore.save(meeting, of: "p", db)
            }
            func count() throws -> Int? {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM meeting")
            }
            func found() throws -> Int {
                let own = try MeetingStore.all(
                    invited: "ann", of: .all, in: 0..<5_000, limit: 10, db)
                var passed = 0
                try MeetingStore.each(after: 0, in: transaction) { _, _ in passed += 1 }
                return own.count + passed
            }
            #expect(try found() == 2_510)

            try row.delete(in: transaction)

            #expect(try count() == 1_500 && found() == 0)
            try ProjectRow.deletion.timer.handle("p", 0, transaction)
            #expect(try count() == 500 && found() == 0)
            try ProjectRow.deletion.timer.handle("p", 0, transaction)
            for table in ["meeting", "meetingGuest", "project", "projectSize"] {
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") == 0)
            }
        }
    }

    @Test func `a project that is being deleted isn't found, nor what is in it`() throws {
        let store = try MemoryStore(of: .project, ProjectStore.migrator)
        try store.run { transaction in
            let db = transaction.db
            let row = ProjectRow(
                project: Project(id: "p", identifier: "house", name: "House", organisation: "o"),
                mark: "m")
            try row.save(db)
            for number in 1...3_000 {
                try JournalStore.add(IssueEntry(by: "ann", note: "x"), to: number, of: "p", db)
            }
            try MeetingStore.save(ProjectMeeting(id: "m", title: "Roof"), of: "p", db)
            try MemberAccount.save("ann", of: 1, in: "p", db)

            try row.delete(in: transaction)

            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM journal") ?? 0 > 0)
            #expect(try ProjectRow.ofID("p", db) == nil)
            for scope in [OrganisationScope.all, .one("o")] {
                #expect(try ProjectRow.identified("house", of: scope, db).isEmpty)
                #expect(try ProjectRow.named("House", of: scope, db).isEmpty)
                #expect(try ProjectRow.all(of: scope, db).isEmpty)
                #expect(try ProjectRow.count(of: scope, with: "", db) == 0)
            }
            var snapshot = 0
            try ProjectRow.each(in: transaction) { _ in snapshot += 1 }
            #expect(snapshot == 0)
            for table in ["meeting", "memberAccount"] {
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") == 0)
            }
            for _ in 1...3 { try ProjectRow.deletion.timer.handle("p", 0, transaction) }
            for table in ["project", "journal", "projectSize"] {
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") == 0)
            }
        }
    }
}
