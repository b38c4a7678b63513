import Dates
import Messages
import ProjectInstances
import ProjectNetwork
import Scheduling
import TestSupport
import Testing
import WorkCalendar

@testable import ProjectRecord

/// Proposals for what to do when.
struct SchedulePlanTests {
    private func proposal(
        _ record: ProjectRecord, keepingPeople: Bool = true
    ) throws -> SchedulePlan.Proposal {
        try SchedulePlan(record, from: day("03-02"), keepingPeople: keepingPeople)
            .proposal(budget: 300, seed: 1)
    }

    @Test func `a person does one issue after another, and successors come later`() throws {
        var record = try project()
        for subject in ["One", "Two", "Three"] {
            try record.add(subject, "03-02", "03-03", assignee: 1)
        }
        try record.relate(3, 1)
        let proposal = try proposal(record)

        // Two days each, over a weekend.
        #expect(proposal.end == day("03-09"))
        #expect(proposal.isProvedShortest)
        let places = try #require(proposal.places[1]?.span.start)
        #expect(places > proposal.places[3]?.span.due ?? places)
        #expect(proposal.chain.count == 3)
        #expect(proposal.places.values.allSatisfy { $0.assignee == 1 })
    }

    @Test func `if people may change, more of them finish sooner`() throws {
        var record = try project()
        for _ in 0..<4 { try record.add("Any", "03-02", "03-03", assignee: 1) }
        #expect(try proposal(record).end == day("03-11"))
        #expect(try proposal(record, keepingPeople: false).end == day("03-05"))
    }

    @Test(arguments: [false, true])
    func `no end is called the soonest if somebody works on a day that isn't planned`(
        works: Bool
    ) throws {
        var record = try project()
        var details = record.details
        details.calendar = try WorkCalendar(holidays: [.init(day: day("03-05"), name: "Town day")])
        try record.make(.changeDetails(details))
        if works {
            var ola = try #require(record.members[2])
            ola.calendar = try WorkCalendar(
                holidays: [.init(day: day("03-05"), name: "Shift", hours: [480..<720])])
            try record.make(.keepMember(ola))
        }
        try record.add("Walls", "03-02", "03-06", assignee: 1)

        let proposal = try proposal(record)

        #expect(proposal.end == day("03-06"))
        #expect(proposal.isProvedShortest == !works)
        #expect(proposal.soonestEnd == (works ? nil : day("03-06")))
    }

    @Test func `a proposal is applied as one step and leaves no conflict`() throws {
        var record = try project()
        try record.add("Walls", "03-02", "03-06", assignee: 1)
        try record.add("Floor", "03-02", "03-04", assignee: 1)
        try record.relate(1, 2, delay: 1)
        let before = record
        let outcome = try record.make(.apply(try proposal(record).places))

        #expect(record.issues[2]?.span == span("03-10", "03-12"))
        var back = record
        try back.apply(outcome.changes.reversed().map(\.reversed))
        #expect(back == before)
    }

    @Test func `absences, fixed and started issues, and skills are respected`() throws {
        var record = try project()
        var kari = try #require(record.members[1])
        kari.skills = ["gas"]
        kari.calendar = try WorkCalendar(
            absences: [.init(days: day("03-02")...day("03-03"), reason: "Course")])
        try record.make(.keepMember(kari))
        try record.add("Stove", "03-02", "03-02")
        try record.change(1) { $0.skills = ["gas"] }
        try record.add("Meeting", "03-05", "03-05", assignee: 2)
        try record.change(2) { $0.isFixed = true }
        try record.add("Begun", "03-02", "03-05", assignee: 2)
        try record.change(3) { $0.done = 50 }
        let proposal = try proposal(record, keepingPeople: false)

        #expect(proposal.places[1] == .init(span: span("03-04", "03-04"), assignee: 1))
        #expect(proposal.places[2] == nil, "it stays")
        #expect(proposal.places[3] == .init(span: span("03-02", "03-03"), assignee: 2))
    }

