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
                try db.execute(
                    sql: "UPDATE deadLetter SET subject = ? WHERE id = ?",
                    arguments: [
                        Envelope.readable(row["envelope"])?.subject ?? "", row["id"] as Int64,
                    ])
            }
        }
        migrator.registerMigration("steward: how many dead letters there are") { db in
            try sizes.makeTable(for: ["deadLetter": ["envelope"]], db)
        }
    }

    /// The number and the size of each producer's letters, so that nothing has to count them.
    private static let sizes = RowSizes(in: "deadLetterCount", of: "producer")

    /// The maximum number of letters that are kept of one producer.
    static let most = 100_000
    /// The maximum size of the letters that are kept of one producer in bytes: as much as the
    /// producer keeps of its events.
    static let mostBytes = 1 << 30

    /// The number of letters.
    static func count(_ db: Database) throws -> UInt64 {
        let count = try Int64.fetchOne(db, sql: "SELECT sum(count) FROM deadLetterCount")
        return UInt64(clamping: count ?? 0)
    }

    /// True when no more letters of a producer are kept.
    static func isFull(from producer: String, _ db: Database) throws -> Bool {
        let total = try sizes.total(of: producer, db)
        return total.count >= most || total.bytes >= mostBytes
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

extension DeadLetter {
    /// A dead letter in the store.
    struct Kept {
        let id: Int64
        /// The id of the entity that it is about; empty if that isn't known.
        let subject: String
        let bytes: [UInt8]
        /// What could not be applied; nil if it can't be read.
        let envelope: Envelope?

        /// The letter of a row with its `id`, `subject` and `envelope`.
        init(_ row: Row) {
            (id, subject) = (row["id"], row["subject"])
            let data: Data = row["envelope"]
            bytes = [UInt8](data)
            envelope = Envelope.readable(data)
        }

        /// Its message; nil if it is of another type, or can't be read.
        func message<M: ProtobufMessage>(_: M.Type) -> M? {
            guard let envelope, envelope.type == M.protobufName else { return nil }
            return M.readable(Data(envelope.data))
        }

        /// True if the letter can't be read, so that it may be about anything: if its envelope
        /// can't, or its message can't and is of one of these types.
        func isDamaged(reading types: [any ProtobufMessage.Type]) -> Bool {
            envelope == nil || types.contains { isDamaged(as: $0) }
        }

        private func isDamaged<M: ProtobufMessage>(as type: M.Type) -> Bool {
            envelope?.type == M.protobufName && message(type) == nil
        }
    }
}

extension Transaction {
    /// What `read` finds in the messages of a type among the events of a producer that could not
    /// be applied; one of them is in memory at a time. Those that can't be read are left out; an
    /// ``Erasure`` deletes them.
    public func deadLetters<M: ProtobufMessage, R: Hashable>(
        of type: M.Type, from producer: String, _ read: (M) throws -> R?
    ) throws -> Set<R> {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT id, subject, envelope FROM deadLetter WHERE producer = ? AND type = ?",
            arguments: [producer, M.protobufName])
        var found: Set<R> = []
        while let row = try rows.next() {
            if let part = try DeadLetter.Kept(row).message(type).flatMap(read) {
                found.insert(part)
            }
        }
        return found
    }
}
