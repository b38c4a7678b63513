import GRDB
import Messages

/// Deletes everything from a copied store that doesn't belong to one organisation, so that it can
/// move to an installation of its own.
struct Separation {
    /// The id of the organisation that stays.
    let organisation: String
    private let belongings: [Belonging]

    /// - Parameters:
    ///   - organisation: the id of the organisation that stays.
    ///   - belongings: what happens to the service's own tables. It may also name tables of the
    ///     runtime.
    /// - Throws: an ``Outage`` when that isn't an id.
    init(of organisation: String, _ belongings: [Belonging]) throws(Outage) {
        guard MessageID(organisation) != nil || organisation == Principal.localOrganisation else {
            throw Outage(
                exitCode: Outage.configuration,
                "“\(organisation.prefix(100))” is not the id of an organisation; “steward "
                    + "organisation list” shows them")
        }
        let named = Set(belongings.map(\.table))
        self.organisation = organisation
        self.belongings =
            belongings + Belonging.ofRuntime.filter { !named.contains($0.table) }
    }

    /// Deletes what belongs to others.
    ///
    /// - Throws: an ``Outage`` when the store has no such organisation.
    func separate(_ queue: DatabaseQueue) throws {
        try queue.inDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        try queue.write { db in
            try checkCompleteness(db)
            // No reply says whose it is, so all are deleted. Yet no command that the organisation
            // has sent may be carried out again.
            try DeletedReplies.noteAll(db)
            for belonging in belongings { try delete(belonging, db) }
            for alert in try StandingAlert.all(db) where alert.organisation != organisation {
                try alert.delete(db)
            }
            // An index of words still has those of deleted rows.
            for table in try searchTables(db) {
                try db.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('optimize')")
            }
        }
        try queue.vacuum()
    }

    private func delete(_ belonging: Belonging, _ db: Database) throws {
        let table = belonging.table
        switch belonging.kept {
        case .all: break
        case .none: try db.execute(sql: "DELETE FROM \(table)")
        case .rows(let condition), .one(let condition):
            let statement = try db.makeStatement(
                sql: "DELETE FROM \(table) WHERE NOT (\(condition))")
            let isNamed = condition.contains(":organisation")
            try statement.execute(arguments: isNamed ? ["organisation": organisation] : [])
        }
        guard case .one = belonging.kept else { return }
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 > 0 else {
            throw Outage(
                exitCode: Outage.badStore,
                "the backup has no organisation \(organisation); nothing was changed")
        }
    }

    /// A table that nobody has named would keep what belongs to others.
    private func checkCompleteness(_ db: Database) throws {
        let named = Set(belongings.map(\.table) + ["standingAlert", "grdb_migrations"])
        let search = try searchTables(db)
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        for table in tables where !named.contains(table) && !table.hasPrefix("sqlite_") {
            guard !search.contains(where: { table.hasPrefix("\($0)_") }) else { continue }
            throw Outage(
                exitCode: Outage.defect,
                "it isn't known what to do with the table \(table); nothing was changed")
        }
    }

    /// The virtual tables of full-text search.
    private func searchTables(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_master
                WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'
                """)
    }
}

extension StandingAlert {
    /// The organisation of its recipient.
    fileprivate var organisation: String {
        raised.organisation.isEmpty ? Principal.localOrganisation : raised.organisation
    }
}
