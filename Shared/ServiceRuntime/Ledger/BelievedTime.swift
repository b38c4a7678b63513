import GRDB

/// The time by which old things are deleted for good.
///
/// It follows the clock while the clock runs steadily. A leap forward counts only after the clock
/// has run for another day in total: a clock that was set wrong is corrected before that, and
/// nothing is deleted because of it. A step back counts at once, and cancels leaps. So this time is
/// never ahead of the clock, and a machine that was off for a month deletes a day later.
struct BelievedTime: Equatable, Sendable {
    /// A step forward that isn't believed yet, in milliseconds.
    struct Leap: Equatable, Sendable {
        var length: Int64
        /// How long the clock has run since the leap.
        var lasted: Int64 = 0
    }

    /// The longest step from one reading of the clock to the next that counts at once: six hours,
    /// in milliseconds.
    static let longestStep: Int64 = 6 * 3600 * 1000
    /// How long the clock runs until a leap is believed: a day, in milliseconds.
    static let doubt: Int64 = 24 * 3600 * 1000
    /// The maximum number of leaps. A machine that is on for minutes at a time makes more; then the
    /// newest count as one.
    static let mostLeaps = 64

    /// The last reading of the clock, in milliseconds since 1970; nil before the first one.
    private(set) var seen: Int64?
    /// The leaps that aren't believed yet, oldest first.
    private(set) var leaps: [Leap] = []

    init(seen: Int64? = nil, leaps: [Leap] = []) { (self.seen, self.leaps) = (seen, leaps) }

    /// The believed time at the last reading.
    var time: Int64 { leaps.reduce(seen ?? 0) { $0 - $1.length } }

    /// The believed time at a time of the clock, as if the clock were read then.
    func time(at now: Int64) -> Int64 {
        var then = self
        then.look(at: now)
        return then.time
    }

    /// The believed time at a time of the clock, for something that began at `begin`. Leaps that
    /// were over when it began don't count, because the clock has run since.
    func time(at now: Int64, since begin: Int64) -> Int64 {
        var then = self
        then.look(at: now)
        var (time, later) = (now, Int64(0))
        for leap in then.leaps.reversed() {
            // When the leap ended, by the clock, which has run and leapt since.
            let end = now - leap.lasted - later
            guard end > begin else { break }
            time -= leap.length
            later += leap.length
        }
        return time
    }

    /// Takes a reading of the clock. Call it often: a clock that is set forward and back between
    /// two readings leaves no trace.
    mutating func look(at now: Int64) {
        defer { self.seen = now }
        guard let seen else { return }
        let step = now - seen
        if step > Self.longestStep { return add(step) }
        if step < 0 { return takeBack(-step) }
        for place in leaps.indices { leaps[place].lasted += step }
        leaps.removeAll { $0.lasted >= Self.doubt }
    }

    private mutating func add(_ length: Int64) {
        guard leaps.count >= Self.mostLeaps, let last = leaps.popLast() else {
            return leaps.append(Leap(length: length))
        }
        leaps.append(Leap(length: last.length + length))
    }

    private mutating func takeBack(_ length: Int64) {
        var rest = length
        while rest > 0, let last = leaps.popLast() {
            let kept = last.length - min(rest, last.length)
            rest -= last.length - kept
            // What is left of the leap would have counted at once.
            guard kept > Self.longestStep else { continue }
            leaps.append(Leap(length: kept, lasted: last.lasted))
        }
    }
}

/// The believed time is in the store, so that restarts don't lose it.
extension BelievedTime {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("steward: the time that is believed") { db in
            try db.execute(
                sql: """
                    CREATE TABLE clockSeen (
                        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1), time INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE clockLeap (
                        number INTEGER NOT NULL PRIMARY KEY, length INTEGER NOT NULL,
                        lasted INTEGER NOT NULL
                    ) STRICT;
                    """)
        }
    }

    init(_ db: Database) throws {
        self.init(
            seen: try Int64.fetchOne(db, sql: "SELECT time FROM clockSeen"),
            leaps: try Row.fetchAll(db, sql: "SELECT length, lasted FROM clockLeap ORDER BY number")
                .map { Leap(length: $0["length"], lasted: $0["lasted"]) })
    }

    func save(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO clockSeen (one, time) VALUES (1, ?)", arguments: [seen])
        try db.execute(sql: "DELETE FROM clockLeap")
        for (number, leap) in leaps.enumerated() {
            try db.execute(
                sql: "INSERT INTO clockLeap (number, length, lasted) VALUES (?, ?, ?)",
                arguments: [number, leap.length, leap.lasted])
        }
    }
}
