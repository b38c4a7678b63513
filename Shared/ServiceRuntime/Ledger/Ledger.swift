import CRuntime
import GRDB
import Messages

/// The tables that every store has in addition to its own: replies, published events and cursors.
/// Its statements run for every message.
///
/// Not Sendable: it belongs to the thread of the store's connection.
final class Ledger {
    private let begin, commit, rollback, savepoint, release, rollbackTo: Statement
    private let findReply, keepReply, pruneReplies, endOfStretch, sweepReplies: Statement
    private let append, page, prunePage: Statement
    private let moveCursor, find: Statement
    private let db: Database

    /// The position of the outbox, as of the running transaction.
    private struct Place {
        var head: UInt64
        var epoch: UInt64
        var newest: [UInt8]
    }

    private var place: Place
    /// How many rows this connection had changed when the transaction began.
    private var changesAtBegin = 0
    /// No reply is kept under a greater id; nil before the first. Ids increase with time, so that
    /// most new commands are recognised by it, without reading the store.
    private var greatestID: MessageID?
    /// The id up to which replies were swept in this round.
    private var swept: [UInt8] = []
    /// The ids whose replies were deleted. After a transaction was undone, it may have too many.
    private(set) var deletedReplies: DeletedReplies

    /// The newest sequence in the outbox, as of the running transaction.
    var head: UInt64 { place.head }
    /// The history that the sequence belongs to.
    var epoch: UInt64 { place.epoch }
    /// The id of the newest event; empty when there is none.
    var newest: [UInt8] { place.newest }

    static func register(in migrator: inout DatabaseMigrator, now: Int64) {
        migrator.registerMigration("steward: ledger") { db in
            try db.execute(sql: schema)
            try db.execute(sql: "INSERT INTO epoch (epoch, start) VALUES (?, 0)", arguments: [now])
        }
        migrator.registerMigration("steward: the event at a cursor") { db in
            try db.execute(
                sql: "ALTER TABLE cursor ADD COLUMN event BLOB NOT NULL DEFAULT x''")
        }
        DeletedReplies.register(in: &migrator)
    }

    private static let schema = """
        CREATE TABLE inbox (
            id BLOB NOT NULL PRIMARY KEY, time INTEGER NOT NULL, reply BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE outbox (
            sequence INTEGER NOT NULL PRIMARY KEY, time INTEGER NOT NULL, envelope BLOB NOT NULL
        ) STRICT;
        CREATE TABLE epoch (
            epoch INTEGER NOT NULL PRIMARY KEY, start INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE cursor (
            producer TEXT NOT NULL PRIMARY KEY, epoch INTEGER NOT NULL, sequence INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE follower (
            name TEXT NOT NULL PRIMARY KEY, sequence INTEGER NOT NULL, reported INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE deadLetter (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, producer TEXT NOT NULL,
            sequence INTEGER NOT NULL, type TEXT NOT NULL, envelope BLOB NOT NULL,
            reason TEXT NOT NULL, time INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE timer (
            kind TEXT NOT NULL, subject TEXT NOT NULL, due INTEGER NOT NULL,
            PRIMARY KEY (kind, subject)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX timerByDue ON timer (due);
        CREATE TABLE job (
            id TEXT NOT NULL PRIMARY KEY, type TEXT NOT NULL, request BLOB NOT NULL,
            state INTEGER NOT NULL, done INTEGER NOT NULL, total INTEGER NOT NULL,
            message TEXT NOT NULL, created INTEGER NOT NULL, ended INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        """

