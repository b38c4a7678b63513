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
        let ride = try user.terminal(
            "transit ride '\(Town.root)/deploy/demo/ride.csv' --to 4131 --speed 60 --get-off")
        try eventually("the ride is on the screen", within: .seconds(60)) {
            let today = try user.run("today")
            return today.contains("On the way") && today.contains("General Hospital")
        }
        withExtendedLifetime(ride) {}
    }
}
