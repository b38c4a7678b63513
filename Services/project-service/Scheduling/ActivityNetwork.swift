/// Activities that need amounts of renewable resources and follow one another: the
/// resource-constrained project scheduling problem as stated in the literature.
///
/// The caller chooses the unit of time. An activity isn't interrupted.
package struct ActivityNetwork: Hashable, Sendable {
    /// One activity.
    package struct Activity: Hashable, Sendable {
        /// The duration in units of time; 0 for a milestone.
        package var duration: Int
        /// The amount of each resource that it needs for its whole duration, in the order of the
        /// capacities.
        package var demands: [Int]
        /// The activities that must end before it begins.
        package var predecessors: [Int]

        package init(duration: Int, demands: [Int] = [], predecessors: [Int] = []) {
            self.duration = duration
            self.demands = demands
            self.predecessors = predecessors
        }
    }

    /// The limits of a network.
    package enum Limit {
        /// The maximum number of activities.
        package static let activities = 10_000
        /// The maximum number of resources.
        package static let resources = 64
        /// The maximum capacity of a resource.
        package static let capacity = 32_767
        /// The maximum sum of all durations.
        package static let time = 1_000_000
        /// The maximum number of predecessors of all activities together.
        package static let predecessors = 100_000
    }

    /// The activities; each is identified by its index.
    package let activities: [Activity]
    /// The amount of each resource available at any time.
    package let capacities: [Int]

    /// Creates a network that can be scheduled.
    ///
    /// - Throws: a ``SchedulingError`` that names the invalid part.
    package init(
        activities: [Activity], capacities: [Int]
    ) throws(SchedulingError) {
        try SchedulingError.check(activities.count, 0...Limit.activities, "number of activities")
        try SchedulingError.check(capacities.count, 0...Limit.resources, "number of resources")
        for (index, capacity) in capacities.enumerated() {
            try SchedulingError.check(
                capacity, 0...Limit.capacity, "capacity of resource \(index)")
        }
        var time = 0
        var relations = 0
        for (index, activity) in activities.enumerated() {
            let name = "activity \(index)"
            try SchedulingError.check(activity.duration, 0...Limit.time, "duration of \(name)")
            time += activity.duration
            try SchedulingError.check(time, 0...Limit.time, "sum of durations up to \(name)")
            guard activity.demands.count == capacities.count || activity.demands.isEmpty else {
                throw .wrongCount(
                    "demands of \(name)", activity.demands.count, expected: capacities.count)
            }
            for (resource, demand) in activity.demands.enumerated() {
                try SchedulingError.check(
                    demand, 0...capacities[resource], "demand of \(name) for resource \(resource)")
            }
            relations += activity.predecessors.count
            try SchedulingError.check(
                relations, 0...Limit.predecessors, "number of predecessors up to \(name)")
            for predecessor in activity.predecessors {
                guard activities.indices.contains(predecessor) else {
                    throw .unknown("predecessor \(predecessor) of \(name)")
                }
            }
        }
        if let cycle = Ordering.cycle(activities.map(\.predecessors)) { throw .cycle(cycle) }
        self.activities = activities
        self.capacities = capacities
    }
}

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

    static func check(
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
