import Dates
import WorkCalendar

/// A cascade that keeps the gaps in working days between issues.
///
/// Successors move by as much as the first day on which they may begin, later or sooner. An issue
/// that began before that day moves only if it has to. A negative delay lets issues overlap.
struct GapCascade {
    private let old: ProjectNetwork
    private var new: ProjectNetwork
    private var spans: [Span]
    /// The floors that have been needed so far.
    private var floors: [Int: Floors] = [:]
    /// The link that was added or removed.
    private var link: ProjectNetwork.Link?
    /// The issues whose person works on other days than before.
    private var affected: Set<Int> = []
    /// Whether each issue may begin on another day than before.
    private var isTouched: [Bool]
    /// Whether each issue has other dates than before.
    private var hasMoved: [Bool]
    private var moves = MoveList()
    private var conflicts: [Int] = []

    /// The first day on which an issue may begin, before and after the change, and the deciding
    /// link.
    private struct Floors {
        var before: CivilDate?
        var after: CivilDate?
        var link: ProjectNetwork.Link?
    }

    init(_ network: ProjectNetwork) {
        old = network
        new = network
        spans = network.issues.map(\.span)
        isTouched = Array(repeating: false, count: spans.count)
        hasMoved = isTouched
    }

    mutating func run(_ change: PlanChange) throws(NetworkError) -> Cascade {
        var edited: Int?
        switch change {
        case .dates(let id, let span):
            let index = try old.index(id, namedBy: "the change")
            edited = index
            move(index, to: span)
            moves.add(old.issues[index], to: span, because: .change)
        case .relation(let relation):
            new = try old.adding(relation)
            link = new.place[relation.to].flatMap { index in
                new.incoming[index].first { $0.relation == relation.id }
            }
        case .noRelation(let id):
            link = old.incoming.lazy.joined().first { $0.relation == id }
            new = try old.removing(relation: id)
        case .calendar(let person, let calendar, let issues):
            new = old.giving(calendar, to: person)
            affected = old.movable(issues, of: person)
        }
        // Only what the change can reach is examined closely.
        for moment in new.order {
            let index = moment.place
            if !moment.isEnd {
                isTouched[index] =
                    index == edited || link?.to == index || affected.contains(index)
                    || new.whole[index].map { isTouched[$0] } ?? false
                    || new.incoming[index].contains { hasMoved[$0.from] }
                guard isTouched[index], new.parts[index].isEmpty else { continue }
                try begin(index, isEdited: index == edited)
            } else if new.parts[index].contains(where: { hasMoved[$0] }) {
                derive(index)
            }
        }
        return Cascade(
            moves: moves.all, conflicts: conflicts, network: new.replacing(spans), steps: 0)
    }

    private mutating func derive(_ index: Int) {
        let span = new.derivedSpan(index) { spans[$0] }
        guard span != spans[index] else { return }
        let part = new.parts[index].first { hasMoved[$0] }
        move(index, to: span)
        moves.add(
            old.issues[index], to: span,
            because: part.map { .part(old.issues[$0].id) } ?? .change)
    }

    private mutating func move(_ index: Int, to span: Span) {
        spans[index] = span
        hasMoved[index] = span != old.issues[index].span
    }

    /// The floors of an issue, which include those of what it is a part of.
    private mutating func floors(of index: Int) throws(NetworkError) -> Floors {
        var unknown: [Int] = []
        var next: Int? = index
        while let outer = next, floors[outer] == nil {
            unknown.append(outer)
            next = new.whole[outer]
        }
        var result = next.flatMap { floors[$0] } ?? Floors()
        for inner in unknown.reversed() {
            result = try add(inner, to: result)
            floors[inner] = result
        }
        return result
    }

    private func add(_ index: Int, to outer: Floors) throws(NetworkError) -> Floors {
        var floors = outer
        for link in old.incoming[index] {
            if let day = try old.earliest(after: old.issues[link.from].span, link) {
                floors.before = max(floors.before ?? day, day)
            }
        }
        for link in new.incoming[index] {
            guard let day = try new.earliest(after: spans[link.from], link) else { continue }
            if floors.after.map({ day > $0 }) ?? true { (floors.after, floors.link) = (day, link) }
        }
        return floors
    }

