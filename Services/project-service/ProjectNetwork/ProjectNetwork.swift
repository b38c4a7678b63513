import Dates
import Scheduling
import WorkCalendar

/// Issues with their parts and relations, and the calendars used for their dates.
package struct ProjectNetwork: Sendable {
    /// The maximum size of a network.
    package enum Limit {
        package static let issues = 10_000
        package static let relations = 50_000
        package static let people = 1_000
        package static let delay = -100_000...100_000
        /// The maximum length of a baseline's name in bytes.
        package static let name = 200
    }

    package private(set) var issues: [PlannedIssue]
    package private(set) var relations: [IssueRelation]
    /// The calendar of the project, in which delays are counted.
    package let calendar: WorkCalendar
    /// The calendars of people.
    package private(set) var people: [Int: WorkCalendar]

    /// The index of each issue, by its id.
    let place: [Int: Int]
    /// The indexes of the parts of each issue, ordered by id.
    let parts: [[Int]]
    /// The index of the issue that each issue is a part of.
    let whole: [Int?]
    /// The `precedes` relations to and from each issue, ordered by id.
    private(set) var incoming: [[Link]]
    private(set) var outgoing: [[Link]]
    /// The starts and ends of all issues, each after those it depends on.
    private(set) var order: [Moment]

    /// A relation between two indexes.
    struct Link: Hashable {
        let relation: Int
        let from: Int
        let to: Int
        let delay: Int
    }

    /// The start or the end of the issue at an index.
    struct Moment: Hashable {
        let place: Int
        let isEnd: Bool
    }

    /// Makes a consistent network. The dates of issues with parts are derived from the parts.
    ///
    /// - Throws: a ``NetworkError`` that names the inconsistency.
    package init(
        issues: [PlannedIssue], relations: [IssueRelation], calendar: WorkCalendar,
        people: [Int: WorkCalendar] = [:]
    ) throws(NetworkError) {
        try Self.validate(issues.count, "issues", Limit.issues)
        try Self.validate(people.count, "people", Limit.people)
        var place: [Int: Int] = [:]
        for (index, issue) in issues.enumerated() {
            guard place.updateValue(index, forKey: issue.id) == nil else {
                throw .issueTwice(issue.id)
            }
            try Self.validate(issue)
            if let person = issue.person, people[person] == nil {
                throw .unknownCalendar(person: person, issue: issue.id)
            }
        }
        var whole: [Int?] = []
        var parts: [[Int]] = Array(repeating: [], count: issues.count)
        for (index, issue) in issues.enumerated() {
            guard let parent = issue.parent else {
                whole.append(nil)
                continue
            }
            guard let outer = place[parent] else {
                throw .unknownWhole(parent, of: issue.id)
            }
            whole.append(outer)
            parts[outer].append(index)
        }
        if let cycle = Ordering.cycle(whole.map { $0.map { [$0] } ?? [] }) {
            throw .partsInCircle(cycle.map { issues[$0].id })
        }
        self.issues = issues
        self.relations = []
        self.calendar = calendar
        self.people = people
        self.place = place
        self.whole = whole
        self.parts = parts.map { $0.sorted { issues[$0].id < issues[$1].id } }
        incoming = Array(repeating: [], count: issues.count)
        outgoing = incoming
        order = []
        try set(relations)
        for moment in order where moment.isEnd && !parts[moment.place].isEmpty {
            self.issues[moment.place].span = derivedSpan(moment.place)
        }
    }

    /// The same network with another relation.
    package func adding(_ relation: IssueRelation) throws(NetworkError) -> ProjectNetwork {
        var network = self
        try network.set(relations + [relation])
        return network
    }

    /// The same network without a relation.
    package func removing(relation id: Int) throws(NetworkError) -> ProjectNetwork {
        guard relations.contains(where: { $0.id == id }) else { throw .unknownRelation(id) }
        var network = self
        try network.set(relations.filter { $0.id != id })
        return network
    }

    /// The same network with another calendar of a person.
    func giving(_ calendar: WorkCalendar, to person: Int) -> ProjectNetwork {
        var network = self
        network.people[person] = calendar
        return network
    }

    /// The indexes of those of some issues that a person does, and that may move.
    func movable(_ ids: Set<Int>, of person: Int) -> Set<Int> {
        let own = issues.indices.filter { index in
            let issue = issues[index]
            return issue.person == person && !issue.isFixed && ids.contains(issue.id)
                && parts[index].isEmpty
        }
        return Set(own)
    }

    /// The same network with other dates, by index.
    func replacing(_ spans: [Span]) -> ProjectNetwork {
        var network = self
        for index in spans.indices { network.issues[index].span = spans[index] }
        return network
    }

    /// The index of an issue.
    func index(_ id: Int, namedBy name: String) throws(NetworkError) -> Int {
        guard let index = place[id] else { throw .unknownIssue(id, namedBy: name) }
        return index
    }

    /// The calendar of the assignee of an issue, or else of the project.
    func calendar(of index: Int) -> WorkCalendar {
        issues[index].person.flatMap { people[$0] } ?? calendar
    }

    /// The first start and the last due date of the parts of an issue.
    func derivedSpan(_ index: Int) -> Span { derivedSpan(index) { issues[$0].span } }

    func derivedSpan(_ index: Int, _ span: (Int) -> Span) -> Span {
        let start = parts[index].compactMap { span($0).start }.min()
        let due = parts[index].compactMap { span($0).due }.max()
        // As in Redmine, they are swapped when all due dates are before all starts.
        if let start, let due, due < start { return Span(start: due, due: start) }
        return Span(start: start, due: due)
    }

    /// Validates a single issue.
    static func validate(_ issue: PlannedIssue) throws(NetworkError) {
        for day in [issue.span.start, issue.span.due].compactMap({ $0 })
        where !WorkCalendar.Limit.days.contains(day.daysSince1970) {
            throw .outsideCalendar(day, issue: issue.id)
        }
        if let start = issue.span.start, let due = issue.span.due, due < start {
            throw .dueBeforeStart(issue.id)
        }
    }

    private static func validate(
        _ count: Int, _ name: String, _ most: Int
    ) throws(NetworkError) {
        guard count <= most else { throw .tooMany(name, most: most) }
    }
}

