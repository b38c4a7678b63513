import Dates
import Messages
import ProjectNetwork
import Scheduling
import WorkCalendar

/// The open issues of a project as tasks for its people, ready to be scheduled.
///
/// Time is counted in the project's working days, so relations and their delays mean what they mean
/// in the plan: a successor begins on the next working day. A person does one issue a day. Work on
/// other days, such as a holiday of the project, isn't counted on. The schedule then has less of a
/// person's time than the plan, and no end is called the soonest.
package struct SchedulePlan: Sendable {
    /// The maximum number of working days that a plan covers.
    package static let mostDays = 2_600

    /// The maximum number of schedules made for a proposal.
    package static let mostSchedules = 1_000_000

    /// The ids of the tasks.
    package let issues: [Int]
    /// The ids of the tasks without an estimate; their planned duration, or one day, is assumed.
    package let assumed: [Int]
    let project: TeamProject
    /// The ids of the people.
    private let members: [Int]
    /// The working days; the index of a day is its slot.
    private let days: [CivilDate]
    /// The member to whom each issue is assigned now.
    private let assignees: [Int: Int]
    /// The first day on which work may be planned, even if it isn't a working day.
    private let first: CivilDate
    /// The days and hours of the people who have time for the project.
    private let calendars: [WorkCalendar]

    /// Reads the tasks of a project to plan from a day.
    ///
    /// A fixed issue stays where it is, even if it has begun; one that lies wholly before or after
    /// the plan's days isn't a task. What follows it, or a closed issue, still waits for its last
    /// day and the delay. Any other issue that has begun stays with its assignee, who continues it.
    /// The date of a version is the due date of its open issues.
    ///
    /// - Parameters:
    ///   - record: the project.
    ///   - day: the first day on which work may be planned.
    ///   - keepingPeople: whether assigned issues stay with their assignees.
    /// - Throws: a refusal if the project can't be scheduled.
    package init(
        _ record: ProjectRecord, from day: CivilDate, keepingPeople: Bool
    ) throws(Refusal) {
        try ProjectLimits.validate(day, "the first day")
        guard !record.members.isEmpty else {
            throw .conflict("the project has no people; add those who do its issues")
        }
        var reader = TaskReader(record, from: day, keepingPeople: keepingPeople)
        let tasks = try reader.tasks()
        issues = reader.issues
        assumed = reader.assumed
        members = reader.members
        days = reader.days
        assignees = record.issues.compactMapValues(\.assignee)
        first = day
        calendars = record.members.values.filter { $0.share > 0 }.map {
            record.calendar(of: $0.id)
        }
        do {
            project = try TeamProject(
                people: reader.people, tasks: tasks, horizon: max(1, reader.days.count))
        } catch .nobody(let task, _) {
            let issue = record.issues[reader.issues[task]]
            let skills = issue?.skills.sorted().joined(separator: ", ") ?? ""
            throw .conflict(
                "nobody who may do #\(reader.issues[task]) has the skills it needs: \(skills)")
        } catch {
            throw .conflict(error.description)
        }
    }

    /// A proposed schedule.
    package struct Proposal: Hashable, Sendable {
        /// The place of each issue that isn't fixed.
        package let places: [Int: ProjectEdit.Placement]
        /// The last day of the places; nil when there are none.
        package let end: CivilDate?
        /// The earliest day on which any schedule could end; nil when that isn't known.
        package let soonestEnd: CivilDate?
        /// Whether nothing is late and no schedule ends sooner.
        package let isProvedShortest: Bool
        /// The issues that keep the last one from ending sooner, in order: each waits for the one
        /// before it, or for the person who does that.
        package let chain: [Int]
        /// The ids of the issues that end after they are due, in order.
        package let late: [Int]
    }

    /// Searches for a proposal; it is the same for the same project, budget and seed.
    ///
    /// - Parameters:
    ///   - budget: about how many schedules to make.
    ///   - seed: the seed of the random choices.
    /// - Throws: a refusal that names the issue for which the working days don't suffice.
    package func proposal(budget: Int, seed: UInt64) throws(Refusal) -> Proposal {
        let schedule: TeamSchedule
        do {
            let budget = min(max(budget, 1), Self.mostSchedules)
            schedule = try TeamSearch(project, budget: budget, seed: seed).run(until: budget)
        } catch .beyondHorizon(let task) {
            throw noTime(for: task)
        } catch {
            throw .conflict(error.description)
        }
        var places: [Int: ProjectEdit.Placement] = [:]
        for (task, place) in schedule.assignments.enumerated() {
            if case .fixed = project.tasks[task].state { continue }
            // A milestone occupies a day of its own after its predecessors. It takes nobody's time,
            // so its assignee stays.
            guard place.start < days.count else { throw noTime(for: task) }
            let first = days[place.start]
            let last = place.end > place.start ? days[place.end - 1] : first
            places[issues[task]] = ProjectEdit.Placement(
                span: Span(start: first, due: last),
                assignee: place.person.map { members[$0] } ?? assignees[issues[task]])
        }
        let late = schedule.assignments.indices.filter { task in
            let place = schedule.assignments[task]
            return project.tasks[task].due.map { max(place.end, place.start + 1) > $0 } ?? false
        }
        func lastDay(_ slot: Int) -> CivilDate? {
            slot > 0 && slot <= days.count ? days[slot - 1] : nil
        }
        let end = places.values.compactMap(\.span.due).max()
        let isBound = hasAllTime(until: end)
        return Proposal(
            places: places, end: end, soonestEnd: isBound ? lastDay(schedule.lowerBound) : nil,
            isProvedShortest: isBound && schedule.isProvedShortest,
            chain: schedule.criticalChain(of: project).map { issues[$0] },
            late: late.map { issues[$0] }.sorted())
    }

    /// Whether nobody works on days that the plan doesn't have, up to a day. Otherwise a schedule
    /// that uses these days may end sooner than any of this plan.
    private func hasAllTime(until end: CivilDate?) -> Bool {
        guard let end else { return true }
        let planned = days.prefix { $0 <= end }
        let next = CivilDate(daysSince1970: end.daysSince1970 + 1)
        return calendars.allSatisfy { calendar in
            calendar.workingDays(from: first, to: next) <= planned.count { calendar.isWorking($0) }
        }
    }

    private func noTime(for task: Int) -> Refusal {
        .conflict(
            "there is no time for #\(issues[task]) in \(days.count) working days; shorten it or "
                + "add people")
    }
}

