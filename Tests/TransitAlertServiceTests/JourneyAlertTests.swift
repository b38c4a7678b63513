import Messages
import RideTracking
import Testing

@testable import TransitAlertService

/// Tests which alerts of a journey stand.
@Suite struct JourneyAlertTests {
    private static let start: Int64 = 1_800_000_000_000

    /// A line of 10 km to the north, with a stop every kilometre.
    private static func line() throws -> Line {
        let north = { (metres: Double) in
            Position(latitude: 54 + metres / 111_300, longitude: 10)
        }
        return try Line(
            id: "1", path: [north(0), north(10_000)],
            stops: (0...9).map { Line.Stop(id: "\($0)", name: "\($0)", along: Double($0) * 1_000) })
    }

    @Test func `once the stop was passed, nothing else about the ride is reported`() throws {
        let line = try Self.line()
        var watch = JourneyWatch(journey: Journey(started: Self.start), file: "", lines: [])
        watch.ride = try Ride(to: "6", on: [line], at: Self.start)
        var told: [Signal.Kind] = []
        var open: Set<Signal.Kind> = []

        for second in stride(from: Int64(0), through: 760, by: 5) {
            let metres = Int32(second * 10)
            // From 3 km to 7 km it is half a kilometre east of its line, and passes the stop there.
            let east: Int32 = (3_000...7_000).contains(metres) ? 78_000 : 0
            let fix = Fix(
                time: Self.start + second * 1_000,
                place: Coordinate(
                    latitudeE7: 540_000_000 + Int32(Double(metres) / 111_300 * 1e7),
                    longitudeE7: 100_000_000 + east))
            for timed in watch.record([fix], on: [line], at: fix.time) {
                told.append(timed.signal.kind)
                open.subtract(JourneyWatch.superseded(by: timed.signal.kind))
                if watch.alert(for: timed, at: fix.time) != nil { open.insert(timed.signal.kind) }
            }
        }

        #expect(told.contains(.offRoute) && !told.contains(.backOnLine))
        #expect(told.last == .passed)
        #expect(open == [.passed])
    }

    @Test func `an alert that the stop was passed ends those of every other kind`() {
        let kinds = Signal.Kind.allCases.filter { kind in
            ![.passed, .backOnLine, .servedAgain, .moving, .precise, .fresh].contains(kind)
        }

        #expect(Set(JourneyWatch.superseded(by: .passed)) == Set(kinds))
    }
}
