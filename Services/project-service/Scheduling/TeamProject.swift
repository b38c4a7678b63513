/// Tasks for people with working hours and skills.
///
/// The caller chooses the slots in which time is counted, such as half-hours since a moment. A
/// person does one task at a time and finishes it before the next; a task continues across time
/// that isn't worked. Meetings, holidays and absences are gaps in a person's working time.
package struct TeamProject: Hashable, Sendable {
    /// A person who does tasks.
    package struct Person: Hashable, Sendable {
        /// The slots in which the person works: stretches in order and apart.
        package var working: [Range<Int>]
        /// The skills of the person.
        package var skills: Set<Int>
        /// The amount of work that the person does in each of these slots, in order.
        package var paces: [Int]

        package init(working: [Range<Int>], skills: Set<Int> = [], paces: [Int]) {
            self.working = working
            self.skills = skills
            self.paces = paces
        }

        /// Creates a person who does the same amount of work in every slot.
        package init(working: [Range<Int>], skills: Set<Int> = [], pace: Int = 1) {
            let slots = working.reduce(0) { $0 + $1.count }
            self.init(
                working: working, skills: skills, paces: Array(repeating: pace, count: slots))
        }
    }

    /// A predecessor of a task.
    package struct Link: Hashable, Sendable {
        package var task: Int
        /// The number of slots that must pass after the end of the predecessor; negative if the
        /// task may begin before it.
        package var lag: Int

        package init(_ task: Int, lag: Int = 0) {
            self.task = task
            self.lag = lag
        }
    }

    /// The person who does a task, and the time at which it is done.
    package struct Assignment: Hashable, Sendable {
        /// The person; nil for a milestone, which nobody does.
        package var person: Int?
        /// The first slot of the task, and the one after its last.
        package var start: Int
        package var end: Int

        package init(person: Int?, start: Int, end: Int) {
            self.person = person
            self.start = start
            self.end = end
        }
    }

    /// The state of a task before scheduling.
    package enum State: Hashable, Sendable {
        case open
        /// The task stays where it is.
        case fixed(Assignment)
        /// A person has begun the task and continues it before anything else.
        case running(person: Int)
    }

    /// A task.
    package struct Task: Hashable, Sendable {
        /// The number of working slots of one person that it takes; 0 for a milestone.
        package var work: Int
        /// The amount of work, if the person's paces decide how many slots it takes; `work` is then
        /// only the usual number of them.
        package var amount: Int?
        /// The skills that its person needs.
        package var skills: Set<Int>
        /// The people who may do it; nil for everyone with the skills.
        package var people: Set<Int>?
        package var predecessors: [Link]
        /// The slot before which it can't begin.
        package var release: Int
        /// The slot before which it should end.
        package var due: Int?
        /// The weight of each slot by which it is late.
        package var weight: Int
        package var state: State
        /// Its place in the present plan.
        package var today: Assignment?

        package init(
            work: Int, amount: Int? = nil, skills: Set<Int> = [], people: Set<Int>? = nil,
            predecessors: [Link] = [], release: Int = 0, due: Int? = nil, weight: Int = 1,
            state: State = .open, today: Assignment? = nil
        ) {
            self.work = work
            self.amount = amount
            self.skills = skills
            self.people = people
            self.predecessors = predecessors
            self.release = release
            self.due = due
            self.weight = weight
            self.state = state
            self.today = today
        }

        /// Returns the number of working slots that it takes at a pace; at least one, unless it is
        /// a milestone.
        package func slots(atPace pace: Int) -> Int {
            guard let amount, work > 0 else { return work }
            return max(1, (amount + pace - 1) / pace)
        }
    }

    /// The limits of a project.
    package enum Limit {
        package static let people = 500
        package static let tasks = 10_000
        package static let links = 100_000
        package static let stretches = 500_000
        package static let skills = 1_000
        /// The maximum number of slots up to the horizon.
        package static let horizon = 1_000_000
        package static let weight = 1_000
        /// The maximum amounts of work of a task, and of a person in a slot.
        package static let amount = 1_000_000_000
        package static let pace = 1_000_000
    }

    package let people: [Person]
    package let tasks: [Task]
    /// The slot before which every task must end.
    package let horizon: Int
    /// The people who may do each task, in order; empty for a milestone.
    package let candidates: [[Int]]

    /// Creates a project after checking that its parts fit together.
    ///
    /// - Throws: a ``SchedulingError`` that names the invalid part.
    package init(
        people: [Person], tasks: [Task], horizon: Int
    ) throws(SchedulingError) {
        try SchedulingError.validate(people.count, 0...Limit.people, "number of people")
        try SchedulingError.validate(tasks.count, 0...Limit.tasks, "number of tasks")
        try SchedulingError.validate(horizon, 1...Limit.horizon, "horizon")
        try Self.validate(people, horizon)
        var links = 0
        for (index, task) in tasks.enumerated() {
            links += task.predecessors.count
            try SchedulingError.validate(
                links, 0...Limit.links, "number of predecessors up to task \(index)")
            try Self.validate(task, index, people: people.count, tasks: tasks.count, horizon)
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

    private static func validate(_ people: [Person], _ horizon: Int) throws(SchedulingError) {
        var stretches = 0
        for (index, person) in people.enumerated() {
            try SchedulingError.validate(
                person.skills.count, 0...Limit.skills, "number of skills of person \(index)")
            for pace in [person.paces.min(), person.paces.max()] {
                try SchedulingError.validate(pace ?? 1, 1...Limit.pace, "pace of person \(index)")
            }
            let slots = person.working.reduce(0) { $0 + $1.count }
            guard person.paces.count == slots else {
                throw .contradiction(
                    "person \(index) has \(person.paces.count) paces in \(slots) slots")
            }
            stretches += person.working.count
            try SchedulingError.validate(
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

    private static func validate(
        _ task: Task, _ index: Int, people: Int, tasks: Int, _ horizon: Int
    ) throws(SchedulingError) {
        let name = "task \(index)"
        try SchedulingError.validate(task.work, 0...horizon, "work of \(name)")
        try SchedulingError.validate(
            task.amount ?? 0, 0...Limit.amount, "amount of work of \(name)")
        try SchedulingError.validate(
            task.skills.count, 0...Limit.skills, "number of skills of \(name)")
        try SchedulingError.validate(task.release, 0...horizon, "release of \(name)")
        try SchedulingError.validate(task.due ?? 0, 0...horizon, "due date of \(name)")
        try SchedulingError.validate(task.weight, 0...Limit.weight, "weight of \(name)")
        for link in task.predecessors {
            guard (0..<tasks).contains(link.task) else {
                throw .unknown("predecessor \(link.task) of \(name)")
            }
            try SchedulingError.validate(
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
        case .fixed(let place): try validate(place, "the fixed place of \(name)", people, horizon)
        }
        if let today = task.today {
            try validate(today, "the place of \(name) today", people, horizon)
        }
    }

    private static func validate(
        _ place: Assignment, _ name: String, _ people: Int, _ horizon: Int
    ) throws(SchedulingError) {
        try SchedulingError.validate(place.start, 0...horizon, "start of \(name)")
        try SchedulingError.validate(place.end, place.start...horizon, "end of \(name)")
        if let person = place.person, !(0..<people).contains(person) {
            throw .unknown("person \(person) of \(name)")
        }
    }
}
