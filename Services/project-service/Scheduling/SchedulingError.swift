/// The reason why something can't be scheduled.
package enum SchedulingError: Error, Hashable, CustomStringConvertible {
    /// A value is out of range: its name, the value, and the allowed range.
    case outOfRange(String, Int, allowed: ClosedRange<Int>)
    /// A list has the wrong length: its name, the length, and the expected one.
    case wrongCount(String, Int, expected: Int)
    /// A reference to something that doesn't exist.
    case unknown(String)
    /// A description of two values that contradict each other.
    case contradiction(String)
    /// Activities that form a cycle: each must end before the next begins, and the last before the
    /// first.
    case cycle([Int])
    /// A task that nobody can do, and the reason.
    case nobody(task: Int, String)
    /// A task that doesn't fit before the horizon.
    case beyondHorizon(task: Int)

    /// Refuses a value that is out of range.
    package static func validate(
        _ value: Int, _ allowed: ClosedRange<Int>, _ name: @autoclosure () -> String
    ) throws(SchedulingError) {
        guard allowed.contains(value) else {
            throw .outOfRange(name(), value, allowed: allowed)
        }
    }

    package var description: String {
        switch self {
        case .outOfRange(let name, let value, let allowed):
            "the \(name) is \(value); it may be \(allowed.lowerBound) to \(allowed.upperBound)"
        case .wrongCount(let name, let count, let expected):
            "there are \(count) \(name); there must be \(expected)"
        case .unknown(let name): "there is no \(name)"
        case .contradiction(let text): text
        case .cycle(let members):
            "these follow each other in a circle: "
                + (members + members.prefix(1)).map(String.init).joined(separator: " -> ")
        case .nobody(let task, let reason): "nobody can do task \(task): \(reason)"
        case .beyondHorizon(let task): "task \(task) doesn't end before the horizon"
        }
    }
}
