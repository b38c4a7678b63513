import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Timetables and rides that don't match, as people meet them at the command line.
@Suite(.serialized, .waiting) struct TimetableTests {
    private static let ride = Town.root + "/deploy/demo/ride.csv"

    @Test func `T1 a timetable replaces the one of its name, unless it has a fault`() throws {
        let town = try Town()
        let user = CommandLineUser(of: town.system, device: "phone")
        try user.run("transit import '\(Town.feed)' --feed town")
        try user.run("transit import '\(Town.feed)' --feed other")
        let renamed = try town.edition(
            "renamed", replacing: [("stops.txt", "Lighthouse,towards", "Tower,towards")])
        let faulty = try town.edition("faulty", replacing: [("stops.txt", "54.852257", "north")])

        try user.run("transit import '\(renamed)' --feed town")
        let refused = try user.say("transit import '\(faulty)' --feed town")

        #expect(refused.end == .exited(1))
        #expect(refused.err.contains("stops.txt, line 2"), "\(refused.err)")
        #expect(refused.err.contains("nothing was changed"))
        let names = try user.rows("transit feeds").compactMap { $0["name"] as? String }
        #expect(names.sorted() == ["other", "town"])
        #expect(try user.rows("transit stops Tower").first?["feed"] as? String == "town")
        #expect(try user.say("transit stops Lighthouse --feed town").end == .exited(1))
        #expect(try user.rows("transit stops Lighthouse --feed other").count == 2)
    }

    /// Packs a timetable into a zip, and returns its path.
    private func pack(_ folder: String, as name: String, of town: Town) throws -> String {
        let path = town.system.path(name)
        let packed = try town.system.spawn(
            [
                "/usr/bin/python3", "-c",
                "import shutil, sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[2])", path,
                folder,
            ], environment: ["LC_ALL": "C.UTF-8"])
        guard try packed.waitForEnd() == .exited(0) else { throw Complaint(packed.err) }
        return path + ".zip"
    }

