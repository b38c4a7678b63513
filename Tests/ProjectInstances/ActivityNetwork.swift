import Scheduling

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
        try SchedulingError.validate(activities.count, 0...Limit.activities, "number of activities")
        try SchedulingError.validate(capacities.count, 0...Limit.resources, "number of resources")
        for (index, capacity) in capacities.enumerated() {
            try SchedulingError.validate(
                capacity, 0...Limit.capacity, "capacity of resource \(index)")
        }
        var time = 0
        var relations = 0
        for (index, activity) in activities.enumerated() {
            let name = "activity \(index)"
            try SchedulingError.validate(activity.duration, 0...Limit.time, "duration of \(name)")
            time += activity.duration
            try SchedulingError.validate(time, 0...Limit.time, "sum of durations up to \(name)")
            guard activity.demands.count == capacities.count || activity.demands.isEmpty else {
                throw .wrongCount(
                    "demands of \(name)", activity.demands.count, expected: capacities.count)
            }
            for (resource, demand) in activity.demands.enumerated() {
                try SchedulingError.validate(
                    demand, 0...capacities[resource], "demand of \(name) for resource \(resource)")
            }
            relations += activity.predecessors.count
            try SchedulingError.validate(
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
