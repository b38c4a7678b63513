import Foundation
import TestSupport
import TestThreads
import Testing

/// Requirements for rides that no other test here is named for, at the command line. T and a number
/// are requirements of the service, other letters those of its users' study: C is T10 in
/// `TravellerTests`; D and E, delay and bytes, are in `RideMeasureTests`.
@Suite(.serialized, .waiting) struct RideAcceptanceTests {
    private static let ride = Town.root + "/deploy/demo/ride.csv"

    /// How often each kind of alert is in the history.
    private func kinds(_ user: CommandLineUser) throws -> [String: Int] {
        let raised = try user.rows("alerts list --all").compactMap {
            ($0["raised"] as? [String: Any])?["kind"] as? String
        }
        return Dictionary(raised.map { ($0, 1) }, uniquingKeysWith: +)
    }

    @Test func `T2 a stop is found by words of its name in any form, the nearest first`() throws {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        for (words, name) in [
            ("general hos", "General Hospital"), ("HOSPITAL general", "General Hospital"),
            ("Genral Hospital", "General Hospital"), ("olaves", "St Olave's Church"),
        ] {
            #expect(
                try user.rows("transit stops \(words)").first?["name"] as? String == name,
                "\(words)")
        }
        for (place, id) in [("54.852257,-0.231158", "4101"), ("54.852192,-0.231380", "4102")] {
            let found = try user.rows("transit stops Lighthouse --near \(place)")
            #expect(found.first?["id"] as? String == id)
        }
    }

    @Test func `T4 and A: each alert comes once and in time, and waits for an answer`() throws {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let ride = try user.begin(
            "transit ride '\(Self.ride)' --to 4131 --speed 30 --get-off --no-finish")
        try eventually("the passenger should get ready") { ride.out.contains("Get ready") }
        try town.restartTransit()
        try town.restartNotifier()

        #expect(try ride.waitForEnd() == .exited(0), "\(ride.err)")
        try eventually("both alerts are in the history, and only the last is open") {
            let kinds = try kinds(user)
            return try kinds["transit.getReady"] == 1 && kinds["transit.now"] == 1
                && user.rows("alerts list").count == 1
        }
        let open = try #require(try user.rows("alerts list").first?["id"] as? String)
        try user.run("alerts ack \(open)")
        #expect(try user.rows("alerts list").isEmpty)

        let journey = try #require(try user.rows("transit journeys").first?["id"] as? String)
        try user.run("transit finish \(journey)")
        try user.run("transit ride '\(Self.ride)' --to 4131 --speed 400")
        let lead = try user.rows("transit journeys --all").first?["lead"] as? Int
        #expect(try #require(lead) >= 180_000)
    }

    @Test func `T5 the alarm comes by estimate although the positions end on the way`() throws {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let lines = try String(contentsOfFile: Self.ride, encoding: .utf8)
            .split(separator: "\n").prefix(300)
        let path = town.system.path("tunnel.csv")
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)

        try user.run("transit ride '\(path)' --to 4131 --speed 200 --no-finish")

        try eventually("both alerts come") {
            let kinds = try kinds(user)
            return kinds["transit.getReady"] == 1 && kinds["transit.now"] == 1
        }
        let said = try user.rows("alerts list --all").compactMap {
            ($0["raised"] as? [String: Any])?["body"] as? String
        }
        #expect(said.contains { $0.contains("estimated") })
    }

    @Test func `B every ride ends as it should`() throws {
        // The study asks for 500; they would take a quarter of an hour.
        let rides = Int(ProcessInfo.processInfo.environment["RIDES"] ?? "") ?? 10
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")

        for number in 0..<rides {
            let said = try user.say("transit ride '\(Self.ride)' --to 4131 --speed 1000")
            #expect(said.end == .exited(0), "ride \(number): \(said.err)")
        }

        let journeys = try user.rows("transit journeys --all")
        #expect(journeys.count >= min(rides, 10))
        #expect(journeys.allSatisfy { $0["stage"] as? String == "finished" })
    }

    @Test func `F a first ride needs nothing but answers to what is asked`() throws {
        let town = try Town(accepts: false)
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let ride = try user.terminal("transit ride '\(Self.ride)' --speed 400 --get-off")
        try eventually("it shows the policy") { ride.text.contains("Do you accept it") }
        try ride.type("y\r")
        try eventually("it asks where to get off") { ride.text.contains("Where do you get off?") }
        // The number is on the sign of the stop.
        try ride.type("4131")
        try eventually("it finds the stop") { ride.text.contains("General Hospital") }
        try ride.type("\r")

        try eventually("it says when to get off") { ride.text.contains("Get off at the next stop") }
        #expect(try ride.waitForEnd() == 0)
    }
}