    @Test func `T1 a zip is imported with its stops, routes, trips, times, shapes and calendars`()
        throws
    {
        let town = try Town()
        let user = CommandLineUser(of: town.system, device: "phone")
        let faulty = try town.edition("faulty", replacing: [("stops.txt", "54.852257", "north")])

        let (good, bad) = (
            try pack(Town.feed, as: "town", of: town), try pack(faulty, as: "bad", of: town)
        )

        try user.run("transit import '\(good)'")
        let refused = try user.say("transit import '\(bad)' --feed town")

        #expect(refused.end == .exited(1))
        #expect(refused.err.contains("stops.txt, line 2"), "\(refused.err)")
        #expect(refused.err.contains("“north” is not a number"), "\(refused.err)")
        let feed = try user.answer("transit feeds")
        #expect(feed["name"] as? String == "town")
        for (name, file) in [
            ("stops", "stops.txt"), ("routes", "routes.txt"), ("trips", "trips.txt"),
            ("stopTimes", "stop_times.txt"),
        ] { #expect(try feed[name] as? Int == Town.rows(file).count, "\(name)") }
        #expect(feed["tripsWithoutShape"] as? Int ?? 0 == 0)
        #expect((feed["firstDay"] as? String)?.hasPrefix("2025-") == true)
        #expect((feed["lastDay"] as? String)?.hasPrefix("2099-") == true)
        #expect(try user.rows("transit stops Lighthouse").count == 2)
    }

    @Test func `T1 a timetable is replaced as a whole, even if the service is killed meanwhile`()
        throws
    {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let renamed = try town.edition(
            "renamed", replacing: [("stops.txt", "Lighthouse,towards", "Tower,towards")])

        try user.run("transit import '\(renamed)' --feed town --detach")
        try town.restartTransit()

        try eventually("the new one is in use") {
            let names = try ["4101", "4102"].map {
                try user.rows("transit stops \($0)").first?["name"] as? String
            }
            #expect(names.allSatisfy { $0 == "Lighthouse" || $0 == "Tower" })
            return names == ["Tower", "Tower"]
        }
        #expect(try user.rows("transit feeds").count == 1)
    }

    @Test func `T2 a stop is found whether or not its accents are typed`() throws {
        let town = try Town()
        let user = CommandLineUser(of: town.system, device: "phone")
        let accented = try town.edition(
            "accented", replacing: [("stops.txt", "Rope Walk,towards", "Café Élysée,towards")])
        try user.run("transit import '\(accented)'")

        for (typed, name) in [
            ("cafe elysee", "Café Élysée"), ("ÉLYSÉE CAFÉ", "Café Élysée"),
            ("elys", "Café Élysée"), ("Thëâtre", "Theatre"),
        ] {
            let found = try user.rows("transit stops '\(typed)'")
            #expect(found.first?["name"] as? String == name, "\(typed)")
        }
    }

    @Test func `a trip that leaves every ten minutes is ridden at any hour`() throws {
        let town = try Town()
        let user = CommandLineUser(of: town.system, device: "phone")
        let often = try town.edition("often")
        try "trip_id,start_time,end_time,headway_secs\nHL-wd-0-005,02:00:00,23:00:00,600\n"
            .write(toFile: often + "/frequencies.txt", atomically: true, encoding: .utf8)
        try user.run("transit import '\(often)'")

        let ride = try user.say(
            "transit ride '\(Self.ride)' --to 4131 --trip HL-wd-0-005 --speed 400 --get-off")

        #expect(ride.end == .exited(0), "\(ride.err)")
        #expect(!ride.err.contains("at this hour"), "\(ride.err)")
    }

    @Test func `a stop is found by its id, whichever timetable has it`() throws {
        let town = try Town()
        try town.load()
        let other = try town.edition(
            "other",
            replacing: [("stops.txt", "4131", "N4131"), ("stop_times.txt", "4131", "N4131")])
        try town.load(other, as: "other")

        let found = try town.client.ask(FindStops(text: "N4131"), for: Stops.self).stops
        let ride = try town.system.run(
            "steward", "transit", "ride", Self.ride, "--to", "N4131", "--speed", "400", "--get-off")
        let unclear = try town.system.run("steward", "transit", "ride", Self.ride, "--to", "4132")

        #expect(found.first?.id == "N4131" && found.first?.feed == "other")
        #expect(ride.end == .exited(0), "\(ride.err)")
        #expect(unclear.end == .exited(1))
        #expect(unclear.err.contains("“4132” may be any of"))
        #expect(unclear.err.contains("say which timetable is meant with --feed"))
    }

    @Test func `a ride shows its last alert even if the notifier is behind at its end`() throws {
        let town = try Town()
        try town.load()
        let notifier = try town.system.client(of: .notifier)
        func hold() throws {
            _ = try notifier.ask(HoldFollowing(milliseconds: 10_000), for: FollowingHeld.self)
        }
        let reached: [Stage] = [.now, .passed, .finished]
        try hold()
        let ride = try town.system.spawn(
            tool: "steward",
            ["transit", "ride", Self.ride, "--to", "4131", "--speed", "400", "--get-off"])
        try eventually("it is time to get off") {
            try hold()
            let found = try town.client.ask(ListJourneys(), for: Journeys.self).journeys
            return found.contains { reached.contains($0.stage) }
        }

        #expect(try ride.waitForEnd() == .exited(0), "\(ride.err)")

        #expect(ride.err.contains("  get off: "), "\(ride.err)")
    }

    @Test func `a recorded ride of another city is refused before it begins`() throws {
        let town = try Town()
        try town.load()
        let places = [("csv", ",54.", ",49."), ("gpx", "lat=\"54.", "lat=\"49.")]
        for (kind, here, elsewhere) in places {
            let text = try String(
                contentsOfFile: Town.root + "/deploy/demo/ride.\(kind)", encoding: .utf8)
            let moved = text.replacing(here, with: elsewhere)
            try #require(moved != text)
            let path = town.system.path("elsewhere.\(kind)")
            try moved.write(toFile: path, atomically: true, encoding: .utf8)

            let said = try town.system.run("steward", "transit", "ride", path, "--to", "4131")

            #expect(said.end == .exited(1), "\(kind)")
            #expect(said.err.contains("away from General Hospital"), "\(said.err)")
            #expect(said.err.contains("choose a stop of the city that was ridden through"))
        }
        #expect(try town.client.ask(ListJourneys(), for: Journeys.self).journeys.isEmpty)
    }

    @Test func `T1 a timetable without stops is refused, and says what to add`() throws {
        let town = try Town()
        let user = CommandLineUser(of: town.system, device: "phone")
        let (empty, missing) = (try town.edition("empty"), try town.edition("missing"))
        try "stop_id,stop_name,stop_lat,stop_lon\n"
            .write(toFile: empty + "/stops.txt", atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(atPath: missing + "/stops.txt")

        for (folder, words) in [
            (empty, ["stops.txt: has no stop", "add the stops"]),
            (missing, ["stops.txt: is not in missing", "add it"]),
        ] {
            let said = try user.say("transit import '\(folder)'")

            #expect(said.end == .exited(1), "\(folder)")
            for word in words { #expect(said.err.contains(word), "\(said.err)") }
            #expect(said.err.contains("nothing was changed"), "\(said.err)")
        }
        #expect(try user.rows("transit feeds").isEmpty)
    }

    @Test func `a passenger in another city is told so immediately, and alerted when back`() throws
    {
        let town = try Town()
        try town.load()
        let ride = try Town.ride()
        let journey = try town.client.ask(
            StartJourney(
                feed: "town", stopId: "4131", clock: JourneyClock(origin: ride[0].time, speed: 1)),
            for: Journey.self)
        func send(_ fixes: some Sequence<Fix>) throws {
            _ = try town.client.ask(
                RecordPositions(journeyId: journey.id, fixes: Array(fixes)), for: Journey.self)
        }
        try send(
            ride.prefix(10).map { fix in
                var moved = fix
                moved.place.latitudeE7 -= 50_000_000
                return moved
            })
        try eventually("it is told") { try town.alerts().count == 1 }
        let told = try #require(try town.alerts().first?.raised)

        for begin in stride(from: 10, to: ride.count, by: 400) {
            try send(ride[begin..<min(begin + 400, ride.count)])
        }

        #expect(told.kind == "transit.elsewhere")
        #expect(told.body.hasPrefix("The stop is 560.4 km away: it may be one of another city"))
        try eventually("the notifier has all") { try town.alerts().count >= 4 }
        let alerts = try town.alerts()
        #expect(
            alerts.map { $0.raised?.kind } == [
                "transit.elsewhere", "transit.getReady", "transit.now", "transit.passed",
            ])
        #expect(alerts.first?.state == .withdrawn)
    }

    @Test func `T1 a timetable that has ended, or lacks a shape, is imported and says so`() throws {
        let town = try Town()
        let calendar = try String(
            contentsOfFile: Town.feed + "/calendar.txt", encoding: .utf8)
        let dates = try #require(
            calendar.split(separator: "\n").dropFirst().first?.split(separator: ",").suffix(2))
        let old = try town.edition(
            "old",
            replacing: [
                ("calendar.txt", dates.joined(separator: ","), "20130101,20140102"),
                ("shapes.txt", "HL-out", "HL-lost"),
            ])

        try FileManager.default.removeItem(atPath: old + "/calendar_dates.txt")

        let imported = try town.system.run("steward", "transit", "import", old)
        let list = try town.system.run("steward", "transit", "feeds")
        let ride = try town.system.run(
            "steward", "transit", "ride", Self.ride, "--to", "4131", "--speed", "400", "--get-off")

        #expect(imported.end == .exited(0), "\(imported.err)")
        #expect(imported.err.contains("is not in shapes.txt: the line is straight"))
        #expect(imported.err.contains("this timetable ended on 2014-01-02"))
        #expect(list.out.contains("2014-01-02, ended"))
        #expect(ride.end == .exited(0), "\(ride.err)")
        #expect(ride.err.contains("nothing of this line runs to General Hospital at this hour"))
    }
}
