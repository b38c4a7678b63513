import Bus
import Messages
import RideTracking
import TestStore
import Testing

@testable import ServiceRuntime
@testable import TransitAlertService

/// Rides that last longer than most.
@Suite struct LongRideTests {
    private static let start: Int64 = 1_800_000_000_000
    private static let hour: Int64 = 3_600_000

    /// A ride to a place 5.5 km away, whose last position is from some hours after its start.
    private func ride(
        seenAfter hours: Int64, stage: Stage = .riding, clock: JourneyClock? = nil
    ) throws -> JourneyWatch {
        var watch = JourneyWatch(
            journey: Journey(
                id: "0192e4a1-7b3c-7def-8123-456789abcdef", owner: "ann", stage: stage,
                started: Self.start, clock: clock),
            file: "", lines: [])
        watch.ride = try Ride(to: "S", at: Position(latitude: 54, longitude: 10))
        let time = Self.start + hours * Self.hour
        let fix = Fix(
            time: time, place: Coordinate(latitudeE7: 540_500_000, longitudeE7: 100_000_000))
        _ = watch.record([fix], on: [], at: time)
        watch.journey.stage = stage
        return watch
    }

    @Test func `a ride goes on as long as positions come, for two days at most`() throws {
        func goesOn(seenAfter hours: Int64, _ stage: Stage = .riding, at now: Int64) throws -> Bool
        {
            var watch = try ride(seenAfter: hours, stage: stage)
            watch.journey.due = 0
            return watch.goesOn(at: Self.start + now)
        }

        #expect(try goesOn(seenAfter: 12, at: 13 * Self.hour - 1))
        #expect(try !goesOn(seenAfter: 12, at: 13 * Self.hour))
        #expect(try goesOn(seenAfter: 12, .getReady, at: 12 * Self.hour))
        #expect(try !goesOn(seenAfter: 12, .now, at: 12 * Self.hour))
        #expect(try !goesOn(seenAfter: 12, .passed, at: 12 * Self.hour))
        #expect(try goesOn(seenAfter: 47, at: 48 * Self.hour - 1))
        #expect(try !goesOn(seenAfter: 48, at: 48 * Self.hour))
        // The clock was set back since the last position.
        #expect(try !goesOn(seenAfter: 14, at: 13 * Self.hour))
    }

    @Test func `a ride whose alarm has just come goes on, because its alerts end with it`() throws {
        var watch = try ride(seenAfter: 10, stage: .now)
        watch.told = Self.start + 12 * Self.hour - 60_000
        #expect(watch.goesOn(at: Self.start + 12 * Self.hour))
        #expect(!watch.goesOn(at: Self.start + 13 * Self.hour))
    }

    @Test func `a ride goes on until its alarm, even without positions`() throws {
        var watch = try ride(seenAfter: 10)
        watch.journey.due = Self.start + 14 * Self.hour
        #expect(watch.goesOn(at: Self.start + 14 * Self.hour - 1))
        #expect(!watch.goesOn(at: Self.start + 14 * Self.hour))
    }

    @Test func `a replay isn't longer than others`() throws {
        let clock = JourneyClock(origin: Self.start, speed: 1)
        #expect(try !ride(seenAfter: 12, clock: clock).goesOn(at: Self.start + 12 * Self.hour))
    }

    @Test func `whoever is still riding after twelve hours is looked after for another hour`()
        throws
    {
        let service = try MemoryStore(of: .transitAlert, TransitStore.migrator)
        let watch = try ride(seenAfter: 12)
        let now = Self.start + 12 * Self.hour
        let timer = try #require(TransitAlertService.timers.first { $0.kind == "end" })
        let due = try service.run(at: now) { transaction in
            try watch.save(transaction.db)
            try timer.handle(watch.journey.id, now, transaction)
            return try transaction.timerDue(timer.kind, subject: watch.journey.id)
        }
        #expect(due == now + Self.hour)
        let kept = try service.run { try JourneyWatch.ofID(watch.journey.id, $0.db) }
        #expect(kept?.isActive == true)
    }
}
