import Foundation
import GRDB
import Messages

extension Organisation {
    /// The organisation of an id.
    static func find(_ id: String, _ db: Database) throws -> Organisation? {
        try fetch(db, "WHERE id = ?", [id]).first
    }

    /// The organisation of an id or a name.
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
            throw Refusal.notFound("there is no organisation “\(idOrName.prefix(100))”")
        }
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
        ).map { try Organisation(stored: [UInt8]($0)) }
    }
}