    /// Prepares the statements and reads the position of the outbox.
    init(_ db: Database) throws {
        self.db = db
        begin = try Statement(db, "BEGIN IMMEDIATE")
        commit = try Statement(db, "COMMIT")
        rollback = try Statement(db, "ROLLBACK")
        savepoint = try Statement(db, "SAVEPOINT message")
        release = try Statement(db, "RELEASE message")
        rollbackTo = try Statement(db, "ROLLBACK TO message")
        findReply = try Statement(db, "SELECT reply, asker FROM inbox WHERE id = ?")
        keepReply = try Statement(
            db, "INSERT INTO inbox (id, time, reply, asker) VALUES (?, ?, ?, ?)")
        pruneReplies = try Statement(
            db,
            """
            DELETE FROM inbox WHERE id IN
            (SELECT id FROM inbox WHERE id < ? AND time < ? ORDER BY id LIMIT 2000) RETURNING id
            """)
        endOfStretch = try Statement(
            db, "SELECT max(id) FROM (SELECT id FROM inbox WHERE id > ? ORDER BY id LIMIT 2000)")
        sweepReplies = try Statement(
            db, "DELETE FROM inbox WHERE id > ? AND id <= ? AND time < ? RETURNING id")
        append = try Statement(
            db, "INSERT INTO outbox (sequence, time, envelope) VALUES (?, ?, ?)")
        page = try Statement(
            db, "SELECT envelope FROM outbox WHERE sequence > ? ORDER BY sequence LIMIT ?")
        prunePage = try Statement(
            db,
            """
            DELETE FROM outbox WHERE sequence IN
            (SELECT sequence FROM outbox WHERE sequence <= ? ORDER BY sequence LIMIT 2000)
            """)
        moveCursor = try Statement(
            db,
            """
            INSERT INTO cursor (producer, epoch, sequence, event) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET epoch = excluded.epoch, sequence = excluded.sequence,
                event = excluded.event
            """)
        find = try Statement(db, "SELECT envelope FROM outbox WHERE sequence = ?")
        deletedReplies = try DeletedReplies(db)
        let newest = try Row.fetchOne(
            db, sql: "SELECT epoch, start FROM epoch ORDER BY epoch DESC LIMIT 1")
        // The start matters when everything older was pruned and nothing newer was published.
        let last = try Int64.fetchOne(db, sql: "SELECT max(sequence) FROM outbox") ?? 0
        place = Place(
            head: UInt64(clamping: max(last, newest?["start"] as Int64? ?? 0)),
            epoch: UInt64(clamping: newest?["epoch"] as Int64? ?? 0), newest: [])
        place.newest = try id(of: place.head) ?? []
        try Statement(db, "SELECT max(id) FROM inbox").forEach {
            greatestID = MessageID(bytes: $0.blob(0))
        }
    }

    // MARK: Transactions

    /// True while nothing was changed in this transaction that its end has to commit.
    var isUnchanged: Bool { db.totalChangesCount == changesAtBegin }

    func transaction(_ body: () throws -> Void) throws {
        try begin.run()
        changesAtBegin = db.totalChangesCount
        let before = place
        do {
            try body()
            write_ahead_log_begin_commit()
            defer { write_ahead_log_end_commit() }
            try commit.run()
        } catch {
            place = before
            // The first failure is what matters; on a full disk SQLite has already rolled back.
            do { try rollback.run() } catch is DatabaseError {}
            throw error
        }
    }

    /// Runs `body` and, when it throws, undoes only what it did.
    func attempt<R>(_ body: () throws -> R) throws -> R {
        try savepoint.run()
        let before = place
        do {
            let result = try body()
            try release.run()
            return result
        } catch {
            place = before
            // The first failure is what matters: on a full or broken disk SQLite has already rolled
            // back the whole transaction with its savepoints.
            do {
                try rollbackTo.run()
                try release.run()
            } catch is DatabaseError {}
            throw error
        }
    }

    // MARK: Inbox

    /// The kept reply and the account it was given to, which is empty when no token named one.
    func reply(to id: MessageID) throws -> (envelope: [UInt8], asker: String)? {
        guard let greatestID, id <= greatestID else { return nil }
        var reply: ([UInt8], String)?
        try findReply.bind(1, id.bytes).forEach {
            reply = ($0.blob(0), String(decoding: $0.blob(1), as: UTF8.self))
        }
        return reply
    }

    func keep(
        _ reply: [UInt8], to id: MessageID, of asker: String, at time: Int64
    ) throws {
        try keepReply.bind(1, id.bytes).bind(2, time).bind(3, reply).bind(4, asker).run()
        // It stays when the transaction is undone: a bound that is too high is still a bound.
        greatestID = max(greatestID ?? id, id)
    }

    /// Deletes some of the replies that no honest client will ask for again. In the same
    /// transaction, call ``doubtDeletedReplies(at:believed:)`` before and ``keepDeletedReplies()``
    /// after.
    func pruneReplies(before time: Int64) throws {
        // An id begins with the time it was made (RFC 9562), so the key finds the oldest.
        let lowest = (0..<6).map { UInt8(truncatingIfNeeded: time >> (40 - 8 * $0)) }
        try pruneReplies.bind(1, lowest).bind(2, time).forEach(noteDeleted)
    }

    /// Deletes the old replies in one stretch of the table; the next call continues with the next
    /// stretch. The sender of a command makes its id, which may claim any time. This finds replies
    /// under an id with a wrong time without an index of the times of receipt, to which each
    /// command would have to write.
    func sweepReplies(before time: Int64) throws {
        var end: [UInt8] = []
        try endOfStretch.bind(1, swept).forEach { end = $0.blob(0) }
        if !end.isEmpty {
            try sweepReplies.bind(1, swept).bind(2, end).bind(3, time).forEach(noteDeleted)
        }
        swept = end
    }

    private func noteDeleted(_ row: Statement) {
        if let id = MessageID(bytes: row.blob(0)) { deletedReplies.add(id) }
    }

