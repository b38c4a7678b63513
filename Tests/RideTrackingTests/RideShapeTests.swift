import Foundation
import RideEvaluation
import RideTracking
import Testing

/// Rides on lines for which circles around the stop fail, and rides off their lines.
@Suite struct RideShapeTests {
    /// Out 4 km to the east and back on the same street.
    static let outAndBack: [(Double, Double)] = [(0, 0), (4_000, 0), (0, 0)]
    /// A square of 2 km, back to its start.
    static let loop: [(Double, Double)] = [
        (0, 0), (2_000, 0), (2_000, 2_000), (0, 2_000), (0, 0),
    ]

    @Test func `the stop on the way back is not told on the way out`() throws {
        let line = try Synthetic.line(corners: Self.outAndBack)
        var ride = try Ride(to: "s18", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, Synthetic.drive(line, to: 7_600), on: [line])

        // The stop is 7.2 km along, 800 m from the start as the crow flies.
        #expect(told.kinds == [.getReady, .now, .passed])
        let arrival = Synthetic.time(36_000 + 7_200 / 5)
        #expect((180_000...480_000).contains(arrival - (told.time(of: .getReady) ?? 0)))
    }

    @Test func `on a loop the last stop is not told at the start beside it`() throws {
        let line = try Synthetic.line(corners: Self.loop)
        var ride = try Ride(to: "s19", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, Synthetic.drive(line, to: 7_900), on: [line])

        let arrival = Synthetic.time(36_000 + 7_600 / 5)
        #expect(told.kinds == [.getReady, .now, .passed])
        #expect((180_000...480_000).contains(arrival - (told.time(of: .getReady) ?? 0)))
    }

    @Test func `a stop that is called at twice is the one ahead`() throws {
        let line = try Synthetic.line(
            corners: Self.outAndBack, names: [3: "twice", 17: "twice"])
        var early = try Ride(to: "twice", on: [line], at: Synthetic.time(36_000))
        var late = early

        let first = Synthetic.told(&early, Synthetic.drive(line, to: 2_000), on: [line])
        let second = Synthetic.told(
            &late, Synthetic.drive(line, from: 2_400, to: 7_200), on: [line])

        #expect(first.kinds == [.getReady, .now, .passed])
        #expect(second.kinds == [.getReady, .now, .passed])
        let arrival = Synthetic.time(36_000 + (6_800 - 2_400) / 5)
        #expect((180_000...480_000).contains(arrival - (second.time(of: .getReady) ?? 0)))
    }

    @Test func `a layover on a known trip does not bring the alarm early`() throws {
        // 20 minutes at the stop 800 m before the target.
        let line = try Synthetic.line(knowsDay: true, wait: (stop: 13, seconds: 1_200))
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))
        let arrivalAtLayover = 36_000 + 5_200 / 5.0
        let standing = stride(from: arrivalAtLayover + 5, to: arrivalAtLayover + 1_200, by: 5)
            .map { Synthetic.fix(line.position(at: 5_200), $0) }
        let onward = Synthetic.drive(
            line, from: 5_200, to: 7_000, start: arrivalAtLayover + 1_200)

        let told = Synthetic.told(
            &ride, Synthetic.drive(line, to: 5_200) + standing + onward, on: [line])

        #expect(told.kinds == [.getReady, .now, .passed])
        let arrival = Synthetic.time(arrivalAtLayover + 1_200 + 800 / 5)
        #expect((180_000...600_000).contains(arrival - (told.time(of: .getReady) ?? 0)))
    }

    @Test func `a vehicle in the opposite direction is told so and raises no alarm`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s10", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(
            &ride, Synthetic.drive(line, from: 8_000, to: 0, cadence: 25), on: [line])

        #expect(told.kinds == [.wrongDirection])
    }

    @Test func `a vehicle that crosses the line beside the stop raises no alarm`() throws {
        let line = try Synthetic.line()
        let crossing = stride(from: -2_000.0, through: 2_000, by: 50).enumerated()
            .map { Synthetic.fix(Synthetic.at(4_000, $0.element), 36_000 + 10 * Double($0.offset)) }
        var ride = try Ride(to: "s10", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, crossing, on: [line])

        #expect(told.kinds == [])
    }

    @Test func `a vehicle that leaves its line is told so, and near the stop is alerted`() throws {
        let line = try Synthetic.line(corners: [(0, 0), (8_000, 0)])
        // Off at 3 km, along a street 400 m beside, past the stop.
        var fixes = Synthetic.drive(line, to: 3_000)
        let start = 36_000 + 3_000 / 5.0
        for step in 1...160 {
            let east = 3_000 + 25 * Double(step)
            fixes.append(Synthetic.fix(Synthetic.at(east, 400), start + 80 + 5 * Double(step)))
        }
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, fixes, on: [line])

        #expect(told.kinds.prefix(2) == [.offRoute, .getReady])
        #expect((told.time(of: .getReady) ?? .max) < Synthetic.time(start + 80 + 600))
    }

    @Test func `of several lines the ridden one wins`() throws {
        // Both leave the same street; the second turns north after 3 km.
        let east = try Synthetic.line(id: "east", names: [18: "goal"])
        let north = try Synthetic.line(
            id: "north", corners: [(0, 0), (3_000, 0), (3_000, 9_000)], names: [18: "goal"])
        var ride = try Ride(to: "goal", on: [east, north], at: Synthetic.time(36_000))

        let told = Synthetic.told(
            &ride, Synthetic.drive(north, to: 5_000, cadence: 25), on: [north, east])

        #expect(ride.candidates == ["east", "north"])
        #expect(ride.line == "north")
        #expect(abs((ride.along ?? 0) - 5_000) < 130)
        #expect(told.isEmpty)
    }

    @Test func `a line without a timetable is alerted at the usual distance`() throws {
        let line = try Synthetic.line(hasTimes: false)
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, Synthetic.drive(line, to: 6_000, speed: 4), on: [line])

        guard case .getReady(_, let metres, _) = told.first?.signal else {
            Issue.record("no GET READY")
            return
        }
        #expect((1_550...1_650).contains(metres))
    }
}
