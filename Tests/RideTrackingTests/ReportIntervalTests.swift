import Foundation
import RideTracking
import Testing

@Suite struct ReportIntervalTests {
    /// The signals of a drive of which only the wanted positions are reported, and the number of
    /// these.
    private func reported(
        _ ride: inout Ride, _ fixes: [RideFix], on line: Line
    ) -> (told: [(time: Int64, signal: Signal)], reports: UInt64) {
        var told: [(time: Int64, signal: Signal)] = []
        var (last, reports): (Int64, UInt64) = (0, 0)
        for fix in fixes {
            let wait: Int64? = ride.timerDue.map { max(0, $0 - fix.time) }
            guard fix.time - last >= ReportInterval.next(untilAlarm: wait, after: reports) else {
                continue
            }
            told += Synthetic.told(&ride, [fix], on: [line])
            (last, reports) = (fix.time, reports + 1)
        }
        return (told, reports)
    }

    @Test(arguments: [4.0, 5.0, 8.0])
    func `a ride with few of its positions is alerted as exactly as with all of them`(
        metresPerSecond speed: Double
    ) throws {
        let line = try Synthetic.line(corners: [(0, 0), (12_000, 0)])
        let stop = "s\(Int(1_200 * speed / 400))"
        let fixes = Synthetic.drive(line, to: 1_200 * speed + 400, speed: speed, cadence: 1)
        var ride = try Ride(to: stop, on: [line], at: Synthetic.time(36_000))
        let all = Synthetic.told(&ride, fixes, on: [line])

        var other = try Ride(to: stop, on: [line], at: Synthetic.time(36_000))
        let (told, reports) = reported(&other, fixes, on: line)

        #expect(told.kinds == all.kinds)
        for kind in [Signal.Kind.getReady, .now] {
            let some = try #require(told.time(of: kind))
            let exact = try #require(all.time(of: kind))
            #expect(abs(some - exact) <= 5_000, "\(kind)")
        }
        #expect(reports <= UInt64(fixes.count / 5))
    }

    @Test func `a ride with few of its positions teaches how long its vehicle waits at a stop`()
        throws
    {
        let line = try Synthetic.line()
        var ride = try Ride(to: "s19", teaches: true, on: [line], at: Synthetic.time(36_000))
        // It waits for a minute at the stop after 1,600 m. Its receiver is a slow one.
        let arrival = 36_000 + 1_600 / 5.0
        let wait = stride(from: arrival + 2, to: arrival + 60, by: 2)
            .map { Synthetic.fix(line.position(at: 1_600), $0) }
        let onward = Synthetic.drive(
            line, from: 1_600, to: 2_400, start: arrival + 60, cadence: 2)

        _ = reported(&ride, Synthetic.drive(line, to: 1_600, cadence: 2) + wait + onward, on: line)

        let observations = try #require(ride.passings).observations
        #expect(observations.count >= 4)
        #expect(observations.allSatisfy { $0.dwell != nil })
        let waited = try #require(observations.first(where: { $0.call == 4 })?.dwell)
        #expect((30...75).contains(waited))
    }

    @Test func `reports are seldom far from the alarm, and often near it`() {
        #expect(ReportInterval.next(untilAlarm: 900_000, after: 3) == 3_000)
        #expect(ReportInterval.next(untilAlarm: 900_000, after: 30) == 13_000)
        #expect(ReportInterval.next(untilAlarm: 64_000, after: 30) == 8_000)
        #expect(ReportInterval.next(untilAlarm: 0, after: 30) == 3_000)
        #expect(ReportInterval.next(untilAlarm: nil, after: 30) == 5_000)
    }
}
