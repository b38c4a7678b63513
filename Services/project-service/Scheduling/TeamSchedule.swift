/// A schedule of a team: who does which task when.
package struct TeamSchedule: Hashable, Sendable {
    /// The cost of a schedule, compared in this order: lateness, then the end of everything, then
    /// the difference from the present plan.
    package struct Cost: Hashable, Comparable, Sendable {
        /// The slots by which tasks end after they are due, multiplied by their weights.
        package var lateness: Int
        /// The slot before which everything has ended.
        package var makespan: Int
        /// The slots by which tasks begin sooner or later than in the present plan, plus the work
        /// of those that change hands.
        package var change: Int

        package init(lateness: Int, makespan: Int, change: Int) {
            self.lateness = lateness
            self.makespan = makespan
            self.change = change
        }

        package static func < (left: Cost, right: Cost) -> Bool {
            (left.lateness, left.makespan, left.change)
                < (right.lateness, right.makespan, right.change)
        }
    }

    /// The person and the time of each task.
    package var assignments: [TeamProject.Assignment]
    package var cost: Cost
    /// The slot before which no schedule can end.
    package var lowerBound: Int

    /// Whether nothing is late and no schedule ends sooner.
    package var isProvedShortest: Bool { cost.lateness == 0 && cost.makespan == lowerBound }

    /// Returns the tasks that keep the last one from ending sooner, in order: each waits for the
    /// previous one, or for the person who does that.
    package func criticalChain(of project: TeamProject) -> [Int] {
        guard
            var task = assignments.indices.max(by: {
                (assignments[$0].end, -$0) < (assignments[$1].end, -$1)
            })
        else { return [] }
        var chain = [task]
        var isSeen = Set(chain)
        while let previous = cause(of: task, in: project), isSeen.insert(previous).inserted {
            chain.append(previous)
            task = previous
        }
        return chain.reversed()
    }

    /// Returns the task that a task waits for the longest, if any.
    private func cause(of task: Int, in project: TeamProject) -> Int? {
        if case .fixed = project.tasks[task].state { return nil }
        let start = assignments[task].start
        var latest: (end: Int, task: Int)?
        for link in project.tasks[task].predecessors {
            let end = assignments[link.task].end + link.lag
            if end > latest?.end ?? project.tasks[task].release { latest = (end, link.task) }
        }
        for other in assignments.indices
        where other != task && assignments[other].person != nil
            && assignments[other].person == assignments[task].person
            && assignments[other].end <= start
        {
            let end = assignments[other].end
            if end > latest?.end ?? project.tasks[task].release { latest = (end, other) }
        }
        return latest?.task
    }
}
