import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests that a ride can be followed with the positions of a satellite receiver.
@Suite(.serialized, .waiting) struct FollowTests {
    private let town: Town
    private let user: CommandLineUser

    init() throws {
        town = try Town()
        try town.load()
        user = CommandLineUser(of: town.system, device: "phone")
    }

    /// Expects that a command prints the alerts of a ride in order, and exits.
    private func expectAlerted(_ ride: Program) throws {
        try eventually("it is time to get off") {
            ride.out.contains("Get off at the next stop") || !ride.isRunning
        }
        #expect(try ride.waitForEnd() == .exited(0), "\(ride.err)")
        let ready = try #require(ride.out.range(of: "Get ready"), "\(ride.out)\(ride.err)")
        let now = try #require(ride.out.range(of: "Get off at the next stop"))
        #expect(ready.lowerBound < now.lowerBound)
    }

    @Test func `T3 a ride can be followed with a receiver's sentences`() throws {
        let port = try Receiver(in: town.system).port

        let ride = try user.begin(
            "transit follow --to 4131 --from nmea://127.0.0.1:\(port) --speed 60 --get-off")

        try expectAlerted(ride)
        #expect(ride.err.contains("positions come from nmea://127.0.0.1:\(port)"))
    }

    @Test func `T3 a journey with a change is followed, and says that it needs the command`()
        throws
    {
        let port = try Receiver(in: town.system, speed: 30).port

        let ride = try user.begin(
            "transit follow --via 4115 --to 4131 --from nmea://127.0.0.1:\(port) --speed 30 "
                + "--get-off")

        #expect(try ride.waitForEnd() == .exited(0), "\(ride.err)")
        #expect(ride.err.contains("keep this command running"), "\(ride.err)")
        #expect(ride.err.contains("changing; riding on to General Hospital"), "\(ride.err)")
        #expect(ride.out.contains("Get off at the next stop"), "\(ride.out)")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/gpsd")))
    func `T3 a ride can be followed with gpsd`() throws {
        let receiver = try Receiver(in: town.system).port
        let port = Loopback.port()
        let gpsd = try town.system.spawn(
            [
                "/usr/sbin/gpsd", "-N", "-n", "-S", "\(port)", "tcp://127.0.0.1:\(receiver)",
            ], environment: ["PATH": "/usr/bin:/bin"])
        defer { gpsd.kill() }

        let ride = try user.begin(
            "transit follow --to 4131 --from gpsd://127.0.0.1:\(port) --speed 60 --get-off")

        try expectAlerted(ride)
    }

    @Test func `T3 another source takes over when one falls silent, until none is left`() throws {
        let silence = town.system.path("silence")
        // Their ride lasts longer than a busy machine takes for all this.
        let first = try Receiver(in: town.system, silence: silence, speed: 2)
        let second = try Receiver(in: town.system, speed: 2)
        let ride = try user.begin(
            "transit follow --to 4131 --from nmea://127.0.0.1:\(first.port) "
                + "--from nmea://127.0.0.1:\(second.port) --speed 2")
        try eventually("the first is used") {
            ride.err.contains("positions come from nmea://127.0.0.1:\(first.port)")
        }

        try Data().write(to: URL(filePath: silence))
        try eventually("the second is used") {
            ride.err.contains("positions come from nmea://127.0.0.1:\(second.port)")
        }
        first.program.kill()
        second.program.kill()
        try eventually("it says that none is left") {
            ride.err.contains("the alarm goes on by estimate")
        }

        ride.signal(SIGINT)
        #expect(try ride.waitForEnd() == .exited(0))
    }

    @Test func `an invalid source is refused`() throws {
        for text in ["gps", "nmea://host", "nmea:", "gpsd://host:99999", "http://host:80/"] {
            let said = try user.say("transit follow --to 4131 --from \(text)")

            #expect(said.end == .exited(64), "\(text)")
            #expect(said.err.contains("The value '\(text)' is invalid for '--from <source>'"))
            #expect(try user.rows("transit journeys --all").isEmpty, "\(text)")
        }
    }

    @Test func `a ride whose standard input ends stays under way, and says how to end it`() throws {
        let steward = "\(System.executables)/steward"
        let ride = try town.system.spawn(
            [
                "/bin/sh", "-c",
                "exec '\(steward)' transit follow --to 4131 --from nmea:- < /dev/null",
            ], environment: user.environment(device: "phone"))
        #expect(try ride.waitForEnd() == .exited(0))

        let journey = try #require(try user.rows("transit journeys").first)
        let id = try #require(journey["id"] as? String)
        #expect(ride.err.contains("stays under way, but there is no alarm until a position comes"))
        #expect(ride.err.contains("end it with: steward transit finish \(id)"))
        try user.run("transit finish \(id)")
        #expect(try user.rows("transit journeys").isEmpty)
    }

    @Test func `a ride that is finished elsewhere isn't said to stay under way`() throws {
        let port = try Receiver(in: town.system, speed: 1).port
        let ride = try user.begin("transit follow --to 4131 --from nmea://127.0.0.1:\(port)")
        try eventually("it is under way") { try user.rows("transit journeys").count == 1 }
        let journey = try #require(try user.rows("transit journeys").first)
        let id = try #require(journey["id"] as? String)

        try user.run("transit finish \(id)")

        #expect(try ride.waitForEnd() == .exited(1))
        #expect(ride.err.contains("journey \(id) has ended"))
        #expect(!ride.err.contains("stays under way"))
    }

    @Test func `a ride without positions says so, and ends on request`() throws {
        let ride = try user.begin("transit follow --to 4131 --from nmea:/nowhere")

        try eventually("it says so") {
            ride.err.contains("nmea:/nowhere: No such file or directory")
        }
        ride.signal(SIGINT)
        #expect(try ride.waitForEnd() == .exited(0))
        #expect(try user.rows("transit journeys --all").first?["stage"] as? String == "finished")
    }
}
