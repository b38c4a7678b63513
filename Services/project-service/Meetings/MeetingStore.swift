import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The meetings of projects.
enum MeetingStore {
    static func save(_ meeting: ProjectMeeting, of project: String, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO meeting (id, project, start, ends, meeting) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET
                    start = excluded.start, ends = excluded.ends, meeting = excluded.meeting
                """
        ).execute(
            arguments: [
                meeting.id, project, meeting.start, meeting.end, Data(meeting.packed()),
            ])
        try db.cachedStatement(sql: "DELETE FROM meetingGuest WHERE meeting = ?")
            .execute(arguments: [meeting.id])
        guard !meeting.cancelled else { return }
        let insert = try db.cachedStatement(
            sql: "INSERT INTO meetingGuest (account, ends, meeting) VALUES (?, ?, ?)")
        for account in Set(meeting.guests.map(\.account)).subtracting([""]).sorted() {
            try insert.execute(arguments: [account, meeting.end, meeting.id])
        }
    }

    /// At most two of the meetings of a project that match an id or its beginning.
    static func matching(
        _ id: TypedID, of project: String, _ db: Database
    ) throws -> [ProjectMeeting] {
        try fetch(
            "project = :project AND \(TypedID.condition) LIMIT 2",
            ["project": project] + id.arguments, db)
    }

    /// The meetings of a project in a period, in milliseconds since 1970, latest first; also those
    /// that begin at its end and whose ids come before `id`.
    static func all(
        of project: String, in time: Range<Int64>, before id: String, limit: Int, _ db: Database
    ) throws -> [ProjectMeeting] {
        try fetch(
            """
            project = :project AND ends > :from
                AND start <= :until AND (start < :until OR id < :id)
            ORDER BY start DESC, id DESC LIMIT :limit
            """,
            [
                "project": project, "from": time.lowerBound, "until": time.upperBound, "id": id,
                "limit": limit,
            ], db)
    }

    /// Calls `body` with each meeting of a project that ends after a time, in milliseconds since
    /// 1970, until it throws an error. One that can't be read is reported, and passed over.
    static func each(
        of project: String, after time: Int64, in transaction: Transaction,
        _ body: (ProjectMeeting) throws -> Void
    ) throws {
        try ProjectMeeting.eachRow(
            "meeting",
            """
            SELECT meeting, id FROM meeting WHERE project = ? AND ends > ? ORDER BY start, id
            """, [project, time], in: transaction
        ) { meeting, _ in try body(meeting) }
    }

    /// The meetings in a period, in milliseconds since 1970, that an account is invited to, in
    /// projects of an organisation other than `project`, earliest first.
    static func all(
        invited account: String, of scope: OrganisationScope, outside project: String = "",
        in time: Range<Int64>, limit: Int, _ db: Database
    ) throws -> [ProjectMeeting] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT identifier, meeting.meeting FROM meetingGuest
                    JOIN meeting ON meeting.id = meetingGuest.meeting
                    JOIN project ON project.id = meeting.project
                    WHERE account = :account AND meetingGuest.ends > :from AND start < :until
                        AND meeting.project <> :project AND \(LongDeletion.visible)
                        AND \(OrganisationScope.condition)
                    ORDER BY start, meeting.id LIMIT :limit
                    """),
            arguments: [
                "account": account, "from": time.lowerBound, "until": time.upperBound,
                "project": project, "limit": limit,
            ] + scope.arguments
        ).map {
            var meeting = try ProjectMeeting(stored: [UInt8]($0[1] as Data))
            meeting.project = $0[0]
            return meeting
        }
    }

    /// Calls `body` with the meetings that end after a time, in milliseconds since 1970, each with
    /// the id of its project, for a snapshot.
    static func each(
        after time: Int64, in transaction: Transaction,
        _ body: (ProjectMeeting, _ project: String) throws -> Void
    ) throws {
        try ProjectMeeting.eachRow(
            "meeting",
            """
            SELECT meeting, id, project FROM meeting
            WHERE ends > ? AND project IN (SELECT id FROM project WHERE \(LongDeletion.visible))
            ORDER BY id
            """, [time], in: transaction
        ) { meeting, row in try body(meeting, row[2]) }
    }

    /// Deletes some of the meetings of a project that ended by a time, in milliseconds since 1970,
    /// the oldest first.
    ///
    /// - Returns: how many were deleted.
    static func delete(
        of project: String, endedBy time: Int64, atMost most: Int, _ db: Database
    ) throws -> Int {
        try db.cachedStatement(
            sql: """
                DELETE FROM meeting WHERE id IN (
                    SELECT id FROM meeting WHERE project = ? AND ends <= ?
                    ORDER BY start, id LIMIT ?)
                """
        ).execute(arguments: [project, time, most])
        return db.changesCount
    }

    static func count(of project: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM meeting WHERE project = ?"),
            arguments: [project]) ?? 0
    }

    private static func fetch(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [ProjectMeeting] {
        try Data.fetchAll(
            db.cachedStatement(sql: "SELECT meeting FROM meeting WHERE \(condition)"),
            arguments: arguments
        ).map { try ProjectMeeting(stored: [UInt8]($0)) }
    }
}

extension ProjectStore {
    static let meetings = """
        CREATE TABLE meeting (
            id TEXT NOT NULL PRIMARY KEY, project TEXT NOT NULL REFERENCES project
            ON DELETE CASCADE, start INTEGER NOT NULL, meeting BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX meetingByStart ON meeting (project, start);
        """

    /// Records when meetings end, and creates the table of who is invited. Meetings stored by an
    /// earlier version name no accounts.
    static func inviteGuests(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE meeting ADD COLUMN ends INTEGER NOT NULL DEFAULT 0;
                CREATE TABLE meetingGuest (
                    account TEXT NOT NULL, ends INTEGER NOT NULL,
                    meeting TEXT NOT NULL REFERENCES meeting ON DELETE CASCADE,
                    PRIMARY KEY (account, ends, meeting)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX meetingGuestByMeeting ON meetingGuest (meeting);
                CREATE INDEX meetingByEnd ON meeting (ends);
                """)
        for row in try Row.fetchAll(db, sql: "SELECT id, meeting FROM meeting") {
            guard let meeting = ProjectMeeting.readable(row[1] as Data) else { continue }
            try db.execute(
                sql: "UPDATE meeting SET ends = ? WHERE id = ?",
                arguments: [meeting.end, row[0] as String])
        }
    }
}
