import GRDB
import GRDBSQLite

/// Keeps the store small: deletes old replies and events, and copies the write-ahead log into the
/// store while nobody waits for an answer.
final class Housekeeper {
    /// How long a reply is kept for a client that asks again: 24 hours in milliseconds.
    static let replyAge: Int64 = 24 * 3600 * 1000
    /// How long an event is kept at least: 30 days in milliseconds.
    static let eventAge: Int64 = 30 * 24 * 3600 * 1000
    /// The maximum number of events kept, even unseen ones: a follower further behind gets a
    /// snapshot.
    static let eventBound: UInt64 = 10_000_000
    /// The approximate maximum size of the kept events in bytes.
    static let eventBytes: UInt64 = 1 << 30
    /// How long an event is kept at most: 90 days in milliseconds.
    static let longestEventAge: Int64 = 90 * 24 * 3600 * 1000

    /// How often old rows are deleted: every minute, in milliseconds.
    static let pruneInterval: Int64 = 60_000

    /// If at least this many rows were deleted at once, out of up to 2,000 of each kind, more are
    /// probably left.
    static let manyRows = 1000

    /// How often the believed time is kept, by the clock: every ten minutes, in milliseconds.
    static let keepInterval: Int64 = 600_000

    private let db: Database
    private let ledger: Ledger
    private let connection: OpaquePointer?
    private let pages: UnsafeMutablePointer<Int32>
    private var nextPruning: Int64 = 0
    /// The time by which rows are old.
    private(set) var believed: BelievedTime
    /// The believed time that is in the store.
    private var kept: BelievedTime
    /// True while the write-ahead log may contain what was to be erased. It starts true because a
    /// crash may have come first.
    var mustErase = true

    init(_ db: Database, ledger: Ledger) throws {
        self.db = db
        self.ledger = ledger
        believed = try BelievedTime(db)
        kept = believed
        connection = db.sqliteConnection
        // The hook lives as long as the connection, which lives as long as the process.
        pages = .allocate(capacity: 1)
        pages.initialize(to: 0)
        _ = sqlite3_wal_hook(
            connection,
            { place, _, _, count in
                place?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, pages)
    }

    /// Copies the log into the store when it has more than `limit` pages. Readers outside the loop
    /// are not disturbed; pages they still need are copied another time.
    func checkpoint(over limit: Int) throws {
        guard pages.pointee > limit else { return }
        pages.pointee = 0
        let code = sqlite3_wal_checkpoint_v2(
            connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        guard code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "checkpoint")
        }
    }

    /// Empties the write-ahead log after an erasure, because the log still has the pages as they
    /// were before. While a reader outside the loop needs them, or the disk is full, the next turn
    /// tries again, at the latest with the next beat; the loop does not wait.
    func erase() throws {
        guard mustErase else { return }
        sqlite3_busy_timeout(connection, 0)
        let code = sqlite3_wal_checkpoint_v2(
            connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        sqlite3_busy_timeout(connection, Int32(Store.patience * 1000))
        switch code {
        case SQLITE_OK: break
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL: return
        default: throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "checkpoint")
        }
        mustErase = false
        pages.pointee = 0
    }

    /// Deletes some of the rows that are too old, once a minute, and each second while more are
    /// left. Call it each second: it looks at the clock.
    ///
    /// - Parameter job: the id of the job whose worker is under way.
    func prune(at now: Int64, sparing job: String? = nil) throws {
        believed.look(at: now)
        try keepBelieved()
        guard now >= nextPruning || nextPruning - now > Self.pruneInterval else { return }
        let before = db.totalChangesCount
        let time = believed.time
        try ledger.transaction {
            ledger.doubtDeletedReplies(at: now, believed: time)
            try ledger.pruneReplies(before: time - Self.replyAge)
            try ledger.sweepReplies(before: time - Self.replyAge)
            try ledger.keepDeletedReplies()
            let passed = try Int64.fetchOne(db, sql: "SELECT min(sequence) FROM follower")
            try ledger.pruneEvents(
                passed: passed.map { UInt64(clamping: $0) } ?? ledger.head,
                before: time - Self.eventAge,
                bound: max(
                    ledger.head > Self.eventBound ? ledger.head - Self.eventBound : 0,
                    try ledger.last(before: time - Self.longestEventAge),
                    try ledger.last(beyond: Self.eventBytes)))
            try JobRunner.prune(db, at: time, sparing: job)
        }
        let isMore = db.totalChangesCount - before >= Self.manyRows
        nextPruning = now + (isMore ? 1000 : Self.pruneInterval)
    }

    /// Keeps the believed time: leaps at once, the position of the clock each ``keepInterval``.
    private func keepBelieved() throws {
        let age = (believed.seen ?? 0) - (kept.seen ?? 0)
        let isSame = believed.leaps.map(\.length) == kept.leaps.map(\.length)
        guard kept.seen == nil || !isSame || age.magnitude >= UInt64(Self.keepInterval) else {
            return
        }
        try ledger.transaction { try believed.save(db) }
        kept = believed
    }
}
