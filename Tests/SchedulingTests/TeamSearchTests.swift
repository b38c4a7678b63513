import ProjectInstances
import Scheduling
import TestSupport
import Testing

struct TeamSearchTests {
    @Test(arguments: Seed.some(1_000))
    func `a team's schedule is valid`(seed: Seed) throws {
        var seed = seed
        let project = try TeamProject.any(&seed)
        let search = TeamSearch(project, budget: 60, seed: seed.next())
        let schedule = try search.run(until: 60)

        #expect(ScheduleCheck.faults(in: schedule, of: project) == [])
        #expect(search.made <= 60)
        let chain = schedule.criticalChain(of: project)
        #expect(chain.last.map { schedule.assignments[$0].end } == schedule.cost.makespan)
        #expect(Set(chain).count == chain.count)
    }

    @Test(arguments: Seed.some(50))
    func `the check finds every change to a team's schedule`(seed: Seed) throws {
        var seed = seed
        // Otherwise a task that begins later may end at the same time.
        let project = try TeamProject.any(&seed, isSteady: true)
        let right = try TeamSearch(project, budget: 30, seed: 1).run(until: 30)
        for (index, task) in project.tasks.enumerated() {
            var wrong = right
            wrong.assignments[index].start += 1
            #expect(ScheduleCheck.faults(in: wrong, of: project) != [])
            wrong = right
            wrong.assignments[index].end += 1
            #expect(ScheduleCheck.faults(in: wrong, of: project) != [])
            guard task.work > 0, case .open = task.state else { continue }
            wrong = right
            wrong.assignments[index].person = project.people.count
            #expect(ScheduleCheck.faults(in: wrong, of: project) != [])
        }
        var wrong = right
        wrong.cost.makespan -= 1
        #expect(ScheduleCheck.faults(in: wrong, of: project) != [])
    }

    /// Two people who work all the time; only the first can do 7.
    static let two = [
        TeamProject.Person(working: [0..<100], skills: [7]),
        TeamProject.Person(working: [0..<100]),
    ]

    private func schedule(
        _ people: [TeamProject.Person], _ tasks: [TeamProject.Task], horizon: Int = 100
    ) throws -> TeamSchedule {
        let project = try TeamProject(people: people, tasks: tasks, horizon: horizon)
        let schedule = try TeamSearch(project, budget: 200, seed: 1).run(until: 200)
        #expect(ScheduleCheck.faults(in: schedule, of: project) == [])
        return schedule
    }

    @Test func `tasks that few people can do are left to them`() throws {
        let schedule = try schedule(
            Self.two, [.init(work: 10), .init(work: 10, skills: [7])])

        #expect(schedule.assignments.map(\.person) == [1, 0])
        #expect(schedule.cost.makespan == 10)
        #expect(schedule.isProvedShortest)
    }

    @Test func `a task takes the time of the person who does it`() throws {
        let people = [
            TeamProject.Person(working: [0..<100], pace: 2),
            TeamProject.Person(working: [0..<100], pace: 8),
        ]
        let large = TeamProject.Task(work: 5, amount: 33)
        let schedule = try schedule(people, [large, large])
        let slow = try self.schedule([people[0]], [large, .init(work: 3)])

        // The fast one does both before the slow one would have done one.
        #expect(schedule.assignments.map(\.person) == [1, 1])
        #expect(schedule.cost.makespan == 10)
        #expect(slow.cost.makespan == 17 + 3)
        #expect(slow.isProvedShortest)
    }

    @Test func `a task takes longer where its person does less`() throws {
        let paces = Array(repeating: 8, count: 10) + Array(repeating: 2, count: 10)
        let schedule = try schedule(
            [.init(working: [0..<20], paces: paces)],
            [.init(work: 2, amount: 16), .init(work: 2, amount: 16, release: 9)], horizon: 20)

        #expect(schedule.assignments[0] == .init(person: 0, start: 0, end: 2))
        #expect(schedule.assignments[1] == .init(person: 0, start: 9, end: 14))
        #expect(schedule.isProvedShortest)
    }

    @Test func `the least end counts how much each person does`() throws {
        let people = [
            TeamProject.Person(working: [0..<100], pace: 1),
            TeamProject.Person(working: [0..<100], pace: 9),
        ]
        let schedule = try schedule(people, Array(repeating: .init(work: 1, amount: 9), count: 10))

        #expect(schedule.cost.makespan == 9)
        #expect(schedule.isProvedShortest)
    }

    @Test func `work continues after a gap in the working time`() throws {
        let schedule = try schedule(
            [.init(working: [2..<5, 20..<30])], [.init(work: 3, release: 3), .init(work: 1)])

        #expect(schedule.assignments[0] == .init(person: 0, start: 3, end: 21))
        #expect(schedule.assignments[1] == .init(person: 0, start: 2, end: 3))
    }

    @Test func `due dates take precedence over finishing sooner`() throws {
        let one = [TeamProject.Person(working: [0..<100])]
        let schedule = try schedule(
            one,
            [
                .init(work: 10), .init(work: 5, due: 5),
                .init(work: 3, predecessors: [.init(0)]),
            ])

        #expect(schedule.assignments[1].end == 5)
        #expect(schedule.cost.lateness == 0)
    }

