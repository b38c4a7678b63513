import GRDB

/// The service's own tables. What is told of a thing is one packed message; the columns beside it
/// are what it is found by.
enum ProjectStore {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("project: projects and what is in them") { db in
            try db.execute(sql: projects)
        }
        migrator.registerMigration("project: what mirrors a Redmine server") { db in
            try db.execute(sql: mirrors)
        }
        return migrator
    }

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
