import Bus
import Foundation
import Messages
import RideTracking
import ServiceRuntime
import TestSupport

/// Journeys: many that are open at once and get positions, how soon an alert follows the position
/// that causes it, and how many bytes a ride takes.
enum JourneyBench {
    /// How many journeys are open: `JOURNEYS`, or 100,000.
    private static let open =
        ProcessInfo.processInfo.environment["JOURNEYS"].flatMap { Int($0) } ?? 100_000
    /// How many positions are sent to them, and how many commands are under way at a time.
    private static let (positions, window) = (100_000, 256)
    /// How many alerts are measured.
    private static let alerts = 100

    static func run(_ figures: inout Figures) throws {
        let scratch = try Scratch("ipc")
        let service = try Child(ServiceName.transitAlert.rawValue, scratch)
        let notifier = try Child(ServiceName.notifier.rawValue, scratch)
        let connection = try scratch.connection()
        let client = try Client(connection, to: .transitAlert, isPatient: true)
        let demo = FileManager.default.currentDirectoryPath + "/deploy/demo"
        try steward(["transit", "import", demo + "/harbour-line", "--feed", "town"], scratch)
        let ride = try fixes(of: demo + "/ride.csv")

        let start = StartJourney(
            feed: "town", stopId: "4131", clock: JourneyClock(origin: ride[0].time, speed: 1),
            policy: 2)
        // Before the others begin: they are the same person's, whose alerts fill each look at them.
        figures.add(
            "20 minutes of a ride, with what the network adds and the alert feed",
            try kilobytes(
                of: ride, start, client, Client(connection, to: .notifier, isPatient: true)),
            "kB", goal: .atMost(150))
        let ids = try answers(to: open, client) { _ in start }.map(\.id)
        let length = try time {
            _ = try answers(to: positions, client) { number in
                let fix = ride[number / ids.count % ride.count]
                return RecordPositions(journeyId: ids[number % ids.count], fixes: [fix])
            }
        }
        let name = "with \(open) journeys open"
        figures.add("durable positions \(name)", Double(positions) / (length / .seconds(1)), "/s")
        figures.add("transit-alert-service \(name)", try service.residentMemory(), "MiB")

        let reader = try AlertFeedReader(
            connection, recipient: Principal.machineOwner.account)
        let samples = try delays(of: ride, start, client, reader)
        for (share, word) in [(0.5, "p50"), (0.99, "p99")] {
            figures.add(
                "from a position to its alert \(name), \(word)",
                samples.percentile(share) / 1000, "ms")
        }
        notifier.stop()
        service.stop()
    }

    /// Sends commands about journeys, many at a time.
    private static func answers<Command: ProtobufMessage>(
        to count: Int, _ client: Client, _ command: (Int) -> Command
    ) throws -> [Journey] {
        var (answers, sent) = ([Journey](), 0)
        while answers.count < count {
            while sent < count, client.inFlight < window {
                _ = try client.send(command(sent), deadline: .seconds(60))
                sent += 1
            }
            for answer in try client.receive(within: .seconds(60)) {
                answers.append(try Client.unpack(answer.result.get(), as: Journey.self))
            }
        }
        return answers
    }

    /// The time from sending a position to the notice of the alert that it causes.
    private static func delays(
        of ride: [Fix], _ start: StartJourney, _ client: Client, _ reader: AlertFeedReader
    ) throws -> Samples {
        func record(_ fixes: ArraySlice<Fix>, _ journey: Journey) throws -> Journey {
            try client.ask(
                RecordPositions(journeyId: journey.id, fixes: Array(fixes)), for: Journey.self)
        }
        func waitForAlert(of journey: Journey) throws {
            while reader.ids["journey/\(journey.id)/getReady"] == nil { try reader.turn() }
        }
        var probe = try client.ask(start, for: Journey.self)
        var cause = -1
        while probe.stage == .riding, cause + 1 < ride.count {
            cause += 1
            probe = try record(ride[cause...cause], probe)
        }
        try waitForAlert(of: probe)
        var samples = Samples()
        for _ in 0..<alerts {
            let journey = try client.ask(start, for: Journey.self)
            for begin in stride(from: 0, to: cause, by: 400) {
                _ = try record(ride[begin..<min(begin + 400, cause)], journey)
            }
            samples.add(
                try time {
                    _ = try record(ride[cause...cause], journey)
                    try waitForAlert(of: journey)
                })
        }
        return samples
    }

    /// The bytes of a ride whose positions are reported as `steward transit follow` does, scaled to
    /// 20 minutes. Until the first alert the notifier sends nothing by itself; it is asked.
    private static func kilobytes(
        of ride: [Fix], _ start: StartJourney, _ client: Client, _ notifier: Client
    ) throws -> Double {
        let before = client.traffic
        var journey = try client.ask(start, for: Journey.self)
        var (last, reports): (Int64, UInt64) = (.min, 0)
        for fix in ride where journey.stage != .passed {
            let due = ride[0].time + journey.due - journey.started
            let wait: Int64? = journey.due > 0 ? max(0, due - fix.time) : nil
            let interval = ReportInterval.next(untilAlarm: wait, after: reports)
            guard last == .min || fix.time - last >= interval else { continue }
            journey = try client.ask(
                RecordPositions(journeyId: journey.id, fixes: [fix], source: "gpsd"),
                for: Journey.self)
            (last, reports) = (fix.time, reports + 1)
        }
        _ = try client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
        let share = 1_200 / (Double(last - ride[0].time) / 1_000)
        let sent = Double(client.traffic - before) + Double(2 * (reports + 2) * added)
        let looks = try 80 * bytes(ofLookAt: notifier)
        return (share * sent + Double(looks)) / 1_000
    }

    /// What ZeroMQ and TCP add to a message, see `Socket.traffic`.
    private static let added: UInt64 = 70

    /// The bytes that it takes to ask for news of alerts, which is done 80 times in 20 minutes.
    private static func bytes(ofLookAt notifier: Client) throws -> Int {
        let feed = try notifier.ask(OpenFeed(), for: AlertFeed.self)
        let before = notifier.traffic
        _ = try notifier.ask(
            ReadFeed(after: feed.feedSequence, limit: 500), for: FeedPage.self)
        return notifier.traffic - before + 2 * Int(added)
    }

    private static func fixes(of path: String) throws -> [Fix] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").dropFirst().map { line in
            let words = line.split(separator: ",", omittingEmptySubsequences: false)
            guard words.count == 5, let latitude = Double(words[1]),
                let longitude = Double(words[2])
            else { throw ConfigurationError("there is no position in \(line)") }
            let time = try Date(String(words[0]), strategy: .iso8601)
            return Fix(
                time: Int64(time.timeIntervalSince1970 * 1000),
                place: Coordinate(
                    latitudeE7: Int32(latitude * 1e7), longitudeE7: Int32(longitude * 1e7)))
        }
    }
}
