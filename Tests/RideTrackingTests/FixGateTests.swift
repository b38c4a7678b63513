import RideTracking
import Testing

/// Which positions of a fast vehicle count.
@Suite struct FixGateTests {
    private static let arrival = Synthetic.time(36_000 + 90_000 / 55)

    private static func line() throws -> Line {
        try Synthetic.line(
            corners: [(0, 0), (120_000, 0)], spacing: 30_000, speed: 55)
    }

    private func check(_ told: [(time: Int64, signal: Signal)]) {
        #expect(told.kinds == [.getReady, .now, .passed])
        #expect(Self.arrival - (told.time(of: .getReady) ?? .max) >= 180_000)
        #expect(told.time(of: .now) ?? .max < Self.arrival)
        #expect(told.time(of: .passed) ?? 0 > Self.arrival)
    }

    @Test(arguments: [3.0, 13, 30])
    func `a train's positions count at one and a half times the speed of its timetable`(
        cadence: Double
    ) throws {
        let line = try Self.line()
        var ride = try Ride(to: "s3", on: [line], at: Synthetic.time(36_000))

        check(
            Synthetic.told(
                &ride, Synthetic.drive(line, to: 120_000, speed: 55, cadence: cadence),
                on: [line]))
    }

    @Test func `a train's positions count on a ride to a stop without a line`() throws {
        let line = try Self.line()
        var ride = try Ride(to: "s3", at: line.position(at: 90_000))

        check(
            Synthetic.told(
                &ride, Synthetic.drive(line, to: 120_000, speed: 55, cadence: 5), on: []))
    }

    @Test func `on a bus line, positions as fast as a train's don't count`() throws {
        let train = try Self.line()
        let bus = try Synthetic.line(corners: [(0, 0), (120_000, 0)], spacing: 30_000, speed: 15)
        var ride = try Ride(to: "s3", on: [bus], at: Synthetic.time(36_000))

        _ = Synthetic.told(
            &ride, Synthetic.drive(train, to: 60_000, speed: 55, cadence: 5), on: [bus])

        #expect(ride.lastFix == Synthetic.time(36_000))
    }
}
