import RideEvaluation
import RideTracking

/// The alarms of passengers whose vehicle never serves their stop, although it shares streets with
/// a line that does.
struct StrangerReport: CustomStringConvertible {
    private var cases = 0
    private var counts: [Signal.Kind: Int] = [:]
    /// How many were told to get off while the last position was on the line to their stop, as far
    /// as anybody could know: the vehicle left it afterwards, or will.
    private var nowOnLine = 0

    /// How near a stop of another line must be for a shared street, and how far the passenger's
    /// stop must be from the ridden line, in metres.
    private static let (near, far) = (60.0, 150.0)
    private static let sharedStops = 4

    /// Adds a ride to a stop of another line, which runs at the same time.
    mutating func add(_ trial: TrialRide, in city: TrialCity, _ random: inout Seeded) {
        let line = trial.ride.line
        let samples = line.samples(every: 40)
        func distance(_ pattern: Int, _ call: Int) -> Double {
            let stop = city.feed.stops[Int(city.feed.patterns[pattern].calls[call].stop)].position
            let place = Position(
                latitude: stop.latitudeDegrees, longitude: stop.longitudeDegrees)
            return samples.lazy.map(place.metres).min() ?? .infinity
        }
        guard let end = trial.ride.trace.fixes.last?.time else { return }
        let others = city.running(at: trial.start).filter {
            city.route(ofPattern: $0.pattern) != trial.route
        }.shuffled(using: &random).prefix(12)
        for other in others {
            let distances = city.feed.patterns[other.pattern].calls.indices.map {
                distance(other.pattern, $0)
            }
            guard distances.count(where: { $0 < Self.near }) >= Self.sharedStops,
                let target = distances.indices.filter({ distances[$0] > Self.far })
                    .randomElement(using: &random),
                let armed = try? city.line(other.pattern, trip: other.trip, at: trial.start)
            else { continue }
            let told = RideEvaluation().signals(
                to: armed.stops[target].id, on: [armed], trace: trial.ride.trace, until: end)
            cases += 1
            if let now = told.first(where: { $0.signal.kind == .now }),
                let last = trial.ride.trace.fixes.last(where: { $0.time <= now.time }),
                armed.samples(every: 40).contains(where: { last.position.metres(to: $0) < 100 })
            {
                nowOnLine += 1
            }
            for kind in Set(told.map(\.signal.kind)) { counts[kind, default: 0] += 1 }
        }
    }

    var description: String {
        let told = [Signal.Kind.getReady, .now, .offRoute, .wrongDirection, .passed].map {
            "\($0.rawValue) \(counts[$0] ?? 0)"
        }
        return "of \(cases): " + told.joined(separator: ", ")
            + "; of now, \(nowOnLine) with the last position on the line to the stop"
    }
}
