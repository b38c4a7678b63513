import Foundation
import RideEvaluation
import Testing

@testable import RideTracking

/// What earlier rides teach, and that it never makes an alarm come too late.
@Suite struct TravelTimesTests {
    private static let zone = TimeZone(identifier: "America/New_York") ?? .gmt

    @Test(arguments: [
        ("2026-02-16T05:59:59-05:00", TravelTimes.Band.workdayNight),
        ("2026-02-16T06:00:00-05:00", .workdayMorning),
        ("2026-02-20T18:59:59-05:00", .workdayAfternoon),
        ("2026-02-21T00:00:00-05:00", .weekendNight),
        ("2026-02-22T23:00:00-05:00", .weekendEvening),
        ("1969-12-28T12:00:00-05:00", .weekendMidday),
    ])
    func `a time belongs to the hour and day in its time zone`(
        text: String, band: TravelTimes.Band
    ) throws {
        let date = try Date(text, strategy: .iso8601)

        #expect(
            TravelTimes.Band(Int64(date.timeIntervalSince1970) * 1_000, in: Self.zone) == band)
    }

    @Test func `a ride shows how long each trip between two stops takes`() throws {
        let line = try Synthetic.line()
        var passings = Passings()
        for second in stride(from: 0.0, through: 400, by: 20) {
            passings.note(second * 5, at: Synthetic.time(second), on: line)
        }

        #expect(passings.lineId == line.id)
        #expect(passings.observations.map(\.call) == [1, 2, 3, 4])
        #expect(passings.observations.allSatisfy { abs($0.seconds - 80) < 0.01 })
        // It is at the third stop after 160 s, and so on.
        #expect(
            passings.observations.compactMap(\.time)
                == [160, 240, 320, 400].map { Synthetic.time($0) })
    }

    @Test func `frequent positions show how long the vehicle waits at its stops`() throws {
        let line = try Synthetic.line()
        let cases: [(Double, [Double?])] = [(5.0, [0, 40, 0]), (30, [nil, nil, nil])]
        for (cadence, dwells) in cases {
            var passings = Passings()
            for second in stride(from: 0.0, through: 400, by: cadence) {
                // It stops for 40 seconds at the second stop, 800 m along.
                let along = min(second * 5, max(800, (second - 40) * 5))
                passings.note(along, at: Synthetic.time(second), on: line)
            }

            #expect(passings.observations.map(\.dwell) == dwells)
        }
    }

    @Test func `nothing is learned from a gap in positions or a step back`() throws {
        let line = try Synthetic.line()
        var passings = Passings()
        for second in stride(from: 0.0, through: 170, by: 10) {
            passings.note(second * 5, at: Synthetic.time(second), on: line)
        }
        passings.note(1_500, at: Synthetic.time(500), on: line)
        for second in stride(from: 510.0, through: 600, by: 10) {
            passings.note(1_500 + (second - 500) * 5, at: Synthetic.time(second), on: line)
        }
        passings.note(1_000, at: Synthetic.time(610), on: line)

        #expect(passings.observations.map(\.call) == [1, 4])
    }

    @Test func `the mean of many rides counts, that of a few hardly does, and old rides fade`() {
        var times = TravelTimes()
        let stops = ["a", "b", "c"]
        func teach(_ seconds: Double, _ count: Int, _ band: TravelTimes.Band = .workdayMidday) {
            for _ in 0..<count {
                times.learn([.init(call: 0, seconds: seconds)], along: stops, of: "7", in: band)
            }
        }
        teach(100, 10)
        teach(300, 50, .weekendNight)

        let midday = times.lessons(for: stops, of: "7", in: .workdayMidday)
        #expect(midday[1] == nil)
        // All other times of day together count as two rides.
        #expect(midday[0]?.rides == 12)
        #expect(abs((midday[0]?.seconds ?? 0) - (10 * 100 + 2 * 300) / 12) < 0.01)
        #expect(times.lessons(for: stops, of: "8", in: .workdayMidday) == [nil, nil])
        teach(200, 1_000)
        let now = times.tally(
            for: .init(route: "7", from: "a", to: "b"), in: .workdayMidday)
        #expect(now.rides <= 101)
        #expect(abs(now.seconds / now.rides - 200) < 1)
    }

    @Test(arguments: [-1.0, 0, 4.9, 1_801, .infinity, .nan]) func `impossible times aren't learned`(
        seconds: Double
    ) {
        var times = TravelTimes()

        times.learn(
            [.init(call: 0, seconds: seconds), .init(call: 1, seconds: 60)], along: ["a", "b"],
            of: "7", in: .workdayMidday)

        #expect(times == TravelTimes())
    }

    @Test func `learned times count by their weight`() throws {
        let line = try Synthetic.line()
        let taught = line.pace.taught(
            line.stops.dropLast().map { _ in Lesson(seconds: 120, rides: 3) })

        // Three rides count as much as the timetable, which says 80 s.
        #expect(abs(taught.seconds(from: 400, to: 800) - 100) < 0.1)
        #expect(taught.isTaught && !line.pace.isTaught)
        #expect(line.pace.taught([]) == line.pace)
        #expect(line.pace.taught(line.stops.dropLast().map { _ in nil }) == line.pace)
    }

    @Test func `past a stop, the wait there that its learned time includes is over`() throws {
        let line = try Synthetic.line()
        for (dwell, passed) in [(nil, Rules.usualDwell), (0.0, 0)] as [(Double?, Double)] {
            let taught = line.pace.taught(
                line.stops.dropLast().map { _ in Lesson(seconds: 80, rides: 10, dwell: dwell) })

            let remaining = taught.remaining(
                from: 500, to: 5, at: Synthetic.time(36_000), isStanding: false, recentSpeed: nil)

            // A quarter of the way to the next stop lies behind.
            #expect(abs(remaining.typical - (300 - passed * 0.75)) < 0.1)
        }
    }

    @Test func `the alert to get off waits for a position that should come soon`() throws {
        let lessons = [Lesson](repeating: Lesson(seconds: 80, rides: 3, dwell: 0), count: 20)
        let line = try Synthetic.line().taught(lessons)
        let start = Synthetic.time(36_000)
        let fixes = Synthetic.drive(line, from: 750, to: 5_475, cadence: 105)
        let arrival = Synthetic.time(36_000 + (6_000 - 750) / 5)
        var ride = try Ride(to: "s15", on: [line], at: start)
        var blind = ride

        let told = Synthetic.told(&ride, fixes, on: [line], until: arrival)
        let alone = Synthetic.told(&blind, Array(fixes.dropLast()), on: [line], until: arrival)

        let last = try #require(fixes.last).time
        let now = try #require(told.time(of: .now))
        #expect(now >= last)
        #expect((20_000...120_000).contains(arrival - now))
        // It is given soon after if none comes.
        #expect((last...last + 20_000).contains(alone.time(of: .now) ?? .max))
    }

    /// Lessons of any kind, including wrong ones.
    private static func lessons(_ count: Int, _ random: inout Seeded) -> [Lesson?] {
        (0..<count).map { _ in
            guard random.share() < 0.8 else { return nil }
            return Lesson(
                seconds: exp(Double.random(in: -2...9, using: &random)),
                rides: exp(Double.random(in: -1...7, using: &random)),
                dwell: random.share() < 0.5 ? Double.random(in: 0...900, using: &random) : nil)
        }
    }

    @Test(arguments: RidePropertyTests.seeds)
    func `whatever was learned, the alarm is no later than for a vehicle on time`(
        seed: UInt64
    ) throws {
        let sample = try RidePropertyTests.sample(seed)
        var random = Seeded(seed &+ 3_000)
        let plain = sample.line.pace
        let taught = plain.taught(Self.lessons(sample.line.stops.count - 1, &random))
        for _ in 0..<200 {
            let call = Int.random(in: 1..<sample.line.stops.count, using: &random)
            let end = sample.line.stops[call].along
            let along = Double.random(in: -100...end, using: &random)
            let time = Synthetic.time(36_000 + Double.random(in: -9_000...9_000, using: &random))

            let own = plain.remaining(
                from: along, to: call, at: time, isStanding: false, recentSpeed: nil)
            let learned = taught.remaining(
                from: along, to: call, at: time, isStanding: false, recentSpeed: nil)

            #expect(learned.cautious <= max(own.typical, own.cautious) + 1e-6, "seed \(seed)")
            #expect(learned.cautious >= 0 && learned.typical.isFinite, "seed \(seed)")
        }
    }

    @Test(arguments: RidePropertyTests.seeds)
    func `whatever was learned and forecast, a punctual ride is alerted before its stop`(
        seed: UInt64
    ) throws {
        let sample = try RidePropertyTests.sample(seed, isDisturbed: false)
        var random = Seeded(seed &+ 4_000)
        let line = sample.line.taught(Self.lessons(sample.line.stops.count - 1, &random))
        let start = Synthetic.time(36_000)
        let arrival = Synthetic.time(36_000 + sample.targetAlong / sample.speed)
        let notice = Ride.shortest
        var ride = try Ride(to: sample.target, notice: notice, on: [line], at: start)
        var told: [(time: Int64, signal: Signal)] = []
        for fix in sample.fixes where fix.time < arrival {
            told += Synthetic.told(&ride, [fix], on: [line])
            guard random.share() < 0.2 else { continue }
            let forecast = Forecast(
                made: fix.time,
                arrival: fix.time + Int64.random(in: -600_000...9_000_000, using: &random))
            told += ride.foresee(forecast, at: fix.time, on: [line]).map { (fix.time, $0) }
        }

        told += Synthetic.told(&ride, [], on: [line], until: arrival)

        let ready = try #require(told.time(of: .getReady), "seed \(seed)")
        // A ride that is shorter than the notice is announced as soon as it is certain.
        let due = max(arrival - notice, start + 120_000)
        #expect(ready <= due + 60_000, "seed \(seed)")
    }
}

extension Ride {
    /// The shortest notice.
    fileprivate static var shortest: Int64 { notices.lowerBound }
}
