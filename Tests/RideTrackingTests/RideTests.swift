import Foundation
import RideEvaluation
import RideTracking
import Testing

@Suite struct RideTests {
    @Test func `a ride along a straight line gets each alert once and in order`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, Synthetic.drive(line, to: 7_000), on: [line])

        #expect(told.kinds == [.getReady, .now, .passed])
        let arrival = Synthetic.time(36_000 + 6_000 / 5)
        let ready = try #require(told.time(of: .getReady))
        let now = try #require(told.time(of: .now))
        #expect((180_000...480_000).contains(arrival - ready))
        #expect((20_000...120_000).contains(arrival - now))
        #expect(ride.isOver)
        #expect(ride.timerDue == nil)
    }

    @Test func `a ride goes on when the clock that timed its positions is set back`() throws {
        let line = try Synthetic.line()
        let ahead = 86_400.0
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000 + ahead))
        let first = Synthetic.drive(line, to: 3_000, start: 36_000 + ahead)
        #expect(Synthetic.told(&ride, first, on: [line]).isEmpty)
        let wait = try #require(ride.timerDue) - Synthetic.time(36_600 + ahead)
        let now = Synthetic.time(36_600)

        var moved = ride.setBack(to: now, ifAfter: Synthetic.time(36_600 + ahead))
        #expect(!moved)
        moved = ride.setBack(to: now, ifAfter: now)
        #expect(moved)
        #expect(ride.timerDue == now + wait)
        moved = ride.setBack(to: now, ifAfter: now)
        #expect(!moved)

        // Without another position it is alerted in time, too.
        var blind = ride
        let alone = Synthetic.told(&blind, [], on: [line], until: Synthetic.time(38_000))
        #expect(alone.kinds == [.getReady, .now])
        let rest = Synthetic.drive(line, from: 3_025, to: 7_000, start: 36_605)
        let told = Synthetic.told(&ride, rest, on: [line])
        #expect(told.kinds == [.getReady, .now, .passed])
        let arrival = Synthetic.time(36_000 + 6_000 / 5)
        let ready = try #require(told.time(of: .getReady))
        #expect((180_000...480_000).contains(arrival - ready))
    }

    @Test func `the time that is left shrinks while no position comes, down to nothing`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))
        #expect(ride.remaining(at: Synthetic.time(36_000)) == nil)
        _ = Synthetic.told(&ride, Synthetic.drive(line, to: 3_000), on: [line])
        let last = Synthetic.time(36_600)

        let left = try #require(ride.remaining(at: last)).milliseconds
        let waits: [Int64] = [-60_000, 60_000, 86_400_000]
        let later = waits.map { ride.remaining(at: last + $0)?.milliseconds }

        #expect((300_000...900_000).contains(left))
        #expect(later == [left, left - 60_000, 0])
    }

    @Test func `nothing is announced after the stop was passed`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s5", on: [line], at: Synthetic.time(36_000))
        _ = Synthetic.told(&ride, Synthetic.drive(line, to: 3_000), on: [line])
        let rest = Synthetic.drive(line, from: 3_000, to: 1_000, start: 36_605)

        let told = Synthetic.told(&ride, rest, on: [line], until: Synthetic.time(50_000))

        #expect(told.isEmpty)
    }

    @Test(arguments: [1, 2, 3, 5, 10, 20]) func `the alarm leaves the requested notice`(
        minutes: Int
    ) throws {
        let line = try Synthetic.line(corners: [(0, 0), (16_000, 0)])
        let notice = Int64(minutes) * 60_000
        var ride = try Ride(to: "s38", notice: notice, on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, Synthetic.drive(line, to: 15_200), on: [line])

        let ready = try #require(told.time(of: .getReady))
        #expect(Synthetic.time(36_000 + 15_200 / 5) - ready >= notice)
    }

    @Test func `a passenger already within the notice is alerted immediately, with the real lead`()
        throws
    {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s8", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(
            &ride, Synthetic.drive(line, from: 2_500, to: 3_300, cadence: 1), on: [line])

        let first = try #require(told.first)
        #expect(first.time - Synthetic.time(36_000) <= 25_000)
        guard case .getReady(let remaining, let metres, let estimated) = first.signal else {
            Issue.record("the first signal is \(first.signal)")
            return
        }
        #expect(!estimated)
        #expect((550...700).contains(metres))
        #expect((110_000...140_000).contains(remaining))
    }

    @Test func `a ride shorter than the notice is alerted at its start`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(
            to: "s2", notice: 600_000, on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, Synthetic.drive(line, to: 1_000, cadence: 1), on: [line])

        #expect(told.kinds == [.getReady, .now, .passed])
        #expect((told.first?.time ?? .max) - Synthetic.time(36_000) <= 25_000)
    }

    @Test func `a ride that loses its signal for good is still alerted in time`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(
            &ride, Synthetic.drive(line, to: 2_000), on: [line], until: Synthetic.time(40_000))

        let arrival = Synthetic.time(36_000 + 6_000 / 5)
        #expect(told.kinds == [.getReady, .now])
        #expect(arrival - (told.time(of: .getReady) ?? .max) >= 180_000)
        #expect(arrival - (told.time(of: .now) ?? .max) >= 20_000)
        guard case .getReady(_, _, estimated: true) = told.first?.signal else {
            Issue.record("\(String(describing: told.first)) is not marked as estimated")
            return
        }
    }

    @Test func `a ride on a known trip without any fix is alerted by its timetable`() throws {
        let line = try Synthetic.line(knowsDay: true)
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(35_000))

        let told = Synthetic.told(&ride, [], on: [line], until: Synthetic.time(40_000))

        let arrival = Synthetic.time(36_000 + 6_000 / 5)
        #expect(told.kinds == [.getReady, .now])
        #expect(arrival - (told.time(of: .getReady) ?? .max) == 300_000)
    }

    @Test func `a fast train without any fix is alerted by its timetable too`() throws {
        let line = try Synthetic.line(
            corners: [(0, 0), (60_000, 0)], spacing: 15_000, speed: 42, knowsDay: true)
        var ride = try Ride(to: "s3", on: [line], at: Synthetic.time(35_000))

        let told = Synthetic.told(&ride, [], on: [line], until: Synthetic.time(40_000))

        // The timetable gives whole seconds.
        let arrival = Synthetic.time(36_000 + (45_000.0 / 42).rounded(.down))
        #expect(told.kinds == [.getReady, .now])
        #expect(arrival - (told.time(of: .getReady) ?? .max) == 300_000)
        #expect(arrival - (told.time(of: .now) ?? .max) == 120_000)
    }

    @Test func `a ride on a known trip that is late is alerted too, with or without fixes`() throws
    {
        let line = try Synthetic.line(knowsDay: true)
        // By the timetable it arrived half an hour ago.
        let second = 36_000 + 6_000 / 5.0 + 1_800
        let start = Synthetic.time(second)
        var blind = try Ride(to: "s15", on: [line], at: start)
        var ride = blind

        let alone = Synthetic.told(&blind, [], on: [line], until: start + 3_600_000)
        let told = Synthetic.told(
            &ride, Synthetic.drive(line, to: 7_000, start: second), on: [line])

        #expect(alone.kinds == [.getReady, .now])
        #expect(alone.allSatisfy { (60_000...180_000).contains($0.time - start) })
        #expect(told.kinds == [.getReady, .now, .passed])
        let arrival = start + 6_000 / 5 * 1_000
        #expect((180_000...480_000).contains(arrival - (told.time(of: .getReady) ?? .max)))
    }

    @Test func `a position off the line leaves the alarm of a known trip to its timetable`() throws
    {
        let line = try Synthetic.line(knowsDay: true)
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(35_000))
        // In the station; the vehicle runs underground.
        let inside = Synthetic.fix(Synthetic.at(100, 150), 35_900)

        let told = Synthetic.told(&ride, [inside], on: [line], until: Synthetic.time(40_000))

        let arrival = Synthetic.time(36_000 + 6_000 / 5)
        #expect(told.kinds == [.getReady, .now])
        #expect(arrival - (told.time(of: .getReady) ?? .max) == 300_000)
        #expect(arrival - (told.time(of: .now) ?? .max) == 120_000)
    }

    @Test func `someone who stays away from the line of a known trip isn't told to get off`() throws
    {
        let line = try Synthetic.line(knowsDay: true)
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(35_000))
        let fixes = (0..<60).map {
            Synthetic.fix(Synthetic.at(100, 1_500), 35_000 + 60 * Double($0))
        }

        let told = Synthetic.told(&ride, fixes, on: [line])

        #expect(told.kinds == [.offRoute])
    }

    @Test func `a tunnel on the way changes nothing once it is left`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))
        let fixes = Synthetic.drive(line, to: 7_000).filter { fix in
            !(Synthetic.time(36_200)...Synthetic.time(36_500)).contains(fix.time)
        }

        let told = Synthetic.told(&ride, fixes, on: [line])

        #expect(told.kinds == [.getReady, .now, .passed])
        let arrival = Synthetic.time(36_000 + 6_000 / 5)
        #expect((180_000...480_000).contains(arrival - (told.time(of: .getReady) ?? 0)))
    }

    @Test func `a stop that is passed without signal is reported as passed`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))
        let fixes = Synthetic.drive(line, to: 7_500).filter { fix in
            !(Synthetic.time(37_000)...Synthetic.time(37_300)).contains(fix.time)
        }

        let told = Synthetic.told(&ride, fixes, on: [line])

        #expect(told.kinds == [.getReady, .now, .passed])
    }

    @Test(arguments: [1.0, 5, 15, 30]) func `a jump of the receiver raises no alarm`(
        cadence: Double
    ) throws {
        let line = try Synthetic.line()
        var fixes = Synthetic.drive(line, to: 2_000, cadence: cadence)
        let target = line.position(at: 5_900)
        for index in fixes.indices where index % 7 == 3 { fixes[index].position = target }
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, fixes, on: [line])

        #expect(told.isEmpty)
    }

    @Test func `fixes that come twice or in the wrong order change nothing`() throws {
        let line = try Synthetic.line()
        let fixes = Synthetic.drive(line, to: 7_000)
        var doubled = fixes.flatMap { [$0, $0] }
        for index in stride(from: 0, to: doubled.count - 8, by: 20) {
            doubled.insert(doubled[index], at: index + 7)
        }
        var plain = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))
        var other = plain

        let expected = Synthetic.told(&plain, fixes, on: [line])
        let told = Synthetic.told(&other, doubled, on: [line])

        #expect(told.map(\.signal) == expected.map(\.signal))
        #expect(plain == other)
    }

    @Test func `a fix of poor accuracy is ignored`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))
        let before = ride

        let told = ride.advance(
            Synthetic.fix(line.position(at: 5_990), 36_010, accuracy: 101), on: [line])

        #expect(told.isEmpty)
        #expect(ride == before)
        _ = ride.advance(
            Synthetic.fix(line.position(at: 5_990), 36_010, accuracy: 100), on: [line])
        #expect(ride != before)
    }

    @Test func `a stop that the line does not serve is refused`() throws {
        let line = try Synthetic.line()

        #expect(throws: Ride.Unusable(description: "no line of this ride calls at stop moon")) {
            try Ride(to: "moon", on: [line], at: 0)
        }
    }

    @Test(arguments: [59_999, 1_800_001]) func `a notice out of range is refused`(
        notice: Int64
    ) throws {
        let line = try Synthetic.line()

        #expect(throws: Ride.Unusable(description: "a notice is from 1 to 30 minutes")) {
            try Ride(to: "s2", notice: notice, on: [line], at: 0)
        }
    }

    @Test func `a vehicle that waits beside its first stop alerts before it leaves`() throws {
        let line = try Synthetic.line()
        func told(standingAt place: Position, to stop: String) throws -> [Signal.Kind] {
            var ride = try Ride(to: stop, on: [line], at: Synthetic.time(36_000))
            let fixes = stride(from: 36_000.0, through: 36_600, by: 30)
                .map { Synthetic.fix(place, $0) }
            return Synthetic.told(&ride, fixes, on: [line]).kinds
        }

        // The bay is farther from the line than a vehicle on it can be.
        #expect(try told(standingAt: Synthetic.at(-20, 70), to: "s1") == [.getReady])
        // From there, no vehicle is within three minutes of this one.
        #expect(try told(standingAt: Synthetic.at(-20, 70), to: "s9") == [])
        // Beside the line, the passenger may be waiting in a house.
        #expect(try told(standingAt: Synthetic.at(2_200, 70), to: "s6") == [])
    }

    @Test func `a ride that an earlier version has kept goes on`() throws {
        let line = try Synthetic.line()
        let fixes = Synthetic.drive(line, to: 3_600)
        var ride = try Ride(to: "s9", on: [line], at: Synthetic.time(36_000))
        _ = Synthetic.told(&ride, Array(fixes.prefix(40)), on: [line])
        let kept = try JSONSerialization.jsonObject(with: JSONEncoder().encode(ride))
        var parts = try #require(kept as? [String: Any])
        var match = try #require(parts["match"] as? [String: Any])
        let places = try #require(match["hypotheses"] as? [[Any]])
        #expect(!places.isEmpty)
        // It didn't keep how far apart the positions were.
        match["hypotheses"] = places.map { Array($0.prefix(9)) }
        parts["match"] = match

        ride = try JSONDecoder().decode(
            Ride.self, from: JSONSerialization.data(withJSONObject: parts))

        let told = Synthetic.told(&ride, Array(fixes.dropFirst(40)), on: [line])
        #expect(told.kinds == [.getReady, .now])
    }
}
