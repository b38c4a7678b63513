import Foundation
import GRDB
import Messages
import Testing

@testable import ProjectService

/// Stores with the tables of an earlier version, and what they had.
@Suite struct FormerStoreTests {
    /// A store from before notes and time were mirrored, with the projects “p”, which mirrors one
    /// of a Redmine server, and “q”.
    private func store() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try ProjectStore.migrator.migrate(queue, upTo: "project: filters, looks and meetings")
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO project VALUES
                        ('p', 'o', 'house', 'House', 'house', 1, 0, '', 0, x''),
                        ('q', 'o', 'shed', 'Shed', 'shed', 1, 0, '', 0, x'');
                    INSERT INTO redmineMirror VALUES
                        ('p', 'l', 1, 'house', 0, 0, '', 0, 0, NULL, 0, 7, 0, 0, 0, 0, '', '');
                    """)
        }
        return queue
    }

    @Test func `notes written before notes were mirrored wait to be sent`() throws {
        let queue = try store()
        try queue.write { db in
            for (project, note) in [("p", ""), ("p", "Ask the plumber."), ("q", "It leaks.")] {
                try db.execute(
                    sql: "INSERT INTO journal (project, issue, entry) VALUES (?, 1, ?)",
                    arguments: [project, Data(IssueEntry(note: note).packed())])
            }
        }

        try ProjectStore.migrator.migrate(queue)

        try queue.read { db in
            let waiting = try Row.fetchAll(db, sql: "SELECT project, kind, number FROM mirrored")
                .map { "\($0[0] as String) \($0[1] as String) \($0[2] as Int64)" }
            #expect(waiting == ["p \(MirrorLinks.Kind.note.rawValue) 2"])
            #expect(try Int64.fetchOne(db, sql: "SELECT swept FROM redmineMirror") == 0)
            #expect(try Int64.fetchOne(db, sql: "SELECT count(*) FROM journal") == 3)
        }
    }

    @Test func `a mirror of an earlier version has the server of its log-in`() throws {
        let queue = try store()
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO redmineLogIn
                    VALUES ('l', 'o', 'ann', 'https://redmine', 5, x'', x'');
                    INSERT INTO redmineMirror VALUES
                        ('q', 'm', 2, 'shed', 0, 0, '', 0, 0, NULL, 0, 7, 0, 0, 0, 0, '', '');
                    """)
        }

        try ProjectStore.migrator.migrate(queue)

        let servers = try queue.read {
            try String.fetchAll($0, sql: "SELECT server FROM redmineMirror ORDER BY project")
        }
        #expect(servers == ["https://redmine", ""])
    }

    @Test func `meetings of an earlier version are found by when they end`() throws {
        let queue = try store()
        let meeting = ProjectMeeting(
            id: "m", project: "house", title: "The roof", start: 1000, end: 5000)
        try queue.write { db in
            try db.execute(
                sql: "INSERT INTO meeting VALUES ('m', 'p', 1000, ?), ('n', 'p', 1000, x'FF')",
                arguments: [Data(meeting.packed())])
        }

        try ProjectStore.migrator.migrate(queue)

        let ends = try queue.read {
            try Int64.fetchAll($0, sql: "SELECT ends FROM meeting ORDER BY id")
        }
        #expect(ends == [5000, 0])
    }

    @Test func `a store is migrated even if an entry can't be read`() throws {
        let queue = try store()
        try queue.write { db in
            let entries = [
                Data([0xFF]), Data(IssueEntry(by: "ann", note: "It leaks.").packed()),
            ]
            for entry in entries {
                try db.execute(
                    sql: "INSERT INTO journal (project, issue, entry) VALUES ('p', 1, ?)",
                    arguments: [entry])
            }
        }

        try ProjectStore.migrator.migrate(queue)

        try queue.read { db in
            let waiting = try Int64.fetchAll(db, sql: "SELECT number FROM mirrored")
            #expect(waiting == [2])
            #expect(try Int64.fetchAll(db, sql: "SELECT bytes FROM noteSize") == [9])
        }
    }

    @Test func `the accounts of members are found even if one can't be read`() throws {
        let queue = try store()
        try queue.write { db in
            let ann = TeamMember(number: 2, name: "Ann", account: "ann")
            let bob = TeamMember(number: 3, name: "Bob")
            let things = [
                Data([0xFF]), Data(ProjectThing(thing: .member(ann)).packed()),
                Data(ProjectThing(thing: .member(bob)).packed()),
            ]
            for (place, thing) in things.enumerated() {
                try db.execute(
                    sql: "INSERT INTO item (project, kind, number, item) VALUES ('p', 1, ?, ?)",
                    arguments: [place + 1, thing])
            }
        }

        try ProjectStore.migrator.migrate(queue)

        try queue.write { db in
            #expect(try MemberAccount.projects(of: "ann", db) == ["p"])
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM memberAccount") == 1)
            try db.execute(sql: "DELETE FROM project WHERE id = 'p'")
            #expect(try MemberAccount.projects(of: "ann", db) == [])
        }
    }

    @Test func `every project is reviewed again, because alerts about overdue issues have expired`()
        throws
    {
        let queue = try store()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE timer (
                        kind TEXT, subject TEXT, due INTEGER, PRIMARY KEY (kind, subject));
                    INSERT INTO timer VALUES ('review', 'q', 7);
                    """)
        }

        try ProjectStore.migrator.migrate(queue)

        let timers = try queue.read { db in
            try Row.fetchAll(db, sql: "SELECT kind, subject, due FROM timer ORDER BY subject")
                .map { "\($0[0] as String) \($0[1] as String) \($0[2] as Int64)" }
        }
        #expect(timers == ["review p 1", "review q 7"])
    }

    @Test func `the present accounts are requested, because some may have left earlier`() throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE cursor (producer TEXT, epoch INTEGER, sequence INTEGER);
                    INSERT INTO cursor VALUES ('account-service', 7, 3), ('notifier', 7, 4);
                    """)
        }

        try ProjectStore.migrator.migrate(queue)

        // A follower with an unknown history can only be sent the present state.
        let epochs = try queue.read {
            try Int64.fetchAll($0, sql: "SELECT epoch FROM cursor ORDER BY sequence")
        }
        #expect(epochs == [1, 7])
    }
}
