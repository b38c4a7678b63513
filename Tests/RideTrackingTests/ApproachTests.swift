import Foundation
import RideTracking
import Testing

/// Rides to a stop of which no line is known.
@Suite struct ApproachTests {
    private let stop = Synthetic.at(6_000, 0)

    /// A drive along a street to the east, at an even speed.
    private func drive(
        from start: Double = 0, to end: Double, speed: Double = 5, at second: Double = 36_000
    ) -> [RideFix] {
        stride(from: 0, through: abs(end - start) / speed, by: 5).map { time in
            let metres = start + (end < start ? -1 : 1) * speed * time
            return Synthetic.fix(Synthetic.at(metres, 0), second + time)
        }
    }

    @Test func `a ride without a line gets each alert once, in time and in order`() throws {
        var ride = try Ride(to: "s", at: stop)

        let told = Synthetic.told(&ride, drive(to: 7_000), on: [])

        #expect(told.kinds == [.getReady, .now, .passed])
        let arrival = Synthetic.time(36_000 + 6_000 / 5)
        let ready = try #require(told.time(of: .getReady))
        let now = try #require(told.time(of: .now))
        #expect((180_000...480_000).contains(arrival - ready))
        #expect((20_000...120_000).contains(arrival - now))
        #expect(ride.isOver)
    }

    @Test func `a ride without a line that loses its signal is still alerted`() throws {
        var ride = try Ride(to: "s", at: stop)

        let told = Synthetic.told(
            &ride, drive(to: 3_000), on: [], until: Synthetic.time(40_000))

        #expect(told.kinds == [.getReady, .now])
        let arrival = Synthetic.time(36_000 + 6_000 / 5)
        #expect(arrival - (told.time(of: .getReady) ?? .max) >= 180_000)
    }

    @Test func `one wrong position near the stop raises nothing`() throws {
        var ride = try Ride(to: "s", at: stop)
        var fixes = drive(to: 2_000)
        fixes.append(Synthetic.fix(Synthetic.at(2_200, 0), 36_405))
        fixes.insert(Synthetic.fix(stop, 36_201), at: 41)

        let told = Synthetic.told(&ride, fixes, on: [])

        #expect(told.isEmpty)
    }

    @Test func `a passenger who has got off and walks on has passed nothing`() throws {
        var ride = try Ride(to: "s", at: stop)
        let walk = drive(from: 6_000, to: 6_600, speed: 1.4, at: 37_260)

        let told = Synthetic.told(&ride, drive(to: 6_000) + walk, on: [])

        #expect(told.kinds == [.getReady, .now])
    }

    @Test func `a ride without a line is alerted by its distance, if that is earlier`() throws {
        var ride = try Ride(to: "s", at: stop, notice: 60_000, distance: 3_000)

        let told = Synthetic.told(&ride, drive(to: 4_000), on: [])

        let ready = try #require(told.time(of: .getReady))
        #expect(abs(ready - Synthetic.time(36_600)) <= 10_000)
    }
}
