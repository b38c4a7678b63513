import RideTracking
import Testing

/// Rides with a position every two minutes, between which a vehicle covers a kilometre.
@Suite struct RarePositionTests {
    private static let cadence = 120.0
    private let line: Line

    init() throws { line = try Synthetic.line() }

    @Test func `GET READY waits for a position that should come soon`() throws {
        let start = Synthetic.time(36_000)
        // By the last position but one, GET READY would be due five seconds before the last.
        let fixes = Synthetic.drive(line, from: 850, to: 3_850, cadence: Self.cadence)
        let arrival = Synthetic.time(36_000 + (6_000 - 850) / 5)
        var ride = try Ride(to: "s15", on: [line], at: start)
        var blind = ride

        let told = Synthetic.told(&ride, fixes, on: [line], until: arrival)
        let alone = Synthetic.told(&blind, Array(fixes.dropLast()), on: [line], until: arrival)

        let (awaited, last) = (fixes[fixes.count - 1].time, fixes[fixes.count - 2].time)
        let ready = try #require(told.time(of: .getReady))
        #expect(ready > awaited && arrival - ready >= Ride.usualNotice)
        // It is given soon after if none comes, and still in time.
        let unaided = try #require(alone.time(of: .getReady))
        #expect((last + 120_000...last + 135_000).contains(unaided))
        #expect(arrival - unaided >= Ride.usualNotice)
    }

    @Test func `GET READY doesn't wait if positions are frequent`() throws {
        let fixes = Synthetic.drive(line, from: 850, to: 3_250, cadence: 40)
        let arrival = Synthetic.time(36_000 + (6_000 - 850) / 5)
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, fixes, on: [line], until: arrival)

        let last = try #require(fixes.last).time
        #expect((last + 110_000...last + 120_000).contains(told.time(of: .getReady) ?? 0))
    }

    @Test func `whoever rides away from the stop isn't told to get off before the second position`()
        throws
    {
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(
            &ride, Synthetic.drive(line, from: 5_000, to: 1_000, cadence: Self.cadence), on: [line])

        #expect(told.kinds == [.getReady, .wrongDirection])
    }

    @Test func `a vehicle back on its line after a block on the opposite one alerts in time`()
        throws
    {
        // The vehicle leaves a block of its line out. There only the opposite line runs, and the
        // vehicle seems to run against it.
        let ridden = try Synthetic.line(
            id: "out",
            corners: [(0, 0), (4_050, 0), (4_050, 150), (4_450, 150), (4_450, 0), (10_000, 0)],
            spacing: 895, speed: 7, names: [10: "goal"])
        let opposite = try Synthetic.line(
            id: "back", corners: [(10_300, 0), (-100, 0)], spacing: 825, speed: 7,
            names: [2: "goal"])
        let fixes = (0...10).map {
            Synthetic.fix(
                Synthetic.at(850 * Double($0), 0), 36_000 + Self.cadence * Double($0))
        }
        var ride = try Ride(to: "goal", on: [ridden, opposite], at: Synthetic.time(36_000))
        let arrival = Synthetic.time(36_000 + 8_650 / 850 * Self.cadence)

        let told = Synthetic.told(&ride, fixes, on: [ridden, opposite], until: arrival)

        #expect(told.kinds == [.wrongDirection, .backOnLine, .getReady, .now])
        #expect(arrival - (told.time(of: .getReady) ?? .max) >= Ride.usualNotice)
    }

    @Test func `a vehicle that comes to the first stop of a loop from ahead isn't at its last one`()
        throws
    {
        // The line ends 10 m from where it begins, after 4,790 m.
        let loop = try Synthetic.line(
            corners: [(0, 0), (1_500, 0), (1_500, 900), (0, 900), (0, 10)], spacing: 479,
            names: [10: "goal"])
        let begin = 36_000 + Self.cadence
        var fixes = Synthetic.drive(loop, to: 4_790, start: begin, cadence: Self.cadence)
        fixes[0] = Synthetic.fix(Synthetic.at(5, 5), begin)
        fixes.insert(Synthetic.fix(Synthetic.at(870, 0), 36_000), at: 0)
        var ride = try Ride(to: "goal", on: [loop], at: Synthetic.time(36_000))
        let arrival = begin + 4_790 / 5

        let told = Synthetic.told(&ride, fixes, on: [loop], until: Synthetic.time(arrival))

        #expect(told.kinds == [.getReady, .now])
        #expect(told.time(of: .getReady) ?? 0 > Synthetic.time(arrival - 600))
    }
}
