import Credentials
import Foundation
import GRDB

/// A key pair that signs access tokens for a time.
struct IssuingKey {
    let pair: SigningKey
    /// When the pair starts to sign, in milliseconds since 1970.
    let begins: Int64
    /// When tokens it signed stop being accepted, in milliseconds since 1970; 0 while that is not
    /// known.
    var ends: Int64

    /// How long a key signs: 30 days in milliseconds.
    static let term: Int64 = 30 * 24 * 3_600_000
    /// How long a key is published before it signs, so that every service has it in time: an hour
    /// in milliseconds.
    static let notice: Int64 = 3_600_000
    /// How long after their expiry the last tokens of a key are accepted, because clocks differ: a
    /// minute in milliseconds.
    static let grace: Int64 = 60_000

    /// The accepted keys, newest first.
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

    /// Inserts or replaces its row.
    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO signingKey (publicKey, seed, begins, ends)
                VALUES (?, ?, ?, ?)
                """,
            arguments: [Data(pair.publicKey), Data(pair.seed), begins, ends])
    }

    /// Deletes the keys that are no longer accepted.
    static func prune(at now: Int64, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM signingKey WHERE ends > 0 AND ends <= ?", arguments: [now])
    }
}
