import Bus
import Foundation
import GRDB
import Messages

/// The keys and revocations that the issuer of tokens has published. Every store keeps them, so
/// that a service can verify access tokens by itself, even while the issuer is down.
package final class AccessKeys {
    /// A key that the issuer signs with, or has signed with.
    struct Key {
        let bytes: [UInt8]
        /// When signatures by this key stop being accepted, in milliseconds since 1970; 0 while
        /// that is not known.
        let ends: Int64
    }

    /// What has changed; tokens verified before may no longer be valid.
    enum Change {
        case keys
        case account(String)
    }

    /// The number of bytes of the public key that name it in a token.
    static let idSize = 8
    /// How long the end of a session is kept: a day in milliseconds, longer than any of its tokens
    /// can live.
    static let sessionMemory: Int64 = 24 * 3600 * 1000

    /// Called after a change.
    var changed: (Change) -> Void = { _ in }

    /// Makes an empty set of handlers; the keys are in the store.
    package init() {}

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("steward: access") { db in
            try db.execute(
                sql: """
                    CREATE TABLE accessKey (
                        id BLOB NOT NULL PRIMARY KEY, key BLOB NOT NULL, ends INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE accessRevocation (
                        account TEXT NOT NULL, session TEXT NOT NULL, authEpoch INTEGER NOT NULL,
                        time INTEGER NOT NULL, PRIMARY KEY (account, session)
                    ) WITHOUT ROWID, STRICT;
                    ALTER TABLE inbox ADD COLUMN asker TEXT NOT NULL DEFAULT '';
                    """)
        }
        migrator.registerMigration("steward: ended sessions by their time") { db in
            try db.execute(
                sql: """
                    CREATE INDEX accessRevocationByTime ON accessRevocation (time)
                    WHERE session <> '';
                    """)
        }
    }

    /// Deletes the sessions that ended before a time. It runs for each revocation.
    static let forgetting = "DELETE FROM accessRevocation WHERE session <> '' AND time < ?"

    /// Whether no key has arrived from the issuer yet.
    func isEmpty(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM accessKey)") ?? true
    }

    /// The handlers of the issuer's events.
    var handlers: [EventHandler] {
        [
            EventHandler { [self] (event: KeyPublished, _, transaction) in
                try apply(event, transaction)
            },
            EventHandler { [self] (event: AccessRevoked, envelope, transaction) in
                try apply(event, at: envelope.time, transaction)
            },
        ]
    }

    /// Applies what the issuer itself publishes, in the transaction that publishes it.
    func apply(published event: any ProtobufMessage, _ transaction: Transaction) throws {
        if let event = event as? KeyPublished { try apply(event, transaction) }
        if let event = event as? AccessRevoked {
            try apply(event, at: transaction.now, transaction)
        }
    }

    private func apply(_ event: KeyPublished, _ transaction: Transaction) throws {
        guard event.publicKey.count == TokenVerifier.keySize else {
            throw Refusal.invalid("a key has \(TokenVerifier.keySize) bytes")
        }
        try transaction.db.execute(
            sql: "INSERT OR REPLACE INTO accessKey (id, key, ends) VALUES (?, ?, ?)",
            arguments: [
                Data(event.publicKey.prefix(Self.idSize)), Data(event.publicKey), event.ends,
            ])
        changed(.keys)
    }

    /// - Parameter time: when it was published, by the clock of the issuer. If that is ahead of the
    ///   one here, tokens of an ended session become valid here only later, and must still be known
    ///   then.
    private func apply(
        _ event: AccessRevoked, at time: Int64, _ transaction: Transaction
    ) throws {
        let epoch = event.session.isEmpty ? Int64(clamping: event.authEpoch) : 0
        try transaction.db.execute(
            sql: """
                INSERT INTO accessRevocation (account, session, authEpoch, time)
                VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET authEpoch = max(authEpoch, excluded.authEpoch),
                    time = max(time, excluded.time)
                WHERE session <> '' OR authEpoch < excluded.authEpoch
                """,
            arguments: [event.account, event.session, epoch, max(time, transaction.now)])
        try transaction.db.cachedStatement(sql: Self.forgetting)
            .execute(arguments: [transaction.retentionTime - Self.sessionMemory])
        changed(.account(event.account))
    }

    /// Deletes all keys, because the issuer's history was replaced; it publishes them again.
    /// Revocations stay, except those of accounts whose count has gone back with the issuer's
    /// store: new tokens have the present count, and would be refused.
    ///
    /// - Parameters:
    ///   - present: what the issuer publishes again.
    ///   - db: the store.
    func forget(except present: [Envelope], _ db: Database) throws {
        try db.execute(sql: "DELETE FROM accessKey")
        let rows = try Row.fetchAll(
            db, sql: "SELECT account, authEpoch FROM accessRevocation WHERE session = ''")
        let known = Dictionary(
            rows.map { ($0["account"] as String, UInt64(clamping: $0["authEpoch"] as Int64)) },
            uniquingKeysWith: max)
        for event in present where event.type == AccessRevoked.protobufName && !known.isEmpty {
            guard let revoked = AccessRevoked.readable(Data(event.data)),
                revoked.session.isEmpty, revoked.authEpoch < known[revoked.account] ?? 0
            else { continue }
            try db.execute(
                sql: "DELETE FROM accessRevocation WHERE account = ? AND session = ''",
                arguments: [revoked.account])
        }
        changed(.keys)
    }

    func key(_ id: [UInt8], _ db: Database) throws -> Key? {
        let row = try Row.fetchOne(
            db, sql: "SELECT key, ends FROM accessKey WHERE id = ?", arguments: [Data(id)])
        return row.map { Key(bytes: [UInt8]($0["key"] as Data), ends: $0["ends"]) }
    }

    /// True when a token with this account, session and count was revoked.
    func isRevoked(_ claims: Claims, _ db: Database) throws -> Bool {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT session, authEpoch FROM accessRevocation
                WHERE account = ? AND session IN ('', ?)
                """,
            arguments: [claims.account, claims.session])
        return rows.contains { row in
            let session: String = row["session"]
            return session.isEmpty
                ? claims.authEpoch < UInt64(clamping: row["authEpoch"] as Int64) : true
        }
    }
}