/// Converts issues to tasks.
private struct TaskReader {
    private let record: ProjectRecord
    private let keepsPeople: Bool
    let members: [Int]
    let days: [CivilDate]
    let issues: [Int]
    /// The people, in the order of `members`.
    private(set) var people: [TeamProject.Person] = []
    private(set) var assumed: [Int] = []
    private let skills: [String: Int]
    private let place: [Int: Int]
    private let parts: [Int: [Int]]

    init(_ record: ProjectRecord, from day: CivilDate, keepingPeople: Bool) {
        self.record = record
        keepsPeople = keepingPeople
        members = record.members.keys.sorted()
        let parts = record.partsOfWholes
        self.parts = parts
        let days = Self.days(of: record.details.calendar, from: day)
        self.days = days
        issues = record.issues.values.filter { issue in
            guard parts[issue.id] == nil, !record.isClosed(issue) else { return false }
            guard let kept = Self.fixedDays(issue), let first = days.first, let last = days.last
            else { return true }
            return kept.overlaps(first...last)
        }.map(\.id).sorted()
        let names =
            record.issues.values.flatMap(\.skills) + record.members.values.flatMap(\.skills)
        skills = Dictionary(
            Set(names).sorted().enumerated().map { ($1, $0) },
            uniquingKeysWith: { first, _ in first })
        place = Dictionary(
            issues.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        people = members.compactMap { record.members[$0] }.map { person($0) }
    }

    private static func days(of calendar: WorkCalendar, from day: CivilDate) -> [CivilDate] {
        var days: [CivilDate] = []
        var next = calendar.next(onOrAfter: day)
        while let day = next, days.count < SchedulePlan.mostDays {
            days.append(day)
            next = calendar.next(onOrAfter: CivilDate(daysSince1970: day.daysSince1970 + 1))
            if next == day { break }
        }
        return days
    }

    /// Returns the days on which an issue stays; nil if it isn't fixed, or has no date.
    private static func fixedDays(_ issue: ProjectIssue) -> ClosedRange<CivilDate>? {
        guard issue.isFixed, let start = issue.span.start ?? issue.span.due else { return nil }
        return start...max(start, issue.span.due ?? start)
    }

    /// Returns what a member can do; they work on the project days on which they have time for the
    /// project.
    private func person(_ member: Member) -> TeamProject.Person {
        var (working, paces): ([Range<Int>], [Int]) = ([], [])
        for (slot, day) in days.enumerated()
        where member.share > 0 && member.calendar.isWorking(day) {
            paces.append(Self.pace(of: member.calendar, on: day, share: member.share))
            if let last = working.last, last.upperBound == slot {
                working[working.count - 1] = last.lowerBound..<slot + 1
            } else {
                working.append(slot..<slot + 1)
            }
        }
        return TeamProject.Person(
            working: working, skills: Set(member.skills.compactMap { skills[$0] }), paces: paces)
    }

    /// Returns the minutes of a working day that count for the project.
    private static func pace(of calendar: WorkCalendar, on day: CivilDate, share: Int) -> Int {
        let next = CivilDate(daysSince1970: day.daysSince1970 + 1)
        return max(1, calendar.workingMinutes(from: day, to: next) * share / 100)
    }

    /// Returns the minutes of a usual working day of someone or, for nil, of the project.
    private func usualPace(of person: Int?) -> Int {
        let calendar = record.details.calendar
        let paces =
            person.map { Array(people[$0].paces.prefix(20)) }
            ?? days.prefix(20).map { Self.pace(of: calendar, on: $0, share: 100) }
        return paces.isEmpty ? 1 : paces.reduce(0, +) / paces.count
    }

    mutating func tasks() throws(Refusal) -> [TeamProject.Task] {
        guard !days.isEmpty else { throw .conflict("the project's calendar has no working day") }
        var tasks: [TeamProject.Task] = []
        for id in issues {
            guard let issue = record.issues[id] else { continue }
            tasks.append(task(issue))
        }
        var links = 0
        for relation in record.relations.values.sorted(by: { $0.id < $1.id })
        where relation.kind == .precedes {
            let (first, second) = (leaves(of: relation.from), leaves(of: relation.to).tasks)
            links += first.tasks.count * second.count
            guard links <= TeamProject.Limit.links else {
                throw .conflict(
                    "the parts of related issues have more than \(TeamProject.Limit.links) "
                        + "relations; relate fewer issues that have many parts")
            }
            // A delay longer than all the days leaves no time, whatever its length.
            let lag = min(max(relation.delay, -days.count), days.count)
            let release = first.end.map { slot(relation.delay, after: $0) } ?? 0
            for to in second {
                tasks[to].release = max(tasks[to].release, release)
                // A successor of a milestone begins on the day after it.
                tasks[to].predecessors += first.tasks.map {
                    .init($0, lag: isMoment(tasks[$0]) ? min(lag + 1, days.count) : lag)
                }
            }
        }
        return tasks
    }

    /// Returns whether a task occupies no slot and isn't fixed.
    private func isMoment(_ task: TeamProject.Task) -> Bool {
        if case .fixed = task.state { return false }
        return task.work == 0
    }

    private mutating func task(_ issue: ProjectIssue) -> TeamProject.Task {
        let person = issue.assignee.flatMap { members.firstIndex(of: $0) }
        let kept = fixedPlace(issue, person)
        let today = kept ?? present(issue, person)
        var (work, amount): (Int, Int?) = (0, nil)
        if !issue.isMilestone { (work, amount) = self.work(of: issue, person) }
        var task = TeamProject.Task(
            work: work, amount: amount,
            skills: Set(issue.skills.compactMap { skills[$0] }), today: today)
        if keepsPeople, let person { task.people = [person] }
        if let due = issue.version.flatMap({ record.versions[$0]?.due }) {
            task.due = slot(after: due)
        }
        task.weight = 1 + (Importance.allCases.firstIndex(of: issue.priority) ?? 0)
        if let kept {
            task.state = .fixed(kept)
        } else if issue.done > 0, let person, task.work > 0 {
            task.state = .running(person: person)
        }
        return task
    }

    /// Returns the part of a fixed issue that lies within the plan's days; nil if it isn't fixed.
    private func fixedPlace(_ issue: ProjectIssue, _ person: Int?) -> TeamProject.Assignment? {
        guard let kept = Self.fixedDays(issue) else { return nil }
        let end = slot(after: kept.upperBound)
        return .init(person: person, start: min(slot(of: kept.lowerBound), end), end: end)
    }

    /// Returns the place of an issue in the present plan, if it lies within the plan's days.
    private func present(_ issue: ProjectIssue, _ person: Int?) -> TeamProject.Assignment? {
        guard let start = issue.span.start, let due = issue.span.due,
            let first = days.first, start >= first, let last = days.last, due <= last
        else { return nil }
        let end = slot(after: due)
        return .init(person: person, start: min(slot(of: start), end), end: end)
    }

    /// Returns the slot of the first working day on or after a day.
    private func slot(of day: CivilDate) -> Int {
        var (low, high) = (0, days.count)
        while low < high {
            let middle = (low + high) / 2
            if days[middle] >= day { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func slot(after day: CivilDate) -> Int {
        slot(of: CivilDate(daysSince1970: day.daysSince1970 + 1))
    }

    /// Returns the first slot of a successor of something that ends on a day.
    private func slot(_ delay: Int, after end: CivilDate) -> Int {
        let next = CivilDate(daysSince1970: end.daysSince1970 + 1)
        if let day = record.details.calendar.day(delay, after: next) { return slot(of: day) }
        // The day is before or after all days of calendars.
        return delay < 0 ? 0 : days.count
    }

    /// Returns the number of days that an issue still needs, and the minutes if it has an estimate:
    /// then the number is only a usual one, because it depends on who does the issue when.
    private mutating func work(
        of issue: ProjectIssue, _ person: Int?
    ) -> (days: Int, minutes: Int?) {
        let left = 100 - issue.done
        guard let estimate = issue.estimate else {
            assumed.append(issue.id)
            return (min(max(1, (plannedDays(of: issue) * left + 99) / 100), days.count), nil)
        }
        let minutes = (estimate * left + 99) / 100
        let pace = usualPace(of: person)
        return (min(max(1, (minutes + pace - 1) / pace), days.count), minutes)
    }

    /// Returns the number of days that an issue takes in the present plan: of those on which its
    /// assignee works, even if the plan doesn't have them; otherwise of the project's working days.
    private func plannedDays(of issue: ProjectIssue) -> Int {
        guard let start = issue.span.start, let due = issue.span.due else { return 1 }
        let end = CivilDate(daysSince1970: due.daysSince1970 + 1)
        func days(of member: Int?) -> Int {
            record.calendar(of: member).workingDays(from: start, to: end)
        }
        let own = days(of: issue.assignee)
        return own > 0 ? own : max(1, days(of: nil))
    }

    /// What an issue consists of: itself, or its parts.
    private struct Leaves {
        /// The numbers of the tasks.
        var tasks: [Int] = []
        /// The last day of those whose end can't be found in a schedule: they aren't tasks, because
        /// they are closed or past, or they are fixed and end after the last day.
        var end: CivilDate?
    }

    private func leaves(of issue: Int) -> Leaves {
        var leaves = Leaves()
        var open = [issue]
        while let next = open.popLast() {
            open += parts[next] ?? []
            guard parts[next] == nil, let issue = record.issues[next] else { continue }
            let task = place[next]
            if let task { leaves.tasks.append(task) }
            guard let due = issue.span.due ?? issue.span.start else { continue }
            let isBeyond = issue.isFixed && days.last.map { due > $0 } ?? true
            if task == nil || isBeyond { leaves.end = max(leaves.end ?? due, due) }
        }
        leaves.tasks.sort()
        return leaves
    }
}
