import Foundation
import Messages
import RideTracking
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

    /// A journey under way to a place.
    private func riding() throws -> JourneyWatch {
        var watch = watch()
        watch.ride = try Ride(to: "S", at: Position(latitude: 54, longitude: 10))
        return watch
    }

    /// A position this many metres north of the place.
    private func fix(_ time: Int64, metres: Int32 = 0) -> Fix {
        Fix(
            time: time,
            place: Coordinate(
                latitudeE7: 540_000_000 + metres * 90, longitudeE7: 100_000_000))
    }

    /// The times of the positions that the journey believes, of positions with these times.
    private func believed(_ times: Int64..., by watch: JourneyWatch) -> [Int64] {
        var watch = watch
        let fixes = times.map { fix($0) }
        return watch.believable(fixes, from: "", at: Self.now).map(\.time)
    }

    @Test func `a live journey leaves out what is more than a quarter of an hour ahead`() {
        let (now, soon) = (Self.now, Self.now + 15 * Self.minute)

        #expect(
            believed(Self.last, now - Self.hour, now, soon, soon + 1, by: watch())
                == [now - 75 * Self.minute, now - 15 * Self.minute, now])
    }

    @Test(arguments: [minute, 10 * minute, 15 * minute], ["browser", "gpsd"])
    func `a clock that is ahead doesn't make the positions of another source look old`(
        ahead: Int64, other: String
    ) throws {
        var ride = try riding()
        var told: [Signal.Kind] = []
        // At 10 m/s towards the stop. The telephone whose clock is ahead falls silent on the way.
        for step in 0...60 {
            let now = Self.now + Int64(step) * 10_000
            let isAhead = step < 20
            let fix = fix(isAhead ? now + ahead : now - 200, metres: 6_000 - 100 * Int32(step))
            let fixes = ride.believable([fix], from: isAhead ? "browser" : other, at: now)
            told += ride.record(fixes, on: [], at: now).map(\.signal.kind)
        }
        #expect(told == [.getReady, .now])
    }

    @Test func `a clock that is ahead doesn't make the alarm later either`() throws {
        var (ahead, right) = try (riding(), riding())
        for step in 0..<20 {
            let now = Self.now + Int64(step) * 10_000
            for (isAhead, time) in [(true, now + 10 * Self.minute), (false, now)] {
                var ride = isAhead ? ahead : right
                let fix = fix(time, metres: 6_000 - 100 * Int32(step))
                let fixes = ride.believable([fix], from: "browser", at: now)
                _ = ride.record(fixes, on: [], at: now)
                if isAhead { ahead = ride } else { right = ride }
            }
        }
        #expect(ahead.journey.due == right.journey.due && ahead.journey.due > 0)
    }

    @Test func `positions of a clock that is ahead keep their order, and count once`() throws {
        var ride = try riding()
        let ahead = Self.now + 10 * Self.minute
        func believed(_ time: Int64, after wait: Int64, from source: String = "browser") -> Int64 {
            let fixes = ride.believable([fix(time)], from: source, at: Self.now + wait)
            return (fixes.first?.time ?? 0) - Self.now
        }

        #expect(believed(ahead, after: 0) == 0)
        #expect(believed(ahead, after: 3_000) == 0)
        #expect(believed(ahead - 5_000, after: 4_000) == -5_000)
        #expect(believed(ahead + 13_000, after: 13_000) == 13_000)
        // Others have clocks of their own, even if they are sources of the same kind.
        #expect(believed(Self.now + 14_000, after: 14_000) == 14_000)
        #expect(believed(Self.now + 3 * Self.minute, after: 15_000) == 15_000)
        #expect(believed(ahead + 1, after: 16_000, from: "owntracks") == 16_000)
        #expect(believed(ahead + 13_000, after: 17_000) == 13_000)
    }

    @Test func `few clocks of a journey are kept`() throws {
        var ride = try riding()
        for number in 0..<1_000 {
            _ = ride.believable([fix(Self.now + 1)], from: "\(number)", at: Self.now)
        }
        let size = try JSONEncoder().encode(ride.ride).count
        #expect(size < 2_000)
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

    @Test(arguments: [15 * minute + 10_000, hour])
    func `each position of a clock that is far behind counts as of now`(behind: Int64) throws {
        var ride = try riding()
        // For an hour and a half at 5 m/s.
        for step in 0...180 {
            let now = Self.now + Int64(step) * 30_000
            let fix = fix(now - behind, metres: 27_000 - 150 * Int32(step))
            let fixes = ride.believable([fix], from: "browser", at: now)
            _ = ride.record(fixes, on: [], at: now)

            #expect(ride.ride?.lastFix == now)
        }
        #expect(ride.journey.stage == .now)
    }

    @Test func `a clock that is far behind is believed after a gap only once it is right`() throws {
        var ride = try riding()
        /// How old the newest position that counts is after one that says it is this old, in
        /// minutes.
        func age(after minute: Int64, saying old: Int64) -> Int64 {
            let now = Self.now + minute * Self.minute
            let fix = fix(now - old * Self.minute, metres: 27_000 - 100 * Int32(minute))
            let fixes = ride.believable([fix], from: "browser", at: now)
            _ = ride.record(fixes, on: [], at: now)
            return (now - (ride.ride?.lastFix ?? 0)) / Self.minute
        }

        for minute in [0, 1, 8, 9, 10, 20] as [Int64] {
            #expect(age(after: minute, saying: 16) == 0)
        }
        // The clock is set right. Then a position comes late.
        #expect(age(after: 21, saying: 0) == 0)
        #expect(age(after: 40, saying: 12) == 12)
    }

    @Test func `positions of a right clock that come late or twice count once`() throws {
        var ride = try riding()
        /// The second of the newest position after that of another second has come.
        func newest(_ second: Int64, after wait: Int64) -> Int64 {
            let now = Self.now + wait * 1_000
            let fixes = ride.believable([fix(Self.now + second * 1_000)], from: "", at: now)
            _ = ride.record(fixes, on: [], at: now)
            return ((ride.ride?.lastFix ?? 0) - Self.now) / 1_000
        }

        #expect(newest(600, after: 600) == 600)
        #expect(newest(600, after: 610) == 600)
        #expect(newest(10, after: 620) == 600)
        #expect(newest(630, after: 630) == 630)
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
