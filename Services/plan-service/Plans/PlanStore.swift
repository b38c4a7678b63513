import GRDB
import ServiceRuntime

/// The service's own tables. Each object is one packed message; the other columns are for finding
/// it.
enum PlanStore {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("plan: plans and what is in them") { db in
            try db.execute(sql: plans)
        }
        migrator.registerMigration(
            "catalogue: products and their words", migrate: ProductRow.makeTables)
        migrator.registerMigration("plan: more letters that are compared as others") { db in
            for (table, columns) in [
                ("plan", ["words"]), ("libraryItem", ["words"]), ("product", ["name"]),
                ("productText", ["name", "maker", "number", "class"]),
            ] {
                for column in columns { try fold(column, of: table, db) }
            }
        }
        FormerAlerts.register(in: &migrator)
        migrator.registerMigration(
            "catalogue: whose a product is among its words", migrate: ProductRow.indexScopes)
        migrator.registerMigration(
            "plan: how much organisations keep", migrate: OrganisationLimits.makeTables)
        migrator.registerMigration(
            "catalogue: products are counted without triggers",
            migrate: OrganisationLimits.dropProductTriggers)
        return migrator
    }

    /// See `Service.belongings`.
    static let belongings: [Belonging] =
        ["item", "step", "view", "checkOrder", "failing"].map {
            .rows(
                of: $0,
                where: "plan IN (SELECT id FROM plan WHERE \(Belonging.ofOrganisation))")
        } + [
            .rows(
                of: "productText",
                where: """
                    rowid IN (SELECT key FROM product WHERE \(Belonging.ofOrganisation))
                    """)
        ]
        + ["planSize", "productSize", "product", "libraryItem", "plan"].map { .rows(of: $0) }

    /// Updates stored words to the present result of `FoldedText`.
    private static func fold(_ column: String, of table: String, _ db: Database) throws {
        let letters = [("ħ", "h"), ("ı", "i"), ("ŋ", "n"), ("ς", "σ")]
        let folded = letters.reduce(column) { "replace(\($0), '\($1.0)', '\($1.1)')" }
        try db.execute(
            sql: "UPDATE \(table) SET \(column) = \(folded) WHERE \(column) GLOB '*[ħıŋς]*'")
    }

    private static let plans = """
        CREATE TABLE plan (
            id TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL, name TEXT NOT NULL,
            words TEXT NOT NULL, changed INTEGER NOT NULL, step INTEGER NOT NULL,
            mark TEXT NOT NULL, changer TEXT NOT NULL, changerOrganisation TEXT NOT NULL,
            plan BLOB NOT NULL, UNIQUE (organisation, name)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX planByChange ON plan (changed);
        CREATE TABLE item (
            plan TEXT NOT NULL REFERENCES plan ON DELETE CASCADE, id TEXT NOT NULL,
            position INTEGER NOT NULL, item BLOB NOT NULL, PRIMARY KEY (plan, id)
        ) WITHOUT ROWID, STRICT;
        CREATE UNIQUE INDEX itemByPosition ON item (plan, position);
        CREATE TABLE step (
            plan TEXT NOT NULL REFERENCES plan ON DELETE CASCADE, number INTEGER NOT NULL,
            step BLOB NOT NULL, positions TEXT NOT NULL, changes BLOB NOT NULL,
            PRIMARY KEY (plan, number)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE view (
            plan TEXT NOT NULL REFERENCES plan ON DELETE CASCADE, account TEXT NOT NULL,
            view BLOB NOT NULL, PRIMARY KEY (plan, account)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE checkOrder (
            plan TEXT NOT NULL PRIMARY KEY REFERENCES plan ON DELETE CASCADE,
            asked INTEGER NOT NULL, due INTEGER NOT NULL, interrupted INTEGER NOT NULL,
            isTaken INTEGER NOT NULL CHECK (isTaken IN (0, 1))
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE failing (
            plan TEXT NOT NULL REFERENCES plan ON DELETE CASCADE, id TEXT NOT NULL,
            finding BLOB NOT NULL, PRIMARY KEY (plan, id)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE planAlert (
            plan TEXT NOT NULL PRIMARY KEY REFERENCES plan ON DELETE CASCADE,
            key TEXT NOT NULL UNIQUE, alert BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE libraryItem (
            organisation TEXT NOT NULL, name TEXT NOT NULL, words TEXT NOT NULL,
            item BLOB NOT NULL, PRIMARY KEY (organisation, name)
        ) WITHOUT ROWID, STRICT;
        """
}
