import GRDB

/// The service's own tables. What is told of a thing is one packed message; the columns beside it
/// are what it is found by.
enum ChecklistStore {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("checklist: sites, people, templates and settings") { db in
            try db.execute(sql: places)
        }
        return migrator
    }

    private static let places = """
        CREATE TABLE site (
            id TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL, name TEXT NOT NULL,
            site BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE person (
            id TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL, name TEXT NOT NULL,
            account BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE template (
            id TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL, site TEXT NOT NULL,
            name TEXT NOT NULL, version INTEGER NOT NULL,
            removed INTEGER NOT NULL CHECK (removed IN (0, 1))
        ) WITHOUT ROWID, STRICT;
        CREATE UNIQUE INDEX templateByName ON template (organisation, site, name)
            WHERE removed = 0;
        CREATE TABLE templateVersion (
            template TEXT NOT NULL REFERENCES template (id), version INTEGER NOT NULL,
            digest BLOB NOT NULL, body BLOB NOT NULL, PRIMARY KEY (template, version)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE settings (
            site TEXT NOT NULL PRIMARY KEY, settings BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        """
}
