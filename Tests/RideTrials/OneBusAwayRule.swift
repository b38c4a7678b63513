import RideEvaluation
import RideTracking

/// The rule of OneBusAway for Android of July 2026 (`ReminderEngine.kt`), on the known line: get
/// ready when the distance to the stop before the last is at most what the vehicle covers in 90
/// seconds, at least 300 and at most 5,000 m; get off after that stop.
/// It gets the true place on the line, so it looks better here than it is.
struct OneBusAwayRule {
    private static let seconds = 90.0
    private static let distances = 300.0...5_000.0
    private static let passedBy = 30.0

    func outcome(
        of ride: RecordedRide, to call: Int, arrival: Int64
    ) -> EvaluationReport.Outcome {
        var outcome = EvaluationReport.Outcome(
            ride: ride.trace.name, stop: ride.line.stops[call].id)
        let before = ride.line.stops[max(0, call - 1)].along
        var last: (time: Int64, along: Double)?
        for (time, along) in zip(ride.truth.times, ride.truth.alongs) where time <= arrival {
            let speed = last.map { (along - $0.along) / (Double(time - $0.time) / 1_000) } ?? 0
            let reach = min(
                max(Self.seconds * speed, Self.distances.lowerBound), Self.distances.upperBound)
            if outcome.ready == nil, before - along <= reach { outcome.ready = arrival - time }
            if outcome.now == nil, along > before + Self.passedBy { outcome.now = arrival - time }
            last = (time, along)
        }
        return outcome
    }
}
