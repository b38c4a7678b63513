import Messages
import TestSupport
import TestThreads
import Testing

/// The ride that a person is on, in the view of today.
@Suite(.serialized, .waiting) struct TodayRideTests {
    @Test func `the current ride is on the screen of today`() throws {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        #expect(try !user.run("today").contains("On the way"))
        // It lasts longer than a busy machine takes to show the screen.
        let ride = try user.terminal(
            "transit ride '\(Town.root)/deploy/demo/ride.csv' --to 4131 --speed 1 --get-off")
        try eventually("the ride is on the screen") {
            let today = try user.run("today")
            return today.contains("On the way") && today.contains("General Hospital")
        }
        withExtendedLifetime(ride) {}
    }

    @Test func `an open alert of the ride is on the screen of today until it is acknowledged`()
        throws
    {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let ride = try Town.ride()
        var journey = try town.client.ask(
            StartJourney(
                feed: "town", stopId: "4131",
                clock: JourneyClock(origin: ride[0].time, speed: 1)), for: Journey.self)
        for begin in stride(from: 0, to: ride.count, by: 20) where journey.stage == .riding {
            let some = Array(ride[begin..<min(begin + 20, ride.count)])
            journey = try town.client.ask(
                RecordPositions(journeyId: journey.id, fixes: some), for: Journey.self)
        }
        #expect(journey.stage == .getReady)
        try eventually("the alert is on the screen") {
            try user.run("today").contains("Get ready: General Hospital")
        }
        try eventually("it is one") {
            (try user.answer("today")["alerts"] as? [[String: Any]])?.count == 1
        }

        let alert = try #require(try town.alerts().last)
        _ = try town.system.client(of: .notifier)
            .ask(AcknowledgeAlert(id: alert.id), for: AlertAcknowledged.self)

        // A busy service may answer this command too late.
        try eventually("only the ride is on the screen") {
            let today = try user.run("today")
            return today.contains("On the way") && !today.contains("Get ready")
        }
    }
}
