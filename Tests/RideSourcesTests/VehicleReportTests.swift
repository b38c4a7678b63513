import Foundation
import Messages
import RideTracking
import TestSupport
import Testing

@testable import RideSources

/// Tests what is read from a GTFS-Realtime feed.
@Suite struct VehicleReportTests {
    private static func place(_ text: String) throws -> VehiclePlace {
        try #require(VehiclePlace(text))
    }

    private static func vehicle(
        _ id: String, label: String = "", trip: String = "", north: Float = 54, east: Float = 10,
        time: UInt64 = 1_763_715_600
    ) -> FeedEntity {
        FeedEntity(
            vehicle: VehiclePosition(
                trip: VehicleTrip(tripId: trip),
                position: VehiclePlacement(latitude: north, longitude: east, speed: 8),
                timestamp: time, vehicle: VehicleName(id: id, label: label)))
    }

    private static func feed(_ entities: [FeedEntity]) -> [UInt8] {
        VehicleFeed(header: FeedHeader(timestamp: 1_763_715_630), entity: entities).packed()
    }

    @Test(arguments: ["vehicle:bus-7@/feed.pb", "vehicle:7007@/feed.pb", "trip:T1@/feed.pb"])
    func `a vehicle is found by its id, its label or its trip`(text: String) throws {
        let feed = Self.feed([
            Self.vehicle("bus-6", label: "6006", trip: "T0", north: 1),
            Self.vehicle("bus-7", label: "7007", trip: "T1"),
        ])

        let seen = try VehicleReport.position(of: Self.place(text), in: feed)

        #expect(
            seen.fix == RideFix(time: 1_763_715_600_000, latitude: 54, longitude: 10, speed: 8))
    }

    @Test(arguments: [(1.995, 1_763_715_500), (1, 1_763_715_400)] as [(Float, UInt64)])
    func `if a train has several vehicles, or another has run its trip, the newest position counts`(
        north: Float, time: UInt64
    ) throws {
        let feed = Self.feed([
            Self.vehicle("a", trip: "T1", north: north, time: time),
            Self.vehicle("b", trip: "T1", north: 2, time: 1_763_715_550),
        ])

        let seen = try VehicleReport.position(of: Self.place("trip:T1@/x"), in: feed)

        #expect(seen.fix.position.latitude == 2)
    }

    @Test func `if several vehicles run a trip at once, it has to be said which is meant`() throws {
        let feed = Self.feed([
            Self.vehicle("a", trip: "T1", north: 1, time: 1_763_715_500),
            Self.vehicle("b", trip: "T1", north: 2, time: 1_763_715_550),
        ])

        let trip = try Self.place("trip:T1@/x")
        do throws(VehicleReport.Lack) {
            _ = try VehicleReport.position(of: trip, in: feed)
            Issue.record("it was read")
        } catch { #expect("\(error)".hasPrefix("several vehicles are on trip T1 now")) }
        let own = try VehicleReport.position(of: Self.place("vehicle:a@/x"), in: feed)
        #expect(own.fix.position.latitude == 1)
    }

    @Test func `a vehicle without a time gets the feed's`() throws {
        let feed = Self.feed([Self.vehicle("a", time: 0)])

        let seen = try VehicleReport.position(of: Self.place("vehicle:a@/x"), in: feed)

        #expect(seen.fix.time == 1_763_715_630_000 && !seen.isTimed)
    }

    @Test func `a report without a position says why`() throws {
        let place = try Self.place("vehicle:a@/x")
        func lack(_ bytes: [UInt8]) -> String {
            do throws(VehicleReport.Lack) {
                return "\(try VehicleReport.position(of: place, in: bytes))"
            } catch { return "\(error)" }
        }

        #expect(lack([]) == "the feed has no vehicles now")
        #expect(
            lack(Self.feed([Self.vehicle("b")])) == "the feed has no vehicle a now, of 1 vehicles")
        #expect(
            lack(Self.feed([Self.vehicle("a", north: 0, east: 0)]))
                == "the vehicle is in the feed without a place or a time")
        #expect(
            lack(Self.feed([Self.vehicle("a", north: 95)]))
                == "the vehicle is in the feed without a place or a time")
        #expect(lack(Array("<html>".utf8)).hasPrefix("this isn't a GTFS-Realtime feed"))
    }

    @Test func `a vehicle that is no longer reported is not in the feed`() throws {
        var entity = Self.vehicle("a")
        entity.isDeleted = true

        #expect(throws: VehicleReport.Lack.self) {
            try VehicleReport.position(of: Self.place("vehicle:a@/x"), in: Self.feed([entity]))
        }
    }

    @Test func `random bytes never give a position`() throws {
        var random = SystemRandomNumberGenerator()
        let place = try Self.place("vehicle:a@/x")
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...200, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(throws: VehicleReport.Lack.self) {
                try VehicleReport.position(of: place, in: bytes)
            }
        }
    }

    @Test(
        .enabled(
            if: Recordings.folder("transit") != nil,
            "\(Recordings.variable) names no folder with feeds"))
    func `the feeds of real agencies are read`() throws {
        let folder = try #require(Recordings.folder("transit")).appending(path: "gtfs-realtime")
        var vehicles = 0
        var files = 0
        for case let file as URL in try #require(
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        where ["pb", "bin"].contains(file.pathExtension) {
            let bytes = [UInt8](try Data(contentsOf: file))
            let feed = try VehicleFeed(unpacking: bytes, limits: VehicleReport.limits)
            files += 1
            vehicles += feed.entity.compactMap(\.vehicle).count
        }
        #expect(files > 0)
        #expect(vehicles > 0)
    }

    @Test(
        arguments: [
            "vehicle:7", "vehicle:@http://x/y", "trip:7@ftp://x/y", "vehicle:7@feed.pb",
            "vehicle:7@http://u@x/y", "bus:7@/x",
        ])
    func `options that make no sense are refused`(text: String) {
        #expect(VehiclePlace(text) == nil)
    }

    @Test func `broker topics are read, and wildcards are refused`() throws {
        let topic = try #require(MQTTTopic("mqtt://broker.lan/owntracks/ann/phone"))
        #expect(topic.host == "broker.lan")
        #expect(topic.port == 1_883)
        #expect(topic.topic == "owntracks/ann/phone")
        #expect(MQTTTopic("mqtts://[::1]:99/a")?.port == 99)
        #expect(MQTTTopic("mqtts://x/a")?.port == 8_883)
        for text in ["mqtt://x", "mqtt://x/", "mqtt://x/a/#", "mqtt://x/+/b", "mqtt://x:0/a"] {
            #expect(MQTTTopic(text) == nil, "\(text)")
        }
    }
}
