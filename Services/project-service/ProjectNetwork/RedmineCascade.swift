import Dates
import WorkCalendar

/// What Redmine 5 does to the dates of other issues when an issue or a relation is saved.
///
/// It follows the server's callbacks in their order: an issue saved with other dates reschedules
/// its successors one by one, each with all of its own successors, and then the issue that it is a
/// part of gets the dates of its parts. It is exact to the day, quirks included: successors are
/// pulled to the soonest day, a negative delay counts as none, and a move that a validation forbids
/// is silently left out.
///
/// The order in which it reschedules successors is left to its database. SQLite lists them by
/// number, because it looks them up in the index of both ends.
struct RedmineCascade {
    /// The order in which successors are rescheduled.
    enum Order: CaseIterable {
        case numbers
        case relations
        case newestRelations
    }

    /// An issue as the server has it in memory, which may be older than the stored one.
    private struct Copy {
        let index: Int
        let span: Span
        let version: Int
    }

    /// A pending step; the last one is taken first.
    private enum Step {
        case follow(ProjectNetwork.Link)
        case part(Copy, on: CivilDate, wholeStart: CivilDate?, Cascade.Cause)
        case derive(Int, part: Int)
    }

    /// How many parts or predecessors of an issue may be examined for a step.
    private static let looksOfStep = 128

    private var network: ProjectNetwork
    private let days: RedmineDays
    private let order: Order
    private var spans: [Span]
    private var versions: [Int]
    private var steps: [Step] = []
    /// The number of steps taken, and how many there may be.
    private var count = 0
    private let most: Int
    private var moves = MoveList()

    init(
        _ network: ProjectNetwork, in order: Order = .numbers, most: Int = Cascade.mostSteps
    ) {
        self.network = network
        self.order = order
        self.most = most
        days = RedmineDays(network.calendar.week)
        spans = network.issues.map(\.span)
        versions = Array(repeating: 0, count: spans.count)
    }

    mutating func run(_ change: PlanChange) throws(NetworkError) -> Cascade {
        var after = network
        switch change {
        case .dates(let id, let span):
            let index = try network.index(id, namedBy: "the change")
            if let start = span.start, start != spans[index].start,
                let soonest = try soonestStart(index), start < soonest
            {
                throw .startsTooEarly(id, earliest: soonest)
            }
            store(span, index, because: .change)
        case .relation(let relation):
            after = try network.adding(relation)
            // Successors are rescheduled before the relation is stored.
            let links = after.outgoing.joined().filter { $0.relation == relation.id }
            steps = links.map { .follow($0) }
        case .noRelation(let id): after = try network.removing(relation: id)
        case .calendar(let person, let calendar, let issues):
            after = network.giving(calendar, to: person)
            try adopt(calendar, of: person, network.movable(issues, of: person))
        }
        try takeAll()
        return Cascade(
            moves: moves.all, conflicts: [], network: after.replacing(spans), steps: count)
    }

    private mutating func takeAll() throws(NetworkError) {
        while let step = steps.popLast() {
            count += 1
            try take(step)
        }
    }

    /// Moves the issues of a person who works on other days, each after those that it waits for: it
    /// keeps its number of working days. After each, what follows it is rescheduled.
    private mutating func adopt(
        _ calendar: WorkCalendar, of person: Int, _ movable: Set<Int>
    ) throws(NetworkError) {
        for moment in network.order where !moment.isEnd && movable.contains(moment.place) {
            let index = moment.place
            let planned = network.issues[index].span
            // An issue without an end got one if it was rescheduled, and then it stays.
            guard let start = spans[index].start ?? spans[index].due,
                planned.due != nil || spans[index] == planned
            else { continue }
            let before = network.calendar(of: index)
            guard let span = calendar.adopting(planned, of: before, from: start) else {
                throw .noDayLeft(network.issues[index].id)
            }
            count += 1
            try look(at: 0)
            guard span != spans[index] else { continue }
            store(
                span, index, because: .calendar(person: person),
                skipped: calendar.lost(
                    since: before, from: start, to: span.due ?? span.start ?? start))
            try takeAll()
        }
    }

    /// Counts parts or predecessors that are examined for a step.
    private mutating func look(at number: Int) throws(NetworkError) {
        count += number / Self.looksOfStep
        guard count <= most else { throw .endless }
    }

    private mutating func take(_ step: Step) throws(NetworkError) {
        try look(at: 0)
        switch step {
        case .follow(let link):
            guard let day = try soonest(after: link) else { return }
            let cause = Cascade.Cause.relation(
                link.relation, predecessor: network.issues[link.from].id)
            try reschedule(copy(link.to), on: day, because: cause)
        case .part(let copy, let day, let wholeStart, let cause):
            // A part that begins later than its whole stays, unless it has to move.
            if let start = copy.span.start, start != wholeStart, day <= start { return }
            try reschedule(copy, on: day, because: cause)
        case .derive(let index, let part):
            try look(at: network.parts[index].count)
            let span = network.derivedSpan(index) { spans[$0] }
            if span != spans[index] {
                store(span, index, because: .part(network.issues[part].id))
            } else if let outer = network.whole[index] {
                steps.append(.derive(outer, part: index))
            }
        }
    }

    private func copy(_ index: Int) -> Copy {
        Copy(index: index, span: spans[index], version: versions[index])
    }