extension ProjectNetwork {
    /// Two indexes that are related.
    private struct Pair: Hashable {
        let from: Int
        let to: Int
    }

    /// Validates relations against the issues and each other, and replaces the present ones.
    private mutating func set(_ relations: [IssueRelation]) throws(NetworkError) {
        try Self.validate(relations.count, "relations", Limit.relations)
        var pairs: Set<Pair> = []
        var links: [Link] = []
        var blocked: [[Int]] = Array(repeating: [], count: issues.count)
        for relation in relations.sorted(by: { $0.id < $1.id }) {
            let name = "relation \(relation.id)"
            let from = try index(relation.from, namedBy: name)
            let to = try index(relation.to, namedBy: name)
            guard from != to else { throw .relationToItself(relation.from) }
            guard pairs.insert(Pair(from: from, to: to)).inserted else {
                throw .relationTwice(from: relation.from, to: relation.to)
            }
            guard !isPart(from, of: to), !isPart(to, of: from) else {
                throw .relationWithPart(from: relation.from, to: relation.to)
            }
            guard Limit.delay.contains(relation.delay) else {
                throw .delayOutOfRange(relation.delay, relation: relation.id)
            }
            if relation.kind == .blocks { blocked[to].append(from) }
            guard relation.kind == .precedes else { continue }
            links.append(
                Link(relation: relation.id, from: from, to: to, delay: relation.delay))
        }
        if let cycle = Ordering.cycle(blocked) { throw .circle(cycle.map { issues[$0].id }) }
        incoming = Array(repeating: [], count: issues.count)
        outgoing = incoming
        for link in links {
            incoming[link.to].append(link)
            outgoing[link.from].append(link)
        }
        self.relations = relations
        order = try moments()
    }

    /// Whether an issue is a direct or indirect part of another.
    private func isPart(_ index: Int, of other: Int) -> Bool {
        var outer = whole[index]
        while let next = outer {
            if next == other { return true }
            outer = whole[next]
        }
        return false
    }

    /// The dependencies of each start, at twice the index of its issue, and each end, at the next
    /// index: a part begins after its whole may begin, and the whole ends after its parts.
    ///
    /// - Parameter next: for some issues, another one that begins after them.
    func dependencies(with next: [Int: Int] = [:]) -> [[Int]] {
        var before: [[Int]] = Array(repeating: [], count: 2 * issues.count)
        for index in issues.indices {
            if parts[index].isEmpty { before[2 * index + 1].append(2 * index) }
            for part in parts[index] {
                before[2 * part].append(2 * index)
                before[2 * index + 1].append(2 * part + 1)
            }
            for link in incoming[index] { before[2 * index].append(2 * link.from + 1) }
        }
        for (first, second) in next { before[2 * second].append(2 * first + 1) }
        return before
    }

    /// The starts and ends in topological order; nil when there is none.
    static func sorted(_ before: [[Int]]) -> [Moment]? {
        let order = Ordering.topological(before)
        guard order.count == before.count else { return nil }
        return order.map { Moment(place: $0 / 2, isEnd: $0 % 2 == 1) }
    }

    private func moments() throws(NetworkError) -> [Moment] {
        let before = dependencies()
        if let order = Self.sorted(before) { return order }
        var ids: [Int] = []
        for node in Ordering.cycle(before) ?? [] where ids.last != issues[node / 2].id {
            ids.append(issues[node / 2].id)
        }
        if ids.count > 1, ids.first == ids.last { ids.removeLast() }
        throw .circle(ids)
    }
}
