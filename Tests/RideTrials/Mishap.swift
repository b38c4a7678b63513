import Foundation
import RideEvaluation
import RideTracking

/// What befalls a ride in a trial, one thing at a time.
enum Mishap: String, CaseIterable {
    case noise = "noise of 8 m and outliers"
    case losses = "70 s dark every ten minutes"
    case everySecond = "a position every second"
    case everyFive = "a position every 5 s"
    case everyFifteen = "a position every 15 s"
    case everyThirty = "a position every 30 s"
    case ahead = "a clock 90 s ahead"
    case behind = "a clock 90 s behind"
    case twice = "a tenth comes twice"
    case reordered = "a tenth in wrong order"
    case detour = "a detour for three minutes"

    /// A ride as the tracker sees it.
    struct Seen {
        var trace: Trace
        /// When the vehicle is at the stop.
        var arrival: Int64
        /// How long after their times the positions come, in milliseconds.
        var delay: Int64 = 0
    }

    /// By how much a clock is wrong, in milliseconds.
    private static let skew: Int64 = 90_000
    /// How far from its line a vehicle on a detour is, in metres, and from when to when, in
    /// milliseconds before its arrival.
    private static let (away, begin, end): (Double, Int64, Int64) = (450, 600_000, 420_000)

    /// A ride to a place on its line, in metres from the start of the line.
    ///
    /// - Returns: nil if the ride is too short for it.
    func befalling(
        _ ride: RecordedRide, to along: Double, arrival: Int64, seed: UInt64
    ) -> Seen? {
        switch self {
        case .noise:
            Seen(trace: Disturbance().applied(to: ride.trace, seed: seed), arrival: arrival)
        case .losses: disturbed(ride, arrival, seed) { $0.dropoutInterval = 600 }
        case .twice: disturbed(ride, arrival, seed) { $0.duplicates = 0.1 }
        case .reordered: disturbed(ride, arrival, seed) { $0.reordered = 0.1 }
        case .everySecond: phone(ride, along, every: 1_000, seed)
        case .everyFive: phone(ride, along, every: 5_000, seed)
        case .everyFifteen: phone(ride, along, every: 15_000, seed)
        case .everyThirty: phone(ride, along, every: 30_000, seed)
        case .ahead: Seen(trace: Self.corrected(ride.trace), arrival: arrival)
        case .behind:
            Seen(
                trace: Self.moved(ride.trace) { $0.time -= Self.skew }, arrival: arrival,
                delay: Self.skew)
        case .detour: Self.astray(ride.trace, arrival)
        }
    }

    private func disturbed(
        _ ride: RecordedRide, _ arrival: Int64, _ seed: UInt64,
        _ change: (inout Disturbance) -> Void
    ) -> Seen {
        var disturbance = Disturbance()
        (disturbance.noise, disturbance.outliers) = (0, 0)
        change(&disturbance)
        return Seen(trace: disturbance.applied(to: ride.trace, seed: seed), arrival: arrival)
    }

    /// A phone in the vehicle, with noise.
    private func phone(
        _ ride: RecordedRide, _ along: Double, every cadence: Int64, _ seed: UInt64
    ) -> Seen? {
        let phone = ride.truth.phone(named: ride.trace.name, on: ride.line, cadence: cadence)
        guard let arrival = phone.truth.arrival(at: along) else { return nil }
        return Seen(
            trace: Disturbance().applied(to: phone.trace, seed: seed), arrival: arrival)
    }

    private static func moved(_ trace: Trace, _ change: (inout RideFix) -> Void) -> Trace {
        var moved = trace
        for index in moved.fixes.indices { change(&moved.fixes[index]) }
        return moved
    }

    /// The times of a clock that is ahead, as the service corrects them when they arrive.
    private static func corrected(_ trace: Trace) -> Trace {
        var clocks = SourceClocks()
        return moved(trace) { fix in
            let arrived = fix.time
            fix.time += skew
            fix.time -= clocks.ahead(of: "phone", fix.time, at: arrived)
        }
    }

    /// The ride with a part of it beside its line.
    private static func astray(_ trace: Trace, _ arrival: Int64) -> Seen? {
        let times = arrival - begin..<arrival - end
        let places = trace.fixes.filter { times.contains($0.time) }.map(\.position)
        guard let first = places.first, let last = places.last, let start = trace.fixes.first,
            start.time < times.lowerBound
        else { return nil }
        let north = last.latitude - first.latitude
        let east = (last.longitude - first.longitude) * cos(first.latitude * .pi / 180)
        let length = (north * north + east * east).squareRoot()
        guard length > 0 else { return nil }
        let beside = moved(trace) { fix in
            guard times.contains(fix.time) else { return }
            fix.position = Disturbance.moved(
                fix.position, east: north / length * away, north: -east / length * away)
        }
        return Seen(trace: beside, arrival: arrival)
    }
}
