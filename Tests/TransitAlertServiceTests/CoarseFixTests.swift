import Messages
import RideTracking
import Testing

@testable import TransitAlertService

/// Tests that a passenger learns that none of the positions counts.
@Suite struct CoarseFixTests {
    private static let now: Int64 = 1_800_000_000_000

    /// A position 5.5 km from the stop, some seconds after the start.
    private func fix(_ second: Int64, accuracy: UInt32) -> Fix {
        Fix(
            time: Self.now + second * 1_000,
            place: Coordinate(latitudeE7: 540_500_000, longitudeE7: 100_000_000),
            accuracy: accuracy * 10)
    }

    @Test func `a minute of coarse positions is reported, with the state of the alarm`() throws {
        var watch = JourneyWatch(journey: Journey(started: Self.now), file: "", lines: [])
        watch.ride = try Ride(to: "S", at: Position(latitude: 54, longitude: 10))
        var told: [(second: Int64, signal: Signal, alert: AlertRaised?)] = []
        func record(_ fix: Fix) {
            for timed in watch.record([fix], on: [], at: fix.time) {
                let alert = watch.alert(for: timed, at: fix.time)
                told.append(((timed.time - Self.now) / 1_000, timed.signal, alert))
            }
        }

        for second in stride(from: Int64(0), through: 90, by: 10) {
            record(fix(second, accuracy: 1_500))
        }
        record(fix(100, accuracy: 100))
        for second in stride(from: Int64(110), through: 200, by: 10) {
            record(fix(second, accuracy: 101))
        }

        #expect(told.map(\.second) == [60, 100, 170])
        #expect(
            told.map(\.signal) == [.coarse(isArmed: false), .precise, .coarse(isArmed: true)])
        #expect(told.map { $0.alert?.kind } == ["transit.coarse", nil, "transit.coarse"])
        #expect(told[0].alert?.body.contains("there is no alarm") == true)
        #expect(told[2].alert?.body.contains("The alarm goes on") == true)
        #expect(JourneyWatch.superseded(by: .precise) == [.coarse])
    }

    @Test func `a coarse position now and then raises no alert`() throws {
        var watch = JourneyWatch(journey: Journey(started: Self.now), file: "", lines: [])
        watch.ride = try Ride(to: "S", at: Position(latitude: 54, longitude: 10))

        let told = stride(from: Int64(0), through: 300, by: 10).flatMap { second in
            let fix = fix(second, accuracy: second % 50 == 0 ? 20 : 1_500)
            return watch.record([fix], on: [], at: fix.time)
        }

        #expect(told.isEmpty)
    }
}
