import GRDB

/// The service's own tables. What is told of a thing is one packed message; the columns beside it
/// are what it is found by.
enum PlanStore {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("plan: plans and what is in them") { db in
            try db.execute(sql: plans)
        }
        return migrator
    }

    private static let plans = """
        CREATE TABLE plan (
            id TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL, name TEXT NOT NULL,
            changed INTEGER NOT NULL, plan BLOB NOT NULL,
            UNIQUE (organisation, name)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE item (
            plan TEXT NOT NULL REFERENCES plan ON DELETE CASCADE,
            id TEXT NOT NULL, position INTEGER NOT NULL, item BLOB NOT NULL,
            PRIMARY KEY (plan, id)
        ) WITHOUT ROWID, STRICT;
        """
}
