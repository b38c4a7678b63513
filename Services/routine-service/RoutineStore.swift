import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The service's own tables. Each row stores an item as one packed message; the other columns are
/// the keys by which it is found.
enum RoutineStore {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("routine: people, routines and days") { db in
            try db.execute(sql: tables)
        }
        migrator.registerMigration("routine: the week, and how long things take") { db in
            try db.execute(sql: weekTables)
        }
        migrator.registerMigration("routine: pictures of one's own") { db in
            try db.execute(sql: pictureTable)
        }
        migrator.registerMigration("routine: what devices have kept") { db in
            try db.execute(sql: operationTable)
        }
        FormerAlerts.register(in: &migrator)
        migrator.registerMigration("routine: events of other services") { db in
            try db.execute(sql: DayEvent.table)
        }
        migrator.registerMigration(
            "routine: who cares for whom", migrate: PersonRow.makeCarers)
        migrator.registerMigration("routine: earlier versions of a person's days") { db in
            try db.execute(sql: "CREATE INDEX dayBeforeByPerson ON dayBefore (person)")
        }
        migrator.registerMigration(
            "routine: how much a person's days have", migrate: DaySize.makeTable)
        migrator.registerMigration("routine: whom accounts care for") { db in
            try db.execute(sql: CareStore.table)
        }
        return migrator
    }

    /// See `Service.belongings`.
    static let belongings: [Belonging] =
        [
            "ownAction", "routine", "dayTemplate", "day", "dayBefore", "dayEvent", "rhythm",
            "measure", "picture", "dayOperation", "carer", "daySize",
        ].map {
            .rows(
                of: $0,
                where: """
                    person IN (SELECT account FROM person WHERE \(Belonging.ofOrganisation))
                    """)
        } + [.rows(of: "care"), .rows(of: "person")]

    private static let tables = """
        CREATE TABLE person (
            account TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL, settings BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE ownAction (
            id TEXT NOT NULL PRIMARY KEY, person TEXT NOT NULL, name TEXT NOT NULL,
            action BLOB NOT NULL, UNIQUE (person, name)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE routine (
            id TEXT NOT NULL PRIMARY KEY, person TEXT NOT NULL, name TEXT NOT NULL,
            deleted INTEGER NOT NULL, routine BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE UNIQUE INDEX routineByName ON routine (person, name) WHERE deleted = 0;
        CREATE INDEX routineByPerson ON routine (person, deleted);
        CREATE TABLE dayTemplate (
            person TEXT NOT NULL, name TEXT NOT NULL, template BLOB NOT NULL,
            PRIMARY KEY (person, name)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE day (
            person TEXT NOT NULL, date TEXT NOT NULL, day BLOB NOT NULL,
            PRIMARY KEY (person, date)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX dayByDate ON day (date);
        CREATE TABLE dayBefore (
            id INTEGER NOT NULL PRIMARY KEY, person TEXT NOT NULL, date TEXT NOT NULL,
            day BLOB NOT NULL
        ) STRICT;
        CREATE INDEX dayBeforeByDay ON dayBefore (person, date);
        CREATE TABLE dayAlert (
            key TEXT NOT NULL PRIMARY KEY, person TEXT NOT NULL, date TEXT NOT NULL,
            alert BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX dayAlertByDay ON dayAlert (person, date);
        """

    private static let pictureTable = """
        CREATE TABLE picture (
            id INTEGER NOT NULL PRIMARY KEY, person TEXT NOT NULL, checksum BLOB NOT NULL,
            added INTEGER NOT NULL, licence TEXT NOT NULL, file BLOB NOT NULL,
            UNIQUE (person, checksum)
        ) STRICT;
        """

    private static let operationTable = """
        CREATE TABLE dayOperation (
            person TEXT NOT NULL, date TEXT NOT NULL, number INTEGER NOT NULL,
            operation BLOB NOT NULL, effect INTEGER NOT NULL, isUndone INTEGER NOT NULL,
            PRIMARY KEY (person, date, number)
        ) WITHOUT ROWID, STRICT;
        """

    private static let weekTables = """
        CREATE TABLE rhythm (
            person TEXT NOT NULL PRIMARY KEY, rhythm BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE measure (
            person TEXT NOT NULL, date TEXT NOT NULL, step TEXT NOT NULL, action TEXT NOT NULL,
            ended INTEGER NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (person, date, step)
        ) WITHOUT ROWID, STRICT;
        """
}