    /// Takes a reading of the clock, which may have been set back into a time of which replies were
    /// deleted. It comes before others are deleted: once that time no longer counts, they still do.
    ///
    /// - Parameters:
    ///   - now: the time, in milliseconds since 1970.
    ///   - believed: the ``BelievedTime`` then.
    func doubtDeletedReplies(at now: Int64, believed: Int64) {
        deletedReplies.look(at: now, believed: believed)
    }

    /// Keeps which replies were deleted, in the transaction that deletes them.
    func keepDeletedReplies() throws {
        // Compared with the store itself: a transaction that was undone has changed only the copy.
        guard try DeletedReplies(db) != deletedReplies else { return }
        try deletedReplies.save(db)
    }

    // MARK: Outbox

    /// The next sequence, which the caller writes into the envelope before `append`.
    func nextSequence() -> UInt64 { head + 1 }

    func append(_ envelope: [UInt8], id: [UInt8], at time: Int64) throws {
        try append.bind(1, Int64(head + 1)).bind(2, time).bind(3, envelope).run()
        place.head += 1
        place.newest = id
    }

    /// The id of an event that is still in the outbox and can be read.
    func id(of sequence: UInt64) throws -> [UInt8]? { try event(sequence)?.id }

    /// An event in the outbox; nil if it is gone or can no longer be read.
    func event(_ sequence: UInt64) throws -> Envelope? {
        var stored: [UInt8]?
        try find.bind(1, Int64(clamping: sequence)).forEach { stored = $0.blob(0) }
        guard let stored else { return nil }
        do { return try Envelope(stored: stored) } catch { return nil }
    }

    /// Begins a new history, because a part of the old one that a follower has seen is lost.
    func beginEpoch(at now: Int64, _ db: Database) throws {
        let next = max(UInt64(clamping: now), epoch + 1)
        try db.execute(
            sql: "INSERT INTO epoch (epoch, start) VALUES (?, ?)",
            arguments: [Int64(clamping: next), Int64(clamping: head)])
        place.epoch = next
    }

    /// The envelopes after a sequence, at most `limit` of them and about `bytes` bytes.
    func events(after sequence: UInt64, limit: Int, bytes: Int) throws -> [[UInt8]] {
        var events: [[UInt8]] = []
        var size = 0
        struct Enough: Error {}
        do {
            try page.bind(1, Int64(clamping: sequence)).bind(2, Int64(limit)).forEach { row in
                let envelope = row.blob(0)
                size += envelope.count
                if size > bytes, !events.isEmpty { throw Enough() }
                events.append(envelope)
            }
        } catch is Enough {}
        return events
    }

    /// Deletes some old events: those up to `passed` that are older than `time`, and all up to
    /// `bound`. The newest event stays.
    func pruneEvents(passed: UInt64, before time: Int64, bound: UInt64) throws {
        let last = max(min(passed, try self.last(before: time)), bound)
        try prunePage.bind(1, Int64(clamping: min(last, head == 0 ? 0 : head - 1))).run()
    }

    /// The last event published before a time, 0 for none. It reads few rows: times increase with
    /// the sequence, unless the clock was set.
    func last(before time: Int64) throws -> UInt64 {
        guard let first = try Self.first(db) else { return 0 }
        var (low, high) = (first - 1, head)
        while low < high {
            let middle = low + (high - low + 1) / 2
            let published = try Int64.fetchOne(
                db, sql: "SELECT time FROM outbox WHERE sequence = ?",
                arguments: [Int64(clamping: middle)])
            if let published, published >= time { high = middle - 1 } else { low = middle }
        }
        return low
    }

    /// The last event to delete so that about this many bytes are kept, 0 for none. It estimates
    /// from about a hundred events.
    func last(beyond bytes: UInt64) throws -> UInt64 {
        guard let first = try Self.first(db), head >= first else { return 0 }
        let count = head - first + 1
        let step = max(1, count / 100)
        var (measured, size): (UInt64, UInt64) = (0, 0)
        for sequence in stride(from: first, through: head, by: Int(clamping: step)) {
            let length = try Int64.fetchOne(
                db, sql: "SELECT length(envelope) FROM outbox WHERE sequence = ?",
                arguments: [Int64(clamping: sequence)])
            measured += 1
            size += UInt64(clamping: length ?? 0)
        }
        let most = max(1, bytes / max(1, size / measured))
        return count > most ? head - most : 0
    }

    /// The oldest event in the outbox.
    private static func first(_ db: Database) throws -> UInt64? {
        try Int64.fetchOne(db, sql: "SELECT min(sequence) FROM outbox WHERE sequence > 0")
            .map { UInt64(clamping: $0) }
    }

    // MARK: Cursor

    func moveCursor(
        of producer: String, epoch: UInt64, sequence: UInt64, event: [UInt8]
    ) throws {
        try moveCursor.bind(1, producer).bind(2, Int64(clamping: epoch))
            .bind(3, Int64(clamping: sequence)).bind(4, event).run()
    }
}