    @Test func `fixed tasks stay, and running ones continue first`() throws {
        let fixed = TeamProject.Assignment(person: 0, start: 4, end: 8)
        let schedule = try schedule(
            [Self.two[0]],
            [
                .init(work: 2), .init(work: 4, state: .fixed(fixed)),
                .init(work: 3, state: .running(person: 0)),
            ])

        #expect(schedule.assignments[1] == fixed)
        #expect(schedule.assignments[2] == .init(person: 0, start: 0, end: 3))
        #expect(schedule.assignments[0] == .init(person: 0, start: 8, end: 10))
    }

    @Test func `of equally good schedules the one closest to the present plan is proposed`() throws
    {
        let today = [
            TeamProject.Assignment(person: 1, start: 20, end: 30),
            TeamProject.Assignment(person: 0, start: 0, end: 40),
        ]
        let schedule = try schedule(
            Self.two, [.init(work: 10, today: today[0]), .init(work: 40, today: today[1])])

        #expect(schedule.assignments == today)
        #expect(schedule.cost == .init(lateness: 0, makespan: 40, change: 0))
    }

    @Test func `a lag keeps tasks apart, and a negative one lets them overlap`() throws {
        let schedule = try schedule(
            Self.two,
            [
                .init(work: 10), .init(work: 5, predecessors: [.init(0, lag: 4)]),
                .init(work: 5, predecessors: [.init(0, lag: -4)]),
            ])

        #expect(schedule.assignments.map(\.start) == [0, 14, 6])
    }

    @Test func `the critical chain goes through tasks and people`() throws {
        let project = try TeamProject(
            people: [.init(working: [0..<100])],
            tasks: [
                .init(work: 5), .init(work: 6), .init(work: 1, predecessors: [.init(0), .init(1)]),
            ], horizon: 100)
        let schedule = try TeamSearch(project, budget: 50, seed: 1).run(until: 50)

        #expect(schedule.cost.makespan == 12)
        #expect(Set(schedule.criticalChain(of: project)) == [0, 1, 2])
    }

    @Test func `a task that nobody can do is named`() {
        let error = #expect(throws: SchedulingError.self) {
            try TeamProject(
                people: Self.two, tasks: [.init(work: 1), .init(work: 1, skills: [9])],
                horizon: 100)
        }
        #expect(error?.description == "nobody can do task 1: no one has the skills [9]")
    }

    @Test func `a task for which no time is left is named`() throws {
        let project = try TeamProject(
            people: Self.two, tasks: [.init(work: 1), .init(work: 100), .init(work: 100)],
            horizon: 100)
        let wide = try TeamProject(people: Self.two, tasks: [.init(work: 100)], horizon: 100)

        #expect(throws: SchedulingError.beyondHorizon(task: 0)) {
            try TeamSearch(project, budget: 50, seed: 1).run(until: 50)
        }
        #expect(try TeamSearch(wide, budget: 50, seed: 1).run(until: 50).cost.makespan == 100)
    }

    @Test(arguments: [
        (
            TeamProject.Task(work: -1),
            "the work of task 0 is -1; it may be 0 to 100"
        ),
        (
            .init(work: 1, amount: -1),
            "the amount of work of task 0 is -1; it may be 0 to 1000000000"
        ),
        (.init(work: 1, release: 101), "the release of task 0 is 101; it may be 0 to 100"),
        (.init(work: 1, due: .min), "the due date of task 0 is \(Int.min); it may be 0 to 100"),
        (.init(work: 1, weight: 1_001), "the weight of task 0 is 1001; it may be 0 to 1000"),
        (.init(work: 1, people: [2]), "there is no person 2 of task 0"),
        (.init(work: 1, predecessors: [.init(1)]), "there is no predecessor 1 of task 0"),
        (
            .init(work: 1, predecessors: [.init(0, lag: .max)]),
            "the lag of task 0 after task 0 is \(Int.max); it may be -100 to 100"
        ),
        (.init(work: 1, predecessors: [.init(0)]), "these follow each other in a circle: 0 -> 0"),
        (
            .init(work: 1, state: .fixed(.init(person: 0, start: 9, end: 3))),
            "the end of the fixed place of task 0 is 3; it may be 9 to 100"
        ),
        (.init(work: 1, state: .running(person: 5)), "there is no person 5 of task 0"),
    ])
    func `a wrong task is refused with the place`(task: TeamProject.Task, says: String) {
        let error = #expect(throws: SchedulingError.self) {
            try TeamProject(people: Self.two, tasks: [task], horizon: 100)
        }
        #expect(error?.description == says)
    }

    @Test func `someone who does nothing in a slot is refused`() {
        let error = #expect(throws: SchedulingError.self) {
            try TeamProject(people: [.init(working: [0..<5], pace: 0)], tasks: [], horizon: 100)
        }
        #expect(error?.description == "the pace of person 0 is 0; it may be 1 to 1000000")
    }

    @Test func `someone with a pace for only some of the slots is refused`() {
        let error = #expect(throws: SchedulingError.self) {
            try TeamProject(
                people: [.init(working: [0..<5], paces: [1, 1])], tasks: [], horizon: 100)
        }
        #expect(error?.description == "person 0 has 2 paces in 5 slots")
    }

    @Test func `overlapping stretches of work are refused`() {
        #expect(throws: SchedulingError.self) {
            try TeamProject(people: [.init(working: [0..<5, 4..<6])], tasks: [], horizon: 100)
        }
    }
}
