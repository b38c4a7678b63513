import Foundation
import GRDB
import Messages

extension Organisation {
    /// The organisation of an id.
    static func find(_ id: String, _ db: Database) throws -> Organisation? {
        try fetch(db, "WHERE id = ?", [id]).first
    }

    /// The organisation that a command names, or the asker's own.
    static func required(
        _ id: String, for asker: Asker, _ db: Database
    ) throws -> Organisation {
        let wanted = id.isEmpty ? asker.account.organisation : id
        guard wanted == asker.account.organisation || asker.account.isOwner,
            let found = try find(wanted, db)
        else { throw Refusal.notFound("there is no organisation “\(id.prefix(100))”") }
        return found
    }

    /// All of them, in order of their name.
    static func all(_ db: Database) throws -> [Organisation] { try fetch(db, "ORDER BY name", []) }

    /// True when another has that name.
    static func isTaken(_ name: String, _ db: Database) throws -> Bool {
        try !fetch(db, "WHERE name = ?", [Account.folded(name)]).isEmpty
    }

    /// Writes it as it stands.
    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO organisation (id, name, organisation) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET organisation = excluded.organisation
                """,
            arguments: [id, Account.folded(name), Data(packed())])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Organisation] {
        try Data.fetchAll(
            db, sql: "SELECT organisation FROM organisation \(condition)", arguments: arguments
        ).map { try Organisation(unpacking: [UInt8]($0)) }
    }
}
