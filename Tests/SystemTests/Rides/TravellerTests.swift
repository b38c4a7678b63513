import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests what is kept about a passenger, with whose permission, and how it is deleted again.
@Suite(.serialized, .waiting) struct TravellerTests {
    private static let ride = Town.root + "/deploy/demo/ride.csv"

    private func user(_ town: Town) throws -> CommandLineUser {
        try town.load()
        return CommandLineUser(of: town.system, device: "phone")
    }

    @discardableResult
    private func ride(
        _ user: CommandLineUser, _ options: String = "", speed: Int = 400
    ) throws -> String {
        try user.run("transit ride '\(Self.ride)' --to 4131 --speed \(speed) \(options)")
    }

    /// The files of all stores that contain a text.
    private func files(_ system: TestSupport.System, having text: String) throws -> [String] {
        let folder = system.path("data")
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.contains(".sqlite") }.filter {
                try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))
                    .range(of: Data(text.utf8)) != nil
            }.sorted()
    }

    // MARK: Privacy

    @Test func `T10 no position is recorded before the privacy policy is accepted`() throws {
        let town = try Town(accepts: false)
        let user = try user(town)

        let refused = try user.say("transit ride '\(Self.ride)' --to 4131 --speed 400")

        #expect(refused.end == .exited(1))
        #expect(refused.err.contains("the privacy policy is not accepted yet"))
        #expect(
            try town.refusal {
                _ = try town.client.ask(
                    StartJourney(feed: "town", stopId: "4131"), for: Journey.self)
            }.contains("has to be accepted"))
        #expect(try town.system.query(.transitAlert, "SELECT id FROM journey").isEmpty)

        let shown = try user.say("transit privacy")
        #expect(shown.out.contains("version 2 of 20"))
        #expect(shown.err.contains("you have not accepted it"))
        let accepted = try user.answer("transit privacy --accept")
        #expect(accepted["acceptedPolicy"] as? Int == 2)
        #expect((accepted["accepted"] as? String)?.hasPrefix("20") == true)
        try ride(user, "--get-off")
        let again = try user.answer("transit privacy --accept")
        #expect(again["accepted"] as? String == accepted["accepted"] as? String)
    }

    @Test func `T10 at a terminal the policy is shown once, with a request to accept it`() throws {
        let town = try Town(accepts: false)
        let user = try user(town)
        let refused = try user.terminal("transit ride '\(Self.ride)' --to 4131 --speed 400")
        try eventually("it asks") { refused.text.contains("Do you accept it") }
        try refused.type("n\r")
        #expect(try refused.waitForEnd() == 1)

        let accepted = try user.terminal(
            "transit ride '\(Self.ride)' --to 4131 --speed 400 --get-off")
        try eventually("it asks") { accepted.text.contains("Do you accept it") }
        try accepted.type("y\r")
        try eventually("it rides") {
            accepted.text.contains("Get off at the next stop")
        }
        #expect(try accepted.waitForEnd() == 0)
        #expect(try user.answer("transit privacy")["acceptedPolicy"] as? Int == 2)
    }

    @Test func `T10 another version of the policy than the present one can't be accepted`() throws {
        let town = try Town(accepts: false)

        for version: UInt32 in [0, 1, 3, 9] {
            let told = try town.refusal {
                _ = try town.client.ask(AcceptPolicy(version: version), for: Traveller.self)
            }

            #expect(told.contains("the present privacy policy is version 2"), "\(version)")
        }
    }

    @Test func `T10 positions stay only by choice, and are exported and erased by one command`()
        throws
    {
        let town = try Town()
        let user = try user(town)
        let places = try Town.ride().map(\.place)
        try ride(user)
        try eventually("no file has a place") { try town.traces(of: places).isEmpty }

        try user.run("transit settings --keep-positions")
        try ride(user)
        #expect(try !town.traces(of: places).isEmpty)
        let folder = town.system.path("travel")
        let files = try user.rows("transit export '\(folder)'").compactMap { $0["path"] as? String }

        let kept = try #require(files.first { $0.hasSuffix(".csv") })
        #expect(files.count == 2)
        let rows = try String(contentsOfFile: kept, encoding: .utf8).split(separator: "\n")
        #expect(rows.count == places.count + 1)
        let travel = try #require(
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: URL(filePath: folder + "/travel.json"))) as? [String: Any])
        #expect((travel["journeys"] as? [Any])?.count == 2)
        #expect((travel["destinations"] as? [Any])?.count == 1)
        // An exported ride can be ridden again.
        _ = try user.run("transit ride '\(kept)' --to 4131 --speed 1000 --get-off")

        #expect(try user.answer("transit erase --yes")["journeys"] as? Int == 3)
        try eventually("no file has a place") { try town.traces(of: places).isEmpty }
        #expect(try user.rows("transit destinations").isEmpty)
        #expect(try user.rows("transit journeys --all").isEmpty)
        #expect(try user.answer("transit settings")["keepsPositions"] as? Bool != true)
        #expect(try user.answer("transit privacy")["acceptedPolicy"] as? Int == 2)
    }

    @Test func `T10 erasing covers events, replies, alerts and notices`() throws {
        let town = try Town()
        let user = try user(town)
        try ride(user)
        try user.run("transit feedback --useful --comment 'it woke Quentin'")
        let journey = try #require(try user.rows("transit journeys --all").first?["id"] as? String)
        try eventually("the notifier has all") { try town.alerts().count >= 2 }
        let words = ["General Hospital", journey, "woke Quentin"]
        for word in words { #expect(try !files(town.system, having: word).isEmpty, "\(word)") }

        try user.run("transit erase --yes")

        for word in words {
            try eventually("no file has \(word)") {
                try files(town.system, having: word).isEmpty
            }
        }
        #expect(try town.alerts().isEmpty)
        // Followers of the service notice no gap.
        try town.restartNotifier()
        try ride(user, "--get-off")
        try eventually("a new ride is alerted") { try town.alerts().count >= 1 }
    }

    @Test func `T10 erasures requested while one is under way become a single one`() throws {
        let town = try Town()
        let user = try user(town)
        try user.run("transit erase --yes")
        let erased = try #require(
            try town.system.published(by: .transitAlert).last {
                $0.type == TravelErased.protobufName
            }.map { try TravelErased(unpacking: $0.data) })
        let services: [(name: ServiceName, id: String)] = [
            (.transitAlert, erased.owner),
            (.notifier, "alert.\(erased.organisation).\(erased.owner)."),
        ]
        let ids = "SELECT id FROM erasure ORDER BY id"
        try eventually("the notifier has applied all") {
            let head = try town.system.query(.transitAlert, "SELECT max(sequence) FROM outbox")
            return try town.system.query(
                .notifier,
                "SELECT sequence FROM cursor WHERE producer = 'transit-alert-service'") == head
        }
        for (name, _) in services {
            try eventually("\(name) has erased all") { try town.system.query(name, ids) == [] }
        }
        // As if an earlier erasure were still under way.
        for (name, id) in services {
            try town.system.edit(
                name,
                """
                INSERT INTO erasure (id, erasure)
                VALUES ('\(id)', '{"subjects":[],"time":1,"event":0,"reply":[]}')
                """)
        }

        for _ in 1...3 { try user.run("transit erase --yes") }

        for (name, id) in services {
            try eventually("\(name) has two, each with its ids") {
                try town.system.query(name, ids)
                    == ["", " next", " next subjects", " subjects"].map { ["\(id)\($0)"] }
            }
            try town.system.edit(
                name, "INSERT INTO timer (kind, subject, due) VALUES ('erase', '\(id)', 1)")
        }
        try town.restartTransit()
        try town.restartNotifier()
        for (name, _) in services {
            try eventually("\(name) has erased all") { try town.system.query(name, ids) == [] }
        }
    }

    @Test func `T10 erasing covers a digest that names a ride`() throws {
        let town = try Town()
        let user = try user(town)
        // It isn't due during the test, whenever that is.
        let hour = (WallClock.milliseconds() / 3_600_000 + 12) % 24
        try user.run("alerts digest --at \(hour):00 --zone Etc/UTC --up-to warning")
        let fixes = try Town.ride()
        var journey = try town.client.ask(
            StartJourney(
                feed: "town", stopId: "4131",
                clock: JourneyClock(origin: fixes[0].time, speed: 1)), for: Journey.self)
        for begin in stride(from: 0, to: fixes.count, by: 10) where journey.stage == .riding {
            let some = Array(fixes[begin..<min(begin + 10, fixes.count)])
            journey = try town.client.ask(
                RecordPositions(journeyId: journey.id, fixes: some), for: Journey.self)
        }
        try eventually("an alert is open") {
            try town.alerts().map { $0.raised?.kind } == ["transit.getReady"]
        }
        town.notifier.kill()
        try town.system.edit(.notifier, "UPDATE timer SET due = 1 WHERE kind = 'digest'")
        try town.restartNotifier()
        try eventually("the digest names it") {
            try town.alerts().contains {
                $0.raised?.kind == "alerts.digest"
                    && $0.raised?.body.contains("General Hospital") == true
            }
        }
        try user.run("transit finish \(journey.id)")

        try user.run("transit erase --yes")

        try eventually("no file names it") {
            try files(town.system, having: "General Hospital").isEmpty
        }
        #expect(try town.alerts().isEmpty)
    }

    @Test func `T10 nothing is erased while a ride is under way`() throws {
        let town = try Town()
        let user = try user(town)
        try ride(user, "--get-off --no-finish")
        func kept() throws -> [String] {
            try user.rows("transit journeys --all").compactMap { $0["id"] as? String }
                + town.client.ask(ListDestinations(), for: Destinations.self).destinations
                .map(\.stopId)
        }
        let before = try kept()
        #expect(before.count == 2)

        let said = try user.say("transit erase --yes")

        #expect(said.end == .exited(1))
        #expect(said.err.contains("a journey is under way; finish it first: see steward"))
        #expect(try kept() == before)
    }

    // MARK: Settings

    @Test func `T9 settings apply to each ride, unless its own options replace them`() throws {
        let town = try Town()
        let user = try user(town)
        try user.run("transit settings --notice 5m --distance 2500")

        let usual = try town.client.ask(
            StartJourney(feed: "town", stopId: "4131"), for: Journey.self)
        let own = try town.client.ask(
            StartJourney(feed: "town", stopId: "4131", notice: 120_000, distance: 0),
            for: Journey.self)

        #expect(usual.notice == 300_000)
        #expect(usual.distance == 2_500)
        #expect(own.notice == 120_000)
        #expect(own.distance == 0)
        let shown = try user.run("transit settings")
        #expect(shown.contains("5 min") && shown.contains("2.5 km"))
        for wrong in ["--notice 10s", "--notice 2h", "--distance 5", "--distance 99999"] {
            #expect(try user.say("transit settings \(wrong)").end == .exited(1), "\(wrong)")
        }
    }

    @Test func `T9 an alert by distance comes earlier than one by time alone`() throws {
        let town = try Town()
        let user = try user(town)
        func measure(_ options: String, speed: Int) throws -> Int {
            let text = try ride(user, "--notice 1m \(options) --get-off", speed: speed)
            let match = try #require(text.firstMatch(of: /([0-9.]+) (k?m) to go/), "\(text)")
            return Int(try #require(Double(match.1)) * (match.2 == "km" ? 1000 : 1))
        }
        // If a busy machine sends the positions of a fast ride late, the alert comes by estimate.
        func metres(_ options: String, within range: ClosedRange<Int>) throws -> Int {
            for speed in [400, 100] {
                let measured = try measure(options, speed: speed)
                if range.contains(measured) { return measured }
            }
            return try measure(options, speed: 25)
        }

        let byTime = try metres("--distance 0", within: 0...1_999)
        let byDistance = try metres("--distance 3000", within: 2_500...3_100)

        #expect(byTime < 2_000)
        #expect((2_500...3_100).contains(byDistance))
    }

    // MARK: Destinations

    @Test func `T2 destinations come most recent first, and are cleared except favourites`() throws
    {
        let town = try Town()
        let user = try user(town)
        for stop in ["4131", "4111", "4131"] {
            let journey = try town.client.ask(
                StartJourney(feed: "town", stopId: stop), for: Journey.self)
            _ = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
        }
        func stops(_ line: String) throws -> [String] {
            try user.rows(line).compactMap { $0["stopId"] as? String }
        }

        #expect(try stops("transit destinations") == ["4131", "4111"])
        #expect(try stops("transit favourite 4112") == ["4131", "4111", "4112"])
        #expect(try stops("transit destinations --clear") == ["4112"])
        #expect(try stops("transit favourite 4112 --remove") == [])
        #expect(try user.say("transit favourite 4112 --remove").end == .exited(1))
    }

    @Test func `T2 at a terminal the stop is searched as it is typed`() throws {
        let town = try Town()
        let user = try user(town)
        let ride = try user.terminal("transit ride '\(Self.ride)' --speed 400 --get-off")
        try eventually("it asks") { ride.text.contains("Where do you get off?") }
        try ride.type("4131")
        try eventually("it is found") { ride.text.contains("General Hospital") }
        try ride.type("\r")
        try eventually("it rides") {
            ride.text.contains("Get off at the next stop")
        }
        #expect(try ride.waitForEnd() == 0)

        // Next time it is offered immediately.
        let again = try user.terminal("transit ride '\(Self.ride)' --speed 400 --get-off")
        try eventually("it is offered") { again.text.contains("General Hospital") }
        try again.type("\u{1B}")
        #expect(try again.waitForEnd() == 130)
        // Without a terminal, the stop has to be given.
        let said = try user.say("transit ride '\(Self.ride)'")
        #expect(said.end == .exited(64))
        #expect(said.err.contains("say where to get off with --to"))
    }

    // MARK: Feedback

    @Test func `T8 passengers' feedback is counted by day, line and source, without positions`()
        throws
    {
        try stayWithinOneDay()
        let town = try Town()
        let user = try user(town)
        for _ in 1...2 { try Town.follow(with: town.client) }
        let journeys = try user.rows("transit journeys --all").compactMap { $0["id"] as? String }
        try user.run("transit feedback \(journeys[0]) --useless --comment 'too loud'")
        try user.run("transit feedback \(journeys[0]) --useful --comment 'in time'")
        try user.run("transit feedback \(journeys[1]) --useless")

        let row = try #require(try user.answer("transit stats")["counts"] as? [[String: Any]])

        #expect(row.count == 1)
        let count = try #require(row.first)
        #expect(count["route"] as? String == "7")
        #expect(count["source"] as? String == "file")
        #expect(count["journeys"] as? Int == 2)
        #expect(count["arrived"] as? Int == 2)
        #expect(count["inTime"] as? Int == 2)
        #expect(count["useful"] as? Int == 1)
        #expect(count["useless"] as? Int == 1)
        let lead = try user.rows("transit journeys --all").first?["lead"] as? Int
        #expect(try #require(lead) >= 180_000)
        let shown = try user.run("transit stats")
        #expect(shown.contains(", line 7, useful: in time") && !shown.contains("too loud"))
        for line in [
            "transit feedback --useful --useless", "transit feedback", "transit stats --from May",
        ] { #expect(try user.say(line).end != .exited(0), "\(line)") }
    }

    @Test func `T8 a ride can be rated only after it has ended`() throws {
        let town = try Town()
        let user = try user(town)
        try ride(user, "--get-off --no-finish")
        let journey = try #require(try user.rows("transit journeys").first?["id"] as? String)

        let said = try user.say("transit feedback \(journey) --useful")

        #expect(said.err.contains("give feedback when it has ended"))
    }
}
