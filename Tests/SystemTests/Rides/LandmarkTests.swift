import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests that a passenger is told what there is to see on the way.
@Suite(.serialized, .waiting) struct LandmarkTests {
    private let town: Town
    private let user: CommandLineUser
    private static let ride = Town.root + "/deploy/demo/ride.csv"

    /// An extract in PBF, written by osmium 1.15.
    private static let extract = """
        AAAADQoJT1NNSGVhZGVyGDgQLBo0eJxT4vMvzg1OzkjNTdQNM9AzU+JySc0rTvXLT0ktbmLkzS/OzSzN1TfUMzTV
        MwAAMKgNWAAAAAwKB09TTURhdGEY7gIQmAMa6AJ4nEWOPUsDQRCG985L7jJJ/IgfiCCelhamVOxUELFQsLGUzWVz
        t2Tv9rjdI6aLhaiVhV1QSSMIYiqRQAolwUKx8C8Igq3+AIMXNOSdYp5hhvcd+FAARaV52CUwsU5FkTiYMeKZfvvK
        zAVl28agCYf7oAuCC5znQS+RnKCSwKQjpS+Ws1myj12fkQUe2NlC5AHJbZ8E2NzgoSCgSx4GVLgAWMoAW5JyD5J5
        IqyA+n/DrhP5mQJTJkB3qO2UcBmMXCj2hIyix1fMbjepMD1uMuzlXRwUQY+e9qgsQyxHPMsBw6HRWUAtMFziRoAZ
        aFshY5m6krlRIK3+6+vz+GhtfhESSk+ZBOppqo9zfZxPqD1cna2c1praY0NFDw21VU2d3F104tdvl5147Vz5ea83
        tc3pSvuwgCrfGmqdLb3evzThtvrchGh/UHkq7Mx0fdQBLRbXkWokIJlC6UF1CA2PoMyoOoZ+AQUtdPEAAAAMCgdP
        U01EYXRhGKIBEL8BGpwBeJxVjLEKwjAYhJPfpIm/SylWJCAEJ19DnZ2dA21tsGlKkyC+ik9rxKm33HEfd9ggQTYa
        16KIPs02OCxuKbQpu/s7QdHbR/8ybxSd9/EX6rOeTOy1DXr0ejBj48z8RDG0NqQ5n11T1L7rkE25r+7qILcVUFCw
        YkeUtCR7osmJXzhkcaVkXUFBFQi5wABlZrs8XSvAzZJ96BcEsyVNAAAACwoHT1NNRGF0YRhWEEsaUnic41LjYuBi
        yUvMTeViz0ssKS1KzOFidcvKL0rhYk5KrARKsuaXlqQWCSkqyXPICTExMkkxMbMocXEwCjBIMCgwaLA6MbJ5MWoE
        MTICAF3xDRU=
        """

    init() throws {
        town = try Town()
        try town.load()
        user = CommandLineUser(of: town.system, device: "phone")
    }

    /// Imports landmarks next to the demo's ride, one every hundred positions or as often as said.
    private func importSights(_ types: [String], every distance: Int = 100) throws {
        let ride = try Town.ride()
        var rows = "name,type,latitude,longitude,text,link\n"
        for (number, index) in stride(from: 100, to: ride.count, by: distance).enumerated() {
            let place = ride[index].place
            let latitude = Double(place.latitudeE7) / 1e7
            let longitude = Double(place.longitudeE7) / 1e7 + 0.0003
            rows +=
                "Sight \(number),\(types[number % types.count]),\(latitude),\(longitude),"
                + "Built in 1\(number),https://sights.example/\(number)\n"
        }
        let path = town.system.path("sights.csv")
        try rows.write(toFile: path, atomically: true, encoding: .utf8)
        try user.run("transit landmarks import '\(path)'")
    }

    private func told(_ text: String) -> [String] {
        text.matches(of: /Look: (Sight \d+)/).map { String($0.1) }
    }

    /// Rides to the hospital until what was printed suffices. A landmark is announced for about a
    /// minute of a ride. On a busy machine the positions of a fast ride come further apart.
    private func ride(_ options: String = "", until suffices: ([String]) -> Bool) throws -> String {
        var text = ""
        for speed in [100, 20] where !suffices(told(text)) {
            text = try user.run(
                "transit ride '\(Self.ride)' --to 4131 --speed \(speed) \(options)")
        }
        return text
    }

