import GRDB
import ServiceRuntime

/// The service's own tables. Each object is stored as one packed message; the columns beside it are
/// for lookups.
enum ProjectStore {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("project: projects and what is in them") { db in
            try db.execute(sql: projects)
        }
        migrator.registerMigration("project: what mirrors a Redmine server") { db in
            try db.execute(sql: mirrors)
        }
        migrator.registerMigration("project: filters, looks and meetings") { db in
            try db.execute(sql: filters)
            try db.execute(sql: meetings)
        }
        migrator.registerMigration("project: time and notes of a Redmine server") { db in
            try db.execute(sql: mirroredTimes)
            try awaitNotes(db)
        }
        migrator.registerMigration("project: whose filters belong to which organisation") { db in
            try db.execute(
                sql: "ALTER TABLE ownFilter ADD COLUMN organisation TEXT NOT NULL DEFAULT ''")
        }
        migrator.registerMigration("project: who is invited to meetings") { db in
            try inviteGuests(db)
        }
        migrator.registerMigration("project: calendars that are fetched") { db in
            try db.execute(sql: personCalendars)
            try db.execute(sql: mirrorMarks)
        }
        migrator.registerMigration("project: until when servers of calendars ask to wait") { db in
            try db.execute(
                sql: "ALTER TABLE personCalendar ADD COLUMN earliest INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("project: waits of calendars that were removed") { db in
            try db.execute(sql: calendarWaits)
        }
        migrator.registerMigration("project: whose fault the wait of a calendar is") { db in
            try db.execute(
                sql: "ALTER TABLE calendarWait ADD COLUMN isOurs INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("project: how much its notes have") { db in
            try db.execute(sql: NoteSize.table)
            try NoteSize.measure(db)
        }
        migrator.registerMigration(
            "project: how much its journals have", migrate: ChangeSize.makeTable)
        migrator.registerMigration(
            "project: how much organisations keep", migrate: OrganisationLimits.makeTable)
        migrator.registerMigration(
            "project: which accounts members have", migrate: MemberAccount.makeTable)
        migrator.registerMigration("project: who has left", migrate: FormerAccount.makeTable)
        migrator.registerMigration(
            "project: what was overdue for long", migrate: IssueReviewStore.reviewAll)
        migrator.registerMigration("project: at which servers the mirrored projects are") { db in
            try db.execute(sql: mirrorServers)
        }
        return migrator
    }

    /// See `Service.belongings`.
    static let belongings: [Belonging] =
        [
            "item", "lastNumber", "step", "journal", "redmineMirror", "mirrorTerm", "mirrored",
            "mirrorConflict", "mirrorMark", "meeting", "personCalendar", "noteSize", "changeSize",
            "memberAccount",
        ].map { .rows(of: $0, where: "project IN (\(ownProjects))") } + [
            .rows(of: "meetingGuest", where: "meeting IN (SELECT id FROM meeting)"),
            .rows(of: "sharedFilter", where: "owner IN (\(ownProjects))"),
            .rows(of: "ownFilter"), .none(of: "looked"), .none(of: "calendarWait"),
            .rows(of: "redmineLogIn"), .rows(of: "projectSize"), .rows(of: "formerAccount"),
            .rows(of: "timer", where: "subject IN (\(ownProjects))"), .rows(of: "project"),
        ]
    private static let ownProjects = "SELECT id FROM project WHERE \(Belonging.ofOrganisation)"

    private static let projects = """
        CREATE TABLE project (
            id TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL, identifier TEXT NOT NULL,
            name TEXT NOT NULL, words TEXT NOT NULL, changed INTEGER NOT NULL,
            step INTEGER NOT NULL, mark TEXT NOT NULL, bytes INTEGER NOT NULL,
            project BLOB NOT NULL, UNIQUE (organisation, identifier)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX projectByName ON project (organisation, name);
        CREATE INDEX projectByChange ON project (changed);
        CREATE TABLE item (
            project TEXT NOT NULL REFERENCES project ON DELETE CASCADE, kind INTEGER NOT NULL,
            number INTEGER NOT NULL, item BLOB NOT NULL, PRIMARY KEY (project, kind, number)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE lastNumber (
            project TEXT NOT NULL REFERENCES project ON DELETE CASCADE, kind INTEGER NOT NULL,
            number INTEGER NOT NULL, PRIMARY KEY (project, kind)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE step (
            project TEXT NOT NULL REFERENCES project ON DELETE CASCADE, number INTEGER NOT NULL,
            step BLOB NOT NULL, changes BLOB NOT NULL, PRIMARY KEY (project, number)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE journal (
            number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            project TEXT NOT NULL REFERENCES project ON DELETE CASCADE, issue INTEGER NOT NULL,
            entry BLOB NOT NULL
        ) STRICT;
        CREATE INDEX journalByIssue ON journal (project, issue, number);
        """
}
