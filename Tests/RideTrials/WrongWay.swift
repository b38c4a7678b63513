import RideEvaluation
import RideTracking

/// The alarms of passengers who ride away from their stop, on the line to it.
struct WrongWayReport: CustomStringConvertible {
    private var cases = 0
    private var counts: [Signal.Kind: Int] = [:]

    /// How long before the stop the ride away from it begins, in milliseconds, and how far it goes
    /// at least, in metres.
    private static let (before, least): (Int64, Double) = (240_000, 1_500)

    /// Adds the way to a stop, ridden backwards.
    mutating func add(_ ride: RecordedRide, to stop: String, arrival: Int64, on lines: [Line]) {
        let way = ride.trace.fixes.filter { $0.time < arrival - Self.before }
        guard let first = way.first, let last = way.last, way.count > 10,
            first.position.metres(to: last.position) > Self.least
        else { return }
        let back = way.reversed().map { fix -> RideFix in
            var turned = fix
            turned.time = first.time + last.time - fix.time
            return turned
        }
        let told = RideEvaluation().signals(
            to: stop, on: lines, trace: Trace(name: ride.trace.name, fixes: back), until: last.time)
        cases += 1
        for kind in Set(told.map(\.signal.kind)) { counts[kind, default: 0] += 1 }
    }

    var description: String {
        let told = [Signal.Kind.wrongDirection, .getReady, .now].map {
            "\($0.rawValue) \(counts[$0] ?? 0)"
        }
        return "of \(cases): " + told.joined(separator: ", ")
    }
}