    @Test func `T6 landmarks of the chosen types are announced once, with text, side and link`()
        throws
    {
        try importSights(["castle", "museum"])
        try user.run("transit settings --landmarks castle")

        let text = try ride { $0.count >= 2 }

        let names = told(text)
        #expect(names.count >= 2)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { (Int($0.dropFirst(6)) ?? 1) % 2 == 0 }, "\(names)")
        #expect(text.contains("On the left") || text.contains("On the right"))
        #expect(text.contains("Built in 1"))
        let alert = try #require(
            try town.alerts().compactMap(\.raised).first { $0.kind == "transit.landmark" })
        #expect(alert.severity == .info)
        #expect(!alert.needsAcknowledgement)
        #expect(alert.actions.first?.target.hasPrefix("https://sights.example/") == true)
        // None is announced shortly before the alarm.
        let ready = try #require(text.range(of: "Get ready"))
        let look = try #require(text.range(of: "Look: ", options: .backwards))
        #expect(look.upperBound < ready.lowerBound)
        try eventually("none stays open") { try town.alerts().allSatisfy { $0.state != .open } }
    }

    @Test func `T6 landmarks that are close together are announced at least 45 seconds apart`()
        throws
    {
        // One for every ten seconds or so.
        try importSights(["castle"], every: 10)
        let ride = try Town.ride()
        let journey = try town.client.ask(
            StartJourney(
                feed: "town", stopId: "4131",
                clock: JourneyClock(origin: ride[0].time, speed: 1),
                landmarks: LandmarkTypes(types: ["all"])), for: Journey.self)
        func count() throws -> Int {
            try town.system.published(by: .transitAlert).count {
                try $0.type == AlertRaised.protobufName
                    && AlertRaised(unpacking: $0.data).kind == "transit.landmark"
            }
        }

        // When each was announced, by the positions: that doesn't depend on how busy the machine
        // is.
        var times: [Int64] = []
        for begin in stride(from: 0, to: 880, by: 5) {
            let some = Array(ride[begin..<begin + 5])
            _ = try town.client.ask(
                RecordPositions(journeyId: journey.id, fixes: some), for: Journey.self)
            if try count() > times.count { times.append(some[4].time) }
        }

        #expect(times.count >= 6)
        #expect(try count() == times.count)
        for (first, next) in zip(times, times.dropFirst()) {
            #expect(next - first >= 45_000)
        }
    }

    @Test func `T6 landmarks of GeoJSON and of OpenStreetMap's XML are announced with their links`()
        throws
    {
        let ride = try Town.ride()
        func degrees(_ index: Int) -> (north: Double, east: Double) {
            let place = ride[index].place
            return (Double(place.latitudeE7) / 1e7, Double(place.longitudeE7) / 1e7 + 0.0003)
        }
        let (castle, museum) = (degrees(100), degrees(200))
        let features = """
            {"type": "FeatureCollection", "features": [{"type": "Feature",
            "properties": {"name": "Sight 1", "historic": "castle", "description": "Built in 1200",
            "website": "https://sights.example/1"},
            "geometry": {"type": "Point", "coordinates": [\(castle.east), \(castle.north)]}}]}
            """
        let map = """
            <osm version="0.6"><node id="1" lat="\(museum.north)" lon="\(museum.east)">
            <tag k="name" v="Sight 2"/><tag k="tourism" v="museum"/>
            <tag k="website" v="https://sights.example/2"/></node></osm>
            """
        for (name, text) in [("sights.geojson", features), ("city.osm", map)] {
            let path = town.system.path(name)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            try user.run("transit landmarks import '\(path)'")
        }
        let sets = try user.rows("transit landmarks list")
        #expect(Set(sets.compactMap { $0["name"] as? String }) == ["sights", "city"])
        #expect(Set(sets.compactMap { $0["types"] as? [String] }) == [["castle"], ["museum"]])

        let both = ["Sight 1", "Sight 2"]
        let text = try self.ride("--get-off --landmarks all") { $0 == both }

        #expect(told(text) == both)
        #expect(text.contains("Built in 1200"))
        let alerts = try user.rows("alerts list --all").compactMap {
            $0["raised"] as? [String: Any]
        }.filter { $0["kind"] as? String == "transit.landmark" }
        let links = alerts.compactMap {
            ($0["actions"] as? [[String: Any]])?.first?["target"] as? String
        }
        #expect(Set(links) == ["https://sights.example/1", "https://sights.example/2"])
    }

    @Test func `T6 landmarks are imported from an extract in PBF`() throws {
        let path = town.system.path("city.osm.pbf")
        let bytes = Data(base64Encoded: Self.extract, options: .ignoreUnknownCharacters)
        try #require(bytes).write(to: URL(filePath: path))

        try user.run("transit landmarks import '\(path)' --set city")

        let set = try user.answer("transit landmarks list")
        #expect(set["name"] as? String == "city" && set["landmarks"] as? Int == 4)
        #expect((set["types"] as? [String])?.contains("museum") == true)
    }

    @Test func `T9 a ride may choose other types of landmarks than the settings`() throws {
        try importSights(["castle", "museum"])
        try user.run("transit settings --landmarks castle")

        let some = told(try ride("--landmarks museum") { !$0.isEmpty })
        let none = told(
            try user.run("transit ride '\(Self.ride)' --to 4131 --speed 400 --landmarks none"))

        #expect(!some.isEmpty)
        #expect(some.allSatisfy { (Int($0.dropFirst(6)) ?? 0) % 2 == 1 }, "\(some)")
        #expect(none.isEmpty)
    }

    @Test func `T6 nothing is announced to a passenger who has chosen nothing`() throws {
        try importSights(["castle"])

        let text = try user.run("transit ride '\(Self.ride)' --to 4131 --speed 400")

        #expect(told(text).isEmpty)
    }

    @Test func `T6 a set of landmarks is replaced atomically, listed and removed`() throws {
        try importSights(["castle", "museum"])
        let first = try user.answer("transit landmarks list")
        try importSights(["bridge"])
        let second = try user.answer("transit landmarks list")

        #expect(first["types"] as? [String] == ["castle", "museum"])
        #expect(second["types"] as? [String] == ["bridge"])
        #expect(first["landmarks"] as? Int == second["landmarks"] as? Int)
        #expect(
            Int(try town.system.query(.transitAlert, "SELECT count(*) FROM landmark")[0][0])
                == second["landmarks"] as? Int)
        #expect(try user.rows("transit landmarks remove sights").isEmpty)
        #expect(try user.say("transit landmarks remove sights").end == .exited(1))
        #expect(
            try town.system.query(.transitAlert, "SELECT count(*) FROM landmark")[0][0] == "0")
    }

    @Test func `T6 an interrupted import changes nothing and can be repeated`() throws {
        try importSights(["castle"])
        let landmark = Landmark(
            type: "museum", name: "Half", place: Coordinate(latitudeE7: 1, longitudeE7: 1))
        for part in [0, 1] as [UInt32] {
            _ = try town.client.ask(
                PutLandmarks(
                    set: "sights", part: part, landmarks: [landmark], importId: "half"),
                for: LandmarkSet.self)
        }

        #expect(try user.answer("transit landmarks list")["types"] as? [String] == ["castle"])
        let told = try town.refusal {
            _ = try town.client.ask(
                PutLandmarks(set: "sights", part: 3, landmarks: [landmark], importId: "half"),
                for: LandmarkSet.self)
        }
        #expect(told.contains("part 2 is next"))
        try importSights(["bridge"])
        #expect(try user.answer("transit landmarks list")["types"] as? [String] == ["bridge"])
    }

    @Test func `T6 an invalid landmark file is refused with the place and advice`() throws {
        let path = town.system.path("bad.csv")
        try "name,latitude,longitude\nA,1,2\nB,ninety,2\n"
            .write(toFile: path, atomically: true, encoding: .utf8)
        let large = town.system.path("large.csv")
        try #require(FileManager.default.createFile(atPath: large, contents: nil))
        let file = try FileHandle(forWritingTo: URL(filePath: large))
        try file.truncate(atOffset: 1 << 30)
        try file.close()

        let bad = try user.say("transit landmarks import '\(path)'")
        let tooLarge = try user.say("transit landmarks import '\(large)'")

        #expect(bad.end == .exited(1))
        #expect(bad.err.contains("bad.csv:3 has no place in decimal degrees"))
        #expect(tooLarge.end == .exited(1))
        #expect(tooLarge.err.contains("more than 128 MiB"))
        #expect(tooLarge.err.contains("leave out types that nobody wants to hear about"))
        #expect(try user.rows("transit landmarks list").isEmpty)
    }
}
