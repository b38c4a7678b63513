import Bus
import GRDB
import Messages

/// Answers followers that missed events: with the events, or with a snapshot of the present state
/// when the events are gone. One snapshot serves all followers for a while.
final class ReplayDesk {
    private let ledger: Ledger
    private let maker: SnapshotMaker
    private let historyReplaced: (Transaction) throws -> Void
    /// Notes when a follower last reported where it is, in memory.
    private let noteReport: (String, Int64) -> Void
    private let log: Log
    private var kept: Snapshot?
    private var madeAt: Int64 = 0
    private var usedAt: Int64 = 0
    /// No snapshot is made before this time, because the last attempt failed.
    private var pausedUntil: Int64 = 0
    /// Why the last attempt failed; nil if it didn't.
    private var failure: String?
    /// The event that was last found to be unreadable.
    private var unreadable: UInt64?

    init(
        ledger: Ledger, maker: SnapshotMaker, log: Log,
        historyReplaced: @escaping (Transaction) throws -> Void,
        noteReport: @escaping (String, Int64) -> Void
    ) {
        self.ledger = ledger
        self.maker = maker
        self.historyReplaced = historyReplaced
        self.noteReport = noteReport
        self.log = log
    }

    /// The maximum number of events and bytes of a page, far below the size of a message.
    static let pageEvents = 500
    static let pageBytes = 256 << 10
    /// How long an unused snapshot is kept, in milliseconds.
    static let idleTime: Int64 = 60_000
    /// How long any snapshot is kept, in milliseconds. Its readers continue with the events since.
    static let longestLife: Int64 = 600_000
    /// How long to wait after a snapshot could not be made, in milliseconds.
    static let pause: Int64 = 10_000
    /// How long a producer waits before it begins another new history, in milliseconds.
    static let shortestEpoch: Int64 = 5000
    /// How often the store records that a follower is still where it was, in milliseconds.
    static let noteInterval: Int64 = 600_000

    var handlers: [MessageHandler] { [.query(replay, .service)] }

    private func replay(_ query: Replay, in transaction: Transaction) throws -> ReplayPage {
        let isContradicted = try contradicts(query)
        if !query.follower.isEmpty, query.epoch == ledger.epoch {
            guard ServiceName(rawValue: query.follower) != nil else {
                throw Refusal.invalid("“\(query.follower)” is not a service")
            }
            // Events that a follower has passed may be deleted, so nobody reports for another.
            guard transaction.principal.peer.map({ $0.name == query.follower }) ?? true else {
                throw Refusal.forbidden("this is not the key of \(query.follower)")
            }
            if !isContradicted {
                try note(query, transaction)
            } else if isFollower(transaction) {
                try beginHistory(transaction)
            }
        }
        guard query.limit > 0 else { return ReplayPage(epoch: ledger.epoch, head: ledger.head) }
        guard try !isContradicted && canContinue(query, transaction.db) else {
            return try snapshot(query, transaction)
        }
        let events = try ledger.events(
            after: query.after, limit: min(Int(query.limit), Self.pageEvents),
            bytes: Self.pageBytes)
        let readable = events.prefix(while: Self.isReadable)
        guard !readable.isEmpty || events.isEmpty else {
            return try snapshot(beyond: query.after + 1, query, transaction)
        }
        return ReplayPage(epoch: ledger.epoch, head: ledger.head, events: Array(readable))
    }

    private static func isReadable(_ event: [UInt8]) -> Bool {
        do { _ = try Envelope(stored: event) } catch { return false }
        return true
    }

    /// The present state for a follower that would otherwise wait forever for an event that can no
    /// longer be read.
    private func snapshot(
        beyond sequence: UInt64, _ query: Replay, _ transaction: Transaction
    ) throws -> ReplayPage {
        if unreadable != sequence {
            unreadable = sequence
            log.write(
                .error, "event can't be read; followers take the present state",
                [.sequence: String(sequence)])
        }
        // An earlier state would lead back to that event.
        takeOver(at: transaction.now)
        if let kept, kept.sequence < sequence { self.kept = nil }
        return try snapshot(query, transaction)
    }

    /// True when the sender has shown that it may follow. On a shared bus without keys anyone may
    /// ask, and all followers would have to resynchronize with a new history, so none is begun; the
    /// sender only gets the present state.
    private func isFollower(_ transaction: Transaction) -> Bool {
        !transaction.isBusShared || transaction.principal.peer?.role == .service
    }

    /// Keeps the position of a follower. While nothing is published, each follower reports the same
    /// position every few seconds, and a disk that flushed each of these reports would never rest.
    private func note(_ query: Replay, _ transaction: Transaction) throws {
        noteReport(query.follower, transaction.now)
        let kept = try Row.fetchOne(
            transaction.db, sql: "SELECT sequence, reported FROM follower WHERE name = ?",
            arguments: [query.follower])
        if let kept {
            let (sequence, reported): (Int64, Int64) = (kept["sequence"], kept["reported"])
            let isRecent = (0..<Self.noteInterval).contains(transaction.now - reported)
            guard sequence != Int64(clamping: query.after) || !isRecent else { return }
        }
        try transaction.db.execute(
            sql: """
                INSERT INTO follower (name, sequence, reported) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET sequence = excluded.sequence,
                    reported = excluded.reported
                """,
            arguments: [query.follower, Int64(clamping: query.after), transaction.now])
    }

