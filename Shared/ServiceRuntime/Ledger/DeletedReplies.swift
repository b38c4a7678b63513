import GRDB
import Messages

/// When the ids were made whose replies were deleted, as spans of time. The command of such an id
/// may have been carried out, so it is refused.
///
/// Usually all these times are older than the id of a new command may be: see `CommandDesk`. If the
/// clock is set back, old ids seem new again, and only this shows that they aren't. If it is set
/// back by more than a day, commands that are really new are refused too. A service must not do
/// that for long because of a wrong clock: a day later no honest client sends an old command again,
/// and the part of a span that was still ahead when the clock was set back no longer counts.
struct DeletedReplies: Equatable, Sendable {
    /// A span of times, in milliseconds since 1970.
    struct Span: Equatable, Sendable {
        var first: Int64
        var last: Int64
        /// When the clock was set back so far that an id of this span could seem new; nil if it
        /// couldn't.
        var met: Int64?
    }

    /// Ids that were made within an hour of each other are in one span; in milliseconds.
    static let closest: Int64 = 3_600_000
    /// The maximum number of spans. If there are more, those closest to each other become one.
    static let most = 64

    /// In order, without overlaps.
    private(set) var spans: [Span] = []

    init() {}

    /// True if the command of an id may have been carried out and its reply deleted.
    func contains(_ id: MessageID) -> Bool {
        let time = id.milliseconds
        return id.isOfTime && spans.contains { $0.first <= time && time <= $0.last }
    }

    /// Adds the id of a reply that is deleted. One without a time is refused anyway.
    mutating func add(_ id: MessageID) {
        guard id.isOfTime else { return }
        let time = id.milliseconds
        let place = spans.firstIndex { time <= $0.last + Self.closest } ?? spans.endIndex
        guard place < spans.endIndex, time >= spans[place].first - Self.closest else {
            return insert(Span(first: time, last: time), at: place)
        }
        spans[place].first = min(spans[place].first, time)
        spans[place].last = max(spans[place].last, time)
        if place + 1 < spans.endIndex, gap(after: place) <= Self.closest { join(place) }
    }

    /// Takes a reading of the clock. Call it each minute, before ids are added.
    ///
    /// - Parameters:
    ///   - now: the time, in milliseconds since 1970.
    ///   - believed: the ``BelievedTime``, by which a day passes.
    mutating func look(at now: Int64, believed: Int64) {
        for place in spans.indices {
            guard spans[place].last >= now - MessageID.oldestNew else {
                spans[place].met = nil
                continue
            }
            let met = min(spans[place].met ?? now, now)
            spans[place].met = met
            guard believed - met >= BelievedTime.doubt else { continue }
            // What was made before the clock was set back is still refused, should it be set back
            // again.
            spans[place].last = min(spans[place].last, met - MessageID.farthestAhead - 1)
            spans[place].met = nil
        }
        spans.removeAll { $0.first > $0.last }
    }

    private mutating func insert(_ span: Span, at place: Int) {
        spans.insert(span, at: place)
        guard spans.count > Self.most else { return }
        let places = Array(spans.indices.dropLast())
        // Not with one that the clock was set back into, or before, if possible: the gap before it
        // may be the present, and new commands would be refused.
        let certain = places.filter { spans[$0 + 1].met == nil }
        let closest = (certain.isEmpty ? places : certain).min { gap(after: $0) < gap(after: $1) }
        if let closest { join(closest) }
    }

    private func gap(after place: Int) -> Int64 { spans[place + 1].first - spans[place].last }

    /// Makes one span of this one and the next.
    private mutating func join(_ place: Int) {
        let next = spans.remove(at: place + 1)
        spans[place].last = max(spans[place].last, next.last)
        spans[place].met = [spans[place].met, next.met].compactMap { $0 }.max()
    }
}

/// The spans are in the store, with which they are backed up and restored.
extension DeletedReplies {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("steward: whose replies were deleted") { db in
            try db.execute(
                sql: """
                    CREATE TABLE deletedReply (
                        first INTEGER NOT NULL PRIMARY KEY, last INTEGER NOT NULL, met INTEGER
                    ) STRICT;
                    """)
        }
    }

    init(_ db: Database) throws {
        let sql = "SELECT first, last, met FROM deletedReply ORDER BY first"
        spans = try Row.fetchAll(db, sql: sql).map {
            Span(first: $0["first"], last: $0["last"], met: $0["met"])
        }
    }

    /// Call it in the transaction that deletes the replies.
    func save(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM deletedReply")
        for span in spans {
            try db.execute(
                sql: "INSERT INTO deletedReply (first, last, met) VALUES (?, ?, ?)",
                arguments: [span.first, span.last, span.met])
        }
    }

    /// Adds the ids of all replies in a store, which are then deleted.
    static func noteAll(_ db: Database) throws {
        var deleted = try DeletedReplies(db)
        try Statement(db, "SELECT id FROM inbox").forEach {
            if let id = MessageID(bytes: $0.blob(0)) { deleted.add(id) }
        }
        try deleted.save(db)
    }
}
