import Dates
import Messages
import ProjectLanguage
import ProjectRecord
import Texts

/// Finds the issues for a list.
struct IssueSelection {
    /// An issue of one of the searched projects, and its place in the requested order.
    private struct Found {
        /// The index of its project.
        let place: Int
        /// Its index in the project.
        let index: [Int: ProjectIssue].Index
        let number: Int
        let rank: Int
        /// What decides between issues of the same rank; empty if nothing does.
        let text: String
    }

    /// The maximum number of bytes of descriptions that are searched, because the loop waits.
    static let mostDescribed = 4_000_000

    /// The projects that were searched.
    private(set) var records: [ProjectRecord] = []
    private var found: [Found] = []

    private let query: ListIssues
    private let account: String
    /// The folded words, in UTF-8.
    private let words: [[UInt8]]
    private let dueBefore: CivilDate?
    private let bounds: IssueBounds
    /// How many bytes of descriptions have been searched.
    private var described = 0

    /// Begins a search, which has no projects yet.
    ///
    /// - Parameters:
    ///   - query: what is searched for.
    ///   - account: the account that “me” stands for.
    ///   - now: milliseconds since 1970.
    /// - Throws: a refusal if a date isn't valid.
    init(_ query: ListIssues, account: String, at now: Int64) throws {
        self.query = query
        self.account = account
        words = FoldedText.words(String(query.words.prefix(200))).map { Array($0.utf8) }
        let said = try CivilDate.read(query.today, "today")
        let today = said ?? CivilDate(daysSince1970: Int(now / 86_400_000))
        var ends = [
            try CivilDate.read(query.dueBefore, "the day before which they are due")
        ].compactMap(\.self)
        if query.overdue { ends.append(today) }
        if let days = query.dueWithin {
            ends.append(CivilDate(daysSince1970: today.daysSince1970 + Int(days) + 1))
        }
        dueBefore = ends.min()
        bounds = try IssueBounds(query)
    }

    /// How many issues match.
    var count: Int { found.count }

    /// Searches a project.
    ///
    /// - Throws: a refusal that names what isn't in the project, or says that too much text would
    ///   have to be searched.
    mutating func search(_ record: ProjectRecord) throws {
        let fits = try test(record)
        let key = key(in: record)
        let place = records.count
        records.append(record)
        for index in record.issues.indices {
            let issue = record.issues[index].value
            guard fits(issue), try hasWords(issue) else { continue }
            let (rank, text) = key(issue)
            found.append(
                Found(place: place, index: index, number: issue.id, rank: rank, text: text))
        }
    }

    /// Whether an issue has all the words.
    private mutating func hasWords(_ issue: ProjectIssue) throws -> Bool {
        guard !words.isEmpty else { return true }
        var line = FoldedText.line(issue.subject)
        if query.inDescriptions {
            described += issue.description.utf8.count
            guard described <= Self.mostDescribed else {
                throw Refusal.conflict(
                    "the descriptions have more than \(Self.mostDescribed / 1_000_000) MB, which "
                        + "is too much to search at once; say more about the issues, or name the "
                        + "project")
            }
            line += " " + FoldedText.line(issue.description)
        }
        // Comparing bytes takes a tenth of the time of comparing characters, and both are of folded
        // texts.
        return line.withUTF8 { line in words.allSatisfy { line.has($0) } }
    }

    /// The issues in the requested order, each with the index of its project among those searched;
    /// equal issues are in order of these indexes and of their numbers.
    var sorted: some Collection<(place: Int, issue: ProjectIssue)> {
        found.sorted(by: isBefore).lazy.map { [records] found in
            (found.place, records[found.place].issues[found.index].value)
        }
    }

    /// Whether an issue comes before another. The rank of those that come last is the highest.
    private func isBefore(_ left: Found, _ right: Found) -> Bool {
        if left.rank != right.rank {
            guard left.rank < .max, right.rank < .max else { return right.rank == .max }
            return (left.rank < right.rank) != query.reversed
        }
        if left.text != right.text { return (left.text < right.text) != query.reversed }
        guard left.place == right.place else { return left.place < right.place }
        let isByNumber = query.order == .unspecified || query.order == .number
        return left.number != right.number
            && (left.number < right.number) != (isByNumber && query.reversed)
    }

