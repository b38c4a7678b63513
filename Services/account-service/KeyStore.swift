import Credentials
import Foundation
import GRDB

/// A key pair with which access tokens are signed for a time.
struct IssuingKey {
    let pair: SigningKey
    /// It signs from then on: milliseconds since 1970.
    let begins: Int64
    /// What it signed is not accepted at or after this; 0 for no end yet.
    var ends: Int64

    /// A key signs for 30 days: milliseconds.
    static let term: Int64 = 30 * 24 * 3_600_000
    /// The next one is published so long before it signs, so that every service knows it then: an
    /// hour in milliseconds.
    static let notice: Int64 = 3_600_000
    /// What a key has signed last is accepted so long after its term, for clocks that differ: a
    /// minute in milliseconds.
    static let grace: Int64 = 60_000

    /// The keys that are accepted, the newest first.
    static func all(at now: Int64, _ db: Database) throws -> [IssuingKey] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT seed, begins, ends FROM signingKey WHERE ends = 0 OR ends > ?
                ORDER BY begins DESC
                """,
            arguments: [now]
        ).compactMap { row in
            SigningKey(seed: [UInt8](row["seed"] as Data))
                .map { IssuingKey(pair: $0, begins: row["begins"], ends: row["ends"]) }
        }
    }

    /// Writes it as it stands.
    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO signingKey (publicKey, seed, begins, ends)
                VALUES (?, ?, ?, ?)
                """,
            arguments: [Data(pair.publicKey), Data(pair.seed), begins, ends])
    }

    /// Forgets the keys that are not accepted any more.
    static func prune(at now: Int64, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM signingKey WHERE ends > 0 AND ends <= ?", arguments: [now])
    }
}
