import Dates
import ProjectNetwork
import TestSupport
import Testing
import WorkCalendar

struct CascadeTests {
    private func network(
        _ issues: [PlannedIssue], _ relations: [IssueRelation] = [],
        _ calendar: WorkCalendar? = nil, people: [Int: WorkCalendar] = [:]
    ) throws -> ProjectNetwork {
        try ProjectNetwork(
            issues: issues, relations: relations, calendar: try calendar ?? WorkCalendar(),
            people: people)
    }

    private func spans(_ cascade: Cascade) -> [Int: Span] {
        Dictionary(uniqueKeysWithValues: cascade.moves.map { ($0.issue, $0.after) })
    }

    /// #1 from Monday to Tuesday, #2 with three free days after it, from Monday to Wednesday.
    private let pair = [issue(1, "03-02", "03-03"), issue(2, "03-09", "03-11")]
    private let link = IssueRelation(id: 7, from: 1, to: 2)

    @Test func `in Redmine's mode a new relation closes the gap`() throws {
        let cascade = try network(pair).preview(.relation(link), mode: .redmine)

        #expect(spans(cascade) == [2: span("03-04", "03-06")])
        #expect(cascade.moves.map(\.cause) == [.relation(7, predecessor: 1)])
        #expect(cascade.network.relations == [link])
    }

