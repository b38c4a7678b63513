import Messages
import RideTracking
import Testing

@testable import TransitAlertService

/// Tests that a passenger learns that all positions of their device are too old to count.
@Suite struct OldFixTests {
    private static let now: Int64 = 1_800_000_000_000

    /// What a ride says of old positions, and when.
    private struct Ridden {
        private var watch = JourneyWatch(
            journey: Journey(started: OldFixTests.now), file: "", lines: [])
        private(set) var told: [(second: Int64, signal: Signal, alert: AlertRaised?)] = []

        init() throws {
            watch.ride = try Ride(to: "S", at: Position(latitude: 54, longitude: 10))
        }

        /// Some seconds after the start a position comes: one that counts, or one that is too old.
        mutating func come(_ second: Int64, isOld: Bool) {
            let now = OldFixTests.now + second * 1_000
            let fix = Fix(
                time: now, place: Coordinate(latitudeE7: 540_500_000, longitudeE7: 100_000_000))
            for timed in isOld ? watch.noteOld(at: now) : watch.record([fix], on: [], at: now)
            where [.old, .fresh].contains(timed.signal.kind) {
                let alert = watch.alert(for: timed, at: now)
                told.append(((timed.time - OldFixTests.now) / 1_000, timed.signal, alert))
            }
        }
    }

    @Test func `a minute of old positions is reported once, with the state of the alarm`() throws {
        var ride = try Ridden()

        for second in stride(from: Int64(0), through: 600, by: 20) {
            ride.come(second, isOld: true)
        }
        ride.come(610, isOld: false)
        ride.come(620, isOld: false)
        for second in stride(from: Int64(630), through: 1_000, by: 30) {
            ride.come(second, isOld: true)
        }

        let told = ride.told
        #expect(told.map(\.second) == [60, 610, 930])
        #expect(told.map(\.signal) == [.old(isArmed: false), .fresh, .old(isArmed: true)])
        #expect(told.map { $0.alert?.kind } == ["transit.old", nil, "transit.old"])
        #expect(told.first?.alert?.body.contains("there is no alarm") == true)
        #expect(told.last?.alert?.body.contains("The alarm goes on") == true)
        #expect(JourneyWatch.superseded(by: .fresh) == [.old])
    }

    @Test func `positions that waited on a telephone and come at once raise no alert`() throws {
        var ride = try Ridden()

        for _ in 0..<100 { ride.come(0, isOld: true) }
        for second in stride(from: Int64(5), through: 600, by: 30) {
            ride.come(second, isOld: false)
        }

        #expect(ride.told.isEmpty)
    }

    @Test func `old positions are reported even if the clock was set back since the last one`()
        throws
    {
        var ride = try Ridden()

        ride.come(3_600, isOld: false)
        for second in stride(from: Int64(0), through: 600, by: 20) {
            ride.come(second, isOld: true)
        }

        #expect(ride.told.map(\.second) == [300])
    }

    @Test func `old positions raise no alert while another source sends some that count`() throws {
        var ride = try Ridden()

        // A page sends every four minutes while the stop is far.
        for second in stride(from: Int64(0), through: 3_600, by: 10) {
            ride.come(second, isOld: second % 240 != 0)
        }

        #expect(ride.told.isEmpty)
    }
}