    @Test func `a fixed issue stays if it has begun, is overdue, or ends after the last day`()
        throws
    {
        var record = try project()
        try record.add("Course", "02-26", "03-04", assignee: 1)
        try record.add("Overdue", "02-20", "02-24", assignee: 1)
        try record.add("Delivery", nil, "03-03", assignee: 2)
        try record.add("Watch", "03-02", "03-06")
        for id in 1...4 { try record.change(id) { $0.isFixed = true } }
        try record.change(1) { $0.done = 20 }
        try record.change(4) { $0.span.due = CivilDate(iso: "2044-03-01") }
        try record.add("Paint", "03-02", "03-02", assignee: 1)
        try record.add("Varnish", "03-02", "03-03", assignee: 2)
        let proposal = try proposal(record)

        #expect(proposal.places.keys.sorted() == [5, 6])
        // Their people are busy with what is fixed.
        #expect(proposal.places[5] == .init(span: span("03-05", "03-05"), assignee: 1))
        #expect(proposal.places[6] == .init(span: span("03-04", "03-05"), assignee: 2))
    }

    @Test func `a schedule doesn't change the dates of a fixed issue that has some`() throws {
        var record = try project()
        try record.add("Course", "02-26", "03-04", assignee: 1)
        try record.add("Some day", assignee: 1)
        for id in 1...2 { try record.change(id) { $0.isFixed = true } }
        let moved = ProjectEdit.Placement(span: span("03-02", "03-06"), assignee: 1)

        let refusal = #expect(throws: Refusal.self) { try record.making(.apply([1: moved])) }
        #expect(refusal?.message == "#1 is fixed, so its dates stay; make a new proposal")
        try record.make(.apply([2: moved]))
        #expect(record.issues[2]?.span == moved.span)
    }

    @Test func `an estimate is divided by the person's daily hours, and a guess is reported`()
        throws
    {
        var record = try project()
        try record.add("Walls", assignee: 1)
        try record.change(1) { $0.estimate = 3 * 480 + 1 }
        try record.add("Floor", assignee: 2)
        let plan = try SchedulePlan(record, from: day("03-02"), keepingPeople: true)
        let proposal = try plan.proposal(budget: 100, seed: 1)
        #expect(proposal.places[1]?.span == span("03-02", "03-05"))
        #expect(proposal.places[2]?.span == span("03-02", "03-02"))
        #expect(plan.assumed == [2])
    }

    @Test(arguments: [nil, 1, 2] as [Int?])
    func `an issue takes the time of whoever is to do it, even if somebody else has it now`(
        assignee: Int?
    ) throws {
        var record = try project()
        var kari = try #require(record.members[1])
        (kari.share, kari.skills) = (20, ["gas"])
        try record.make(.keepMember(kari))
        for subject in ["Walls", "Stove"] {
            let id = try record.add(subject, assignee: assignee)
            try record.change(id) { $0.estimate = 5 * 480 }
        }
        try record.change(2) { $0.skills = ["gas"] }
        let proposal = try proposal(record, keepingPeople: false)

        #expect(proposal.places[1] == .init(span: span("03-02", "03-06"), assignee: 2))
        #expect(proposal.places[2] == .init(span: span("03-02", "04-03"), assignee: 1))
        #expect(proposal.isProvedShortest)
    }

    @Test func `someone who comes after more than four weeks has no more time than their share`()
        throws
    {
        var record = try project()
        var kari = try #require(record.members[1])
        kari.share = 25
        kari.calendar = try WorkCalendar(
            absences: [.init(days: day("03-01")...day("03-29"), reason: "Leave")])
        try record.make(.keepMember(kari))
        try record.add("Walls", assignee: 1)
        try record.change(1) { $0.estimate = 480 }

        #expect(try proposal(record).places[1]?.span == span("03-30", "04-02"))
    }

    @Test func `an issue takes the hours of the days on which it is done, not of those before`()
        throws
    {
        var record = try project()
        var kari = try #require(record.members[1])
        // Half days after two weeks, and short Fridays until then.
        let full = [480..<960]
        kari.calendar = try WorkCalendar(
            week: .init([full, full, full, full, [480..<720], [], []]),
            terms: [
                .init(
                    days: day("03-16")...day("12-31"),
                    week: .init([480..<720], on: [0, 1, 2, 3, 4]))
            ])
        try record.make(.keepMember(kari))
        for estimate in [9 * 480, 5 * 480] {
            let id = try record.add("Walls", assignee: 1)
            try record.change(id) { $0.estimate = estimate }
        }
        try record.relate(1, 2)
        let proposal = try proposal(record)

        #expect(proposal.places[1]?.span == span("03-02", "03-13"))
        #expect(proposal.places[2]?.span == span("03-16", "03-27"))
        #expect(proposal.isProvedShortest)
    }

