import RideTracking
import Testing

/// Rides that leave their line, or turn back, more than once.
@Suite struct RideReturnTests {
    private let line: Line

    init() throws { line = try Synthetic.line(corners: [(0, 0), (20_000, 0)]) }

    /// For 150 s the vehicle runs on a parallel street 300 m away.
    private func detour(from east: Double, start: Double) -> [RideFix] {
        (1...30).map {
            Synthetic.fix(Synthetic.at(east + 25 * Double($0), 300), start + 5 * Double($0))
        }
    }

    @Test func `a vehicle that leaves its line again is reported again`() throws {
        let fixes =
            Synthetic.drive(line, to: 2_000) + detour(from: 2_000, start: 36_400)
            + Synthetic.drive(line, from: 2_800, to: 5_000, start: 36_560)
            + detour(from: 5_000, start: 37_000)
        var ride = try Ride(to: "s45", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, fixes, on: [line])

        #expect(told.kinds == [.offRoute, .backOnLine, .offRoute])
    }

    @Test func `a vehicle that rides away from the stop again is reported again`() throws {
        let turns = [(4_500.0, 6_000.0), (6_000, 4_500), (4_500, 6_000), (6_000, 4_500)]
        let fixes = turns.enumerated().flatMap { turn, way in
            Synthetic.drive(
                line, from: way.0, to: way.1, start: 36_000 + 325 * Double(turn), cadence: 25)
        }
        var ride = try Ride(to: "s45", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, fixes, on: [line])

        #expect(told.kinds == [.wrongDirection, .backOnLine, .wrongDirection])
    }

    @Test
    func `a vehicle that leaves its line is reported however often its positions were coarse`()
        throws
    {
        var ride = try Ride(to: "s45", on: [line], at: Synthetic.time(36_000))
        var reversals = 0
        for round in 0..<100 {
            for (second, accuracy) in [(0.0, 500.0), (60, 500), (70, 10)] {
                let fix = Synthetic.fix(
                    line.position(at: 0), 20_000 + 100 * Double(round) + second,
                    accuracy: accuracy)
                reversals += ride.noteAccuracy(of: fix).count
            }
        }

        let told = Synthetic.told(
            &ride, Synthetic.drive(line, to: 2_000) + detour(from: 2_000, start: 36_400),
            on: [line])

        #expect(reversals == 40)
        #expect(told.kinds == [.offRoute])
    }

    @Test func `a ride that keeps leaving its line isn't reported forever`() throws {
        var ride = try Ride(to: "s45", on: [line], at: Synthetic.time(36_000))
        var told: [Signal.Kind] = []
        for round in 0..<60 {
            let start = 36_000 + 560 * Double(round)
            let fixes =
                Synthetic.drive(line, from: 1_000, to: 2_000, start: start)
                + detour(from: 2_000, start: start + 200)
            told += Synthetic.told(&ride, fixes, on: [line]).kinds
        }

        let left = told.count { $0 == .offRoute }
        #expect((2...40).contains(left))
        #expect(told.count <= 41)
    }

    @Test func `a place past the stop isn't believed of a vehicle that comes nearer to the stop`()
        throws
    {
        // The stop is near the start of a line whose other end comes back in the next street.
        let line = try Synthetic.line(corners: [(0, 0), (6_000, 0), (6_000, 300), (0, 300)])
        var ride = try Ride(to: "s1", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(
            &ride, Synthetic.drive(line, from: 6_800, to: 11_900), on: [line])

        #expect(told.kinds == [.offRoute, .getReady])
    }

    @Test func `a place past the stop is believed of a vehicle that rides away from the stop`()
        throws
    {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s1", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, Synthetic.drive(line, from: 1_000, to: 3_000), on: [line])

        #expect(told.kinds == [.passed])
    }
}