    @Test func `Redmine's mode takes the steps that are allowed, and no more`() throws {
        // After each fork, the short way moves what follows by half of what the long way does in
        // the end: it moves twice as often as what it follows.
        let forks = 8
        var issues: [PlannedIssue] = []
        var relations: [IssueRelation] = []
        var start = day("2026-03-02").daysSince1970
        func add(_ length: Int, after others: Int...) {
            let id = issues.count + 1
            issues.append(
                PlannedIssue(
                    id: id,
                    span: Span(
                        start: CivilDate(daysSince1970: start),
                        due: CivilDate(daysSince1970: start + length - 1))))
            for other in others {
                relations.append(IssueRelation(id: relations.count + 1, from: other, to: id))
            }
        }
        add(1)
        for fork in 0..<forks {
            let first = issues.count
            let long = 1 + 1 << (forks - 1 - fork)
            start += 1
            add(1, after: first)
            add(long, after: first)
            start += long
            add(1, after: first + 1, first + 2)
        }
        let daily = try WorkCalendar(
            week: WorkCalendar.Week([480..<960], on: Set(0..<7)))
        let network = try network(issues, relations, daily)
        let late = CivilDate(daysSince1970: day("2026-03-02").daysSince1970 + 1 << forks)
        let change = PlanChange.dates(issue: 1, Span(start: late, due: late))
        let cascade = try network.preview(change, mode: .redmine)
        #expect(cascade.steps > 2 << forks && cascade.moves.count == issues.count)
        let same = try network.preview(change, mode: .redmine, most: cascade.steps)
        #expect(spans(same) == spans(cascade))
        #expect(throws: NetworkError.endless) {
            try network.preview(change, mode: .redmine, most: cascade.steps - 1)
        }
        #expect(try network.preview(change, mode: .keepGaps, most: 0).steps == 0)
    }

    @Test func `in our mode the same relation keeps the gap`() throws {
        let made = try network(pair).preview(.relation(link), mode: .keepGaps)
        #expect(made.moves == [])

        let change = PlanChange.dates(issue: 1, span("03-04", "03-05"))
        let later = try network(pair, [link]).preview(change, mode: .keepGaps)
        #expect(
            spans(later) == [1: span("03-04", "03-05"), 2: span("03-11", "03-13")])
        let pulled = try network(pair, [link]).preview(change, mode: .redmine)
        #expect(
            spans(pulled) == [1: span("03-04", "03-05"), 2: span("03-06", "03-10")])
    }

    @Test func `working days are kept over a weekend, and the skipped days are reported`() throws {
        let cascade = try network(
            [issue(1, "03-02", "03-05"), issue(2, "03-06", "03-06")], [link]
        ).preview(.dates(issue: 1, span("03-02", "03-06")), mode: .redmine)

        #expect(spans(cascade)[2] == span("03-09", "03-09"))
        let ours = try network(
            [issue(1, "03-02", "03-05"), issue(2, "03-06", "03-06", person: 3)], [link],
            people: [
                3: WorkCalendar(
                    absences: [.init(days: day("2026-03-09")...day("2026-03-10"), reason: "Ill")])
            ]
        ).preview(.dates(issue: 1, span("03-02", "03-06")), mode: .keepGaps)
        let move = try #require(ours.moves.last)
        #expect(move.after == span("03-11", "03-11"))
        #expect(
            move.skipped == [
                .init(day: day("2026-03-09"), kind: .absence("Ill")),
                .init(day: day("2026-03-10"), kind: .absence("Ill")),
            ])
    }

    @Test func `a project holiday that delays an issue's start is reported`() throws {
        let calendar = try WorkCalendar(
            holidays: [.init(day: day("2026-03-09"), name: "Town day")])
        let cascade = try network(
            [issue(1, "03-02", "03-05"), issue(2, "03-06", "03-06")], [link], calendar
        ).preview(.dates(issue: 1, span("03-02", "03-06")), mode: .keepGaps)
        let move = try #require(cascade.moves.last)
        #expect(move.after == span("03-10", "03-10"))
        #expect(move.skipped == [.init(day: day("2026-03-09"), kind: .holiday("Town day"))])
    }

    @Test func `Redmine reads a negative delay as the last day; we let issues overlap`() throws {
        let overlap = IssueRelation(id: 7, from: 1, to: 2, delay: -2)
        let issues = [issue(1, "03-02", "03-05"), issue(2, "03-20", "03-20")]
        let redmine = try network(issues).preview(.relation(overlap), mode: .redmine)
        #expect(spans(redmine) == [2: span("03-05", "03-05")])

        let ours = try network([issue(1, "03-02", "03-05"), issue(2, "03-02", "03-02")])
            .preview(.relation(overlap), mode: .keepGaps)
        #expect(spans(ours) == [2: span("03-04", "03-04")])
    }

    @Test func `a delay counts working days, as a real server was seen to do`() throws {
        let far = IssueRelation(id: 7, from: 1, to: 2, delay: 100_000)
        let cascade = try network(pair).preview(.relation(far), mode: .redmine)
        #expect(cascade.moves.first?.after.start?.parts.year == 2409)
    }

    @Test func `Redmine knows weekdays, but neither holidays nor absences`()
        throws
    {
        let calendar = try WorkCalendar(
            holidays: [.init(day: day("2026-03-04"), name: "Town day")])
        let cascade = try network(pair, [], calendar).preview(.relation(link), mode: .redmine)
        #expect(cascade.moves.first?.after.start == day("2026-03-04"))
    }

    @Test func `Redmine moves successors by number, and effects of that order are reported`()
        throws
    {
        let issues = [issue(1, "04-08", "04-08"), issue(2, "04-10", "04-10"), issue(3)]
        let relations = [
            IssueRelation(id: 1, from: 1, to: 3, delay: 4), IssueRelation(id: 2, from: 1, to: 2),
            IssueRelation(id: 3, from: 2, to: 3),
        ]
        let change = PlanChange.dates(issue: 1, span("03-17", "03-17"))
        let network = try network(issues, relations)
        // #3 can move only after #2 has moved, because the old dates of #2 keep it from beginning
        // so early.
        let cascade = try network.preview(change, mode: .redmine)
        #expect(
            spans(cascade) == [
                1: span("03-17", "03-17"), 2: span("03-18", "03-18"), 3: span("03-24", "03-24"),
            ])
        #expect(try network.uncertain(after: change) == [3])
    }

    @Test func `Redmine skips whole weeks first, as a real server was seen to do`() throws {
        // Five working days after a Saturday is again a Saturday, and so the Monday after it.
        let delay = IssueRelation(id: 7, from: 1, to: 2, delay: 4)
        let issues = [issue(1, "03-15", "03-21"), issue(2, "03-25", "04-01")]
        let cascade = try network(issues).preview(.relation(delay), mode: .redmine)
        #expect(spans(cascade) == [2: span("03-30", "04-06")])
        // If only Thursdays are worked, three of them after a Tuesday end a week later than by our
        // rule.
        let thursdays = try WorkCalendar(week: .init([480..<960], on: [3]))
        let few = IssueRelation(id: 7, from: 1, to: 2, delay: 2)
        let slow = try network(
            [issue(1, "03-18", "03-24"), issue(2, "03-15")], [], thursdays
        ).preview(.relation(few), mode: .redmine)
        #expect(spans(slow) == [2: span("04-16", "04-16")])
    }

    @Test func `an issue without an end gets one when Redmine moves it`() throws {
        let open = [pair[0], issue(2, "03-09"), issue(3)]
        let other = IssueRelation(id: 8, from: 1, to: 3)
        let first = try network(open).preview(.relation(link), mode: .redmine)
        #expect(spans(first) == [2: span("03-04", "03-04")])
        let second = try network(open).preview(.relation(other), mode: .redmine)
        #expect(spans(second) == [3: span("03-04", "03-04")])
        let ours = try network([pair[0], issue(2, "03-03")]).preview(
            .relation(link), mode: .keepGaps)
        #expect(spans(ours) == [2: span("03-04", nil)])
    }

    @Test func `a start earlier than its predecessors allow is refused`() throws {
        for mode in CascadeMode.allCases {
            let error = #expect(throws: NetworkError.self) {
                try network(pair, [link]).preview(
                    .dates(issue: 2, span("03-03", "03-11")), mode: mode)
            }
            #expect(error == .startsTooEarly(2, earliest: day("2026-03-04")))
        }
    }

    @Test(arguments: [false, true])
    func `the due date of an issue in conflict can be changed`(isFixed: Bool) throws {
        var early = issue(2, "03-03", "03-05")
        early.isFixed = isFixed
        let plan = try network([pair[0], early], [link])

        let cascade = try plan.preview(
            .dates(issue: 2, span("03-03", "03-10")), mode: .keepGaps)

        #expect(spans(cascade) == [2: span("03-03", "03-10")])
        #expect(cascade.conflicts == [2])
        // Its start can't be changed to another day that is too early.
        let error = #expect(throws: NetworkError.self) {
            try plan.preview(.dates(issue: 2, span("03-02", "03-10")), mode: .keepGaps)
        }
        #expect(error == .startsTooEarly(2, earliest: day("2026-03-04")))
    }

    @Test func `parts move with their whole's predecessors, and the whole moves with its parts`()
        throws
    {
        let issues = [
            issue(1, "03-02", "03-03"), issue(2), issue(3, "03-04", "03-05", parent: 2),
            issue(4, "03-12", "03-13", parent: 2), issue(5, "03-16", "03-16"),
        ]
        let relations = [link, IssueRelation(id: 8, from: 2, to: 5)]
        let change = PlanChange.dates(issue: 1, span("03-02", "03-06"))
        let redmine = try network(issues, relations).preview(change, mode: .redmine)
        // The part that begins later stays where it is.
        #expect(
            spans(redmine) == [
                1: span("03-02", "03-06"), 3: span("03-09", "03-10"), 2: span("03-09", "03-13"),
            ])
        #expect(redmine.moves.last?.cause == .part(3))

        let ours = try network(issues, relations).preview(change, mode: .keepGaps)
        #expect(
            spans(ours) == [
                1: span("03-02", "03-06"), 2: span("03-09", "03-18"), 3: span("03-09", "03-10"),
                4: span("03-17", "03-18"), 5: span("03-19", "03-19"),
            ])
    }

    @Test func `the dates of an issue with parts can't be set`() throws {
        let error = #expect(throws: NetworkError.self) {
            try network([issue(1), issue(2, "03-02", "03-03", parent: 1)])
                .preview(.dates(issue: 1, span("03-02", "03-03")), mode: .redmine)
        }
        #expect(error == .datesFromParts(1))
    }

    @Test func `fixed issues stay, and are reported`() throws {
        let cascade = try network(
            [pair[0], issue(2, "03-04", "03-05", isFixed: true)], [link]
        ).preview(.dates(issue: 1, span("03-02", "03-04")), mode: .keepGaps)

        #expect(spans(cascade).keys.sorted() == [1])
        #expect(cascade.conflicts == [2])
    }

    @Test func `removing a relation moves nothing`() throws {
        for mode in CascadeMode.allCases {
            let cascade = try network(pair, [link]).preview(.noRelation(7), mode: mode)
            #expect(cascade.moves == [])
            #expect(cascade.network.relations == [])
        }
        #expect(throws: NetworkError.unknownRelation(9)) {
            try network(pair, [link]).preview(.noRelation(9), mode: .redmine)
        }
    }

    @Test func `dates beyond the calendar are refused`() throws {
        let late = Span(start: day("9999-12-30"), due: day("9999-12-31"))
        for mode in CascadeMode.allCases {
            #expect(throws: NetworkError.noDayLeft(2)) {
                try network(pair, [link]).preview(.dates(issue: 1, late), mode: mode)
            }
        }
    }

    @Test func `a chain of thousands is followed to its end`() throws {
        let count = 5_000
        let issues = (0..<count).map { issue($0, "03-02", "03-02") }
        let relations = (1..<count).map { IssueRelation(id: $0, from: $0 - 1, to: $0) }
        for mode in CascadeMode.allCases {
            let cascade = try network(issues, Array(relations.dropLast()))
                .preview(.dates(issue: 0, span("03-03", "03-03")), mode: mode)
            #expect(cascade.moves.count >= count - 1)
        }
    }

    /// A reference that goes from day to day, using only the days of the week.
    private struct Walk {
        func works(_ day: Int) -> Bool { (day + 3) % 7 < 5 }
        func next(_ day: Int) -> Int { (day...).first(where: works) ?? day }
        func after(_ day: Int, _ count: Int) -> Int {
            var (day, left) = (day, count)
            while left > 0 {
                day += 1
                if works(day) { left -= 1 }
            }
            return day
        }
        func count(_ first: Int, _ last: Int) -> Int {
            (first..<max(first, last)).count(where: works)
        }
    }

    @Test(arguments: Seed.some(300))
    func `a cascade of issues without parts equals a day-by-day simulation`(
        seed: Seed
    ) throws {
        var seed = seed
        let walk = Walk()
        let count = 2 + seed.below(7)
        let delays: [[Int?]] = (0..<count).map { to in
            (0..<count).map { $0 < to && seed.oneIn(2) ? seed.below(4) : nil }
        }
        var starts: [Int] = []
        var dues: [Int] = []
        func soonest(_ index: Int) -> Int? {
            delays[index].enumerated().compactMap { from, delay in
                delay.map { walk.after(dues[from], 1 + $0) }
            }.max()
        }
        var gaps: [Int] = []
        for index in 0..<count {
            let floor = soonest(index) ?? 20_500 + seed.below(20)
            let gap = seed.oneIn(2) ? seed.below(5) : 0
            starts.append(walk.after(walk.next(floor), gap))
            dues.append(walk.after(starts[index], seed.below(4)))
            gaps.append(gap)
        }
        let date = { CivilDate(daysSince1970: $0) }
        let network = try network(
            (0..<count).map {
                PlannedIssue(id: $0, span: Span(start: date(starts[$0]), due: date(dues[$0])))
            },
            (0..<count).flatMap { to in
                delays[to].enumerated().compactMap { from, delay in
                    delay.map {
                        IssueRelation(id: to * count + from, from: from, to: to, delay: $0)
                    }
                }
            })
        let shift = walk.after(walk.next(starts[0] + seed.below(15) - 7), 0)
        let length = walk.count(starts[0], dues[0])
        for mode in CascadeMode.allCases {
            let cascade = try network.preview(
                .dates(
                    issue: 0,
                    Span(start: date(shift), due: date(walk.after(shift, length)))), mode: mode)
            let (oldStarts, oldDues) = (starts, dues)
            starts[0] = shift
            dues[0] = walk.after(shift, length)
            for index in 1..<count {
                let isTouched = delays[index].indices.contains {
                    delays[index][$0] != nil
                        && (starts[$0], dues[$0]) != (oldStarts[$0], oldDues[$0])
                }
                guard isTouched, let floor = soonest(index) else { continue }
                let days = walk.count(oldStarts[index], oldDues[index])
                starts[index] = mode == .redmine ? floor : walk.after(floor, gaps[index])
                dues[index] = walk.after(starts[index], days)
            }
            #expect(
                cascade.network.issues.map(\.span)
                    == zip(starts, dues).map { Span(start: date($0), due: date($1)) })
            (starts, dues) = (oldStarts, oldDues)
        }
    }
}
