/// Tasks for people, who have working hours and skills.
///
/// Time is counted in slots that the caller chooses, such as half-hours since a moment. A person
/// does one task at a time and doesn't leave it for another; it goes on over what isn't working
/// time. Meetings, holidays and absences are gaps in the working time of a person.
package struct TeamProject: Hashable, Sendable {
    /// Someone who does tasks.
    package struct Person: Hashable, Sendable {
        /// The slots in which the person works: stretches in order and apart.
        package var working: [Range<Int>]
        /// What the person can do.
        package var skills: Set<Int>

        package init(working: [Range<Int>], skills: Set<Int> = []) {
            self.working = working
            self.skills = skills
        }
    }

    /// That a task follows another.
    package struct Link: Hashable, Sendable {
        package var task: Int
        /// How many slots have to pass after the end of that task; negative when this one may begin
        /// before.
        package var lag: Int

        package init(_ task: Int, lag: Int = 0) {
            self.task = task
            self.lag = lag
        }
    }

    /// Who does a task, and from when to when.
    package struct Assignment: Hashable, Sendable {
        /// Nil for a milestone, which nobody does.
        package var person: Int?
        /// Its first slot, and the one after its last.
        package var start: Int
        package var end: Int

        package init(person: Int?, start: Int, end: Int) {
            self.person = person
            self.start = start
            self.end = end
        }
    }

    /// What is decided about a task already.
    package enum State: Hashable, Sendable {
        case open
        /// It stays where it is.
        case fixed(Assignment)
        /// A person has begun it, and goes on with what is left of it before anything else.
        case running(person: Int)
    }

    /// Something to do.
    package struct Task: Hashable, Sendable {
        /// How many working slots of one person it takes; 0 for a milestone.
        package var work: Int
        /// What whoever does it has to be able to do.
        package var skills: Set<Int>
        /// Who may do it; nil for everyone with the skills.
        package var people: Set<Int>?
        package var predecessors: [Link]
        /// It doesn't begin before this slot.
        package var release: Int
        /// It should end no later than before this slot.
        package var due: Int?
        /// How much each slot after it counts.
        package var weight: Int
        package var state: State
        /// What the present plan says of it.
        package var today: Assignment?

        package init(
            work: Int, skills: Set<Int> = [], people: Set<Int>? = nil, predecessors: [Link] = [],
            release: Int = 0, due: Int? = nil, weight: Int = 1, state: State = .open,
            today: Assignment? = nil
        ) {
            self.work = work
            self.skills = skills
            self.people = people
            self.predecessors = predecessors
            self.release = release
            self.due = due
            self.weight = weight
            self.state = state
            self.today = today
        }
    }

    /// How large a project may be.
    package enum Limit {
        package static let people = 500
        package static let tasks = 10_000
        package static let links = 100_000
        package static let stretches = 500_000
        package static let skills = 1_000
        /// Most slots from the first to the horizon.
        package static let horizon = 1_000_000
        package static let weight = 1_000
    }

    package let people: [Person]
    package let tasks: [Task]
    /// All ends before this slot.
    package let horizon: Int
    /// For each task those who may do it, in order; empty for a milestone.
    package let candidates: [[Int]]

    /// A project whose parts fit each other.
    ///
    /// - Throws: a ``SchedulingError`` that names the place of what is wrong.
    package init(
        people: [Person], tasks: [Task], horizon: Int
    ) throws(SchedulingError) {
        try SchedulingError.check(people.count, 0...Limit.people, "number of people")
        try SchedulingError.check(tasks.count, 0...Limit.tasks, "number of tasks")
        try SchedulingError.check(horizon, 1...Limit.horizon, "horizon")
        try Self.check(people, horizon)
        var links = 0
        for (index, task) in tasks.enumerated() {
            links += task.predecessors.count
            try SchedulingError.check(
                links, 0...Limit.links, "number of predecessors up to task \(index)")
            try Self.check(task, index, people: people.count, tasks: tasks.count, horizon)
        }
        if let cycle = Ordering.cycle(tasks.map { $0.predecessors.map(\.task) }) {
            throw .cycle(cycle)
        }
        var candidates: [[Int]] = []
        for (index, task) in tasks.enumerated() {
            let able = Self.able(task, people)
            if able.isEmpty, Self.needsSomeone(task) {
                throw .nobody(
                    task: index,
                    task.people == nil
                        ? "no one has the skills \(task.skills.sorted())"
                        : "none of its people has the skills \(task.skills.sorted())")
            }
            candidates.append(able)
        }
        self.people = people
        self.tasks = tasks
        self.horizon = horizon
        self.candidates = candidates
    }

    private static func needsSomeone(_ task: Task) -> Bool {
        if case .fixed = task.state { return false }
        return task.work > 0
    }

    private static func able(_ task: Task, _ people: [Person]) -> [Int] {
        guard needsSomeone(task) else { return [] }
        if case .running(let person) = task.state { return [person] }
        return people.indices.filter {
            task.skills.isSubset(of: people[$0].skills) && (task.people?.contains($0) ?? true)
        }
    }

    private static func check(_ people: [Person], _ horizon: Int) throws(SchedulingError) {
        var stretches = 0
        for (index, person) in people.enumerated() {
            try SchedulingError.check(
                person.skills.count, 0...Limit.skills, "number of skills of person \(index)")
            stretches += person.working.count
            try SchedulingError.check(
                stretches, 0...Limit.stretches,
                "number of stretches of work up to person \(index)")
            var end = 0
            for stretch in person.working {
                guard stretch.lowerBound >= end, !stretch.isEmpty, stretch.upperBound <= horizon
                else {
                    throw .contradiction(
                        "the stretch \(stretch) of person \(index) isn't after the one before it "
                            + "and before the horizon")
                }
                end = stretch.upperBound
            }
        }
    }

    private static func check(
        _ task: Task, _ index: Int, people: Int, tasks: Int, _ horizon: Int
    ) throws(SchedulingError) {
        let name = "task \(index)"
        try SchedulingError.check(task.work, 0...horizon, "work of \(name)")
        try SchedulingError.check(
            task.skills.count, 0...Limit.skills, "number of skills of \(name)")
        try SchedulingError.check(task.release, 0...horizon, "release of \(name)")
        try SchedulingError.check(task.due ?? 0, 0...horizon, "due date of \(name)")
        try SchedulingError.check(task.weight, 0...Limit.weight, "weight of \(name)")
        for link in task.predecessors {
            guard (0..<tasks).contains(link.task) else {
                throw .unknown("predecessor \(link.task) of \(name)")
            }
            try SchedulingError.check(
                link.lag, -horizon...horizon, "lag of \(name) after task \(link.task)")
        }
        for person in task.people ?? [] where !(0..<people).contains(person) {
            throw .unknown("person \(person) of \(name)")
        }
        switch task.state {
        case .open: break
        case .running(let person):
            guard (0..<people).contains(person) else {
                throw .unknown("person \(person) of \(name)")
            }
        case .fixed(let place): try check(place, "the fixed place of \(name)", people, horizon)
        }
        if let today = task.today {
            try check(today, "the place of \(name) today", people, horizon)
        }
    }

    private static func check(
        _ place: Assignment, _ name: String, _ people: Int, _ horizon: Int
    ) throws(SchedulingError) {
        try SchedulingError.check(place.start, 0...horizon, "start of \(name)")
        try SchedulingError.check(place.end, place.start...horizon, "end of \(name)")
        if let person = place.person, !(0..<people).contains(person) {
            throw .unknown("person \(person) of \(name)")
        }
    }
}
