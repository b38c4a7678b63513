import Foundation
import GRDB
import Messages

/// Keeps what could not be applied: an event of a producer, or a timer of the service itself.
enum DeadLetter {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("steward: what is newer than a dead letter") { db in
            try db.execute(
                sql: """
                    ALTER TABLE deadLetter ADD COLUMN subject TEXT NOT NULL DEFAULT '';
                    ALTER TABLE deadLetter ADD COLUMN newer INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX deadLetterBySubject ON deadLetter (producer, subject);
                    """)
            for row in try Row.fetchAll(db, sql: "SELECT id, envelope FROM deadLetter") {
                let envelope = try Envelope(stored: [UInt8](row["envelope"] as Data))
                try db.execute(
                    sql: "UPDATE deadLetter SET subject = ? WHERE id = ?",
                    arguments: [envelope.subject, row["id"] as Int64])
            }
        }
    }

    /// Keeps an envelope that could not be handled.
    static func keep(
        _ envelope: Envelope, from producer: String, reason: String, at now: Int64, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO deadLetter (producer, sequence, type, envelope, reason, time, subject)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                producer, Int64(clamping: envelope.sequence), envelope.type,
                Data(envelope.packed()), reason, now, envelope.subject,
            ])
    }

    /// True when an event of a producer was put aside.
    static func exists(from producer: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT * FROM deadLetter WHERE producer = ?)",
            arguments: [producer]) ?? false
    }

    /// Records in the letters about the same subject that a newer event was applied. Events without
    /// a subject belong together when they have the same type.
    static func note(_ applied: Envelope, from producer: String, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE deadLetter SET newer = ?1
                WHERE producer = ?2 AND subject = ?3 AND (?3 <> '' OR type = ?4)
                """,
            arguments: [
                Int64(clamping: applied.sequence), producer, applied.subject, applied.type,
            ])
    }

    /// Records in all letters of a producer that a snapshot of its state was applied.
    static func noteSnapshot(_ sequence: UInt64, from producer: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE deadLetter SET newer = max(1, ?) WHERE producer = ?",
            arguments: [Int64(clamping: sequence), producer])
    }
}

extension Transaction {
    /// The messages of a type among the events of a producer that could not be applied. Those that
    /// can't be read are left out.
    public func deadLetters<M: ProtobufMessage>(
        of _: M.Type, from producer: String
    ) throws -> [M] {
        let rows = try Data.fetchAll(
            db, sql: "SELECT envelope FROM deadLetter WHERE producer = ? AND type = ?",
            arguments: [producer, M.protobufName])
        var messages: [M] = []
        for row in rows {
            do {
                let envelope = try Envelope(stored: [UInt8](row))
                messages.append(try M(stored: envelope.data))
            } catch { continue }
        }
        return messages
    }
}
