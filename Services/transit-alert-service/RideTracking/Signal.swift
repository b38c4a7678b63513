import Foundation

/// A signal to the passenger. Each kind is given at most once in a ride, except for what ends and
/// begins again.
package enum Signal: Hashable, Sendable, Codable {
    /// Get ready: `remaining` milliseconds and `metres` along the line to the stop. `estimated`
    /// means that they come from the timetable or a straight line, not from a fix on the line.
    case getReady(remaining: Int64, metres: Double, estimated: Bool)
    /// Get off at the next stop: press the bell now.
    case now(remaining: Int64, metres: Double, estimated: Bool)
    /// The stop was passed `metres` ago. The ride gives no further signals.
    case passed(metres: Double)
    /// The vehicle runs along the line against its direction, away from the stop.
    case wrongDirection
    /// The vehicle left the line; the stop is `metres` away as the crow flies.
    case offRoute(metres: Double)
    /// The vehicle is farther from the stop than any line to it is long: `metres` as the crow
    /// flies. The stop is perhaps one of another city.
    case elsewhere(metres: Double)
    /// The vehicle follows the line to the stop again: what was said before no longer holds.
    case backOnLine
    /// The vehicle has been standing on its way for longer than it should.
    case standing
    /// It moves again.
    case moving
    /// The agency says that the vehicle does not call at the stop.
    case skipped
    /// The agency says that it calls there after all.
    case servedAgain
    /// For a minute all positions were too coarse to count. `isArmed` means that the alarm comes by
    /// estimate; else it comes only after a better position.
    case coarse(isArmed: Bool)
    /// A position counts again.
    case precise
    /// For a minute all positions were too old to count. `isArmed` as for `coarse`.
    case old(isArmed: Bool)
    /// A position came that isn't too old.
    case fresh

    /// The signal without its numbers.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case getReady, now, passed, wrongDirection, offRoute, elsewhere, backOnLine
        case standing, moving, skipped, servedAgain, coarse, precise, old, fresh
    }

    package var kind: Kind {
        switch self {
        case .getReady: .getReady
        case .now: .now
        case .passed: .passed
        case .wrongDirection: .wrongDirection
        case .offRoute: .offRoute
        case .elsewhere: .elsewhere
        case .backOnLine: .backOnLine
        case .standing: .standing
        case .moving: .moving
        case .skipped: .skipped
        case .servedAgain: .servedAgain
        case .coarse: .coarse
        case .precise: .precise
        case .old: .old
        case .fresh: .fresh
        }
    }
}
