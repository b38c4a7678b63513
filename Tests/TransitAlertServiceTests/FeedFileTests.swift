import Dates
import Foundation
import GRDB
import Messages
import Testing
import TransitFeed

@testable import TransitAlertService

@Suite struct FeedFileTests {
    @Test func `a feed is read back from its file unchanged`() throws {
        let stored = try StoredFeed()
        let feed = stored.feed

        let file = try stored.stored()

        #expect(file.name == "City")
        #expect(file.timeZone == "Europe/Paris")
        #expect(
            file.counts
                == FeedFile.Counts(
                    stops: 6, routes: 2, patterns: 4, trips: 5, stopTimes: 14, unusableTrips: 0))
        for (number, stop) in feed.stops.enumerated() {
            #expect(try file.stop(stop.id) == stop)
            #expect(try file.stop(numbered: number) == stop)
        }
        #expect(try file.routes() == feed.routes)
        for trip in feed.trips {
            let kept = try #require(try file.trip(trip.id))
            #expect(kept.times == feed.times(of: trip))
            #expect(kept.headsign == feed.headsign(of: trip))
            #expect(kept.pattern == Int(trip.pattern) && kept.calendar == Int(trip.calendar))
        }
        for (number, calendar) in feed.calendars.enumerated() {
            #expect(try file.calendar(numbered: number) == calendar)
        }
        for (number, pattern) in feed.patterns.enumerated() {
            let kept = try #require(try file.pattern(numbered: number))
            #expect(kept.calls == pattern.calls)
            #expect(kept.polyline == feed.polylines[pattern.polyline])
            #expect(kept.route == feed.routes[pattern.route])
            #expect(kept.direction == pattern.direction)
            #expect(kept.stops == pattern.calls.map { feed.stops[Int($0.stop)] })
        }
    }

    @Test func `something that isn't in the feed isn't found`() throws {
        let file = try StoredFeed().stored()

        #expect(try file.stop("nowhere") == nil)
        #expect(try file.trip("never") == nil)
        #expect(try file.pattern(numbered: 99) == nil)
        #expect(try file.patterns(serving: "nowhere", limit: 9).isEmpty)
        #expect(try file.trips(ofPattern: 99).isEmpty)
        #expect(try file.tripTimes(ofPattern: 99).isEmpty)
    }

    @Test func `each pattern of a stop comes once, with its route`() throws {
        let file = try StoredFeed().stored()

        let serving = try file.patterns(serving: "S0", limit: 9)

        #expect(serving.map(\.route.name) == ["1", "1", "1", "2"])
        let loop = try #require(try file.pattern(numbered: serving[3].pattern))
        #expect(loop.headsign == "Round")
        #expect(loop.calls[2].along == loop.polyline.length)
        #expect(serving[3].size == loop.polyline.packed.count)
        for route in ["2", "R2"] {
            #expect(try file.patterns(serving: "S0", route: route, limit: 9) == [serving[3]])
        }
        #expect(try file.patterns(serving: "S0", limit: 2).count == 2)
    }

    @Test func `a station is served by the lines that serve its stops`() throws {
        let file = try StoredFeed().stored()

        let serving = try file.patterns(serving: "HUB", limit: 9)

        #expect(serving.map(\.route.id) == ["R2"])
        #expect(try file.stopIds(of: "HUB") == ["HUB", "P"])
    }

    @Test func `the trips of a pattern are ordered by departure`() throws {
        let file = try StoredFeed().stored()
        let pattern = try #require(try file.trip("T1")).pattern

        let trips = try file.trips(ofPattern: pattern)

        #expect(trips.map(\.id) == ["T1", "LATE"])
        #expect(trips[1].times.map(\.arrival) == [79_200, 81_000])
        let times = try file.tripTimes(ofPattern: pattern)
        #expect(times.map(\.departure) == trips.map { Int64($0.times[0].departure) })
        #expect(times.map(\.arrival) == trips.map { Int64($0.times[1].arrival) })
        #expect(times.map(\.calendar) == trips.map(\.calendar))
    }

    @Test(arguments: [(20_260_430, [0]), (20_260_501, []), (20_260_503, [1]), (20_270_104, [])])
    func `the calendars of a day follow from the week and the exceptions`(
        _ date: Int, _ numbers: [Int]
    ) throws {
        let file = try StoredFeed().stored()

        let day = try #require(CivilDate(yyyymmdd: date))

        #expect(try file.calendars(activeOn: day) == Set(numbers))
    }

    @Test func `a new import replaces the file atomically, and an open one stays unchanged`() throws
    {
        let before = try StoredFeed()
        let after = try StoredFeed(["Oak", "Pine"])
        let open = try before.stored()

        try FeedFile.write(after.feed, to: before.url)

        #expect(try open.stop("S2")?.name == "Cedar")
        #expect(try FeedFile.open(before.url).stop("S1")?.name == "Pine")
        #expect(try FeedFile.open(before.url).stop("S2") == nil)
    }

    @Test func `the remains of an import that crashed don't matter`() throws {
        let stored = try StoredFeed()
        let partial = stored.folder.appendingPathComponent("city.feed.partial")
        try Data("half a file".utf8).write(to: partial)

        let file = try stored.stored()

        #expect(file.counts.trips == 5)
        #expect(!FileManager.default.fileExists(atPath: partial.path))
    }

    @Test func `a cancelled import leaves the old file and nothing else`() throws {
        let stored = try StoredFeed()
        _ = try stored.stored()
        let other = try StoredFeed(["Oak", "Pine"])

        #expect(throws: FeedError.cancelled(in: "city.feed")) {
            try FeedFile.write(other.feed, to: stored.url) { _ in false }
        }

        #expect(try FeedFile.open(stored.url).stop("S1")?.name == "Birch")
        let left = try FileManager.default.contentsOfDirectory(atPath: stored.folder.path)
        #expect(left.sorted() == ["city.feed", "source"])
    }

    @Test func `a folder that does not exist is an error`() throws {
        let stored = try StoredFeed()

        #expect(throws: (any Error).self) {
            try FeedFile.write(
                stored.feed, to: stored.folder.appendingPathComponent("none/city.feed"))
        }
    }

    @Test func `files that aren't feeds are refused`() throws {
        let stored = try StoredFeed()
        let other = stored.folder.appendingPathComponent("other.sqlite")
        try DatabaseQueue(path: other.path).write { db in
            try db.execute(sql: "CREATE TABLE feed (name TEXT)")
        }
        let text = stored.folder.appendingPathComponent("text")
        try Data(repeating: 65, count: 5000).write(to: text)

        for url in [other, text, stored.folder.appendingPathComponent("nothing")] {
            #expect(throws: FeedFileError.self) { try FeedFile.open(url) }
        }
    }

    @Test func `a truncated file is refused or read, without a crash`() throws {
        let stored = try StoredFeed()
        _ = try stored.stored()
        let whole = try Data(contentsOf: stored.url)
        let cut = stored.folder.appendingPathComponent("cut.feed")

        for end in stride(from: 0, to: whole.count, by: 1500) {
            try whole.prefix(end).write(to: cut)
            do {
                let file = try FeedFile.open(cut)
                _ = try file.patterns(serving: "S0", limit: 9)
                _ = try file.search("alder")
            } catch {
                #expect(error is FeedFileError, "\(error)")
            }
        }
    }

    /// Everything that is read from a file.
    private static let reads: [@Sendable (FeedFile) throws -> Void] = [
        { _ = try $0.stop("S1") }, { _ = try $0.stop(numbered: 1) }, { _ = try $0.routes() },
        { _ = try $0.patterns(serving: "S0", limit: 9) }, { _ = try $0.pattern(numbered: 0) },
        { _ = try $0.trips(ofPattern: 0) }, { _ = try $0.trip(at: 0, ofPattern: 0) },
        { _ = try $0.tripTimes(ofPattern: 0) }, { _ = try $0.trip("T1") },
        { _ = try $0.calendar(numbered: 0) },
        { _ = try $0.calendars(activeOn: CivilDate(daysSince1970: 20_600)) },
        { _ = try $0.search("alder") }, { _ = try $0.stopIds(of: "HUB") },
        { _ = try $0.calling(at: "S0") },
    ]

    @Test func `whichever page is damaged, the error is one of this file and not of the store`()
        throws
    {
        let stored = try StoredFeed()
        _ = try stored.stored()
        let whole = try Data(contentsOf: stored.url)
        let damaged = stored.folder.appendingPathComponent("damaged.feed")
        let size = 4_096
        try #require(whole.count > 10 * size && whole.count % size == 0)

        var failed: Set<Int> = []
        for page in 0..<whole.count / size {
            var bytes = whole
            bytes.replaceSubrange(
                page * size..<(page + 1) * size, with: Data(repeating: 0xFF, count: size))
            try bytes.write(to: damaged, options: .atomic)
            let file: FeedFile
            do { file = try FeedFile.open(damaged) } catch {
                #expect(error is FeedFileError, "page \(page): \(error)")
                continue
            }
            for (number, read) in Self.reads.enumerated() {
                do { try read(file) } catch {
                    failed.insert(number)
                    #expect(error is FeedFileError, "page \(page): \(error)")
                }
            }
        }

        #expect(failed == Set(Self.reads.indices))
    }

    /// The stops that these numbers of calls of a trip have, separated by spaces; `-` for none.
    private func stops(_ numbers: [UInt32], of trip: String, in file: FeedFile) throws -> String {
        try numbers.map { number in
            let calls = [ForecastCall(delay: 1, sequence: number)]
            return try file.named(calls, of: trip).first?.stopId ?? "-"
        }.joined(separator: " ")
    }

    @Test func `a call that has only a number is at the stop with that number`() throws {
        let times = """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            T1,06:00:00,,S0,5
            T1,06:10:00,,S1,10
            T1,06:20:00,,S2,11
            T1,06:30:00,,S0,4000000
            T2,06:00:00,,S0,0
            T2,06:10:00,,S1,1
            T3,06:00:00,,S1,1
            T3,06:10:00,,S2,2

            """
        let file = try StoredFeed(adding: ["stop_times.txt": times]).stored()

        #expect(try stops([0, 5, 10, 11, 12, 4_000_000], of: "T1", in: file) == "- S0 S1 S2 - S0")
        #expect(try stops([0, 1, 2], of: "T2", in: file) == "S0 S1 -")
        #expect(try stops([0, 1, 2, .max], of: "T3", in: file) == "- S1 S2 -")
        #expect(try stops([1], of: "unknown", in: file) == "-")
        let named = ForecastCall(stopId: "S3", delay: 1, sequence: 5)
        #expect(try file.named([ForecastCall(delay: 1), named], of: "T1") == [named])
    }

    @Test func `numbers of calls are not guessed for a file of an earlier version`() throws {
        let stored = try StoredFeed()
        _ = try stored.stored()
        try DatabaseQueue(path: stored.url.path).write {
            try $0.execute(sql: "ALTER TABLE trip DROP COLUMN sequences")
        }

        let file = try FeedFile.open(stored.url)

        #expect(try file.trip("T1")?.times.count == 2)
        #expect(try stops([0, 1], of: "T1", in: file) == "- -")
    }

    @Test func `no column in the file holds floating-point numbers`() throws {
        let stored = try StoredFeed()
        _ = try stored.stored()

        let reals = try DatabaseQueue(path: stored.url.path).read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c
                    WHERE m.type = 'table' AND c.type NOT IN ('INTEGER', 'TEXT', 'BLOB')
                    """)
        }

        #expect(reals.isEmpty)
    }
}
