import Foundation
import GRDB
import Messages

/// Erases what the outbox and the kept replies say of some entities: their events lose subject and
/// content but keep their places, so that followers notice no gap. Dead letters about them are
/// deleted. What can't be read may be about them, and is erased, too.
///
/// It is done in stretches, one for each turn, because an outbox may have millions of events: see
/// ``begin(_:in:)``.
public struct Erasure: Hashable, Sendable {
    /// The maximum number of rows of a stretch, and of bytes: the limits of a turn for messages.
    static let stretch = 1000
    static let stretchBytes = TurnLimits.bytes

    /// The ids of the entities: the subjects of the events.
    public internal(set) var subjects: Set<String>
    /// The account whose kept replies are all erased; empty for the owner of the machine account,
    /// nil to erase only replies that name an entity.
    private let asker: String?
    /// When it was requested, in milliseconds since 1970: what came later stays.
    public let time: Int64
    /// The newest event at that time, whatever the clock said when it was published; nil for an
    /// erasure that an earlier version began.
    private let head: UInt64?
    /// The last dead letter that was examined; nil before the first, the maximum after the last.
    private var letter: Int64?
    private var event: Int64 = 0
    private var reply: [UInt8]? = []

    /// An erasure that has not begun.
    ///
    /// - Parameters:
    ///   - subjects: the ids of the entities.
    ///   - transaction: that of the command of the person whose traces are erased.
    public init(of subjects: Set<String>, wantedIn transaction: Transaction) {
        self.init(of: subjects, asker: transaction.principal.asker, in: transaction)
    }

    /// An erasure of events and replies that name the entities, whoever received them.
    public init(of subjects: Set<String>, in transaction: Transaction) {
        self.init(of: subjects, asker: nil, in: transaction)
    }

    private init(of subjects: Set<String>, asker: String?, in transaction: Transaction) {
        (self.subjects, self.asker, time) = (subjects, asker, transaction.now)
        head = transaction.turn.ledger.head
    }

    /// Whether something was written before this was requested, as far as its time shows. What was
    /// written while the clock was ahead has a time that is still to come.
    private func precedes(_ written: Int64, _ transaction: Transaction) -> Bool {
        written <= time || written > transaction.now
    }

    /// Erases the next stretch.
    ///
    /// - Parameters:
    ///   - transaction: the transaction.
    ///   - types: those of the messages that name people in dead letters: one that can't be read is
    ///     deleted.
    /// - Returns: true when more is left to do.
    public mutating func advance(
        _ transaction: Transaction, reading types: [any ProtobufMessage.Type] = []
    ) throws -> Bool {
        let hasLetters = try eraseLetters(transaction, reading: types)
        let hasEvents = try eraseEvents(transaction)
        let hasReplies = try eraseReplies(transaction)
        transaction.erase()
        return hasLetters || hasEvents || hasReplies
    }

    /// The next rows of a stretch, and whether more may be left. At least one is read if there is
    /// any, however large it is.
    ///
    /// - Parameters:
    ///   - statement: finds the rows after one; its last argument is their maximum number.
    ///   - last: the key of the row after which to go on.
    ///   - column: the column whose bytes count.
    private static func rows(
        _ statement: GRDB.Statement, after last: any DatabaseValueConvertible,
        bytesOf column: String
    ) throws -> (rows: [Row], isMore: Bool) {
        let cursor = try Row.fetchCursor(statement, arguments: [last, stretch])
        var (rows, bytes) = ([Row](), 0)
        while bytes < stretchBytes, let row = try cursor.next() {
            bytes += (row[column] as Data).count
            rows.append(row.copy())
        }
        return (rows, rows.count == stretch || bytes >= stretchBytes)
    }

    /// Whether one of the ids, which are UUIDs as text, is somewhere in a payload or an envelope.
    private func isMentioned(in data: [UInt8]) -> Bool {
        let (length, dash) = (36, UInt8(ascii: "-"))
        guard data.count >= length else { return false }
        return (0...data.count - length).contains { start in
            data[start + 8] == dash && data[start + 13] == dash
                && subjects.contains(
                    String(decoding: data[start..<start + length], as: UTF8.self))
        }
    }

    /// Deletes dead letters that name an entity or can't be read.
    private mutating func eraseLetters(
        _ transaction: Transaction, reading types: [any ProtobufMessage.Type]
    ) throws -> Bool {
        guard letter != Int64.max else { return false }
        let db = transaction.db
        let (rows, isMore) = try Self.rows(
            db.cachedStatement(
                sql: """
                    SELECT id, subject, envelope FROM deadLetter WHERE id > ? ORDER BY id LIMIT ?
                    """), after: letter ?? Int64.min, bytesOf: "envelope")
        let found = rows.map(DeadLetter.Kept.init).filter { letter in
            subjects.contains(letter.subject) || isMentioned(in: letter.bytes)
                || letter.isDamaged(reading: types)
        }
        for letter in found {
            try db.execute(sql: "DELETE FROM deadLetter WHERE id = ?", arguments: [letter.id])
        }
        if !found.isEmpty { try transaction.noteLettersGone() }
        letter = isMore ? rows.last.map { $0["id"] as Int64 } : Int64.max
        return isMore
    }

