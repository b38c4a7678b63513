import Messages
import ProjectNetwork
import WorkCalendar

/// A project and everything in it: a value that is edited as a whole.
///
/// An edit produces one change for each item. Reversing the changes undoes the edit, so everything
/// that moves together, such as the issues that follow another, is a single step.
package struct ProjectRecord: Hashable, Sendable {
    package private(set) var details: ProjectDetails
    package private(set) var issues: [Int: ProjectIssue] = [:]
    package private(set) var relations: [Int: IssueRelation] = [:]
    package private(set) var members: [Int: Member] = [:]
    package private(set) var versions: [Int: Version] = [:]
    package private(set) var entries: [Int: TimeEntry] = [:]
    package private(set) var baselines: [Int: KeptBaseline] = [:]
    /// The highest number ever given to an item of each kind. A number isn't reused, even after its
    /// item is removed.
    package private(set) var lastNumbers: [ProjectItem.Kind: Int] = [:]
    /// What is derived from the rest.
    private var made = Made()

    /// Creates a project with nothing in it.
    ///
    /// - Throws: a refusal if the details are invalid.
    package init(_ details: ProjectDetails) throws(Refusal) {
        try details.validate()
        self.details = details
    }

    /// Restores a project from its stored items. They were checked before they were stored, so they
    /// are trusted.
    ///
    /// - Parameters:
    ///   - details: the project's own data.
    ///   - items: the other items.
    ///   - lastNumbers: the highest numbers given so far, where they are higher than those of the
    ///     items.
    package init(
        kept details: ProjectDetails, _ items: some Sequence<ProjectItem>,
        lastNumbers: [ProjectItem.Kind: Int] = [:]
    ) {
        self.details = details
        self.lastNumbers = lastNumbers
        for item in items { put(item) }
    }

    /// The item with a key.
    package subscript(key: ProjectItem.Key) -> ProjectItem? {
        switch key.kind {
        case .details: .details(details)
        case .issue: issues[key.id].map { .issue($0) }
        case .relation: relations[key.id].map { .relation($0) }
        case .member: members[key.id].map { .member($0) }
        case .version: versions[key.id].map { .version($0) }
        case .entry: entries[key.id].map { .entry($0) }
        case .baseline: baselines[key.id].map { .baseline($0) }
        }
    }

    /// All items except the details, grouped by kind and in order of numbers.
    package var items: [ProjectItem] {
        func sorted<Item>(_ items: [Int: Item], _ item: (Item) -> ProjectItem) -> [ProjectItem] {
            items.sorted { $0.key < $1.key }.map { item($0.value) }
        }
        return sorted(members) { .member($0) } + sorted(versions) { .version($0) }
            + sorted(issues) { .issue($0) } + sorted(relations) { .relation($0) }
            + sorted(entries) { .entry($0) } + sorted(baselines) { .baseline($0) }
    }

    /// Returns the network of the issues, with the dates and calendars that plan them.
    ///
    /// - Parameter name: returns what a refusal calls the issue with an id.
    /// - Throws: a refusal that names the issues that contradict each other.
    package func network(
        naming name: (Int) -> String = { "#\($0)" }
    ) throws(Refusal) -> ProjectNetwork {
        if let network = made.network { return network }
        do {
            return try ProjectNetwork(
                issues: issues.values.sorted { $0.id < $1.id }.map { issue in
                    PlannedIssue(
                        id: issue.id, parent: issue.parent, span: issue.span,
                        person: issue.assignee, isFixed: issue.isFixed)
                },
                relations: relations.values.sorted { $0.id < $1.id }, calendar: details.calendar,
                people: made.calendars)
        } catch {
            throw .conflict(error.sentence(naming: name))
        }
    }

    /// Returns the days and hours of a member, who has the project's holidays off too, or of
    /// nobody: those of the project.
    package func calendar(of member: Int?) -> WorkCalendar {
        member.flatMap { made.calendars[$0] } ?? details.calendar
    }

    /// Keeps the network that an edit has led to, for the next one.
    mutating func keep(_ network: ProjectNetwork) { made.network = network }

    /// Returns the ids of the direct parts of an issue.
    package func parts(of issue: Int) -> [Int] {
        issues.values.filter { $0.parent == issue }.map(\.id).sorted()
    }

    /// The ids of the direct parts of each issue that has any, in order.
    package var partsOfWholes: [Int: [Int]] {
        var parts: [Int: [Int]] = [:]
        for issue in issues.values {
            if let whole = issue.parent { parts[whole, default: []].append(issue.id) }
        }
        return parts.mapValues { $0.sorted() }
    }

    /// Returns whether an issue has a closed status.
    package func isClosed(_ issue: ProjectIssue) -> Bool {
        details.statuses.first { $0.name == issue.status }?.isClosed ?? false
    }

    /// Returns the next number for an item of a kind.
    func nextNumber(_ kind: ProjectItem.Kind) -> Int { (lastNumbers[kind] ?? 0) + 1 }

    mutating func put(_ item: ProjectItem) {
        switch item {
        case .details(let details):
            let isSame = self.details.calendar == details.calendar
            self.details = details
            made.network = nil
            guard !isSame else { break }
            made.calendars = members.mapValues { $0.calendar.observing(details.calendar) }
        case .issue(let issue):
            let old = issues.updateValue(issue, forKey: issue.id)
            if old.map({ !$0.isPlanned(like: issue) }) ?? true { made.network = nil }
        case .relation(let relation):
            relations[relation.id] = relation
            made.network = nil
        case .member(let member):
            members[member.id] = member
            made.calendars[member.id] = member.calendar.observing(details.calendar)
            made.network = nil
        case .version(let version): versions[version.id] = version
        case .entry(let entry): entries[entry.id] = entry
        case .baseline(let baseline): baselines[baseline.id] = baseline
        }
        let key = item.key
        lastNumbers[key.kind] = max(lastNumbers[key.kind] ?? 0, key.id)
    }

    private mutating func remove(_ key: ProjectItem.Key) {
        made.network = nil
        switch key.kind {
        case .details: break
        case .issue: issues[key.id] = nil
        case .relation: relations[key.id] = nil
        case .member: (members[key.id], made.calendars[key.id]) = (nil, nil)
        case .version: versions[key.id] = nil
        case .entry: entries[key.id] = nil
        case .baseline: baselines[key.id] = nil
        }
    }

    /// Makes, or undoes, changes that were made before.
    ///
    /// - Throws: a refusal that names an item that has changed since; nothing is changed then.
    package mutating func apply(_ changes: [ProjectChange]) throws(Refusal) {
        for change in changes {
            guard let key = change.before?.key ?? change.after?.key else { continue }
            guard self[key] == change.before else {
                throw .conflict("\(key.kind.rawValue) \(key.id) has been changed since")
            }
        }
        for change in changes { set(change) }
    }

    /// Makes a single change.
    mutating func set(_ change: ProjectChange) {
        if let after = change.after {
            put(after)
        } else if let before = change.before {
            remove(before.key)
        }
    }
}

/// What is derived from a project. Any two are equal, because the rest determines them.
private struct Made: Hashable, Sendable {
    /// The network after the last edit that moved something; the next edit begins with it.
    var network: ProjectNetwork?
    /// The calendars of members, with the holidays of the project.
    var calendars: [Int: WorkCalendar] = [:]

    static func == (_: Self, _: Self) -> Bool { true }
    func hash(into _: inout Hasher) {}
}

extension ProjectIssue {
    /// Whether it is the same in the network.
    fileprivate func isPlanned(like other: ProjectIssue) -> Bool {
        span == other.span && parent == other.parent && assignee == other.assignee
            && isFixed == other.isFixed
    }
}
