import Foundation
import Messages
import Speech
import Testing

@testable import Gateway

@Suite struct RideScheduleTests {
    private func fix(_ time: Int64, east: Double = 0) -> Fix {
        Fix(time: time, place: Coordinate(latitude: 54, longitude: east))
    }

    private func schedule(_ times: [Int64], speed: UInt32) throws -> RideSchedule {
        try #require(RideSchedule(times.map { fix($0) }, speed: speed))
    }

    @Test func `positions are due when they were measured, sped up by the factor`() throws {
        var schedule = try schedule([1_000_000, 1_006_000, 1_012_000], speed: 60)

        #expect(schedule.origin == 1_000_000)
        #expect(schedule.length == 12_000)
        #expect(schedule.take(after: .zero).map(\.time) == [1_000_000])
        #expect(schedule.due == .milliseconds(100))
        #expect(schedule.take(after: .milliseconds(99)).isEmpty)
        #expect(schedule.take(after: .milliseconds(300)).map(\.time) == [1_006_000, 1_012_000])
        #expect(schedule.isOver)
        #expect(schedule.due == nil)
    }

    @Test func `a batch has at most five hundred positions`() throws {
        var schedule = try schedule(Array(0..<1200), speed: 1000)

        let sizes = (0..<4).map { _ in schedule.take(after: .seconds(60)).count }

        #expect(sizes == [500, 500, 200, 0])
    }

    @Test func `positions are put in order`() throws {
        let schedule = try schedule([30, 10, 20], speed: 1)

        #expect(schedule.fixes.map(\.time) == [10, 20, 30])
    }

    @Test func `without positions there is no ride`() {
        #expect(RideSchedule([], speed: 1) == nil)
        #expect(RideSchedule([fix(1)], speed: 0) == nil)
    }

    @Test func `a ride is at a stop when it first comes nearest to it`() throws {
        let stop = Coordinate(latitude: 54, longitude: 0.01)
        let places = [0, 0.005, 0.00999, 0.01001, 0.0099, 0.02]
        let schedule = try #require(
            RideSchedule(places.enumerated().map { fix(Int64($0) * 1000, east: $1) }, speed: 1))

        let nearest = try #require(schedule.nearest(to: stop))

        #expect(nearest.time == 2000)
        #expect(nearest.metres < 1)
    }

    @Test func `a stop is given by its id, its full name, or as the only match`() {
        let stops = [
            Stop(id: "1", name: "Market Square"), Stop(id: "2", name: "Market Square"),
            Stop(id: "3", name: "Fish Market"),
        ]

        #expect(DestinationSearch.choose("2", among: stops)?.id == "2")
        #expect(DestinationSearch.choose("fish market", among: stops)?.id == "3")
        #expect(DestinationSearch.choose("market square", among: stops) == nil)
        #expect(DestinationSearch.choose("fish", among: stops) == nil)
        #expect(DestinationSearch.choose("fish", among: [stops[2]])?.id == "3")
    }

    @Test func `ids are shortened as far as they stay distinct`() {
        #expect(ShortID.length(telling: ["0192e4a1-7b3c", "0192e4a1-7b4c"]) == 12)
        #expect(ShortID.length(telling: ["0192e4a1-7b3c"]) == 8)
        #expect(ShortID.length(telling: []) == 8)
    }

    @Test func `a recorded ride is read, and a broken one is refused with its line`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let good = folder.appending(path: "good.csv")
        let bad = folder.appending(path: "bad.csv")
        let header = "time,latitude,longitude,accuracy,speed\n"
        try Data((header + "2026-05-12T06:35:50Z,54.8,-0.2,7.9,\n").utf8).write(to: good)
        try Data((header + "2026-05-12T06:35:50Z,x,-0.2,,\n").utf8).write(to: bad)

        #expect(
            try RecordedRide.fixes(at: good.path) == [
                Fix(
                    time: 1_778_567_750_000,
                    place: Coordinate(latitudeE7: 548_000_000, longitudeE7: -2_000_000),
                    accuracy: 79)
            ])
        let failure = try #require(throws: Failure.self) {
            _ = try RecordedRide.fixes(at: bad.path)
        }
        #expect(failure.status == .refused)
        #expect(failure.sentence.contains("bad.csv:2"))
    }
}
