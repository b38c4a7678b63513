import GRDB
import ServiceRuntime

/// The service's own tables. Each object is stored as one packed message; the columns beside it are
/// for lookups.
enum ChecklistStore {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("checklist: sites, people, templates and settings") { db in
            try db.execute(sql: places)
        }
        migrator.registerMigration("checklist: shifts and their operations") { db in
            try db.execute(sql: shifts)
        }
        migrator.registerMigration("checklist: equipment and spare parts") { db in
            try db.execute(sql: equipment)
        }
        migrator.registerMigration("checklist: the archive and its figures") { db in
            try db.execute(sql: archive)
        }
        migrator.registerMigration("checklist: mails that are still to be made") { db in
            try db.execute(
                sql: """
                    CREATE TABLE mailOrder (
                        key TEXT NOT NULL PRIMARY KEY, shift TEXT NOT NULL, area TEXT NOT NULL,
                        addresses TEXT NOT NULL, head INTEGER NOT NULL,
                        isTaken INTEGER NOT NULL CHECK (isTaken IN (0, 1))
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        migrator.registerMigration("checklist: to-dos between shifts, and their numbers") { db in
            try db.execute(sql: StandingTodo.schema)
        }
        migrator.registerMigration("checklist: scheduled shifts") { db in
            try db.execute(sql: ScheduleRow.schema)
        }
        migrator.registerMigration("checklist: reports that are mailed") { db in
            try db.execute(sql: ReportRow.schema)
        }
        migrator.registerMigration("checklist: photos") { db in
            try db.execute(sql: PhotoStore.schema)
        }
        registerChanges(in: &migrator)
        return migrator
    }

    /// What changed since the first tables.
    private static func registerChanges(in migrator: inout DatabaseMigrator) {
        VersionStore.register(in: &migrator)
        FormerAlerts.register(in: &migrator)
        migrator.registerMigration("checklist: whose devices and refused operations") { db in
            try db.execute(
                sql: """
                    ALTER TABLE device ADD COLUMN account TEXT NOT NULL DEFAULT '';
                    CREATE INDEX deviceByAccount ON device (shift, account);
                    ALTER TABLE refusedOperation ADD COLUMN account TEXT NOT NULL DEFAULT '';
                    CREATE INDEX refusedByAccount ON refusedOperation (shift, account);
                    """)
        }
        migrator.registerMigration("checklist: templates in order of their names") { db in
            try db.execute(
                sql: "CREATE INDEX templateInOrder ON template (organisation, name, site)")
        }
        migrator.registerMigration("checklist: who has named equipment") { db in
            try db.execute(
                sql: "ALTER TABLE equipment ADD COLUMN account TEXT NOT NULL DEFAULT ''")
        }
        migrator.registerMigration("checklist: reasons of refused operations") { db in
            try db.execute(
                sql: "ALTER TABLE refusedOperation ADD COLUMN reason TEXT NOT NULL DEFAULT ''")
        }
        migrator.registerMigration("checklist: parts of refusals of operations") { db in
            try db.execute(
                sql: "ALTER TABLE refusedOperation ADD COLUMN parts BLOB NOT NULL DEFAULT X''")
        }
        migrator.registerMigration(
            "checklist: how much organisations keep of templates",
            migrate: TemplateLimits.makeTable)
        migrator.registerMigration(
            "checklist: whose blocks of numbers", migrate: DeviceOwnerStore.add)
        migrator.registerMigration(
            "checklist: what was decided before the clock was set back",
            migrate: ScheduleRow.addDoubts)
        migrator.registerMigration(
            "checklist: when schedules were checked", migrate: ScheduleRow.makeChecks)
        migrator.registerMigration(
            "checklist: people by name and role", migrate: Person.makeTableOfLeaders)
    }

    /// See `Service.belongings`.
    static let belongings: [Belonging] =
        ["device", "refusedOperation", "mailOrder", "listFigures", "todoLead"].map {
            .rows(of: $0, where: "shift IN (\(ownShifts))")
        } + [
            .rows(of: "photo", where: "site IN (\(ownSites))"),
            .rows(of: "photoFile", where: "checksum IN (SELECT checksum FROM photo)"),
            .rows(
                of: "shiftText",
                where: """
                    rowid IN (SELECT text FROM shiftFigures WHERE shift IN (\(ownShifts)))
                    """),
            .rows(of: "shiftFigures", where: "shift IN (\(ownShifts))"),
            .rows(
                of: "equipmentEntry",
                where: "equipment IN (SELECT id FROM equipment WHERE site IN (\(ownSites)))"),
            .rows(
                of: "templateVersion",
                where: """
                    template IN (SELECT id FROM template WHERE \(Belonging.ofOrganisation))
                    """),
        ]
        + [
            "equipment", "settings", "operation", "archive", "sparePart", "rememberedTodo",
            "standingTodo", "numberBlock", "scheduledShift", "scheduledStart", "scheduleCheck",
        ].map { .rows(of: $0, where: "site IN (\(ownSites))") }
        + ["templateSize", "template", "shift", "siteReport", "site", "leader", "person"].map {
            .rows(of: $0)
        }
        // The key that seals archives: the organisation's archive was sealed with it.
        + [.all(of: "archiveKey")]
    private static let ownShifts = "SELECT id FROM shift WHERE \(Belonging.ofOrganisation)"
    private static let ownSites = "SELECT id FROM site WHERE \(Belonging.ofOrganisation)"

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

    private static let shifts = """
        CREATE TABLE shift (
            id TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL, site TEXT NOT NULL,
            manager TEXT NOT NULL, managerName TEXT NOT NULL, date TEXT NOT NULL,
            started INTEGER NOT NULL, ended INTEGER NOT NULL, head INTEGER NOT NULL,
            shift BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE UNIQUE INDEX openShift ON shift (site) WHERE ended = 0;
        CREATE INDEX shiftByTime ON shift (site, started);
        CREATE TABLE operation (
            site TEXT NOT NULL, sequence INTEGER NOT NULL, shift TEXT NOT NULL,
            id BLOB NOT NULL UNIQUE, time INTEGER NOT NULL,
            isContradiction INTEGER NOT NULL CHECK (isContradiction IN (0, 1)),
            hash BLOB NOT NULL, body BLOB NOT NULL, PRIMARY KEY (site, sequence)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX operationByShift ON operation (shift, sequence);
        CREATE TABLE archive (
            site TEXT NOT NULL PRIMARY KEY, sequence INTEGER NOT NULL, hash BLOB NOT NULL,
            beginsAfter INTEGER NOT NULL, beginsWith BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE device (
            shift TEXT NOT NULL, device TEXT NOT NULL, answered INTEGER NOT NULL,
            made INTEGER NOT NULL, PRIMARY KEY (shift, device)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE refusedOperation (
            id BLOB NOT NULL PRIMARY KEY, shift TEXT NOT NULL, code INTEGER NOT NULL,
            message TEXT NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE shiftAlert (
            key TEXT NOT NULL PRIMARY KEY, shift TEXT NOT NULL, due INTEGER NOT NULL,
            since INTEGER NOT NULL,
            isAcknowledged INTEGER NOT NULL CHECK (isAcknowledged IN (0, 1)), alert BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX alertByShift ON shiftAlert (shift);
        """

    private static let equipment = """
        CREATE TABLE equipment (
            id TEXT NOT NULL PRIMARY KEY, site TEXT NOT NULL, name TEXT NOT NULL,
            equipment BLOB NOT NULL, UNIQUE (site, name)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE equipmentEntry (
            id INTEGER NOT NULL PRIMARY KEY, equipment TEXT NOT NULL REFERENCES equipment (id),
            entry BLOB NOT NULL
        ) STRICT;
        CREATE INDEX entryByEquipment ON equipmentEntry (equipment);
        CREATE TABLE sparePart (
            site TEXT NOT NULL, name TEXT NOT NULL, number TEXT NOT NULL, part BLOB NOT NULL,
            PRIMARY KEY (site, name, number)
        ) WITHOUT ROWID, STRICT;
        """

    private static let archive = """
        CREATE TABLE archiveKey (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), seed BLOB NOT NULL
        ) STRICT;
        CREATE TABLE rememberedTodo (
            site TEXT NOT NULL, title TEXT NOT NULL, uses INTEGER NOT NULL, last INTEGER NOT NULL,
            todo BLOB NOT NULL, PRIMARY KEY (site, title)
        ) WITHOUT ROWID, STRICT;
        CREATE VIRTUAL TABLE shiftText USING fts5(
            text, tokenize = 'unicode61 remove_diacritics 2'
        );
        CREATE TABLE shiftFigures (
            shift TEXT NOT NULL PRIMARY KEY, site TEXT NOT NULL, siteName TEXT NOT NULL,
            date TEXT NOT NULL, manager TEXT NOT NULL, managerName TEXT NOT NULL,
            text INTEGER NOT NULL UNIQUE, totals BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX figuresByDate ON shiftFigures (site, date);
        CREATE TABLE todoLead (
            id INTEGER NOT NULL PRIMARY KEY, shift TEXT NOT NULL, lead INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX leadByShift ON todoLead (shift, lead);
        CREATE TABLE listFigures (
            shift TEXT NOT NULL, template TEXT NOT NULL, version INTEGER NOT NULL,
            findings BLOB NOT NULL, PRIMARY KEY (shift, template)
        ) WITHOUT ROWID, STRICT;
        """
}
