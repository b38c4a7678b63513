import Scheduling

/// Checks schedules. It shares no code with the schedulers, only the statement of the problem.
package enum ScheduleCheck {
    /// Returns the faults of a schedule of a network; empty when it is valid.
    ///
    /// - Parameters:
    ///   - starts: the time at which each activity begins.
    ///   - makespan: the time at which the last activity supposedly ends.
    ///   - network: the network.
    package static func faults(
        in starts: [Int], makespan: Int, of network: ActivityNetwork
    ) -> [String] {
        let activities = network.activities
        guard starts.count == activities.count else {
            return ["there are \(starts.count) starts of \(activities.count) activities"]
        }
        var faults: [String] = []
        var changes: [(time: Int, amounts: [Int])] = []
        var end = 0
        for (index, activity) in activities.enumerated() {
            if starts[index] < 0 { faults.append("activity \(index) begins before 0") }
            for other in activity.predecessors
            where starts[other] + activities[other].duration > starts[index] {
                faults.append("activity \(index) begins before activity \(other) ends")
            }
            end = max(end, starts[index] + activity.duration)
            guard activity.duration > 0, !activity.demands.isEmpty else { continue }
            changes.append((starts[index], activity.demands))
            changes.append((starts[index] + activity.duration, activity.demands.map { -$0 }))
        }
        if end != makespan { faults.append("it ends at \(end), not at \(makespan)") }
        var used = Array(repeating: 0, count: network.capacities.count)
        changes.sort { $0.time < $1.time }
        for (place, change) in changes.enumerated() {
            for (resource, amount) in change.amounts.enumerated() { used[resource] += amount }
            let isLast = place + 1 == changes.count || changes[place + 1].time > change.time
            guard isLast else { continue }
            for (resource, amount) in used.enumerated()
            where amount > network.capacities[resource] {
                faults.append("resource \(resource) is short at \(change.time)")
            }
        }
        return faults
    }
}

extension ScheduleCheck {
    /// Returns the faults of a schedule of a team; empty when it is valid. Fixed tasks may overlap
    /// and begin too early: that isn't the schedule's fault.
    package static func faults(in schedule: TeamSchedule, of project: TeamProject) -> [String] {
        let (tasks, places) = (project.tasks, schedule.assignments)
        guard places.count == tasks.count else {
            return ["there are \(places.count) places of \(tasks.count) tasks"]
        }
        var faults: [String] = []
        for (index, task) in tasks.enumerated() {
            if case .fixed(let place) = task.state {
                if places[index] != place { faults.append("task \(index) doesn't stay") }
                continue
            }
            faults += faultsOfTime(index, places, project)
            faults += faultsOfPerson(index, places[index], project)
        }
        faults += overlaps(places, project)
        var cost = TeamSchedule.Cost(lateness: 0, makespan: 0, change: 0)
        for (task, place) in zip(tasks, places) {
            if place.end > cost.makespan { cost.makespan = place.end }
            if let due = task.due, place.end > due {
                cost.lateness += (place.end - due) * task.weight
            }
            guard let today = task.today else { continue }
            cost.change += max(place.start, today.start) - min(place.start, today.start)
            if today.person != place.person { cost.change += task.work }
        }
        if cost != schedule.cost { faults.append("it costs \(cost), not \(schedule.cost)") }
        if schedule.lowerBound > cost.makespan { faults.append("the lower bound is too high") }
        return faults
    }

    private static func faultsOfTime(
        _ index: Int, _ places: [TeamProject.Assignment], _ project: TeamProject
    ) -> [String] {
        let place = places[index]
        var faults: [String] = []
        if place.start < project.tasks[index].release {
            faults.append("task \(index) begins before its release")
        }
        if place.end > project.horizon || place.end < place.start {
            faults.append("task \(index) ends at \(place.end)")
        }
        for link in project.tasks[index].predecessors
        where place.start < places[link.task].end + link.lag {
            faults.append("task \(index) begins too soon after task \(link.task)")
        }
        return faults
    }

    private static func faultsOfPerson(
        _ index: Int, _ place: TeamProject.Assignment, _ project: TeamProject
    ) -> [String] {
        let task = project.tasks[index]
        guard task.work > 0 else {
            return place.person == nil && place.start == place.end
                ? [] : ["milestone \(index) takes time"]
        }
        guard let number = place.person, project.people.indices.contains(number) else {
            return ["nobody does task \(index)"]
        }
        let person = project.people[number]
        var faults: [String] = []
        if case .running(let begun) = task.state {
            if begun != number { faults.append("task \(index) is taken from who has begun it") }
        } else {
            if !task.skills.allSatisfy(person.skills.contains) {
                faults.append("person \(number) can't do task \(index)")
            }
            if let wanted = task.people, !wanted.contains(number) {
                faults.append("person \(number) may not do task \(index)")
            }
        }
        var paces: [Int] = []
        for (slot, pace) in zip(person.working.joined(), person.paces) {
            if slot >= place.end { break }
            if slot >= place.start { paces.append(pace) }
        }
        if !isDone(task, paces) { faults.append("task \(index) gets \(paces.count) slots") }
        for slot in [place.start, place.end - 1]
        where !person.working.contains(where: { $0.contains(slot) }) {
            faults.append("task \(index) begins or ends when person \(number) doesn't work")
        }
        return faults
    }

    /// Returns whether a task is done in slots with these paces, at least one, and not before the
    /// last of them.
    private static func isDone(_ task: TeamProject.Task, _ paces: [Int]) -> Bool {
        guard let amount = task.amount else { return paces.count == task.work }
        let before = paces.dropLast().reduce(0, +)
        return before + (paces.last ?? 0) >= amount && (paces.count == 1 || before < amount)
    }

    /// Returns where a person does two tasks at the same time, at least one of which isn't fixed.
    private static func overlaps(
        _ places: [TeamProject.Assignment], _ project: TeamProject
    ) -> [String] {
        var faults: [String] = []
        for (index, place) in places.enumerated() where place.person != nil {
            if case .fixed = project.tasks[index].state { continue }
            for (other, its) in places.enumerated()
            where other != index && its.person == place.person
                && place.start < its.end && its.start < place.end
            {
                faults.append("tasks \(index) and \(other) overlap")
            }
        }
        return faults
    }
}
