import Foundation
import GRDB
import Messages
import RideTracking
import Testing
import TransitFeed

@testable import TransitAlertService

/// Which lines are offered to a passenger who names only the stop or the route.
@Suite struct LineChoiceTests {
    /// Milliseconds since 1970 of a time in the feed's zone.
    private func time(_ text: String) throws -> Int64 {
        let format = ISO8601DateFormatter()
        return Int64(try #require(format.date(from: text)).timeIntervalSince1970) * 1000
    }

    /// The trips whose times are used, one for each line that runs, or for each that doesn't.
    private func trips(
        to stop: String, at text: String, route: String = "", isUnlikely: Bool? = nil
    ) throws -> [String] {
        let file = try StoredFeed().stored()
        let command = StartJourney(feed: "city", stopId: stop, route: route)
        let choices = try file.offer(for: command, at: time(text)).choices
        return try choices.filter { $0.isUnlikely == isUnlikely }.map { choice in
            try file.trips(ofPattern: choice.pattern)[try #require(choice.trip)].id
        }.sorted()
    }

    @Test func `what runs at this hour is offered as running, with its times of this hour`() throws
    {
        #expect(try trips(to: "S1", at: "2026-05-06T05:00:00+02:00") == ["T1"])
        #expect(try trips(to: "S1", at: "2026-05-06T06:45:00+02:00") == ["T1", "T2", "T3"])
        #expect(try trips(to: "S1", at: "2026-05-06T22:10:00+02:00", route: "1") == ["LATE"])
    }

    @Test func `lines that don't run at this hour come last, and are marked`() throws {
        let file = try StoredFeed().stored()
        let command = StartJourney(feed: "city", stopId: "S1")

        let choices = try file.offer(
            for: command, at: time("2026-05-06T05:00:00+02:00")
        ).choices

        #expect(choices.map { $0.isUnlikely == true } == [false, true, true])
        #expect(Set(choices.map(\.pattern)).count == 3)
        let others = try trips(to: "S1", at: "2026-05-06T05:00:00+02:00", isUnlikely: true)
        #expect(others == ["T2", "T3"])
        let stored = try JSONEncoder().encode(choices)
        #expect(try JSONDecoder().decode([LineChoice].self, from: stored) == choices)
    }

    @Test func `a ride of an earlier version has only lines that run`() throws {
        let stored = Data(#"[{"pattern":3,"route":"7","trip":2}]"#.utf8)
        let choices = try JSONDecoder().decode([LineChoice].self, from: stored)
        #expect(
            choices == [LineChoice(pattern: 3, route: "7", trip: 2, serviceDay: nil)])
    }

    @Test func `only what runs on this day is offered as running, until after midnight`() throws {
        #expect(try trips(to: "S0", at: "2026-05-03T22:50:00+02:00") == ["LOOP"])
        #expect(try trips(to: "S0", at: "2026-05-04T00:10:00+02:00") == ["LOOP"])
        #expect(try trips(to: "S0", at: "2026-05-04T22:50:00+02:00") == ["LATE"])
    }

    @Test(arguments: ["", "LOOP"]) func `a ride's destination may be a station`(trip: String) throws
    {
        let file = try StoredFeed().stored()
        let begin = try time("2026-05-03T22:50:00+02:00")
        let command = StartJourney(feed: "city", stopId: "HUB", tripId: trip)

        let lines = try file.offer(for: command, at: begin).choices.map(file.line)
        let ride = try Ride(to: "HUB", on: lines, at: begin)

        #expect(ride.candidates == lines.map(\.id))
        #expect(lines.map { $0.stops[1].id } == ["P"])
        let calling = try file.calling(at: "HUB")
        #expect(calling.trips == 1 && calling.routes == ["2"] && calling.headsigns == ["Round"])
    }

    @Test(arguments: [
        ("2026-05-06T06:45:00+02:00", false), ("2026-05-06T15:00:00+02:00", true),
        ("2027-05-05T06:10:00+02:00", true),
    ])
    func `an offer says if its times are only typical`(at text: String, _ isTypical: Bool) throws {
        let file = try StoredFeed().stored()
        let command = StartJourney(feed: "city", stopId: "S1")

        #expect(try file.offer(for: command, at: time(text)).isTypical == isTypical)
    }

    @Test func `a trip that leaves every ten minutes is offered all day`() throws {
        let often = "trip_id,start_time,end_time,headway_secs\nT1,06:00:00,20:00:00,600\n"
        let file = try StoredFeed(adding: ["frequencies.txt": often]).stored()
        let command = StartJourney(feed: "city", stopId: "S1")

        let offer = try file.offer(for: command, at: time("2026-05-06T15:20:00+02:00"))

        #expect(!offer.isTypical && offer.choices.count { $0.isUnlikely == nil } == 1)
        let choice = try #require(offer.choices.first)
        let trips = try file.trips(ofPattern: choice.pattern)
        #expect(trips[try #require(choice.trip)].id == "T1@15:00:00")
        _ = try #require(try file.trip("T1"))
    }

    @Test(arguments: [
        ("2026-05-06T15:20:00+02:00", "T1@15:00:00", false),
        ("2026-05-06T02:00:00+02:00", "T1", true),
    ])
    func `of a trip that leaves every ten minutes the run of this hour counts`(
        at text: String, run: String, _ isTypical: Bool
    ) throws {
        let often = "trip_id,start_time,end_time,headway_secs\nT1,06:00:00,20:00:00,600\n"
        let file = try StoredFeed(adding: ["frequencies.txt": often]).stored()
        let command = StartJourney(feed: "city", stopId: "S1", tripId: "T1")

        let offer = try file.offer(for: command, at: time(text))

        let choice = try #require(offer.choices.first)
        let trips = try file.trips(ofPattern: choice.pattern)
        #expect(trips[try #require(choice.trip)].id == run)
        #expect(choice.serviceDay == nil)
        #expect(offer.isTypical == isTypical)
    }

    @Test(arguments: ["T1@x", "T1@15:00:00"])
    func `a trip whose id looks like that of a run is a trip of its own`(id: String) throws {
        let file = try StoredFeed(adding: [
            "trips.txt": """
            route_id,service_id,trip_id,trip_headsign,direction_id
            R1,WK,T1,To 1,0
            R1,WK,\(id),To 1,0

            """,
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            T1,06:00:00,,S0,0
            T1,06:01:00,,S1,1
            \(id),15:00:00,,S0,0
            \(id),15:01:00,,S1,1

            """,
        ]).stored()
        let command = StartJourney(feed: "city", stopId: "S1", tripId: "T1")

        let offer = try file.offer(for: command, at: time("2026-05-06T06:00:00+02:00"))

        let choice = try #require(offer.choices.first)
        let trips = try file.trips(ofPattern: choice.pattern)
        #expect(trips.map(\.id) == ["T1", id])
        #expect(trips[try #require(choice.trip)].id == "T1")
        #expect(choice.serviceDay != nil && !offer.isTypical)
    }

    @Test func `a run whose id a trip of the feed has is offered all the same`() throws {
        let stored = try StoredFeed(adding: [
            "trips.txt": """
            route_id,service_id,trip_id,trip_headsign,direction_id
            R1,WK,T1,To 1,0
            R2,WK,T1@15:00:00,To 1,0

            """,
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            T1,06:00:00,,S0,0
            T1,06:01:00,,S1,1
            T1@15:00:00,20:00:00,,S0,0
            T1@15:00:00,20:01:00,,S1,1

            """,
            "frequencies.txt": """
            trip_id,start_time,end_time,headway_secs
            T1,06:00:00,06:30:00,600
            T1,15:00:00,15:30:00,600

            """,
        ])
        let file = try stored.stored()
        let command = StartJourney(feed: "city", stopId: "S1", tripId: "T1")

        let offer = try file.offer(for: command, at: time("2026-05-06T15:20:00+02:00"))

        let choice = try #require(offer.choices.first)
        let trips = try file.trips(ofPattern: choice.pattern)
        #expect(trips.map(\.id) == ["T1", "T1@15:00:00@"] && choice.trip == 1)
        #expect(trips.map(\.repeats) == [nil, "T1"] && !offer.isTypical)
        let other = StartJourney(feed: "city", stopId: "S1", tripId: "T1@15:00:00")
        let own = try file.offer(for: other, at: time("2026-05-06T20:00:00+02:00"))
        #expect(own.choices.first?.serviceDay != nil && !own.isTypical)
    }

    @Test func `the runs in a file of an earlier version are recognised by their ids`() throws {
        let often = "trip_id,start_time,end_time,headway_secs\nT1,06:00:00,20:00:00,600\n"
        let stored = try StoredFeed(adding: ["frequencies.txt": often])
        _ = try stored.stored()
        try DatabaseQueue(path: stored.url.path).write {
            try $0.execute(sql: "ALTER TABLE trip DROP COLUMN repeats")
        }
        let file = try FeedFile.open(stored.url)
        let command = StartJourney(feed: "city", stopId: "S1", tripId: "T1")

        let offer = try file.offer(for: command, at: time("2026-05-06T15:20:00+02:00"))

        let choice = try #require(offer.choices.first)
        let trips = try file.trips(ofPattern: choice.pattern)
        #expect(trips[try #require(choice.trip)].id == "T1@15:00:00")
        #expect(choice.serviceDay == nil && !offer.isTypical)
    }

    /// A timetable with this many lines from one stop to the next, all at six o'clock.
    private func feed(lines: Int) throws -> StoredFeed {
        var routes = "route_id,route_short_name,route_type\n"
        var trips = "route_id,service_id,trip_id\n"
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for line in 0..<lines {
            routes += "R\(line),\(line),3\n"
            trips += "R\(line),WK,T\(line)\n"
            times += "T\(line),06:00:00,,S0,0\nT\(line),06:01:00,,S1,1\n"
        }
        return try StoredFeed(
            adding: ["routes.txt": routes, "trips.txt": trips, "stop_times.txt": times])
    }

    @Test(arguments: ["2026-05-06T06:00:00+02:00", "2026-05-06T15:00:00+02:00"])
    func `a ride to a stop of too many lines goes by distance, unless its route is named`(
        at text: String
    ) throws {
        for lines in [FeedFile.mostLines, FeedFile.mostLines + 1] {
            let stored = try feed(lines: lines)
            let file = try stored.stored()
            let any = try file.offer(
                for: StartJourney(feed: "city", stopId: "S1"), at: time(text))
            let named = try file.offer(
                for: StartJourney(feed: "city", stopId: "S1", route: "7"), at: time(text))

            #expect(any.choices.count == (lines > FeedFile.mostLines ? 0 : lines))
            #expect(named.choices.map(\.route) == ["7"])
        }
    }

    @Test func `a ride to a stop of too long lines goes by distance`() throws {
        for (bytes, count) in [(FeedFile.mostBytes / 2, 2), (FeedFile.mostBytes / 2 + 1, 0)] {
            let stored = try feed(lines: 2)
            defer { withExtendedLifetime(stored) {} }
            _ = try stored.stored()
            try DatabaseQueue(path: stored.url.path).write {
                try $0.execute(
                    sql: "UPDATE polyline SET points = zeroblob(?)", arguments: [bytes])
            }
            let offer = try FeedFile.open(stored.url).offer(
                for: StartJourney(feed: "city", stopId: "S1"),
                at: time("2026-05-06T06:00:00+02:00"))

            #expect(offer.choices.count == count && !offer.isTypical)
        }
    }

    /// The hours from a time to the scheduled arrival of a trip at a stop; nil if its times don't
    /// count.
    private func hours(
        to stop: String, of trip: String, at text: String, adding files: [String: String] = [:]
    ) throws -> Double? {
        let stored = try StoredFeed(adding: files)
        let file = try stored.stored()
        let now = try time(text)
        let offer = try file.offer(
            for: StartJourney(feed: "city", stopId: stop, tripId: trip), at: now)
        let choice = try #require(offer.choices.first)
        #expect(offer.isTypical == (choice.serviceDay == nil))
        let call = try #require(try file.line(choice).stops.lastIndex { $0.id == stop })
        let arrival = try #require(try file.trip(trip)).times[call].arrival
        return choice.serviceDay.map { Double($0 + Int64(arrival) * 1000 - now) / 3_600_000 }
    }

    @Test(
        arguments: [
            // The trip leaves at 22:00, and arrives at 22:30.
            ("2026-05-06T10:30:00+02:00", 12), ("2026-05-06T22:15:00+02:00", 0.25),
            ("2026-05-07T00:30:00+02:00", -2), ("2026-05-06T08:00:00+02:00", nil),
            // It doesn't run on 1 May.
            ("2026-05-01T20:00:00+02:00", nil),
        ] as [(String, Double?)])
    func `the times of a trip count that is named up to twelve hours before it leaves`(
        at text: String, hours: Double?
    ) throws {
        #expect(try self.hours(to: "S1", of: "LATE", at: text) == hours)
    }

    @Test(
        arguments: [
            // It leaves each weekday at 08:00, and arrives at 07:00 on the next day.
            ("31:00:00", "S1", "2026-05-07T06:30:00+02:00", 0.5),
            ("31:00:00", "S1", "2026-05-07T07:36:00+02:00", 23.4),
            // It takes 46 hours. At the first stop today's is meant, and at the last yesterday's.
            ("54:00:00", "S0", "2026-05-07T07:00:00+02:00", 1),
            ("54:00:00", "S1", "2026-05-07T09:00:00+02:00", 21),
            // It takes 70 hours, and began three days ago.
            ("78:00:00", "S1", "2026-05-08T04:00:00+02:00", 2),
        ] as [(String, String, String, Double)])
    func `of a long trip the run that is under way to the stop counts`(
        arrival: String, stop: String, at text: String, hours: Double
    ) throws {
        let files = [
            "trips.txt": "route_id,service_id,trip_id\nR1,WK,T1\n",
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            T1,08:00:00,,S0,0
            T1,\(arrival),,S1,1

            """,
        ]
        #expect(try self.hours(to: stop, of: "T1", at: text, adding: files) == hours)
    }

    @Test func `when nothing runs, every line to the stop is offered`() throws {
        #expect(try trips(to: "S1", at: "2026-05-06T15:00:00+02:00") == ["LATE", "T2", "T3"])
        #expect(try trips(to: "S1", at: "2027-05-05T06:10:00+02:00") == ["T1", "T2", "T3"])
    }
}
