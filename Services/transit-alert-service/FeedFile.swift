import Dates
import Foundation
import GRDB
import TransitFeed

/// A feed in one SQLite file that is never changed: a new import makes a new file.
///
/// Numbers in it are the positions in the `Feed` it was written from. Every lookup uses an index,
/// so that opening takes a few milliseconds whatever the size of the feed.
final class FeedFile: Sendable {
    /// The agency's name.
    let name: String

    /// The IANA name of the zone of its times.
    let timeZone: String

    let counts: Counts

    private let url: URL
    private let database: DatabaseQueue
    private let search: FeedSearch

    /// The numbers of rows.
    struct Counts: Equatable, Sendable {
        var stops: Int
        var routes: Int
        var patterns: Int
        var trips: Int
        var stopTimes: Int

        /// Trips that were left out because they have fewer than two stops.
        var unusableTrips: Int
    }

    /// A pattern with everything needed to follow a vehicle along it.
    struct Pattern: Equatable, Sendable {
        var number: Int
        var route: Feed.Route
        var direction: Int?
        var headsign: String?
        var shape: String?
        var polyline: Feed.Polyline
        var calls: [Feed.Call]

        /// The stops of the calls, one for each.
        var stops: [Feed.Stop]
    }

    /// A pattern that calls at a stop, without its path.
    struct Serving: Equatable, Sendable {
        /// The pattern's number.
        var pattern: Int
        var route: Feed.Route

        /// The bytes of its packed line.
        var size: Int
    }

    /// A trip with its times, one for each call of its pattern.
    struct Trip: Equatable, Sendable {
        var id: String

        /// The id of the trip whose run it is: see `Feed.Trip.repeats`.
        var repeats: String?
        var pattern: Int
        var calendar: Int
        var headsign: String?
        var times: [StopTime]

        /// The numbers of its calls: see `PackedSequences`. Nil in a file of an earlier version.
        var sequences: [UInt8]?
    }

    /// When a trip is under way, in seconds as `Feed.Trip.departure`.
    struct TripTimes: Equatable, Sendable {
        var calendar: Int
        var departure: Int64
        var arrival: Int64
    }

    /// Opens a file written by ``write(_:to:progress:)``, for reading only.
    ///
    /// - Throws: ``FeedFileError`` when the file does not exist or is not a feed file of this
    ///   version.
    static func open(_ url: URL) throws -> FeedFile {
        try naming(url) { try FeedFile(url) }
    }

    /// Reads from the file. Damage to this file, unlike damage to the store, ends no process: it
    /// affects only those who need this feed.
    ///
    /// - Throws: ``FeedFileError`` when the file can't be read.
    private func read<R>(_ body: (Database) throws -> R) throws -> R {
        try Self.naming(url) { try database.read(body) }
    }

    private static func naming<R>(_ url: URL, _ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as DatabaseError {
            throw FeedFileError(file: url, reason: "cannot be read (\(error))")
        }
    }