    /// True when a follower has seen an event that is missing from the outbox though it should be
    /// there, or that is a different one there.
    private func contradicts(_ query: Replay) throws -> Bool {
        if query.after > ledger.head { return query.epoch == ledger.epoch }
        guard !query.afterId.isEmpty else { return false }
        if let id = try ledger.id(of: query.after) { return id != query.afterId }
        // That event was deleted or can't be read, but the next one names it.
        guard let previous = try ledger.event(query.after + 1)?.previous else { return false }
        return !previous.isEmpty && previous != query.afterId
    }

    /// Begins a new history because this store has gone back, e.g. with its disk or virtual
    /// machine: followers must drop what they applied of the lost part.
    private func beginHistory(_ transaction: Transaction) throws {
        let age = transaction.now - Int64(clamping: ledger.epoch)
        guard !(0..<Self.shortestEpoch).contains(age) else { return }
        try ledger.beginEpoch(at: transaction.now, transaction.db)
        try transaction.db.execute(
            sql: "UPDATE follower SET sequence = min(sequence, ?)",
            arguments: [Int64(clamping: ledger.head)])
        log.write(
            .error, "a part of the history is lost; followers take the present state",
            [.sequence: String(ledger.head)])
        let id = transaction.makeID()
        try historyReplaced(
            Transaction(
                db: transaction.db, now: transaction.now, principal: .system, id: id,
                correlation: id, turn: transaction.turn))
    }

    /// True when all events after the position are here and belong to its history.
    private func canContinue(_ query: Replay, _ db: Database) throws -> Bool {
        guard query.after <= ledger.head, try holdsEvents(after: query.after, db) else {
            return false
        }
        if query.epoch == ledger.epoch || query.epoch == 0 { return true }
        // An older history is the same as this one up to where the next history began.
        let branch = try Int64.fetchOne(
            db, sql: "SELECT start FROM epoch WHERE epoch > ? ORDER BY epoch LIMIT 1",
            arguments: [Int64(clamping: query.epoch)])
        let known = try Bool.fetchOne(
            db, sql: "SELECT count(*) > 0 FROM epoch WHERE epoch = ?",
            arguments: [Int64(clamping: query.epoch)])
        guard let branch, known == true else { return false }
        return query.after <= UInt64(clamping: branch)
    }

    private func holdsEvents(after sequence: UInt64, _ db: Database) throws -> Bool {
        let oldest = try Int64.fetchOne(db, sql: "SELECT min(sequence) FROM outbox")
        let first = oldest.map { UInt64(clamping: $0) } ?? ledger.head + 1
        return first <= sequence + 1
    }

    // MARK: Snapshots

    /// The requested part, or the first one when the follower has none of this snapshot.
    ///
    /// - Throws: a refusal while there is no snapshot; what was recorded of the follower is kept.
    private func snapshot(_ query: Replay, _ transaction: Transaction) throws -> ReplayPage {
        let now = transaction.now
        takeOver(at: now)
        // A follower must be able to continue with the events after the snapshot.
        if let kept, try !holdsEvents(after: kept.sequence, transaction.db) { self.kept = nil }
        guard let kept else {
            if now >= pausedUntil || pausedUntil - now > Self.pause { maker.begin() }
            throw NotedRefusal(
                .conflict(
                    failure.map { "the present state can't be put together: \($0)" }
                        ?? "the present state is being put together; ask again in a second"))
        }
        usedAt = now
        let isGoingOn = kept.sequence == query.snapshotSequence && query.part < kept.count
        let part = isGoingOn ? Int(query.part) : 0
        return ReplayPage(
            epoch: kept.epoch, head: ledger.head, events: try kept.events(part), snapshot: true,
            snapshotSequence: kept.sequence, part: UInt32(part), parts: UInt32(kept.count))
    }

    /// Keeps a snapshot that was made, and drops one that is no longer useful. Called every second.
    func beat(at now: Int64) { takeOver(at: now) }

    private func takeOver(at now: Int64) {
        if let kept,
            kept.epoch != ledger.epoch || abs(now - madeAt) > Self.longestLife
                || abs(now - usedAt) > Self.idleTime
        {
            self.kept = nil
        }
        switch maker.take() {
        case .success(let snapshot) where snapshot.epoch == ledger.epoch:
            (kept, madeAt, usedAt, failure) = (snapshot, now, now, nil)
        case .failure(let error):
            (pausedUntil, failure) = (now + Self.pause, "\(error)")
            log.write(.error, "no snapshot", [.error: "\(error)"])
        default: break
        }
    }
}
