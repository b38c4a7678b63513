import Disk
import Foundation
import GRDB
import TransitFeed

extension FeedFile {
    /// Writes a feed to a new file, which appears under its name only when it is complete.
    ///
    /// It is built as `<name>.partial`, flushed to the disk, and renamed: a crash leaves either no
    /// file with that name or a complete one. Therefore SQLite itself needs no journal.
    ///
    /// - Parameters:
    ///   - feed: the feed.
    ///   - url: the URL of the new file.
    ///   - progress: called every few thousand trips; returning `false` stops the writing.
    /// - Throws: `FeedError` of kind `cancelled` when `progress` stopped it; ``FeedFileError`` or
    ///   GRDB's `DatabaseError` when the disk fails.
    static func write(
        _ feed: Feed, to url: URL, progress: (Feed.Progress) -> Bool = { _ in true }
    ) throws {
        let partial = URL(fileURLWithPath: url.path + ".partial")
        // Left by a crash during an earlier import.
        unlink(partial.path)
        do {
            try build(feed, partial, name: url.lastPathComponent, progress)
            try synchronize(partial)
        } catch {
            unlink(partial.path)
            throw error
        }
        guard rename(partial.path, url.path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(partial.path)
            throw FeedFileError(file: url, reason: "cannot be renamed (\(reason))")
        }
        guard Folder.flushName(of: url.path) else { throw unflushed(url) }
    }

    private static func build(
        _ feed: Feed, _ partial: URL, name: String, _ progress: (Feed.Progress) -> Bool
    ) throws {
        var configuration = Configuration()
        // The feed has been validated, and its numbers are positions in its own arrays.
        configuration.foreignKeysEnabled = false
        let database = try DatabaseQueue(path: partial.path, configuration: configuration)
        try database.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA journal_mode = OFF;
                    PRAGMA synchronous = OFF;
                    PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA cache_size = -4000;
                    PRAGMA application_id = \(FeedSchema.applicationId);
                    PRAGMA user_version = \(FeedSchema.version);
                    """)
            try db.inTransaction {
                try db.execute(sql: FeedSchema.tables)
                try FeedRows(feed: feed, db: db).insert { rows in
                    let state = Feed.Progress(
                        file: name, rows: rows, estimatedRows: feed.trips.count)
                    guard progress(state) else { throw FeedError.cancelled(in: name) }
                }
                try db.execute(sql: FeedSchema.indexes)
                return .commit
            }
        }
        try database.close()
    }

    /// Flushes a file to the disk.
    private static func synchronize(_ url: URL) throws {
        let handle = Foundation.open(url.path, O_RDONLY)
        defer { if handle >= 0 { Foundation.close(handle) } }
        guard handle >= 0, fsync(handle) == 0 else { throw unflushed(url) }
    }

    private static func unflushed(_ url: URL) -> FeedFileError {
        let reason = String(cString: strerror(errno))
        return FeedFileError(file: url, reason: "cannot be flushed to the disk (\(reason))")
    }
}

/// Inserts the rows of a feed into the empty tables of a file.
private struct FeedRows {
    let feed: Feed
    let db: Database

    /// - Parameter tick: called from time to time with the number of trips written so far.
    func insert(_ tick: (Int) throws -> Void) throws {
        try tick(0)
        try insertFeed()
        try insertPlaces()
        try insertCalendars()
        try insertPatterns()
        try insertSearch()
        try insertTrips(tick)
    }

    private func insertFeed() throws {
        try db.execute(
            sql: "INSERT INTO feed VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                feed.name, feed.timeZone, feed.stops.count, feed.routes.count,
                feed.patterns.count, feed.trips.count, feed.counts.stopTimes,
                feed.counts.unusableTrips,
            ])
    }

    private func insertPlaces() throws {
        let stops = try db.makeStatement(
            sql: "INSERT INTO stop VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        for (number, stop) in feed.stops.enumerated() {
            try stops.execute(arguments: [
                number, stop.id, stop.name, stop.code, stop.kind.rawValue,
                stop.position.latitude, stop.position.longitude, stop.parent,
            ])
        }
        let routes = try db.makeStatement(sql: "INSERT INTO route VALUES (?, ?, ?, ?, ?, ?)")
        for (number, route) in feed.routes.enumerated() {
            try routes.execute(arguments: [
                number, route.id, route.shortName, route.longName, route.kind, route.colour,
            ])
        }
        let headsigns = try db.makeStatement(sql: "INSERT INTO headsign VALUES (?, ?)")
        for (number, headsign) in feed.headsigns.enumerated() {
            try headsigns.execute(arguments: [number, headsign])
        }
    }

    private func insertCalendars() throws {
        let calendars = try db.makeStatement(
            sql: "INSERT INTO calendar VALUES (?, ?, ?, ?, ?)")
        let exceptions = try db.makeStatement(
            sql: "INSERT INTO calendarException VALUES (?, ?, ?)")
        for (number, calendar) in feed.calendars.enumerated() {
            try calendars.execute(arguments: [
                number, calendar.id, calendar.weekdays,
                calendar.range?.lowerBound.daysSince1970,
                calendar.range?.upperBound.daysSince1970,
            ])
            for (day, runs) in calendar.exceptions.sorted(by: { $0.key < $1.key }) {
                try exceptions.execute(arguments: [number, day.daysSince1970, runs])
            }
        }
    }

    private func insertPatterns() throws {
        let lines = try db.makeStatement(sql: "INSERT INTO polyline VALUES (?, ?, ?)")
        for (number, line) in feed.polylines.enumerated() {
            try lines.execute(arguments: [number, line.length, Data(line.packed)])
        }
        let patterns = try db.makeStatement(
            sql: "INSERT INTO pattern VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        // In the order of the table, so that each row is appended.
        var servings: [(stop: Int32, pattern: Int32, position: Int32)] = []
        for (number, pattern) in feed.patterns.enumerated() {
            try patterns.execute(arguments: [
                number, pattern.route, pattern.direction, pattern.headsign, pattern.shape,
                pattern.polyline, pattern.trips.lowerBound, pattern.trips.count,
                Data(FeedSchema.packCalls(pattern.calls)),
            ])
            for (position, call) in pattern.calls.enumerated() {
                servings.append((call.stop, Int32(number), Int32(position)))
            }
        }
        servings.sort { $0 < $1 }
        let serving = try db.makeStatement(sql: "INSERT INTO serving VALUES (?, ?, ?)")
        for row in servings {
            try serving.execute(arguments: [row.stop, row.pattern, row.position])
        }
    }

    private func insertSearch() throws {
        let index = FeedSearchIndex(feed)
        try db.execute(
            sql: "INSERT INTO stopSearch VALUES (?, ?)",
            arguments: [Data(index.words), Data(index.entries)])
    }

    private func insertTrips(_ tick: (Int) throws -> Void) throws {
        let trips = try db.makeStatement(
            sql: "INSERT INTO trip VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for (number, trip) in feed.trips.enumerated() {
            try trips.execute(arguments: [
                number, trip.id, trip.pattern, trip.calendar, trip.headsign, trip.departure,
                trip.arrival, Data(feed.packedTimes[trip.times]), trip.repeats,
                Data(feed.numberings[Int(trip.numbering)]),
            ])
            if number & 0xFFF == 0xFFF { try tick(number + 1) }
        }
        try tick(feed.trips.count)
    }
}
