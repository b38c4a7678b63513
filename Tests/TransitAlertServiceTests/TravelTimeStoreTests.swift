import Foundation
import GRDB
import RideTracking
import Testing

@testable import TransitAlertService

/// Tests what is kept about the travel times of rides, in a real store.
@Suite struct TravelTimeStoreTests {
    private let store: DatabaseQueue
    private let stops = ["a", "b", "c"]

    init() throws {
        store = try DatabaseQueue()
        try TransitStore.migrator.migrate(store)
    }

    private func learn(
        _ observations: [TravelTimes.Observation], feed: String = "city", at now: Int64 = 1_000
    ) throws {
        try store.write {
            try TravelTimeStore.learn(
                observations, along: stops, of: "7", feed: feed, in: .workdayMidday, at: now, $0)
        }
    }

    private func lessons(_ feed: String = "city") throws -> [Lesson?] {
        try store.read {
            try TravelTimeStore.lessons(
                for: stops, of: "7", feed: feed, in: .workdayMidday, $0)
        }
    }

    @Test func `times are summed by timetable, line, pair of stops and time of day`() throws {
        try learn([.init(call: 0, seconds: 60), .init(call: 1, seconds: 90, dwell: 20)])
        try learn([.init(call: 0, seconds: 80)], at: 2_000)

        #expect(
            try lessons() == [
                Lesson(seconds: 70, rides: 2), Lesson(seconds: 90, rides: 1, dwell: 20),
            ])
        #expect(try lessons("town") == [nil, nil])
        #expect(try store.read { try TravelTimeStore.counts($0) } == ["city": 2])
        #expect(try store.read { try TravelTimeStore.lastTaught("city", $0) } == 2_000)
    }

    @Test func `a ride teaches the times of day at which it was under way, whenever it is ended`()
        throws
    {
        let zone = try #require(TimeZone(identifier: "Europe/Oslo"))
        // Thursday, 2026-03-12, 09:58 and 10:02 there, and 22:00.
        let (morning, midday, night): (Int64, Int64, Int64) = (
            1_773_305_880_000, 1_773_306_120_000, 1_773_349_200_000
        )
        let observations: [TravelTimes.Observation] = [
            .init(call: 0, seconds: 60, time: morning), .init(call: 1, seconds: 70, time: midday),
            // An earlier version didn't note when it was.
            .init(call: 2, seconds: 80),
        ]

        let bands = Lessons.byBand(observations, end: night, in: zone)

        #expect(bands.map(\.band) == [.workdayMorning, .workdayMidday, .workdayEvening])
        #expect(bands.map { $0.observations.map(\.call) } == [[0], [1], [2]])
    }

    @Test func `impossible times aren't stored`() throws {
        try learn([
            .init(call: -1, seconds: 60), .init(call: 2, seconds: 60),
            .init(call: 0, seconds: .nan), .init(call: 1, seconds: 2_000),
        ])

        #expect(try lessons() == [nil, nil])
    }

    @Test func `times without recent rides are deleted`() throws {
        try learn([.init(call: 0, seconds: 60)], at: 1_000)
        try learn([.init(call: 1, seconds: 60)], at: 2_000)
        try learn([.init(call: 1, seconds: 60)], feed: "town", at: 1_000)

        let areTimesLeft = try store.write { db in
            try TravelTimeStore.prune(taughtBefore: 1_500, db)
        }
        #expect(!areTimesLeft)

        #expect(try lessons() == [nil, Lesson(seconds: 60, rides: 1)])
        #expect(try lessons("town") == [nil, nil])
    }

    /// Makes ten rows more than are deleted in a stretch.
    private func fill() throws {
        try learn([.init(call: 0, seconds: 60)])
        try store.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE counter (i) AS (
                        SELECT 1 UNION ALL SELECT i + 1 FROM counter WHERE i < ?)
                    INSERT INTO travelTime SELECT feed, route, origin, 'x' || i, band, rides,
                        seconds, dwells, dwell, taught FROM travelTime, counter
                    """, arguments: [GoneRows.mostRows + 9])
        }
    }

    private func rows() throws -> Int? {
        try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM travelTime") }
    }

    @Test func `the times of a removed timetable are deleted in stretches, and aren't used`() throws
    {
        try fill()
        try learn([.init(call: 0, seconds: 60)], feed: "town")

        try store.write { try GoneTravelTimes.add("city", $0) }

        // Nor does a new timetable of that name have any of them.
        #expect(try lessons() == [nil, nil])
        #expect(try store.read { try TravelTimeStore.lastTaught("city", $0) } == nil)
        #expect(try store.read { try TravelTimeStore.counts($0) } == ["town": 1])
        try learn([.init(call: 1, seconds: 60)])
        #expect(try store.write { try GoneTravelTimes.rows.sweep($0) })
        #expect(try rows() == 11)
        #expect(try store.write { try !GoneTravelTimes.rows.sweep($0) })
        #expect(try rows() == 1)
        try learn([.init(call: 1, seconds: 60)])
        #expect(try lessons() == [nil, Lesson(seconds: 60, rides: 1)])
    }

    @Test func `very many old times are deleted in stretches`() throws {
        try fill()

        #expect(try store.write { try TravelTimeStore.prune(taughtBefore: 1_500, $0) })
        #expect(try rows() == 10)
        #expect(try store.write { try !TravelTimeStore.prune(taughtBefore: 1_500, $0) })
        #expect(try rows() == 0)
    }
}
