import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests that each passenger of an installation has their own rides and settings.
@Suite(.serialized, .waiting) struct PassengerTests {
    private static let ride = Town.root + "/deploy/demo/ride.csv"
    private let town: Town
    private let user: CommandLineUser

    init() throws {
        town = try Town(accepts: false)
        try town.load()
        try town.system.start("account-service")
        user = CommandLineUser(of: town.system, device: "desk")
        for name in ["ann", "bob"] {
            try user.signUp(name, .administrator)
            for command in ["transit privacy --accept", "alerts list"] {
                try eventually("the services know \(name)") {
                    try user.say(command, device: name).end == .exited(0)
                }
            }
        }
    }

    /// Imports castles and museums next to the demo's ride, in turn.
    private func importSights() throws {
        let ride = try Town.ride()
        let rows = [(100, "castle"), (200, "museum"), (300, "castle"), (400, "museum")].map {
            let place = ride[$0].place
            let latitude = Double(place.latitudeE7) / 1e7
            let longitude = Double(place.longitudeE7) / 1e7 + 0.0003
            return "The \($1) at \($0),\($1),\(latitude),\(longitude)"
        }
        let path = town.system.path("sights.csv")
        try (["name,type,latitude,longitude"] + rows).joined(separator: "\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
        try user.run("transit landmarks import '\(path)'")
    }

    @Test func `T4, T6 and T9: passengers are alerted by their own settings`() throws {
        try importSights()
        try user.run("transit settings --notice 6m --landmarks castle", device: "ann")
        try user.run("transit settings --landmarks museum", device: "bob")

        // A busy machine may send the positions of a fast ride late, and too far apart.
        var (leads, said) = ([0, 0], ["", ""])
        func areInTime() -> Bool {
            leads[0] >= 360_000 && leads[1] >= 180_000 && leads[0] > leads[1]
        }
        func areShown() -> Bool {
            said[0].contains("Look: The castle at") && said[1].contains("Look: The museum at")
        }
        for speed in [100, 20] where !areInTime() || !areShown() {
            let rides = try ["ann", "bob"].map {
                try user.begin("transit ride '\(Self.ride)' --to 4131 --speed \(speed)", device: $0)
            }
            for ride in rides { #expect(try ride.waitForEnd() == .exited(0), "\(ride.err)") }
            said = rides.map(\.out)
            #expect(!said[0].contains("museum") && !said[1].contains("castle"))
            leads = try ["ann", "bob"].map {
                try #require(
                    try user.rows("transit journeys --all", device: $0).first?["lead"] as? Int)
            }
        }
        #expect(areInTime(), "\(leads)")
        #expect(areShown(), "\(said)")
    }

    @Test func `T10 and C: a passenger's rides are seen by nobody else, not even administrators`()
        throws
    {
        try user.run("transit settings --keep-positions", device: "ann")
        try user.run(
            "transit ride '\(Self.ride)' --to 4131 --speed 400 --get-off --no-finish",
            device: "ann")
        let id = try #require(
            try user.rows("transit journeys", device: "ann").first?["id"] as? String)
        try eventually("ann is alerted") {
            try user.rows("alerts list", device: "ann").count == 1
        }

        // Besides the other administrator there is the owner of the machine, without a log-in.
        for device in ["bob", "desk"] {
            for list in ["transit journeys --all", "transit destinations", "alerts list --all"] {
                #expect(try user.rows(list, device: device).isEmpty, "\(device) \(list)")
            }
            for line in ["finish \(id)", "continue \(id)", "feedback \(id) --useful"] {
                #expect(try user.say("transit \(line)", device: device).end == .exited(1))
            }
        }
        try user.run("transit finish \(id)", device: "ann")
        for device in ["bob", "desk"] {
            let folder = town.system.path("travel-\(device)")
            let files = try user.rows("transit export '\(folder)'", device: device)
            let path = try #require(files.first?["path"] as? String)
            #expect(files.count == 1)
            #expect(try !String(contentsOfFile: path, encoding: .utf8).contains(id))
            try user.run("transit erase --yes", device: device)
        }
        let folder = town.system.path("travel-ann")
        #expect(try user.rows("transit export '\(folder)'", device: "ann").count == 2)
        #expect(try user.rows("transit destinations", device: "ann").count == 1)
    }
}
