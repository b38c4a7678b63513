import Foundation
import RideEvaluation
import RideTracking
import Testing

/// Rides on lines for which circles around the stop don't work, and rides that leave their lines.
@Suite struct RideShapeTests {
    /// Out 4 km to the east and back on the same street.
    static let outAndBack: [(Double, Double)] = [(0, 0), (4_000, 0), (0, 0)]
    /// A square of 2 km, back to its start.
    static let loop: [(Double, Double)] = [
        (0, 0), (2_000, 0), (2_000, 2_000), (0, 2_000), (0, 0),
    ]

    @Test func `a stop on the way back isn't announced on the way out`() throws {
        let line = try Synthetic.line(corners: Self.outAndBack)
        var ride = try Ride(to: "s18", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, Synthetic.drive(line, to: 7_600), on: [line])

        // The stop is 7.2 km along, 800 m from the start as the crow flies.
        #expect(told.kinds == [.getReady, .now, .passed])
        let arrival = Synthetic.time(36_000 + 7_200 / 5)
        #expect((180_000...480_000).contains(arrival - (told.time(of: .getReady) ?? 0)))
    }

    @Test func `on a loop the last stop isn't announced at the adjacent start`() throws {
        let line = try Synthetic.line(corners: Self.loop)
        var ride = try Ride(to: "s19", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, Synthetic.drive(line, to: 7_900), on: [line])

        let arrival = Synthetic.time(36_000 + 7_600 / 5)
        #expect(told.kinds == [.getReady, .now, .passed])
        #expect((180_000...480_000).contains(arrival - (told.time(of: .getReady) ?? 0)))
    }

    @Test func `a stop that is served twice means the one ahead`() throws {
        let line = try Synthetic.line(
            corners: Self.outAndBack, names: [3: "twice", 17: "twice"])
        var early = try Ride(to: "twice", on: [line], at: Synthetic.time(36_000))
        var late = early

        let first = Synthetic.told(&early, Synthetic.drive(line, to: 2_000), on: [line])
        let second = Synthetic.told(
            &late, Synthetic.drive(line, from: 2_400, to: 7_200), on: [line])

        #expect(first.kinds == [.getReady, .now, .passed])
        #expect(second.kinds == [.getReady, .now, .passed])
        #expect(early.call(on: line.id) == 3 && late.call(on: line.id) == 17)
        #expect(early.call(on: "another") == nil)
        let arrival = Synthetic.time(36_000 + (6_800 - 2_400) / 5)
        #expect((180_000...480_000).contains(arrival - (second.time(of: .getReady) ?? 0)))
    }

