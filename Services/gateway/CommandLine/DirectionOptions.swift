import ArgumentParser
import Messages
import PlanSpeech

/// How far to move in each compass direction, with the plan seen from above.
struct DirectionOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "How far to move east.", transform: PlanMeasure.signed)
    var east: Int32?
    @Option(parsing: .unconditional, help: "How far to move north.", transform: PlanMeasure.signed)
    var north: Int32?
    @Option(parsing: .unconditional, help: "How far to move west.", transform: PlanMeasure.signed)
    var west: Int32?
    @Option(parsing: .unconditional, help: "How far to move south.", transform: PlanMeasure.signed)
    var south: Int32?

    /// The number of directions given.
    var count: Int { [east, north, west, south].compactMap { $0 }.count }

    /// The sum of all directions, millimetres.
    var offset: PlanPoint {
        PlanPoint(x: (east ?? 0) - (west ?? 0), y: (north ?? 0) - (south ?? 0))
    }
}
