import Foundation
import RideTracking

/// The fixes of one recorded or simulated ride on a known line.
package struct Trace: Hashable, Sendable {
    package var name: String
    package var fixes: [RideFix]

    package init(name: String, fixes: [RideFix]) {
        self.name = name
        self.fixes = fixes
    }
}

/// A ride for the evaluation: what happened, what the tracker sees, and the lines that it gets.
package struct RecordedRide: Sendable {
    /// The line that the vehicle ran on.
    package var line: Line
    /// What the vehicle did.
    package var truth: Truth
    /// What the tracker sees.
    package var trace: Trace
    /// The lines that the tracker gets: the ridden one, or all candidates.
    package var offered: [Line]

    package init(line: Line, truth: Truth, trace: Trace, offered: [Line]? = nil) {
        self.line = line
        self.truth = truth
        self.trace = trace
        self.offered = offered ?? [line]
    }
}

/// Replays rides to each of their stops, and counts the signals that come in time.
package struct RideEvaluation: Sendable {
    /// How long before the arrival GET READY is due, milliseconds.
    package var notice: Int64
    /// The minimum length of a ride that counts, milliseconds before the arrival.
    package var leastRide: Int64
    /// The distance between the stops that are evaluated: every n-th stop of a ride.
    package var stride: Int
    /// How long before the arrival the fixes stop, milliseconds; nil if all come.
    package var blackout: Int64?
    /// How long after its time each fix comes, milliseconds.
    package var delay: Int64

    package init(
        notice: Int64 = Ride.usualNotice, leastRide: Int64 = 420_000, stride: Int = 1,
        blackout: Int64? = nil, delay: Int64 = 0
    ) {
        self.notice = notice
        self.leastRide = leastRide
        self.stride = stride
        self.blackout = blackout
        self.delay = delay
    }

    /// The outcomes of the rides to every stop that they reach.
    package func report(_ rides: [RecordedRide]) -> EvaluationReport {
        var report = EvaluationReport(notice: notice)
        for ride in rides {
            guard let start = ride.trace.fixes.first?.time else { continue }
            var seen: Set<String> = []
            for (call, stop) in ride.line.stops.enumerated() {
                // Only the first call counts: the ride to a stop ends when it is reached.
                guard stop.along - Truth.before > (ride.truth.firstAlong ?? .infinity),
                    seen.insert(stop.id).inserted, call % stride == 0,
                    let arrival = ride.truth.arrival(at: stop.along),
                    arrival - start >= leastRide
                else { continue }
                report.add(
                    outcome(of: ride.trace, to: stop.id, on: ride.offered, arrival: arrival))
            }
        }
        return report
    }

    /// When each kind of signal came, in milliseconds since 1970.
    package func signals(
        to stop: String, on lines: [Line], trace: Trace, until end: Int64
    ) -> [(time: Int64, signal: Signal)] {
        guard let start = trace.fixes.first?.time,
            var ride = try? Ride(
                to: stop, notice: notice, on: lines, at: start + delay)
        else { return [] }
        var told: [(time: Int64, signal: Signal)] = []
        for fix in trace.fixes where fix.time + delay <= end {
            while let due = ride.timerDue, due <= fix.time + delay {
                told += ride.timerExpired(at: due, on: lines).map { (due, $0) }
            }
            told += ride.advance(fix, on: lines).map { (fix.time + delay, $0) }
            if ride.isOver { break }
        }
        while let due = ride.timerDue, due <= end {
            told += ride.timerExpired(at: due, on: lines).map { (due, $0) }
        }
        return told
    }

    /// How long before the arrival each signal of a ride to a stop came.
    package func outcome(
        of trace: Trace, to stop: String, on lines: [Line], arrival: Int64
    ) -> EvaluationReport.Outcome {
        var seen = trace
        if let blackout { seen.fixes.removeAll { $0.time > arrival - blackout } }
        let told = signals(to: stop, on: lines, trace: seen, until: arrival + 300_000)
        func lead(_ kind: Signal.Kind) -> Int64? {
            told.first { $0.signal.kind == kind }.map { arrival - $0.time }
        }
        return EvaluationReport.Outcome(
            ride: trace.name, stop: stop, ready: lead(.getReady), now: lead(.now),
            passed: lead(.passed), wrongDirection: lead(.wrongDirection),
            offRoute: lead(.offRoute))
    }
}