    @Test func `a layover on a known trip doesn't trigger the alarm early`() throws {
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

    @Test func `a vehicle that stands on its way is reported until it moves`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))
        let begin = 36_000 + 3_050 / 5.0
        let standing = stride(from: begin + 5, to: begin + 600, by: 5)
            .map { Synthetic.fix(line.position(at: 3_050), $0) }
        let onward = Synthetic.drive(line, from: 3_050, to: 7_000, start: begin + 600)

        let told = Synthetic.told(
            &ride, Synthetic.drive(line, to: 3_050) + standing + onward, on: [line])

        #expect(told.kinds == [.standing, .moving, .getReady, .now, .passed])
        let reported = try #require(told.time(of: .standing)) - Synthetic.time(begin)
        #expect((290_000...320_000).contains(reported))
    }

    @Test func `a vehicle that waits at a timepoint is reported only long after its departure`()
        throws
    {
        let line = try Synthetic.line(knowsDay: true, wait: (stop: 13, seconds: 1_200))
        var ride = try Ride(to: "s19", on: [line], at: Synthetic.time(36_000))
        let begin = 36_000 + 5_200 / 5.0
        let standing = stride(from: begin + 5, to: begin + 1_700, by: 5)
            .map { Synthetic.fix(line.position(at: 5_200), $0) }
        let onward = Synthetic.drive(line, from: 5_200, to: 7_900, start: begin + 1_700)

        let told = Synthetic.told(
            &ride, Synthetic.drive(line, to: 5_200) + standing + onward, on: [line])

        #expect(told.kinds == [.standing, .moving, .getReady, .now, .passed])
        let reported = try #require(told.time(of: .standing)) - Synthetic.time(begin + 1_200)
        #expect((180_000...200_000).contains(reported))
    }

    @Test func `a vehicle in the opposite direction is reported and raises no alarm`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s10", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(
            &ride, Synthetic.drive(line, from: 8_000, to: 0, cadence: 25), on: [line])

        #expect(told.kinds == [.wrongDirection])
    }

    @Test func `a vehicle on one of two opposite lines to the stop doesn't run against the other`()
        throws
    {
        // The vehicle leaves out the first block of its line, so that it fits the other one better.
        let ridden = try Synthetic.line(
            id: "out", corners: [(0, 0), (0, 150), (400, 150), (400, 0), (8_000, 0)],
            names: [18: "goal"])
        let opposite = try Synthetic.line(
            id: "back", corners: [(8_300, 0), (-100, 0)], names: [3: "goal"])
        let fixes = (0...14).map {
            Synthetic.fix(Synthetic.at(500 * Double($0), 0), 36_000 + 100 * Double($0))
        }
        var ride = try Ride(to: "goal", on: [ridden, opposite], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, fixes, on: [ridden, opposite])

        #expect(told.kinds == [.getReady, .now])
        let arrival = Synthetic.time(36_000 + 6_900 / 5)
        #expect(arrival - (told.time(of: .getReady) ?? .max) >= 180_000)
        #expect((0...240_000).contains(arrival - (told.time(of: .now) ?? .max)))
    }

    @Test func `a vehicle that was never on a line to the stop is alerted when it comes there`()
        throws
    {
        let line = try Synthetic.line()
        let fixes = stride(from: -5_000.0, through: -110, by: 25).enumerated()
            .map { Synthetic.fix(Synthetic.at(6_000, $0.element), 36_000 + 5 * Double($0.offset)) }
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, fixes, on: [line])

        #expect(told.kinds == [.offRoute, .getReady, .now])
    }

    @Test func `a receiver that drifts back before a tunnel doesn't silence the alarm`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))
        // GET READY has come. The vehicle goes on, but two positions are behind it.
        let drift = [4_955.0, 4_910].enumerated().map {
            Synthetic.fix(line.position(at: $0.element), 37_005 + 5 * Double($0.offset))
        }
        let arrival = Synthetic.time(36_000 + 6_000 / 5)

        let told = Synthetic.told(
            &ride, Synthetic.drive(line, to: 5_000) + drift, on: [line], until: arrival)

        #expect(told.kinds == [.getReady, .now])
        #expect((20_000...120_000).contains(arrival - (told.time(of: .now) ?? .max)))
    }

    @Test func `a receiver that drifts back far from the stop doesn't bring the alarm forward`()
        throws
    {
        let line = try Synthetic.line()
        let ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))
        let drive = Synthetic.drive(line, to: 2_000)
        let drift = [1_955.0, 1_910].enumerated().map {
            Synthetic.fix(line.position(at: $0.element), 36_405 + 5 * Double($0.offset))
        }
        let arrival = Synthetic.time(36_000 + 6_000 / 5)
        var (plain, drifting) = (ride, ride)

        // No position comes after these.
        let usual = Synthetic.told(&plain, drive, on: [line], until: arrival)
        let told = Synthetic.told(&drifting, drive + drift, on: [line], until: arrival)

        #expect(usual.kinds == [.getReady, .now] && told.kinds == usual.kinds)
        for kind in [.getReady, .now] as [Signal.Kind] {
            let expected = try #require(usual.time(of: kind))
            let delay = try #require(told.time(of: kind)) - expected
            #expect(abs(delay) <= 30_000, "\(kind)")
        }
    }

    @Test func `a vehicle that crosses the line beside the stop raises no alarm`() throws {
        let line = try Synthetic.line()
        let crossing = stride(from: -2_000.0, through: 2_000, by: 50).enumerated()
            .map { Synthetic.fix(Synthetic.at(4_000, $0.element), 36_000 + 10 * Double($0.offset)) }
        var ride = try Ride(to: "s10", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, crossing, on: [line])

        #expect(told.kinds == [])
    }

    @Test func `a vehicle that leaves its line is reported, and alerted near the stop`() throws {
        let line = try Synthetic.line(corners: [(0, 0), (8_000, 0)])
        // It leaves the line at 3 km, on a parallel street 400 m away, and passes the stop there.
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

    @Test func `a vehicle's return to its line is reported, and then the ride goes on as usual`()
        throws
    {
        let line = try Synthetic.line(corners: [(0, 0), (8_000, 0)])
        var fixes = Synthetic.drive(line, to: 2_000)
        // For 150 s it runs on a parallel street 300 m away.
        for step in 1...30 {
            let east = 2_000 + 25 * Double(step)
            fixes.append(Synthetic.fix(Synthetic.at(east, 300), 36_400 + 5 * Double(step)))
        }
        fixes += Synthetic.drive(line, from: 2_800, to: 7_000, start: 36_560)
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, fixes, on: [line])

        #expect(told.kinds == [.offRoute, .backOnLine, .getReady, .now, .passed])
        let back = try #require(told.time(of: .backOnLine))
        #expect((Synthetic.time(36_560)...Synthetic.time(36_640)).contains(back))
    }

    @Test func `a vehicle farther away than any line is long is reported immediately, once`() throws
    {
        let line = try Synthetic.line()
        // The line is 8 km long, and the stop is at 4 km.
        for (kilometres, kinds) in [(27.9, []), (28.1, [Signal.Kind.elsewhere])] {
            let place = Synthetic.at(4_000 - kilometres * 1_000, 0)
            let fixes = (0..<20).map { Synthetic.fix(place, 36_000 + 5 * Double($0)) }
            var ride = try Ride(to: "s10", on: [line], at: Synthetic.time(36_000))

            let told = Synthetic.told(&ride, fixes, on: [line])

            #expect(told.kinds == kinds)
        }
    }

    @Test func `near the stop no fix off the line delays the alarm`() throws {
        // On a winding line the stop is near as the crow flies, long before the line reaches it.
        let line = try Synthetic.line(
            corners: [(0, 0), (4_000, 0), (4_000, 1_200), (2_000, 1_200)])
        var ride = try Ride(to: "s17", on: [line], at: Synthetic.time(36_000))
        _ = Synthetic.told(&ride, Synthetic.drive(line, to: 4_600, cadence: 30), on: [line])
        let due = try #require(ride.timerDue)
        // It leaves the line on the other side, and stays there.
        let away = stride(from: 36_950.0, through: 38_500, by: 30)
            .map { Synthetic.fix(Synthetic.at(4_400, 700), $0) }
        let told = Synthetic.told(&ride, away, on: [line])

        let ready = try #require(told.time(of: .getReady))
        #expect(ready <= due)
    }

    @Test func `a rarely reported position is given time to be confirmed`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s6", on: [line], at: Synthetic.time(36_000))
        // A position every 150 s: off the line, then near the stop, then off the line again.
        let beside = Synthetic.at(-3_000, 900)
        let near = Synthetic.at(2_100, 10)
        let fixes = [beside, beside, near, beside].enumerated().map {
            Synthetic.fix($0.element, 36_000 + 150 * Double($0.offset))
        }

        let told = Synthetic.told(&ride, fixes, on: [line])

        #expect(told.kinds == [])
    }

    @Test func `an uncertain position near the stop delays no alarm that was due before`() throws {
        // Between two positions the vehicle turns north, where another line comes from the south:
        // the place on that line is likelier, but seen only once. Then the signal is lost.
        let ridden = try Synthetic.line(
            id: "ridden", corners: [(0, 0), (4_200, 0), (4_200, 4_000)], speed: 10,
            names: [16: "goal"])
        let other = try Synthetic.line(
            id: "other", corners: [(4_200, -3_000), (4_200, 4_000)], speed: 10,
            names: [13: "goal"])
        var ride = try Ride(to: "goal", on: [ridden, other], at: Synthetic.time(36_000))
        let arrival = Synthetic.time(36_000 + 6_400 / 10)

        let told = Synthetic.told(
            &ride, Synthetic.drive(ridden, to: 4_800, speed: 10, cadence: 120),
            on: [ridden, other], until: arrival)

        #expect(told.kinds == [.getReady, .now])
        #expect((20_000...120_000).contains(arrival - (told.time(of: .now) ?? .max)))
    }

    @Test func `a line with only stops known may cut corners`() throws {
        // The streets run in steps; the line joins the stops, 600 m apart, by straight lines.
        var corners: [(Double, Double)] = [(0, 0)]
        for step in 0..<12 {
            let (east, north) = (Double(step) * 420, Double(step) * 420)
            corners += [(east + 420, north), (east + 420, north + 420)]
        }
        let streets = try Synthetic.line(corners: corners, spacing: 840)
        let places = streets.stops.map { streets.position(at: $0.along) }
        var along = 0.0
        var stops: [Line.Stop] = []
        for (number, stop) in streets.stops.enumerated() {
            if number > 0 { along += places[number - 1].metres(to: places[number]) }
            stops.append(.init(id: stop.id, name: stop.name, along: along))
        }
        let line = try Line(id: "1", path: places, stops: stops, isStraight: true)
        var ride = try Ride(to: "s9", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, Synthetic.drive(streets, to: 8_800), on: [line])

        #expect(told.kinds == [.getReady, .now, .passed])
        let arrival = Synthetic.time(36_000 + 9 * 840 / 5)
        #expect(arrival - (told.time(of: .getReady) ?? .max) >= 180_000)
    }

    @Test func `a position past the stop on another line doesn't end the ride`() throws {
        // The first line calls at the goal near its end, the second at its start; they share the
        // street from 3 to 6 km, where the vehicle jumps to the end of the second.
        let ridden = try Synthetic.line(id: "ridden", names: [18: "goal"])
        let other = try Synthetic.line(
            id: "other", corners: [(7_200, 30), (7_200, 9_000), (0, 9_000)], names: [0: "goal"])
        var ride = try Ride(to: "goal", on: [ridden, other], at: Synthetic.time(36_000))
        var fixes = Synthetic.drive(ridden, to: 3_000, cadence: 30)
        let jumps = stride(from: 36_900.0, through: 37_200, by: 60).enumerated()
        fixes += jumps.map {
            Synthetic.fix(Synthetic.at(3_000 - 450 * Double($0.offset), 9_000), $0.element)
        }

        let told = Synthetic.told(
            &ride, fixes, on: [ridden, other], until: Synthetic.time(37_400))

        #expect(!told.kinds.contains(.passed))
        #expect(told.kinds.contains(.getReady))
    }

    @Test func `of several lines the one actually ridden is found`() throws {
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
