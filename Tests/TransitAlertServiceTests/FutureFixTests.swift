import Messages
import Testing

@testable import TransitAlertService

/// Tests which positions of a batch a journey believes, by their times.
@Suite struct FutureFixTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let minute: Int64 = 60_000
    private static let hour: Int64 = 60 * minute
    private static let last: Int64 = 253_402_300_799_999

    private func watch(_ clock: JourneyClock? = nil) -> JourneyWatch {
        JourneyWatch(journey: Journey(started: Self.now, clock: clock), file: "", lines: [])
    }

    /// The times of the positions that the journey believes, of positions with these times.
    private func believed(_ times: Int64..., by watch: JourneyWatch) -> [Int64] {
        let fixes = times.map {
            Fix(time: $0, place: Coordinate(latitudeE7: 540_000_000, longitudeE7: 100_000_000))
        }
        return watch.believable(fixes, at: Self.now).map(\.time)
    }

    @Test func `a live journey leaves out what is more than a quarter of an hour ahead`() {
        let (now, soon) = (Self.now, Self.now + 15 * Self.minute)

        #expect(
            believed(Self.last, now - Self.hour, now, soon, soon + 1, by: watch())
                == [now - Self.hour, now, soon])
    }

    @Test func `a batch that is ahead as a whole counts with its newest position, as of now`() {
        #expect(believed(Self.last, by: watch()) == [Self.now])
        let ahead = Self.now + 2 * Self.hour
        #expect(believed(ahead, ahead + 1000, by: watch()) == [Self.now])
    }

    @Test func `a replay goes by its own clock and may be sent at once`() {
        let replay = watch(JourneyClock(origin: Self.hour, speed: 60))

        #expect(
            believed(Self.hour, 13 * Self.hour, 13 * Self.hour + 1, Self.now, by: replay)
                == [Self.hour, 13 * Self.hour])
        #expect(believed(Self.now, by: replay) == [Self.hour])
    }
}
