import RideEvaluation
import RideTracking
import Testing

/// An agency's predictions, during a ride.
@Suite struct ForecastTests {
    private let start = Synthetic.time(36_000)

    @Test func `an earlier arrival brings the alarm forward`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s15", on: [line], at: start)
        let fixes = Synthetic.drive(line, to: 2_000)
        _ = Synthetic.told(&ride, fixes, on: [line])
        let now = try #require(fixes.last).time
        let before = try #require(ride.timerDue)

        let told = ride.foresee(
            Forecast(made: now, arrival: now + 400_000), at: now, on: [line])

        #expect(told.isEmpty)
        #expect(try #require(ride.timerDue) < before - 100_000)
    }

    @Test func `a later arrival delays the alarm, but not past the notice by the timetable`()
        throws
    {
        let line = try Synthetic.line()
        var plain = try Ride(to: "s15", on: [line], at: start)
        var ride = plain
        var times: [Int64] = []
        for fix in Synthetic.drive(line, to: 6_000) {
            _ = ride.foresee(
                Forecast(made: fix.time, arrival: fix.time + 7_000_000), at: fix.time, on: [line])
            times += Synthetic.told(&ride, [fix], on: [line]).map(\.time)
        }
        let usual = Synthetic.told(&plain, Synthetic.drive(line, to: 6_000), on: [line])

        let arrival = Synthetic.time(36_000 + 6_000 / 5)
        let first = try #require(times.first)
        #expect(first > (usual.time(of: .getReady) ?? .max))
        #expect(arrival - first >= 170_000)
    }

    @Test func `without any position the agency's forecast counts`() throws {
        let line = try Synthetic.line(knowsDay: true)
        var ride = try Ride(to: "s15", on: [line], at: start)
        let arrival = start + 2_400_000

        _ = ride.foresee(Forecast(made: start, arrival: arrival), at: start, on: [line])
        let told = Synthetic.told(&ride, [], on: [line], until: arrival)

        let ready = try #require(told.time(of: .getReady))
        #expect((180_000...1_000_000).contains(arrival - ready))
        #expect(told.kinds == [.getReady, .now])
    }

    @Test func `a skipped stop is reported immediately, once, and withdrawn if it is served again`()
        throws
    {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s15", on: [line], at: start)
        func foresee(_ second: Int64, isSkipped: Bool) -> [Signal.Kind] {
            let time = start + second * 1_000
            return ride.foresee(
                Forecast(made: time, arrival: nil, isSkipped: isSkipped), at: time, on: [line]
            ).map(\.kind)
        }

        #expect(foresee(10, isSkipped: true) == [.skipped])
        #expect(foresee(20, isSkipped: true) == [])
        // An older prediction changes nothing.
        #expect(foresee(15, isSkipped: false) == [])
        #expect(foresee(30, isSkipped: false) == [.servedAgain])
        #expect(foresee(40, isSkipped: true) == [.skipped])
        let told = Synthetic.told(&ride, Synthetic.drive(line, to: 7_000), on: [line])
        #expect(told.kinds == [.getReady, .now, .passed])
        for second in 1_500...2_000 { _ = foresee(Int64(second), isSkipped: second % 2 == 0) }
        #expect(ride.given.count <= 41)
    }

    @Test func `after passing its stop a ride continues to the next one, or to a later one`()
        throws
    {
        for (wanted, stop, metres) in [
            (nil, "s7", 2_800.0), ("s12", "s12", 4_800), ("STOP 12", "s12", 4_800),
        ] {
            let line = try Synthetic.line()
            var ride = try Ride(to: "s5", on: [line], at: start)
            let first = Synthetic.drive(line, to: 2_500, cadence: 1)
            let told = Synthetic.told(&ride, first, on: [line])
            #expect(told.kinds.last == .passed)

            let next = try ride.goOn(to: wanted, on: [line])
            let rest = Synthetic.drive(
                line, from: 2_500, to: 6_000, start: 36_000 + 500, cadence: 1)
            let more = Synthetic.told(&ride, Array(rest.dropFirst()), on: [line])

            #expect(next.id == stop)
            #expect(more.kinds == [.getReady, .now, .passed])
            let arrival = Synthetic.time(36_000 + metres / 5)
            #expect(try #require(more.time(of: .now)) <= arrival)
        }
    }

    @Test func `a continued ride without positions is alerted too`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s5", on: [line], at: start)
        _ = Synthetic.told(&ride, Synthetic.drive(line, to: 2_500, cadence: 1), on: [line])

        _ = try ride.goOn(to: "s15", on: [line])
        let arrival = Synthetic.time(36_000 + 6_000 / 5)
        let told = Synthetic.told(&ride, [], on: [line], until: arrival)

        #expect(told.kinds == [.getReady, .now])
        #expect(arrival - (told.time(of: .getReady) ?? .max) >= 180_000)
    }

    @Test(arguments: [1_900.0, 2_500])
    func `a ride that falls silent at its stop or after it gives no signal, until it continues`(
        metres: Double
    ) throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s5", on: [line], at: start)
        let first = Synthetic.drive(line, to: metres, cadence: 1)
        #expect(Synthetic.told(&ride, first, on: [line]).kinds.contains(.now))

        try ride.fallSilent()
        let rest = Synthetic.drive(
            line, from: metres, to: 5_000, start: 36_000 + metres / 5, cadence: 1)
        let told = Synthetic.told(
            &ride, Array(rest.dropFirst()), on: [line], until: Synthetic.time(40_000))

        #expect(told.isEmpty)
        #expect(ride.timerDue == nil && ride.remaining(at: Synthetic.time(40_000)) == nil)
        #expect(try ride.goOn(to: "s15", on: [line]).id == "s15")
        #expect(ride.timerDue != nil)
    }

    @Test func `a ride can't fall silent before it is time to get off`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s5", on: [line], at: start)
        _ = Synthetic.told(&ride, Synthetic.drive(line, to: 500), on: [line])
        let before = ride

        #expect(throws: Ride.Unusable.self) { try ride.fallSilent() }

        #expect(ride == before)
    }

    @Test func `a ride can continue only after its stop was passed, and only ahead`() throws {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s5", on: [line], at: start)
        #expect(throws: Ride.Unusable.self) { try ride.goOn(to: nil, on: [line]) }
        _ = Synthetic.told(&ride, Synthetic.drive(line, to: 2_500), on: [line])

        for stop in ["s3", "nowhere"] {
            #expect(throws: Ride.Unusable.self) { try ride.goOn(to: stop, on: [line]) }
        }
        #expect(ride.isOver)
    }
}
