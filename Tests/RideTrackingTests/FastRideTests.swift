import RideTracking
import Testing

/// Rides on coaches and trains, which are faster than an alarm believes from one position alone.
@Suite struct FastRideTests {
    @Test(arguments: [3.0, 13, 30])
    func `a ride at 140 km/h is alerted in time, and ends behind its stop`(
        cadence: Double
    ) throws {
        let line = try Synthetic.line(corners: [(0, 0), (60_000, 0)], spacing: 15_000, speed: 39)
        var ride = try Ride(to: "s3", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(
            &ride, Synthetic.drive(line, to: 60_000, speed: 39, cadence: cadence), on: [line])

        let arrival = Synthetic.time(36_000 + 45_000 / 39)
        #expect(told.kinds == [.getReady, .now, .passed])
        #expect(arrival - (told.time(of: .getReady) ?? .max) >= 180_000)
        #expect(told.time(of: .now) ?? .max < arrival)
        #expect(told.time(of: .passed) ?? 0 > arrival)
    }

    @Test func `a single position near the stop isn't believed until the next one confirms it`()
        throws
    {
        let line = try Synthetic.line(corners: [(0, 0), (60_000, 0)], spacing: 15_000, speed: 39)
        let start = Synthetic.drive(line, to: 42_120, speed: 39, cadence: 30)
        let second = 36_000 + 42_120 / 39.0
        // The vehicle stands, and one position says that it went on at 44 m/s.
        let jump = Synthetic.fix(line.position(at: 43_440), second + 30)
        let standing = (2...4).map {
            Synthetic.fix(line.position(at: 42_120), second + 30 * Double($0))
        }
        var ride = try Ride(to: "s3", on: [line], at: Synthetic.time(36_000))
        _ = Synthetic.told(&ride, start + [jump], on: [line])
        let toGo = try #require(ride.metresToGo)
        var confirmed = ride

        let next = Synthetic.fix(line.position(at: 44_600), second + 60)
        _ = Synthetic.told(&confirmed, [next], on: [line])
        _ = Synthetic.told(&ride, standing, on: [line])

        #expect(abs(toGo - (45_000 - 42_120)) < 10)
        #expect(abs((confirmed.metresToGo ?? 0) - (45_000 - 43_440)) < 10)
        #expect(abs((ride.metresToGo ?? 0) - (45_000 - 42_120)) < 10)
    }
}
