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

    @Test func `a batch from long before its journey counts as of now, too`() {
        let begin = Self.now - 15 * Self.minute
        #expect(believed(1, begin - 1, by: watch()) == [Self.now])
        #expect(believed(begin - 1, begin, by: watch()) == [begin - 1, begin])
        // One far ahead besides says no more about the clock.
        #expect(believed(1, Self.last, by: watch()) == [Self.now])
        let replay = watch(JourneyClock(origin: Self.hour, speed: 60))
        #expect(believed(1, 2, by: replay) == [1, 2])
    }

    @Test func `a lead is no longer than a journey may last`() {
        let leads: [(told: Int64, arrived: Int64, lead: Int64)] = [
            (1, Self.last, 12 * Self.hour), (Self.last, 1, -12 * Self.hour),
            (Self.now, Self.now + Self.minute, Self.minute),
        ]
        for (told, arrived, lead) in leads {
            var ended = watch()
            (ended.told, ended.arrived) = (told, arrived)
            ended.finish(at: Self.now)
            #expect(ended.journey.lead == lead)
        }
    }

    @Test func `a replay goes by its own clock and may be sent at once`() {
        let replay = watch(JourneyClock(origin: Self.hour, speed: 60))

        #expect(
            believed(Self.hour, 13 * Self.hour, 13 * Self.hour + 1, Self.now, by: replay)
                == [Self.hour, 13 * Self.hour])
        #expect(believed(Self.now, by: replay) == [Self.hour])
    }
}