    @Test func `hours on days off of the project don't count`() throws {
        var record = try project()
        var kari = try #require(record.members[1])
        kari.calendar = try WorkCalendar(
            week: .init((0..<7).map { [$0 < 5 ? 480..<600 : 480..<1080] }))
        try record.make(.keepMember(kari))
        try record.add("Walls", assignee: 1)
        try record.change(1) { $0.estimate = 600 }

        // Two hours a day, although she has ten on Saturdays and Sundays.
        #expect(try proposal(record).places[1]?.span == span("03-02", "03-06"))
    }

    @Test func `without an estimate, an issue takes as many of its assignee's days as before`()
        throws
    {
        let fair = ["03-09", "03-10", "03-11"].map {
            WorkCalendar.Holiday(day: day($0), name: "Fair")
        }
        func proposed(_ start: String, _ due: String, by calendar: WorkCalendar) throws -> Span? {
            var record = try project()
            var details = record.details
            details.calendar = try WorkCalendar(holidays: fair)
            try record.make(.changeDetails(details))
            var kari = try #require(record.members[1])
            kari.calendar = calendar
            try record.make(.keepMember(kari))
            try record.add("Stand", start, due, assignee: 1)
            return try proposal(record).places[1]?.span
        }
        let partTime = try WorkCalendar(week: .init([480..<960], on: [0, 1, 2, 3]))
        let onDuty = try WorkCalendar(
            holidays: fair.map { .init(day: $0.day, name: "Stand", hours: [480..<960]) })

        // Five days from Monday to Thursday, and three that the project has off.
        #expect(try proposed("03-16", "03-23", by: partTime) == span("03-02", "03-12"))
        #expect(try proposed("03-09", "03-11", by: onDuty) == span("03-02", "03-04"))
    }