    private mutating func begin(_ index: Int, isEdited: Bool) throws(NetworkError) {
        let issue = old.issues[index]
        let floor = try floors(of: index)
        if affected.contains(index) { return try adopt(index, floor) }
        guard let after = floor.after, let start = spans[index].start ?? spans[index].due else {
            return
        }
        if isEdited {
            guard start < after else { return }
            // One that began too early before, such as an imported one, may get another end.
            guard start == issue.span.start ?? issue.span.due else {
                throw .startsTooEarly(issue.id, earliest: after)
            }
            conflicts.append(issue.id)
            return
        }
        guard floor.before != after else { return }
        if issue.isFixed {
            if start < after { conflicts.append(issue.id) }
            return
        }
        let calendar = new.calendar(of: index)
        var wanted = max(start, after)
        var free = after
        if let before = floor.before, start >= before {
            let gap = calendar.workingDays(from: before, to: start)
            guard let day = calendar.day(gap, after: after),
                let first = calendar.day(gap, after: after)
            else { throw .noDayLeft(issue.id) }
            (wanted, free) = (day, first)
        }
        guard wanted != start, let day = calendar.next(onOrAfter: wanted) else {
            if wanted == start { return }
            throw .noDayLeft(issue.id)
        }
        free = min(after, day)
        guard let span = calendar.moved(spans[index], to: day) else { throw .noDayLeft(issue.id) }
        move(index, to: span)
        guard let link = floor.link else { return }
        let skipped =
            holidays(after: spans[link.from], until: free)
            + calendar.skipped(from: free, to: day)
        moves.add(
            issue, to: span,
            because: .relation(link.relation, predecessor: new.issues[link.from].id),
            skipped: Array(skipped.prefix(60)))
    }

    /// Moves an issue whose person works on other days: it keeps its number of working days, and
    /// those that were free before it if what it follows has moved.
    private mutating func adopt(_ index: Int, _ floor: Floors) throws(NetworkError) {
        let issue = old.issues[index]
        guard let start = issue.span.start ?? issue.span.due else { return }
        let (before, calendar) = (old.calendar(of: index), new.calendar(of: index))
        var wanted = start
        if let after = floor.after, after != floor.before {
            wanted = max(start, after)
            if let earlier = floor.before, start >= earlier {
                let gap = calendar.workingDays(from: earlier, to: start)
                guard let day = calendar.day(gap, after: after) else { throw .noDayLeft(issue.id) }
                wanted = day
            }
        }
        guard let span = calendar.adopting(issue.span, of: before, from: wanted) else {
            throw .noDayLeft(issue.id)
        }
        guard span != issue.span else { return }
        move(index, to: span)
        var cause = Cascade.Cause.calendar(person: issue.person ?? 0)
        if wanted != start, let link = floor.link {
            cause = .relation(link.relation, predecessor: new.issues[link.from].id)
        }
        moves.add(
            issue, to: span, because: cause,
            skipped: calendar.lost(
                since: before, from: min(start, wanted), to: span.due ?? span.start ?? start))
    }

    /// The project's holidays between the end of a predecessor and the first day on which its
    /// successor may begin. Weekends aren't included.
    private func holidays(after span: Span, until day: CivilDate) -> [Cascade.Skipped] {
        guard let last = span.due ?? span.start else { return [] }
        return new.calendar.skipped(
            from: CivilDate(daysSince1970: last.daysSince1970 + 1), to: day
        ).filter { if case .holiday = $0.kind { true } else { false } }
    }
}

extension ProjectNetwork {
    /// The first day on which the successor in a relation may begin; nil when the predecessor has
    /// no dates.
    func earliest(after span: Span, _ link: Link) throws(NetworkError) -> CivilDate? {
        guard let last = span.due ?? span.start else { return nil }
        guard
            let day = calendar.day(
                link.delay, after: CivilDate(daysSince1970: last.daysSince1970 + 1))
        else { throw .noDayLeft(issues[link.to].id) }
        return day
    }
}

extension WorkCalendar {
    /// The dates that begin on a working day and have as many working days as `span`; nil when they
    /// would be outside the calendar.
    func moved(_ span: Span, to start: CivilDate) -> Span? {
        guard let due = span.due else { return Span(start: start) }
        guard let before = span.start else { return Span(due: start) }
        let count = workingDays(from: before, to: CivilDate(daysSince1970: due.daysSince1970 + 1))
        return day(max(0, count - 1), after: start).map { Span(start: start, due: $0) }
    }
}