    private mutating func eraseEvents(_ transaction: Transaction) throws -> Bool {
        let db = transaction.db
        let (rows, isMore) = try Self.rows(
            db.cachedStatement(
                sql: """
                    SELECT sequence, time, envelope FROM outbox
                    WHERE sequence > ? ORDER BY sequence LIMIT ?
                    """), after: event, bytesOf: "envelope")
        for row in rows {
            let isOld =
                head.map { UInt64(clamping: row["sequence"] as Int64) <= $0 }
                ?? precedes(row["time"], transaction)
            guard isOld else { continue }
            let known = Envelope.readable(row["envelope"])
            if let known, !subjects.contains(known.subject), !isMentioned(in: known.data) {
                continue
            }
            let envelope =
                try known
                ?? Self.place(row["sequence"] as Int64, at: row["time"] as Int64, transaction)
            let rest = Envelope(
                id: envelope.id, type: Erased.protobufName, source: envelope.source,
                time: envelope.time, sequence: envelope.sequence, epoch: envelope.epoch,
                correlationId: envelope.correlationId, causationId: envelope.causationId,
                data: Erased().packed(), previous: envelope.previous)
            try db.cachedStatement(sql: "UPDATE outbox SET envelope = ? WHERE sequence = ?")
                .execute(arguments: [Data(rest.packed()), row["sequence"] as Int64])
        }
        event = rows.last?["sequence"] ?? event
        return isMore
    }

    /// The envelope of an event that can't be read, without its content. Its neighbours show which
    /// one it was, so that followers recognise their place.
    private static func place(
        _ sequence: Int64, at time: Int64, _ transaction: Transaction
    ) throws -> Envelope {
        let (db, ledger) = (transaction.db, transaction.turn.ledger)
        func event(_ number: Int64) throws -> Envelope? {
            try Data.fetchOne(
                db, sql: "SELECT envelope FROM outbox WHERE sequence = ?", arguments: [number]
            ).flatMap { Envelope.readable($0) }
        }
        let isNewest = UInt64(clamping: sequence) == ledger.head
        let named = try isNewest ? ledger.newest : event(sequence + 1)?.previous ?? []
        let id = named.isEmpty ? transaction.makeID().bytes : named
        let epoch = try Int64.fetchOne(
            db, sql: "SELECT max(epoch) FROM epoch WHERE start < ?", arguments: [sequence])
        return Envelope(
            id: id, source: transaction.turn.service.rawValue, time: time,
            sequence: UInt64(clamping: sequence), epoch: UInt64(clamping: epoch ?? 0),
            correlationId: id, causationId: id, previous: try event(sequence - 1)?.id ?? [])
    }

    private mutating func eraseReplies(_ transaction: Transaction) throws -> Bool {
        guard let reply else { return false }
        let db = transaction.db
        let (rows, isMore) = try Self.rows(
            db.cachedStatement(
                sql: "SELECT id, time, asker, reply FROM inbox WHERE id > ? ORDER BY id LIMIT ?"),
            after: Data(reply), bytesOf: "reply")
        for row in rows where precedes(row["time"], transaction) {
            let known = Envelope.readable(row["reply"])
            if let known {
                guard (row["asker"] as String) == asker || isMentioned(in: known.data),
                    known.type != Refusal.protobufName
                else { continue }
            }
            // The command is still answered, so that it isn't carried out again.
            let command = [UInt8](row["id"] as Data)
            var envelope =
                known
                ?? Envelope(
                    id: transaction.makeID().bytes, source: transaction.turn.service.rawValue,
                    time: row["time"] as Int64, correlationId: command, causationId: command)
            (envelope.type, envelope.data) = (Refusal.protobufName, Refusal.wasErased.packed())
            envelope.subject = ""
            try db.cachedStatement(sql: "UPDATE inbox SET reply = ? WHERE id = ?")
                .execute(arguments: [Data(envelope.packed()), row["id"] as Data])
        }
        self.reply = isMore ? rows.last.map { [UInt8]($0["id"] as Data) } : nil
        return self.reply != nil
    }
}

/// How far it has come, as text. The ids, of which there may be very many, are kept beside it, so
/// that they aren't written again after each stretch; an earlier version had them here.
extension Erasure: Codable {
    private enum CodingKeys: String, CodingKey {
        case subjects, asker, time, head, letter, event, reply
    }

    /// Reads how far it has come, and the ids if an earlier version has written it.
    public init(from decoder: any Decoder) throws {
        let kept = try decoder.container(keyedBy: CodingKeys.self)
        subjects = try kept.decodeIfPresent(Set<String>.self, forKey: .subjects) ?? []
        asker = try kept.decodeIfPresent(String.self, forKey: .asker)
        time = try kept.decode(Int64.self, forKey: .time)
        head = try kept.decodeIfPresent(UInt64.self, forKey: .head)
        letter = try kept.decodeIfPresent(Int64.self, forKey: .letter)
        event = try kept.decode(Int64.self, forKey: .event)
        reply = try kept.decodeIfPresent([UInt8].self, forKey: .reply)
    }

    /// Writes how far it has come, without the ids.
    public func encode(to encoder: any Encoder) throws {
        var kept = encoder.container(keyedBy: CodingKeys.self)
        try kept.encodeIfPresent(asker, forKey: .asker)
        try kept.encode(time, forKey: .time)
        try kept.encodeIfPresent(head, forKey: .head)
        try kept.encodeIfPresent(letter, forKey: .letter)
        try kept.encode(event, forKey: .event)
        try kept.encodeIfPresent(reply, forKey: .reply)
    }
}

extension Refusal {
    /// What is kept in place of a reply that was erased.
    static let wasErased = conflict(
        "this command was answered already, and its answer was erased; begin again")
}
