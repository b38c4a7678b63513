import Foundation
import GRDB
import Messages
import ServiceRuntime

extension ProjectStore {
    static let mirrors = """
        CREATE TABLE redmineLogIn (
            id TEXT NOT NULL UNIQUE, organisation TEXT NOT NULL, account TEXT NOT NULL,
            server TEXT NOT NULL, user INTEGER NOT NULL, sealed BLOB NOT NULL, logIn BLOB NOT NULL
        ) STRICT;
        CREATE INDEX redmineLogInByAccount ON redmineLogIn (account, organisation);
        CREATE TABLE redmineMirror (
            project TEXT NOT NULL PRIMARY KEY REFERENCES project ON DELETE CASCADE,
            logIn TEXT NOT NULL, remote INTEGER NOT NULL, identifier TEXT NOT NULL,
            due INTEGER NOT NULL, underWay INTEGER NOT NULL, phase TEXT NOT NULL,
            cursor INTEGER NOT NULL, sweep INTEGER NOT NULL, sweepOffset INTEGER,
            sweepLast INTEGER NOT NULL,
            swept INTEGER NOT NULL, synced INTEGER NOT NULL,
            asked INTEGER NOT NULL, began INTEGER NOT NULL, failures INTEGER NOT NULL,
            failure TEXT NOT NULL, skipped TEXT NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX redmineMirrorByDue ON redmineMirror (underWay, due);
        CREATE TABLE mirrorTerm (
            project TEXT NOT NULL REFERENCES project ON DELETE CASCADE, kind TEXT NOT NULL,
            remote INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL,
            PRIMARY KEY (project, kind, remote)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE mirrored (
            project TEXT NOT NULL REFERENCES project ON DELETE CASCADE, kind TEXT NOT NULL,
            number INTEGER NOT NULL, remote INTEGER NOT NULL, base BLOB NOT NULL,
            attempted INTEGER NOT NULL, seen INTEGER NOT NULL,
            PRIMARY KEY (project, kind, number)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE mirrorConflict (
            project TEXT NOT NULL REFERENCES project ON DELETE CASCADE, issue INTEGER NOT NULL,
            field TEXT NOT NULL, ours TEXT NOT NULL, theirs TEXT NOT NULL, reason TEXT NOT NULL,
            decision TEXT NOT NULL, PRIMARY KEY (project, issue, field)
        ) WITHOUT ROWID, STRICT;
        """
    static let mirrorMarks = """
        CREATE TABLE mirrorMark (
            project TEXT NOT NULL PRIMARY KEY REFERENCES project ON DELETE CASCADE,
            mark INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        """
    static let mirroredTimes = """
        ALTER TABLE redmineMirror ADD COLUMN timeSweep INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE redmineMirror ADD COLUMN timeOffset INTEGER DEFAULT 0;
        ALTER TABLE redmineMirror ADD COLUMN timeLast INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE redmineMirror ADD COLUMN timeSkipped INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE mirrored ADD COLUMN noted INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE mirrored ADD COLUMN notedAt INTEGER NOT NULL DEFAULT 0;
        """

    static let mirrorServers = """
        ALTER TABLE redmineMirror ADD COLUMN server TEXT NOT NULL DEFAULT '';
        UPDATE redmineMirror SET server = coalesce(
            (SELECT own.server FROM redmineLogIn AS own WHERE own.id = redmineMirror.logIn), '');
        """

    /// Marks notes that were written before notes could be mirrored as waiting to be sent. This
    /// uses the tables as they are at this point: the service's other code needs some that are made
    /// later.
    static func awaitNotes(_ db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT project, number, entry FROM journal
                WHERE project IN (SELECT project FROM redmineMirror)
                """)
        for row in rows {
            guard let entry = IssueEntry.readable(row["entry"]), !entry.note.isEmpty else {
                continue
            }
            try db.execute(
                sql: """
                    INSERT INTO mirrored (project, kind, number, remote, base, attempted, seen)
                    VALUES (?, 'note', ?, 0, x'', 0, 0)
                    """,
                arguments: [row["project"] as String, row["number"] as Int64])
        }
        // Names are read again with everything else.
        try db.execute(sql: "UPDATE redmineMirror SET swept = 0")
    }
}
