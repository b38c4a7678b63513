import Messages
import RideTracking
import Testing

@testable import TransitAlertService

/// What a passenger is told of a journey between its positions.
@Suite struct DescribedJourneyTests {
    private static let now: Int64 = 1_800_000_000_000

    /// A journey to a place, whose last position is of now and some kilometres away from it.
    private func watch(_ clock: JourneyClock?) throws -> JourneyWatch {
        var watch = JourneyWatch(
            journey: Journey(started: Self.now, clock: clock), file: "", lines: [])
        watch.ride = try Ride(to: "S", at: Position(latitude: 54, longitude: 10))
        let fix = Fix(
            time: clock?.origin ?? Self.now,
            place: Coordinate(latitudeE7: 540_500_000, longitudeE7: 100_000_000))
        _ = watch.record([fix], on: [], at: Self.now)
        return watch
    }

    @Test(arguments: [1, 10] as [Int64])
    func `the time that is left shrinks without positions, down to nothing`(speed: Int64) throws {
        let clock = JourneyClock(origin: Self.now - 86_400_000, speed: UInt32(speed))
        let watch = try watch(speed == 1 ? nil : clock)
        let left = try #require(watch.journey.remaining)
        try #require(left > 180_000)

        let soon = watch.described(at: Self.now + 180_000 / speed)
        let late = watch.described(at: Self.now + 86_400_000)

        #expect(soon.remaining == left - 180_000)
        #expect(soon.due == watch.journey.due && soon.metres == watch.journey.metres)
        #expect(late.remaining == 0 && late.estimated)
        // A clock that was set back makes it no longer either.
        #expect(watch.described(at: Self.now - 3_600_000).remaining == left)
    }

    @Test func `a journey that has ended is described as it was`() throws {
        var watch = try watch(nil)
        watch.finish(at: Self.now)

        #expect(watch.described(at: Self.now + 60_000) == watch.journey)
    }
}