    private init(_ url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw FeedFileError(file: url, reason: "does not exist")
        }
        self.url = url
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "feed"
        database = try DatabaseQueue(path: url.path, configuration: configuration)
        (name, timeZone, counts, search) = try database.read { db in
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version")
            let application = try Int.fetchOne(db, sql: "PRAGMA application_id")
            guard application == FeedSchema.applicationId, version == FeedSchema.version,
                let row = try Row.fetchOne(db, sql: "SELECT * FROM feed"),
                let index = try Row.fetchOne(db, sql: "SELECT words, entries FROM stopSearch"),
                let search = FeedSearch(
                    words: [UInt8](index["words"] as Data),
                    entries: [UInt8](index["entries"] as Data))
            else { throw FeedFileError(file: url, reason: "is of another kind or version") }
            let counts = Counts(
                stops: row["stops"], routes: row["routes"], patterns: row["patterns"],
                trips: row["trips"], stopTimes: row["stopTimes"],
                unusableTrips: row["unusableTrips"])
            return (row["name"], row["timeZone"], counts, search)
        }
    }

    /// The stop with an id.
    func stop(_ id: String) throws -> Feed.Stop? {
        try read { db in
            try row(db, "SELECT * FROM stop WHERE id = ?", [id]).map(Feed.Stop.init(row:))
        }
    }

    /// The stop with a number, as in a call or as a parent.
    func stop(numbered number: Int) throws -> Feed.Stop? {
        try read { db in try stop(db, number) }
    }

    /// All routes, in the feed's order.
    func routes() throws -> [Feed.Route] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM route ORDER BY number")
                .map(Feed.Route.init(row:))
        }
    }

    /// The patterns that call at a stop or, for a station, at one of its stops: at most `limit` of
    /// them, of the route with this id or short name, or of all routes if it is empty.
    func patterns(
        serving id: String, route: String = "", limit: Int
    ) throws -> [Serving] {
        // Names of a feed are kept in this form.
        let name = route.precomposedStringWithCanonicalMapping
        return try read { db in
            let sql = """
                SELECT pattern.number AS pattern, length(points) AS size, route.* FROM pattern
                JOIN route ON route.number = pattern.route
                JOIN polyline ON polyline.number = pattern.polyline
                WHERE pattern.number IN (
                    SELECT pattern FROM serving WHERE stop IN (
                        SELECT number FROM stop WHERE id = ?1
                        UNION ALL
                        SELECT child.number FROM stop JOIN stop child ON child.parent = stop.number
                        WHERE stop.id = ?1))
                AND (?2 = '' OR route.id = ?2 OR shortName = ?3)
                ORDER BY pattern.number LIMIT ?4
                """
            return try Row.fetchAll(
                db.cachedStatement(sql: sql), arguments: [id, route, name, limit]
            ).map {
                Serving(pattern: $0["pattern"], route: Feed.Route(row: $0), size: $0["size"])
            }
        }
    }

    /// The pattern with a number.
    func pattern(numbered number: Int) throws -> Pattern? {
        try read { db in try pattern(db, number) }
    }

    /// The trips of a pattern, ordered by departure.
    func trips(ofPattern number: Int) throws -> [Trip] {
        try read { db in
            let sql = """
                SELECT trip.*, headsign.name AS headsignName
                FROM pattern
                JOIN trip ON trip.number >= firstTrip AND trip.number < firstTrip + tripCount
                LEFT JOIN headsign ON headsign.number = trip.headsign
                WHERE pattern.number = ? ORDER BY trip.number
                """
            return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [number])
                .map(Trip.init(row:))
        }
    }

    /// One of the trips of a pattern, by its index in `trips(ofPattern:)`.
    func trip(at index: Int, ofPattern number: Int) throws -> Trip? {
        try read { db in
            let sql = """
                SELECT trip.*, headsign.name AS headsignName FROM pattern
                JOIN trip ON trip.number = firstTrip + ?2
                LEFT JOIN headsign ON headsign.number = trip.headsign
                WHERE pattern.number = ?1 AND ?2 < tripCount
                """
            return try row(db, sql, [number, index]).map(Trip.init(row:))
        }
    }

    /// When the trips of a pattern are under way, in the order of `trips(ofPattern:)`.
    func tripTimes(ofPattern number: Int) throws -> [TripTimes] {
        try read { db in
            let sql = """
                SELECT calendar, departure, arrival FROM pattern
                JOIN trip ON trip.number >= firstTrip AND trip.number < firstTrip + tripCount
                WHERE pattern.number = ? ORDER BY trip.number
                """
            return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [number]).map {
                TripTimes(
                    calendar: $0["calendar"], departure: $0["departure"], arrival: $0["arrival"])
            }
        }
    }

    /// The trip with an id.
    func trip(_ id: String) throws -> Trip? {
        try read { db in
            let sql = """
                SELECT trip.*, headsign.name AS headsignName FROM trip
                LEFT JOIN headsign ON headsign.number = trip.headsign WHERE trip.id = ?
                """
            return try row(db, sql, [id]).map(Trip.init(row:))
        }
    }

    /// The calendar of a trip.
    func calendar(numbered number: Int) throws -> Feed.Calendar? {
        try read { db in
            try row(db, "SELECT * FROM calendar WHERE number = ?", [number])
                .map { try calendar(db, $0) }
        }
    }

    /// The numbers of the calendars that run on a day.
    func calendars(activeOn day: CivilDate) throws -> Set<Int> {
        try read { db in
            var active: Set<Int> = []
            for row in try Row.fetchAll(db, sql: "SELECT * FROM calendar") {
                if try calendar(db, row).isActive(on: day) { active.insert(row["number"]) }
            }
            return active
        }
    }

    /// The stop with the id that was typed, and those that match what has been typed so far; see
    /// ``FeedSearch/find(_:near:limit:)``.
    func search(
        _ text: String, near position: Feed.Position? = nil, limit: Int = 10
    ) throws -> [FoundStop] {
        let named = try stop(text).map { stop in
            FoundStop(
                stop: stop, closeness: .id,
                metres: position.map { $0.metres(to: stop.position) })
        }
        let found = search.find(text, near: position, limit: limit)
        let others = try read { db in
            try found.compactMap { match in
                try stop(db, match.stop).map {
                    FoundStop(stop: $0, closeness: match.closeness, metres: match.metres)
                }
            }
        }
        guard let named else { return others }
        return ([named] + others.filter { $0.stop.id != named.stop.id }).prefix(limit).map(\.self)
    }

    private func row(
        _ db: Database, _ sql: String, _ arguments: StatementArguments
    ) throws -> Row? {
        try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }

    private func stop(_ db: Database, _ number: Int) throws -> Feed.Stop? {
        try row(db, "SELECT * FROM stop WHERE number = ?", [number]).map(Feed.Stop.init(row:))
    }

    private func pattern(_ db: Database, _ number: Int) throws -> Pattern? {
        let sql = """
            SELECT pattern.*, headsign.name AS headsignName, points FROM pattern
            JOIN polyline ON polyline.number = pattern.polyline
            LEFT JOIN headsign ON headsign.number = pattern.headsign WHERE pattern.number = ?
            """
        guard let found = try row(db, sql, [number]),
            let route = try row(
                db, "SELECT * FROM route WHERE number = ?", [found["route"] as Int])
        else { return nil }
        let calls = try FeedSchema.unpackCalls([UInt8](found["calls"] as Data))
        guard let line = Feed.Polyline(unpacking: [UInt8](found["points"] as Data)) else {
            throw DatabaseError(message: "the line of pattern \(number) is damaged")
        }
        return Pattern(
            number: number, route: Feed.Route(row: route), direction: found["direction"],
            headsign: found["headsignName"], shape: found["shape"], polyline: line, calls: calls,
            stops: try calls.compactMap { try stop(db, Int($0.stop)) })
    }

    private func calendar(_ db: Database, _ row: Row) throws -> Feed.Calendar {
        let sql = "SELECT day, runs FROM calendarException WHERE calendar = ?"
        var calendar = Feed.Calendar(id: row["id"], weekdays: row["weekdays"])
        if let first = row["firstDay"] as Int?, let last = row["lastDay"] as Int? {
            calendar.range =
                CivilDate(daysSince1970: first)...CivilDate(daysSince1970: max(first, last))
        }
        let number: Int = row["number"]
        for row in try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [number]) {
            calendar.exceptions[CivilDate(daysSince1970: row["day"])] = row["runs"]
        }
        return calendar
    }
}