    /// Moves an issue, or its parts, to a day.
    private mutating func reschedule(
        _ copy: Copy, on day: CivilDate, because cause: Cascade.Cause
    ) throws(NetworkError) {
        guard network.parts[copy.index].isEmpty else {
            let parts = leaves(of: copy.index).map {
                Step.part(self.copy($0), on: day, wholeStart: copy.span.start, cause)
            }
            steps.append(contentsOf: parts.reversed())
            return
        }
        guard copy.span.start != day else { return }
        var day = day
        if let start = copy.span.start, start > day {
            day = max(try soonestStart(copy.index) ?? day, day)
        }
        var span = try rescheduled(copy.span, on: day, copy.index)
        if span.start != copy.span.start, let start = span.start,
            let soonest = try soonestStart(copy.index), start < soonest
        {
            return
        }
        // It was stored again in the meantime: the server reads it again.
        if versions[copy.index] != copy.version {
            span = try rescheduled(spans[copy.index], on: day, copy.index)
        }
        guard span != spans[copy.index] else { return }
        let skipped = daysOff(from: day, to: span.start ?? day)
        store(span, copy.index, because: cause, skipped: skipped)
    }

    /// The days off from one day up to another.
    private func daysOff(from first: CivilDate, to last: CivilDate) -> [Cascade.Skipped] {
        (first.daysSince1970..<max(first.daysSince1970, last.daysSince1970)).prefix(60)
            .map { CivilDate(daysSince1970: $0) }.filter { !days.isWorking($0) }
            .map { Cascade.Skipped(day: $0, kind: .usual) }
    }

    /// Stores dates, and queues what the server does then.
    private mutating func store(
        _ span: Span, _ index: Int, because cause: Cascade.Cause, skipped: [Cascade.Skipped] = []
    ) {
        guard span != spans[index] else { return }
        spans[index] = span
        versions[index] += 1
        moves.add(network.issues[index], to: span, because: cause, skipped: skipped)
        if let outer = network.whole[index] { steps.append(.derive(outer, part: index)) }
        steps.append(contentsOf: successors(of: index).reversed().map { .follow($0) })
    }

    private func successors(of index: Int) -> [ProjectNetwork.Link] {
        let links = network.outgoing[index]
        return switch order {
        case .numbers: links.sorted { network.issues[$0.to].id < network.issues[$1.to].id }
        case .relations: links
        case .newestRelations: links.reversed()
        }
    }

    /// The parts of an issue without parts of their own, in tree order.
    private func leaves(of index: Int) -> [Int] {
        var leaves: [Int] = []
        var open = Array(network.parts[index].reversed())
        while let next = open.popLast() {
            if network.parts[next].isEmpty { leaves.append(next) }
            open.append(contentsOf: network.parts[next].reversed())
        }
        return leaves
    }

    private func soonest(after link: ProjectNetwork.Link) throws(NetworkError) -> CivilDate? {
        guard let last = spans[link.from].due ?? spans[link.from].start else { return nil }
        return try add(1 + link.delay, to: last, link.to)
    }

    /// The soonest start permitted by the predecessors of an issue and of its wholes.
    private mutating func soonestStart(_ index: Int) throws(NetworkError) -> CivilDate? {
        var soonest: CivilDate?
        var next: Int? = index
        while let index = next {
            try look(at: network.incoming[index].count)
            for link in network.incoming[index] {
                guard let day = try self.soonest(after: link) else { continue }
                soonest = max(soonest ?? day, day)
            }
            next = network.whole[index]
        }
        return soonest
    }

    private func rescheduled(
        _ span: Span, on day: CivilDate, _ index: Int
    ) throws(NetworkError) -> Span {
        var length = 0
        if let start = span.start, let due = span.due {
            length = days.workingDays(from: start, to: due)
        }
        guard let start = days.next(onOrAfter: day) else {
            throw .noDayLeft(network.issues[index].id)
        }
        return Span(start: start, due: try add(length, to: start, index))
    }

    /// The day `count` working days after a day; the day itself if the number isn't positive.
    private func add(
        _ count: Int, to day: CivilDate, _ index: Int
    ) throws(NetworkError) -> CivilDate {
        guard let sum = days.adding(count, to: day) else {
            throw .noDayLeft(network.issues[index].id)
        }
        return sum
    }
}

extension ProjectNetwork {
    /// The issues whose dates after a change, as Redmine does it, depend on the order in which its
    /// database happens to list what follows an issue: those that differ between some orders.
    package func uncertain(after change: PlanChange) throws(NetworkError) -> [Int] {
        var differing: Set<Int> = []
        var first: [PlannedIssue] = []
        for order in RedmineCascade.Order.allCases {
            var cascade = RedmineCascade(self, in: order)
            let issues = try cascade.run(change).network.issues
            if first.isEmpty { first = issues }
            for (one, other) in zip(first, issues) where one.span != other.span {
                differing.insert(one.id)
            }
        }
        return differing.sorted()
    }
}

extension RedmineDays {
    /// The days off from one day up to another.
    func skipped(from first: CivilDate, to last: CivilDate) -> [Cascade.Skipped] {
        (first.daysSince1970..<max(first.daysSince1970, last.daysSince1970)).prefix(60)
            .map { CivilDate(daysSince1970: $0) }.filter { !isWorking($0) }
            .map { Cascade.Skipped(day: $0, kind: .usual) }
    }
}
