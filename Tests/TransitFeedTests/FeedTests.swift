import Foundation
import TestSupport
import Testing

@testable import TransitFeed

@Suite struct FeedTests {
    @Test func `a feed is read completely`() throws {
        let feed = try SmallFeed().read()

        #expect(feed.name == "City Buses")
        #expect(feed.timeZone == "Europe/Berlin")
        #expect(
            feed.stops[0]
                == Feed.Stop(
                    id: "A", name: "Alder Street", code: "101",
                    position: .init(latitude: 525_000_000, longitude: 134_000_000), parent: 3))
        #expect(feed.stops[3].kind == .station)
        #expect(
            feed.routes == [
                Feed.Route(
                    id: "R1", shortName: "7", longName: "Alder to Cedar", kind: 3,
                    colour: 0xFF0000)
            ])
        #expect(feed.patterns.count == 1)
        #expect(feed.patterns[0].calls.map(\.stop) == [0, 1, 2])
        #expect(feed.patterns[0].shape == "L1")
        #expect(feed.patterns[0].trips == 0..<2)
        #expect(feed.patterns[0].headsign.map { feed.headsigns[Int($0)] } == "Cedar")
        #expect(feed.trips.map(\.id) == ["T1", "T2"])
        #expect(feed.counts.stopTimes == 6)
    }

    @Test func `tens of thousands of entrances without a place are read in seconds`() throws {
        var small = SmallFeed()
        let entrances = (0..<60_000).map { "N\($0),,,,,3,S\n" }.joined()
        small.files["stops.txt", default: ""] += entrances

        var feed: Feed?
        let time = try shortestTime(under: .seconds(30)) {
            try ContinuousClock().measure { feed = try small.read() }
        }

        #expect(feed?.stops.count == 60_004)
        #expect(feed?.stops.last?.position == feed?.stops[3].position)
        #expect(time < .seconds(30))
    }

    @Test func `a trip that leaves again and again has a run at about each hour`() throws {
        var small = SmallFeed()
        small.files["frequencies.txt"] = """
            trip_id,start_time,end_time,headway_secs
            T1,06:00:00,07:30:00,600
            T1,07:30:00,09:30:00,300

            """

        let feed = try small.read()

        #expect(feed.trips.map(\.id) == ["T1", "T1@07:00:00", "T1@08:30:00", "T2"])
        let hours: Int32 = 7 * 3_600
        #expect(
            feed.times(of: feed.trips[1]) == [
                StopTime(arrival: hours, departure: hours),
                StopTime(arrival: hours + 300, departure: hours + 360),
                StopTime(arrival: hours + 960, departure: hours + 960),
            ])
        #expect(feed.trips[1].arrival == hours + 960)
        #expect(feed.counts.unusableTrips == 0)

        small.files["frequencies.txt", default: ""] += "T1,10:00:00,10:00:00,600\n"
        #expect(try small.refusal().hasPrefix("frequencies.txt, line 4"))
    }

    @Test func `times after midnight go on counting`() throws {
        let feed = try SmallFeed().read()

        let times = feed.times(of: feed.trips[1])

        #expect(times.map(\.arrival) == [86_100, 86_400, 87_000])
        #expect(feed.times(of: feed.trips[0])[1] == StopTime(arrival: 29_100, departure: 29_160))
    }

    @Test(arguments: ["", "feed/"])
    func `a zip is read like a folder, also if all its files are in a folder`(
        _ folder: String
    ) throws {
        let feed = try SmallFeed().read()

        let zipped = try readFeed(
            SmallFeed().zipped(in: folder, with: ["readme.html": "<p>", "fares.txt": "\"x"]))

        #expect(zipped.stops == feed.stops)
        #expect(zipped.patterns == feed.patterns)
        #expect(zipped.packedTimes == feed.packedTimes)
    }

    @Test func `a byte order mark, CRLF, quotes, spaces and blank lines change nothing`() throws {
        let plain = try SmallFeed().read()
        var other = SmallFeed()
        for (file, text) in other.files {
            let lines = text.split(separator: "\n").map { line in
                line.split(separator: ",", omittingEmptySubsequences: false)
                    .map { " \"\($0)\" " }.joined(separator: ",")
            }
            other.files[file] = "\u{FEFF}" + lines.joined(separator: "\r\n\r\n")
        }

        let feed = try other.read()

        #expect(feed.stops == plain.stops)
        #expect(feed.routes == plain.routes)
        #expect(feed.calendars == plain.calendars)
        #expect(feed.patterns == plain.patterns)
        #expect(feed.packedTimes == plain.packedTimes)
    }

    @Test(arguments: [
        ("1,0,1", [true, false, true]), ("1,1,1", [false, false, false]),
        (",1,", [false, true, false]), ("x,9,1", [false, false, true]),
    ])
    func `stops at which vehicles wait are marked, unless all of them are`(
        marks: String, expected: [Bool]
    ) throws {
        var small = SmallFeed()
        let values = marks.split(separator: ",", omittingEmptySubsequences: false)
        small.files["stop_times.txt"] = small.lines("stop_times.txt").enumerated().map {
            "\($1),\($0 == 0 ? "timepoint" : String(values[($0 - 1) % 3]))\n"
        }.joined()

        let feed = try small.read()

        #expect(feed.patterns.count == 1)
        #expect(feed.patterns[0].calls.map(\.isTimepoint) == expected)
    }

    @Test func `columns may be in any order`() throws {
        let plain = try SmallFeed().read()
        var other = SmallFeed()
        for (file, text) in other.files {
            other.files[file] = text.split(separator: "\n").map { line in
                line.split(separator: ",", omittingEmptySubsequences: false).reversed()
                    .joined(separator: ",")
            }.joined(separator: "\n")
        }

        let feed = try other.read()

        #expect(feed.stops == plain.stops)
        #expect(feed.patterns == plain.patterns)
        #expect(feed.packedTimes == plain.packedTimes)
    }

    @Test func `optional files and columns may be missing`() throws {
        var small = SmallFeed()
        small.files["shapes.txt"] = nil
        small.files["calendar.txt"] = nil
        small.files["stops.txt"] = "stop_id,stop_name,stop_lat,stop_lon\nA,a,1,1\nB,b,1,2\nC,c,1,3"
        small.files["routes.txt"] = "route_id,route_type\nR1,3"
        small.files["trips.txt"] = "route_id,service_id,trip_id\nR1,WK,T1\nR1,WK,T2"

        let feed = try small.read()

        #expect(feed.routes == [Feed.Route(id: "R1")])
        #expect(feed.routes[0].name == "R1")
        #expect(feed.patterns[0].shape == nil)
        #expect(feed.polylines[0].points == feed.stops.map(\.position))
        #expect(feed.calendars[0].range == nil)
    }

    @Test func `rows of stop_times may be in any order and numbered with gaps`() throws {
        let plain = try SmallFeed().read()
        let small = SmallFeed().replacing(",B,2,", ",B,20,", in: "stop_times.txt")
            .replacing(",C,3,", ",C,31,", in: "stop_times.txt")
        let header = small.lines("stop_times.txt")[0]
        let rows = small.lines("stop_times.txt").dropFirst()
        var seed = Seed(11)

        for number in 0..<20 {
            var shuffled = small
            shuffled.files["stop_times.txt"] =
                ([header] + rows.shuffled(using: &seed)).joined(separator: "\n")
            let feed = try shuffled.read(limits: FeedLimits(heldRows: 2 + number % 5))
            #expect(feed.patterns == plain.patterns)
            #expect(feed.polylines == plain.polylines)
            #expect(feed.trips.map { feed.times(of: $0) } == plain.trips.map(plain.times(of:)))
            #expect(feed.counts == plain.counts)
        }
    }

    @Test func `points of a shape may be in any order`() throws {
        var small = SmallFeed()
        let lines = small.lines("shapes.txt")
        small.files["shapes.txt"] = ([lines[0]] + lines.dropFirst().reversed())
            .joined(separator: "\n")

        let feed = try small.read()

        #expect(try feed.polylines == SmallFeed().read().polylines)
    }

    @Test func `missing times are interpolated by distance`() throws {
        let small = SmallFeed().replacing("08:05:00,08:06:00", ",", in: "stop_times.txt")

        let feed = try small.read()

        // B is a third of the way from A to C, and the trip takes 16 minutes.
        let times = feed.times(of: feed.trips[0])
        #expect(times[1] == StopTime(arrival: 8 * 3600 + 320, departure: 8 * 3600 + 320))
    }

    @Test func `arrival and departure each stand in for the other`() throws {
        let small = SmallFeed().replacing("08:05:00,08:06:00", ",08:06:00", in: "stop_times.txt")
            .replacing("8:00:00,8:00:00", "8:00:00,", in: "stop_times.txt")

        let feed = try small.read()

        let times = feed.times(of: feed.trips[0])
        #expect(times[0] == StopTime(arrival: 28_800, departure: 28_800))
        #expect(times[1] == StopTime(arrival: 29_160, departure: 29_160))
    }

    @Test func `trips that differ in stops, direction or boarding have different patterns`()
        throws
    {
        let stops = SmallFeed().replacing("24:10:00,C", "24:10:00,A", in: "stop_times.txt")
        let direction = SmallFeed().replacing("T2,Cedar,0", "T2,Cedar,1", in: "trips.txt")
        let boarding = SmallFeed().replacing("B,2,0,0\nT1", "B,2,1,3\nT1", in: "stop_times.txt")

        #expect(try stops.read().patterns.count == 2)
        #expect(try direction.read().patterns.map(\.direction) == [0, 1])
        let call = try boarding.read().patterns[0].calls[1]
        #expect(call.pickup == .none)
        #expect(call.dropOff == .byDriver)
    }

    @Test func `a trip with fewer than two stops is left out and counted`() throws {
        let feed = try SmallFeed().replacing(
            "R1,WK,T2", "R1,WK,T0,,,\nR1,WK,T2", in: "trips.txt"
        ).read()

        #expect(feed.trips.map(\.id) == ["T1", "T2"])
        #expect(feed.counts.unusableTrips == 1)
    }

    @Test func `a trip whose shape is missing runs straight from stop to stop, and is counted`()
        throws
    {
        let feed = try SmallFeed().replacing("L1\nR1", "L2\nR1", in: "trips.txt").read()

        #expect(feed.trips.count == 2)
        #expect(feed.counts.tripsWithoutShape == 1)
        #expect(Set(feed.patterns.map(\.shape)) == ["L1", nil])
    }

    @Test func `names are in Unicode normalization form C`() throws {
        let feed = try SmallFeed().replacing(
            "Birch Street", "Cafe\u{301} Birke", in: "stops.txt"
        ).read()

        #expect(Array(feed.stops[1].name.utf8) == Array("Caf\u{E9} Birke".utf8))
    }

    @Test func `a name is cut so that an alert has room for it`() throws {
        let long = "B" + String(repeating: "ö", count: 20_000)

        let feed = try SmallFeed().replacing("Birch", long, in: "stops.txt").read()

        #expect(feed.stops[1].name == "B" + String(repeating: "ö", count: 499))
    }

    @Test func `a part of a station without coordinates gets its station's position`() throws {
        let feed = try SmallFeed().replacing(
            "S,,Alder", "N,,,,,3,S\nS,,Alder", in: "stops.txt"
        ).read()

        #expect(feed.stops[3].position == feed.stops[4].position)
        #expect(feed.stops[3].name == "N")
    }

    @Test func `progress rises to the end`() throws {
        nonisolated(unsafe) var told: [Feed.Progress] = []

        let feed = try SmallFeed().read { progress in
            told.append(progress)
            return true
        }

        #expect(told.map(\.rows) == told.map(\.rows).sorted())
        #expect(told.last?.rows == told.last?.estimatedRows)
        #expect(told.last?.rows == 20 && feed.counts.stopTimes == 6)
    }

    @Test(arguments: ["agency.txt", "shapes.txt", "stop_times.txt"])
    func `reading stops if the progress handler says so`(_ file: String) throws {
        #expect(throws: FeedError.cancelled(in: file)) {
            try SmallFeed().read { $0.file != file }
        }
    }
}