    @Test func `an issue for which all the working days don't suffice is refused`() throws {
        var record = try project()
        try record.add("Cathedral", assignee: 1)
        try record.change(1) { $0.estimate = 2_601 * 480 }

        let refusal = #expect(throws: Refusal.self) { try proposal(record) }
        #expect(
            refusal?.message
                == "there is no time for #1 in 2600 working days; shorten it or add people")
    }

    @Test func `a milestone has a day between its predecessor and its successor`() throws {
        var record = try project()
        try record.add("Walls", "03-02", "03-03", assignee: 1)
        try record.add("Inspection", "03-02", "03-02")
        try record.change(2) { $0.isMilestone = true }
        try record.add("Paint", "03-02", "03-02", assignee: 1)
        try record.relate(1, 2)
        try record.relate(2, 3)
        let proposal = try proposal(record)
        #expect(proposal.places[2] == .init(span: span("03-04", "03-04"), assignee: nil))
        #expect(proposal.places[3]?.span == span("03-05", "03-05"))
        #expect(proposal.end == day("03-05"))
    }

    @Test(arguments: [true, false])
    func `a milestone stays with the person responsible for it`(keepsPeople: Bool) throws {
        var record = try project()
        try record.add("Walls", "03-02", "03-03", assignee: 1)
        try record.add("Inspection", "03-02", "03-02", assignee: 2)
        try record.change(2) { $0.isMilestone = true }
        try record.relate(1, 2)

        try record.make(.apply(try proposal(record, keepingPeople: keepsPeople).places))

        #expect(record.issues[2]?.span == span("03-04", "03-04"))
        #expect(record.issues[2]?.assignee == 2)
    }

    @Test(arguments: [true, false], [false, true])
    func `a delay after a closed or past fixed issue is kept, even after a part`(
        isClosed: Bool, isPart: Bool
    ) throws {
        var record = try project()
        try record.add("Floor")
        try record.add("Pour the floor", "02-26", "02-27", parent: isPart ? 1 : nil, assignee: 1)
        try record.change(2) { if isClosed { $0.status = "Closed" } else { $0.isFixed = true } }
        try record.add("Tile", assignee: 1)
        try record.add("Inspection")
        try record.change(4) { $0.isMilestone = true }
        try record.relate(isPart ? 1 : 2, 3, delay: 10)
        try record.relate(isPart ? 1 : 2, 4, delay: -3)
        let proposal = try proposal(record)

        // Two weeks of working days from Monday.
        #expect(proposal.places[3]?.span == span("03-16", "03-16"))
        #expect(proposal.places[4]?.span == span("03-02", "03-02"))
        #expect(proposal.isProvedShortest)
    }

    @Test func `what follows a fixed issue that ends after the last day begins after it`() throws {
        var record = try project()
        try record.add("Watch", "03-02", "03-06")
        try record.change(1) {
            $0.isFixed = true
            $0.span.due = CivilDate(iso: "2044-03-01")
        }
        try record.add("Report", assignee: 1)
        try record.relate(1, 2, delay: -4_000)
        let early = try proposal(record)
        try record.make(.unrelate(1, .keepGaps))
        try record.relate(1, 2)

        let start = try WorkCalendar().day(-4_000, after: #require(CivilDate(iso: "2044-03-02")))
        #expect(early.places[2]?.span.start == start)
        for isMilestone in [false, true] {
            try record.change(2) { $0.isMilestone = isMilestone }
            let refusal = #expect(throws: Refusal.self) { try proposal(record) }
            #expect(
                refusal?.message
                    == "there is no time for #2 in 2600 working days; shorten it or add people")
        }
        // Also if it begins after all of them.
        try record.change(1) { $0.span.start = CivilDate(iso: "2044-02-01") }
        #expect(throws: Refusal.self) { try proposal(record) }
    }

    @Test func `issues that will be late for their version are reported`() throws {
        var record = try project()
        try record.make(.keepVersion(Version(id: 0, name: "1.0", due: day("03-03"))))
        try record.add("Walls", "03-02", "03-06", assignee: 1)
        try record.change(1) { $0.version = 1 }
        let proposal = try proposal(record)
        #expect(proposal.late == [1])
        #expect(!proposal.isProvedShortest)
    }

    @Test func `an issue that nobody can do is refused with its id and skills`() throws {
        var record = try project()
        try record.add("Stove", "03-02", "03-02")
        try record.change(1) { $0.skills = ["gas", "water"] }
        let refusal = #expect(throws: Refusal.self) { try proposal(record) }
        #expect(
            refusal?.message == "nobody who may do #1 has the skills it needs: gas, water")
        let nobody = try ProjectRecord(
            ProjectDetails(name: "A", identifier: "a", calendar: try WorkCalendar()))
        #expect(throws: Refusal.self) { try proposal(nobody) }
    }

    @Test(arguments: Seed.some(60))
    func `any proposal passes its own check, and follows the relations`(
        seed: Seed
    ) throws {
        var seed = seed
        var record = try project()
        for _ in 0..<80 {
            let edit = try ProjectEdit.any(&seed, of: record)
            do { record = try record.making(edit).record } catch { continue }
        }
        guard !record.members.isEmpty else {
            #expect(throws: Refusal.self) { try self.proposal(record) }
            return
        }
        let plan = try SchedulePlan(record, from: day("03-02"), keepingPeople: seed.oneIn(2))
        let schedule = try TeamSearch(plan.project, budget: 60, seed: 1).run(until: 60)
        #expect(ScheduleCheck.faults(in: schedule, of: plan.project) == [])
        let proposal = try plan.proposal(budget: 60, seed: 1)
        #expect(try proposal == plan.proposal(budget: 60, seed: 1))
        guard !proposal.places.isEmpty else {
            // Nothing is open, or all of it is fixed.
            let isMovable = plan.project.tasks.map { task in
                if case .fixed = task.state { false } else { true }
            }
            #expect(!isMovable.contains(true))
            return
        }
        let applied = try record.making(.apply(proposal.places)).record
        let calendar = applied.details.calendar
        for relation in applied.relations.values where relation.kind == .precedes {
            guard proposal.places[relation.from] != nil,
                let due = applied.issues[relation.from]?.span.due,
                proposal.places[relation.to] != nil,
                let start = applied.issues[relation.to]?.span.start
            else { continue }
            let next = CivilDate(daysSince1970: due.daysSince1970 + 1)
            #expect(calendar.workingDays(from: next, to: start) >= relation.delay)
        }
    }
}
