import Foundation
import GRDB
import Messages
import ServiceRuntime

extension Organisation {
    /// The organisation with an id.
    static func find(_ id: String, _ db: Database) throws -> Organisation? {
        try fetch(db, "WHERE id = ?", [id]).first
    }

    /// The organisation with an id or a name.
    static func find(idOrName: String, _ db: Database) throws -> Organisation? {
        try find(idOrName, db) ?? fetch(db, "WHERE name = ?", [Account.folded(idOrName)]).first
    }

    /// The organisation that a command names, or the asker's own.
    static func required(
        _ idOrName: String, for asker: Asker, _ db: Database
    ) throws -> Organisation {
        let own = asker.account.organisation
        let found = try idOrName.isEmpty ? find(own, db) : find(idOrName: idOrName, db)
        guard let found, found.id == own || asker.account.isOwner else {
            throw Refusal.noOrganisation(idOrName)
        }
        return found
    }

    /// The organisations after a name, in order of their names, as many as fit in an answer.
    static func page(after name: String, limit: Int, _ db: Database) throws -> Organisations {
        let rows = try Data.fetchCursor(
            db.cachedStatement(
                sql: "SELECT organisation FROM organisation WHERE name > ? ORDER BY name"),
            arguments: [Account.folded(name)])
        var page = Page<Organisation>(limit: limit)
        while let row = try rows.next() {
            let organisation = try whole([UInt8](row), db)
            guard page.add(organisation, bytes: organisation.packed().count) else {
                return Organisations(organisations: page.rows, next: page.rows.last?.name ?? "")
            }
        }
        return Organisations(organisations: page.rows)
    }

    /// Calls `body` with all organisations, ordered by name, for a snapshot.
    static func each(in transaction: Transaction, _ body: (Organisation) throws -> Void) throws {
        try eachRow(
            "organisation", "SELECT organisation, id FROM organisation ORDER BY name",
            in: transaction
        ) { organisation, _ in
            var organisation = organisation
            organisation.sites = []
            try Site.eachRow(
                "site", "SELECT site, id FROM site WHERE organisation = ? ORDER BY id",
                [organisation.id], in: transaction
            ) { site, _ in organisation.sites.append(site) }
            try body(organisation)
        }
    }

    /// True when another has that name.
    static func isTaken(_ name: String, _ db: Database) throws -> Bool {
        try !fetch(db, "WHERE name = ?", [Account.folded(name)]).isEmpty
    }

    /// Inserts or updates its row; its sites have rows of their own.
    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO organisation (id, name, organisation) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET organisation = excluded.organisation
                """,
            arguments: [id, Account.folded(name), Data(telling().packed())])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Organisation] {
        try Data.fetchAll(
            db, sql: "SELECT organisation FROM organisation \(condition)", arguments: arguments
        ).map { try whole([UInt8]($0), db) }
    }

    /// An organisation as it is kept, with its sites.
    private static func whole(_ stored: [UInt8], _ db: Database) throws -> Organisation {
        var organisation = try Organisation(stored: stored)
        organisation.sites = try Site.all(of: organisation.id, db)
        return organisation
    }

    /// Gives the sites rows of their own. Earlier versions kept them in the row of their
    /// organisation; one that can't be read stays as it is.
    static func divide(_ db: Database) throws {
        for stored in try Data.fetchAll(db, sql: "SELECT organisation FROM organisation") {
            guard let organisation = Organisation.readable(stored) else { continue }
            for site in organisation.sites { try site.save(of: organisation.id, db) }
            try organisation.save(db)
        }
    }
}

extension Site {
    /// The sites of an organisation, in the order in which they were made.
    static func all(of organisation: String, _ db: Database) throws -> [Site] {
        try Data.fetchAll(
            db.cachedStatement(sql: "SELECT site FROM site WHERE organisation = ? ORDER BY id"),
            arguments: [organisation]
        ).map { try Site(stored: [UInt8]($0)) }
    }

    /// Inserts or replaces its row.
    func save(of organisation: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO site (id, organisation, site) VALUES (?, ?, ?)",
            arguments: [id, organisation, Data(packed())])
    }
}
