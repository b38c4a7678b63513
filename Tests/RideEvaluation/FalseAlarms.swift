import Foundation
import RideTracking

/// The signals on a ride in the wrong vehicle: the armed line serves the stop, but the passenger's
/// vehicle never does.
package struct FalseAlarms: Sendable, CustomStringConvertible {
    package private(set) var cases = 0
    package private(set) var counts: [Signal.Kind: Int] = [:]

    package init() {}

    /// Arms every n-th stop of a line that the line of the recorded vehicle doesn't serve.
    package mutating func add(
        _ ride: RecordedRide, armed line: Line, stride: Int, evaluation: RideEvaluation
    ) {
        guard let end = ride.trace.fixes.last?.time else { return }
        let served = Set(ride.line.stops.map(\.id))
        for (call, stop) in line.stops.enumerated()
        where call % stride == stride / 2 && !served.contains(stop.id) {
            let told = evaluation.signals(to: stop.id, on: [line], trace: ride.trace, until: end)
            cases += 1
            for kind in Set(told.map(\.signal.kind)) { counts[kind, default: 0] += 1 }
        }
    }

    package var description: String {
        let told = Signal.Kind.allCases.map { "\($0.rawValue) \(counts[$0] ?? 0)" }
        return "of \(cases) cases on the wrong vehicle: " + told.joined(separator: ", ")
    }
}
