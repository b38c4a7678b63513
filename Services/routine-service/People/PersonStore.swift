import Foundation
import GRDB
import Messages

/// A person whose days are kept.
struct PersonRow {
    let account: String
    /// The organisation of the account.
    let organisation: String
    var settings: DaySettings

    /// Returns the person of an account; nil for one who has stored nothing yet.
    static func ofAccount(_ account: String, _ db: Database) throws -> PersonRow? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT organisation, settings FROM person WHERE account = ?"),
            arguments: [account]
        ).map {
            PersonRow(
                account: account, organisation: $0["organisation"],
                settings: try DaySettings(stored: [UInt8]($0["settings"] as Data)))
        }
    }

    /// Returns every person.
    static func all(_ db: Database) throws -> [PersonRow] {
        try Row.fetchAll(db, sql: "SELECT account, organisation, settings FROM person").map {
            PersonRow(
                account: $0["account"], organisation: $0["organisation"],
                settings: try DaySettings(stored: [UInt8]($0["settings"] as Data)))
        }
    }

    /// Saves the person.
    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO person (account, organisation, settings) VALUES (?, ?, ?)
                """, arguments: [account, organisation, Data(settings.packed())])
    }
}
