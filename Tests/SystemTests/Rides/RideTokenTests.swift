import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests that a ride goes on whatever happens to the access token of its passenger.
@Suite(.serialized, .waiting) struct RideTokenTests {
    private let town: Town
    private let accounts: Program
    private let user: CommandLineUser

    init() throws {
        town = try Town()
        try town.load()
        accounts = try town.system.start("account-service")
        user = CommandLineUser(of: town.system, device: "phone")
        try user.signUp("ann", .administrator)
        for command in ["transit privacy --accept", "alerts list"] {
            try eventually("the services know her") {
                try user.say(command, device: "ann").end == .exited(0)
            }
        }
    }

    /// Begins a ride that lasts three quarters of a minute, with the positions of a receiver.
    private func follow(_ receiver: Receiver) throws -> Program {
        try user.begin(
            "transit follow --to 4131 --from nmea://127.0.0.1:\(receiver.port) --speed 30",
            device: "ann")
    }

    @Test func `a ride keeps its positions until the token can be renewed`() throws {
        let receiver = try Receiver(in: town.system, speed: 30)
        accounts.kill()
        try user.expireLogIn(in: 29, device: "ann")
        let ride = try follow(receiver)
        try eventually("its token has expired") {
            ride.err.contains("because account-service is not running") || !ride.isRunning
        }

        let again = try town.system.start("account-service")

        try eventually("it goes on") {
            ride.err.contains("transit-alert-service answers again") || !ride.isRunning
        }
        #expect(ride.isRunning, "\(ride.err)")
        ride.signal(SIGINT)
        #expect(try ride.waitForEnd() == .exited(0), "\(ride.err)")
        #expect(again.isRunning)
    }

    @Test func `a ride goes on with a new token whenever its token is revoked`() throws {
        let ride = try follow(Receiver(in: town.system, speed: 30))
        try eventually("it is under way") {
            try user.rows("transit journeys", device: "ann").count == 1
        }

        for _ in 1...2 {
            try user.revokeTokens(of: "ann", by: "supervisor", at: "transit-alert-service")
        }

        try eventually("it is time to get off") {
            ride.out.contains("Get off at the next stop") || !ride.isRunning
        }
        #expect(ride.isRunning, "\(ride.err)")
        ride.signal(SIGINT)
        #expect(try ride.waitForEnd() == .exited(0), "\(ride.err)")
    }
}
