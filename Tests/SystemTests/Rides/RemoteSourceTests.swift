import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests that a ride can be followed with the positions that a phone publishes, and with those that
/// an agency publishes for its vehicles.
@Suite(.serialized, .waiting) struct RemoteSourceTests {
    private let town: Town
    private let user: CommandLineUser

    init() throws {
        town = try Town()
        try town.load()
        user = CommandLineUser(of: town.system, device: "phone")
    }

    private static let fixture = Town.root + "/Tests/TestSupport/Fixtures/live_ride.py"
    private static let ride = Town.root + "/deploy/demo/ride.csv"

    private func phone(_ broker: MQTTBroker, speed: Int = 60) throws -> Program {
        try town.system.spawn(
            [
                "/bin/sh", "-c",
                "exec /usr/bin/python3 '\(Self.fixture)' '\(Self.ride)' \(speed) owntracks "
                    + "| /usr/bin/mosquitto_pub -h 127.0.0.1 -p \(broker.port) -l "
                    + "-t owntracks/ann/phone",
            ], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    }

    private func agency(
        _ file: String, trip: String = "T", speed: Int = 60
    ) throws -> Program {
        try town.system.spawn(
            ["/usr/bin/python3", Self.fixture, Self.ride, "\(speed)", file, trip],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    }

    private func expectAlerted(_ ride: Program) throws {
        try eventually("it is time to get off") {
            ride.out.contains("Get off at the next stop") || !ride.isRunning
        }
        #expect(try ride.waitForEnd() == .exited(0), "\(ride.err)")
        let ready = try #require(ride.out.range(of: "Get ready"), "\(ride.out)\(ride.err)")
        let now = try #require(ride.out.range(of: "Get off at the next stop"))
        #expect(ready.lowerBound < now.lowerBound)
    }

    private func source(of journey: String = "--all") throws -> String? {
        try user.rows("transit journeys \(journey)").first?["source"] as? String
    }

    @Test func `T3 a ride can be followed with OwnTracks on a phone`() throws {
        let broker = try MQTTBroker(in: town.system)
        let place = broker.url("owntracks/ann/phone")
        let ride = try user.begin(
            "transit follow --to 4131 --from \(place) --speed 60 --get-off")
        try eventually("it begins") { ride.err.contains("riding to") }

        let phone = try phone(broker)
        defer { phone.kill() }

        try expectAlerted(ride)
        #expect(ride.err.contains("positions come from \(place)"))
        #expect(ride.err.contains("kB over the network"))
        #expect(try source() == "owntracks")
    }

    @Test func `T3 a ride can be followed with the agency's vehicle positions`() throws {
        let file = town.system.path("vehicles.pb")
        let ride = try user.begin(
            "transit follow --to 4131 --from vehicle:7007@\(file) --speed 60 --get-off")
        try eventually("it begins") { ride.err.contains("riding to") }

        let agency = try agency(file)
        defer { agency.kill() }

        try expectAlerted(ride)
        #expect(try source() == "vehicle")
    }

    @Test func `T3 the vehicle takes over when the phone falls silent`() throws {
        let broker = try MQTTBroker(in: town.system)
        let file = town.system.path("vehicles.pb")
        let ride = try user.begin(
            "transit follow --to 4131 --from \(broker.url("owntracks/ann/phone")) "
                + "--from trip:T7@\(file) --speed 20 --get-off")
        try eventually("it begins") { ride.err.contains("riding to") }
        let phone = try phone(broker, speed: 20)
        let agency = try agency(file, trip: "T7", speed: 20)
        defer { agency.kill() }
        try eventually("the telephone is used") {
            ride.err.contains("positions come from mqtt://")
        }

        broker.stop()
        phone.kill()

        try eventually("the vehicle is used") {
            ride.err.contains("positions come from trip:T7@")
        }
        ride.signal(SIGINT)
        #expect(try ride.waitForEnd() == .exited(0))
    }

    @Test func `the log-in for a broker is read from a file`() throws {
        let broker = try MQTTBroker(in: town.system, password: "s3cret")
        let logIn = town.system.path("log-in")
        try "steward:s3cret\n".write(toFile: logIn, atomically: true, encoding: .utf8)
        let place = broker.url("owntracks/ann/phone")
        let refused = try user.begin("transit follow --to 4131 --from \(place)")
        try eventually("it is refused") {
            refused.err.contains("the broker refuses") || refused.err.contains("no positions (mqtt")
        }
        refused.signal(SIGINT)
        _ = try refused.waitForEnd()

        let ride = try user.begin(
            "transit follow --to 4131 --from \(place) --broker-log-in \(logIn)")
        defer { ride.kill() }
        try eventually("it begins") { ride.err.contains("riding to") }
        try eventually("its position is used") {
            let time = Int(Date().timeIntervalSince1970)
            let sent = try town.system.spawn(
                [
                    "/usr/bin/mosquitto_pub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-u",
                    "steward", "-P", "s3cret", "-t", "owntracks/ann/phone", "-m",
                    #"{"_type":"location","lat":54.3,"lon":10.1,"tst":\#(time)}"#,
                ], environment: [:])
            _ = try sent.waitForEnd()
            return ride.err.contains("positions come from mqtt://")
        }
    }

    @Test func `positions that come but are too old are reported, even after there were none`()
        throws
    {
        let broker = try MQTTBroker(in: town.system)
        let place = broker.url("owntracks/ann/phone")
        let ride = try user.begin("transit follow --to 4131 --from \(place)")
        try eventually("there are none") { ride.err.contains("there are no positions") }
        #expect(!ride.err.contains("ten minutes old"))

        // The clock of the phone is an hour slow.
        let time = Int(Date().timeIntervalSince1970) - 3_600
        let phone = try town.system.spawn(
            [
                "/usr/bin/mosquitto_pub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-t",
                "owntracks/ann/phone", "--repeat", "300", "--repeat-delay", "1", "-m",
                #"{"_type":"location","lat":54.3,"lon":10.1,"tst":\#(time)}"#,
            ], environment: [:])
        defer { phone.kill() }

        try eventually("it says why none counts") {
            ride.err.contains(
                "\(place) doesn't count: its positions are more than ten minutes old")
        }
        // The service is told, and alerts a passenger who doesn't look at the terminal.
        #expect(town.transit.err.contains("transit.ReportOldPositions"))
        ride.signal(SIGINT)
        #expect(try ride.waitForEnd() == .exited(0))
    }

    @Test func `failing sources are reported, and that no alarm comes without a position`() throws {
        let feed = town.system.path("nothing.pb")
        try Data("no feed".utf8).write(to: URL(filePath: feed))
        let ride = try user.begin(
            "transit follow --to 4131 --from vehicle:7@\(feed) "
                + "--from vehicle:7@http://127.0.0.1:9/feed --from mqtt://127.0.0.1:9/a/b")

        try eventually("it says so") {
            ride.err.contains("there is no alarm until a position comes")
        }
        for reason in [
            "this isn't a GTFS-Realtime feed", "vehicle:7@http://127.0.0.1:9/feed: ",
            "mqtt://127.0.0.1:9/a/b: ",
        ] { try eventually(reason) { ride.err.contains(reason) } }
        ride.signal(SIGINT)
        #expect(try ride.waitForEnd() == .exited(0))
    }

    @Test func `an invalid source is refused`() throws {
        for text in [
            "mqtt://host", "mqtt://host/a/#", "vehicle:7", "vehicle:7@ftp://host/x",
            "trip:@http://host/x",
        ] {
            let said = try user.say("transit follow --to 4131 --from \(text)")

            #expect(said.end == .exited(64), "\(text)")
            #expect(said.err.contains("The value '\(text)' is invalid for '--from <source>'"))
            #expect(try user.rows("transit journeys --all").isEmpty, "\(text)")
        }
    }
}