    /// The rank of an issue of a project in the requested order, and what decides between issues of
    /// the same rank.
    private func key(
        in record: ProjectRecord
    ) -> (ProjectIssue) -> (rank: Int, text: String) {
        func places(_ names: [String]) -> [String: Int] {
            Dictionary(
                names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        }
        func named(_ name: String?) -> (rank: Int, text: String) {
            let text = name.map { FoldedText.line($0) } ?? ""
            return (text.isEmpty ? .max : Self.rank(of: text), text)
        }
        let statuses = places(record.details.statuses.map(\.name))
        let trackers = places(record.details.trackers)
        let order = query.order
        return { issue in
            switch order {
            case .due: return (issue.span.due?.daysSince1970 ?? .max, "")
            case .start: return (issue.span.start?.daysSince1970 ?? .max, "")
            case .priority: return (-issue.priority.rank, "")
            case .subject: return named(issue.subject)
            case .status: return (statuses[issue.status] ?? .max, "")
            case .tracker: return (trackers[issue.tracker] ?? .max, "")
            case .assignee: return named(issue.assignee.flatMap { record.members[$0]?.name })
            case .version: return named(issue.version.flatMap { record.versions[$0]?.name })
            case .done: return (issue.done, "")
            case .estimate: return (issue.estimate ?? .max, "")
            default: return (0, "")
            }
        }
    }

    /// The beginning of a text as a number, because most texts differ in it.
    private static func rank(of text: String) -> Int {
        var begin: UInt64 = 0
        for byte in text.utf8.prefix(8) { begin = begin << 8 | UInt64(byte) }
        begin <<= 8 * UInt64(8 - min(text.utf8.count, 8))
        return Int(begin >> 1)
    }

    /// Whether an issue of a project matches the query, apart from its words.
    private func test(_ record: ProjectRecord) throws -> (ProjectIssue) -> Bool {
        let query = query
        let assignees = try assignees(in: record)
        let version = try Self.number(query.version, "version", record.versions.mapValues(\.name))
        let status = try Self.name(query.status, "status", record.details.statuses.map(\.name))
        let tracker = try Self.name(query.tracker, "tracker", record.details.trackers)
        let parts = try Self.parts(of: Int(query.parent), in: record)
        let closed = Set(record.details.statuses.filter(\.isClosed).map(\.name))
        let waiting = query.blocked ? record.waiting : nil
        return { [bounds, dueBefore] issue in
            switch query.state {
            case .all: break
            case .closed: guard closed.contains(issue.status) else { return false }
            default: guard !closed.contains(issue.status) else { return false }
            }
            guard status.isEmpty || issue.status == status,
                tracker.isEmpty || issue.tracker == tracker,
                assignees.map({ $0.contains(issue.assignee ?? 0) }) ?? true,
                version.map({ $0 == issue.version ?? 0 }) ?? true,
                bounds.include(issue),
                parts?.contains(issue.id) ?? true, waiting?.contains(issue.id) ?? true
            else { return false }
            guard let dueBefore else { return true }
            return issue.span.due.map { $0 < dueBefore } ?? false
        }
    }

    /// The numbers of the people who may do an issue; nil for anyone, 0 for nobody.
    private func assignees(in record: ProjectRecord) throws -> Set<Int>? {
        let names = record.members.mapValues(\.name)
        guard query.assignee == "me", !names.values.contains("me") else {
            return try Self.number(query.assignee, "person", names).map { [$0] }
        }
        let own = record.members.values.filter { !$0.account.isEmpty && $0.account == account }
        guard !own.isEmpty else {
            throw Refusal.notFound(
                "you aren't a person in the project; say who you are: steward project person "
                    + "change NAME --me")
        }
        return Set(own.map(\.id))
    }

    /// The number of a name; nil for any, 0 for `none`.
    private static func number(
        _ name: String, _ what: String, _ names: [Int: String]
    ) throws -> Int? {
        guard !name.isEmpty else { return nil }
        if let found = names.filter({ $0.value == name }).keys.min() { return found }
        if let found = names.filter({ $0.value.lowercased() == name.lowercased() }).keys.min() {
            return found
        }
        guard name != "none" else { return 0 }
        let known = names.sorted { $0.key < $1.key }.map { $0.value.prefix(bytes: 200) }
        let shown = known.prefix(8).joined(separator: ", ")
        var words = "the project has no \(what) “\(name.prefix(bytes: 200))”"
        if known.count == 1 { words += "; there is only \(shown)" }
        if known.count > 1 { words += "; there are \(shown)" }
        if known.count > 8 { words += " and \(known.count - 8) more" }
        throw Refusal.notFound(words)
    }

    /// The one of these names that is meant, perhaps with other capitals; empty if none is.
    private static func name(
        _ name: String, _ what: String, _ names: [String]
    ) throws -> String {
        guard !name.isEmpty, !names.contains(name) else { return name }
        guard let found = names.first(where: { $0.lowercased() == name.lowercased() }) else {
            throw Refusal.notFound(
                "there is no \(what) “\(name.prefix(bytes: 200))”; there are "
                    + names.joined(separator: ", "))
        }
        return found
    }

    /// The parts of an issue, and their parts; nil for 0.
    private static func parts(of issue: Int, in record: ProjectRecord) throws -> Set<Int>? {
        guard issue != 0 else { return nil }
        guard record.issues[issue] != nil else {
            throw Refusal.notFound("the project has no #\(issue)")
        }
        let all = record.partsOfWholes
        var found: Set<Int> = []
        var open = all[issue] ?? []
        while let part = open.popLast() {
            if found.insert(part).inserted { open += all[part] ?? [] }
        }
        return found
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether it contains these bytes.
    fileprivate func has(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= count else { return false }
        return (0...(count - bytes.count)).contains { start in
            bytes.indices.allSatisfy { self[start + $0] == bytes[$0] }
        }
    }
}

extension Importance {
    /// Its rank, 0 for the lowest.
    fileprivate var rank: Int {
        switch self {
        case .low: 0
        case .normal: 1
        case .high: 2
        case .urgent: 3
        case .immediate: 4
        }
    }
}

extension ProjectRecord {
    /// The issues that wait for an open one, which blocks or precedes them.
    var waiting: Set<Int> {
        let closed = Set(details.statuses.filter(\.isClosed).map(\.name))
        var waiting: Set<Int> = []
        for relation in relations.values
        where relation.kind == .blocks || relation.kind == .precedes {
            guard let first = issues[relation.from], !closed.contains(first.status) else {
                continue
            }
            waiting.insert(relation.to)
        }
        return waiting
    }
}