/// A stop found by its name.
struct FoundStop: Equatable, Sendable {
    var stop: Feed.Stop
    var closeness: FeedSearch.Closeness

    /// The distance in metres, when the search was given a position.
    var metres: Double?
}

/// Why a feed file can't be read or written.
struct FeedFileError: Error, Equatable, CustomStringConvertible {
    var file: URL
    var reason: String

    var description: String { "\(file.lastPathComponent) \(reason)" }
}

extension FeedFile {
    /// The ids of a stop or, for a station, of its stops.
    func stopIds(of id: String) throws -> Set<String> {
        try read { db in
            let sql = """
                SELECT child.id FROM stop JOIN stop child ON child.parent = stop.number
                WHERE stop.id = ?
                """
            return try String.fetchSet(db.cachedStatement(sql: sql), arguments: [id]).union([id])
        }
    }

    /// The service at a stop or, for a station, at its stops: the number of trips, and the names of
    /// their routes and headsigns, sorted.
    func calling(at stop: String) throws -> (trips: Int, routes: [String], headsigns: [String]) {
        try read { db in
            let sql = """
                SELECT DISTINCT pattern.number, tripCount, coalesce(shortName, longName, route.id)
                    AS route, headsign.name AS headsign
                FROM serving
                JOIN pattern ON pattern.number = serving.pattern
                JOIN route ON route.number = pattern.route
                LEFT JOIN headsign ON headsign.number = pattern.headsign
                WHERE serving.stop IN (
                    SELECT number FROM stop WHERE id = ?1
                    UNION ALL
                    SELECT child.number FROM stop JOIN stop child ON child.parent = stop.number
                    WHERE stop.id = ?1)
                """
            var (trips, routes, headsigns) = (0, Set<String>(), Set<String>())
            let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [stop])
            while let row = try rows.next() {
                trips += row["tripCount"] as Int
                routes.insert(row["route"])
                if let headsign: String = row["headsign"] { headsigns.insert(headsign) }
            }
            return (trips, routes.sorted(), headsigns.sorted())
        }
    }
}
