import ProjectNetwork
import ProjectRecord
import RedmineMirror

/// Which item of a project corresponds to which at a Redmine server, and what both sides last had.
struct MirrorLinks: Sendable {
    /// The kinds of items that both sides may have.
    enum Kind: String, Hashable, CaseIterable, Sendable {
        case issue
        case relation
        case member
        case version
        /// The project itself.
        case project
        /// Time worked.
        case entry
        /// A note in the journal of an issue, by the number of its entry.
        case note
    }

    struct Key: Hashable, Sendable {
        let kind: Kind
        let number: Int
    }

    struct Link: Hashable, Sendable {
        let kind: Kind
        let number: Int
        /// Its number at the server; 0 while it is being made there. For an issue that became
        /// private there and was removed here, the negative number: it must not be made again.
        var remote: Int
        /// For an issue and for time worked, what both sides last had, as `RedmineBody` writes it;
        /// while it is being made at the server, what was sent, with the highest number that was
        /// known there then. For a note, its text at the server; while it is being made there,
        /// ``senders``. For a relation, what it is there; empty if an earlier version has linked
        /// it.
        var base: [UInt8]
        /// When the first attempt was made to make it at the server, in milliseconds since 1970; 0
        /// for never.
        var attempted: Int64 = 0
        /// The sweep in which it was last seen.
        var seen = 0
        /// For an issue: the time of its last change when its notes were read, in seconds since
        /// 1970; 0 for never, and `hasNotes` if it is known to have some.
        var noted: Int64 = 0
        /// When they were read, in milliseconds since 1970.
        var notedAt: Int64 = 0

        static let hasNotes: Int64 = -1

        /// The issue that both sides last had.
        var issue: RemoteIssue? { ReadIssues.shared.issue(base) }

        /// For a note that is being made at the server: the numbers of the users with whose log-ins
        /// it was sent, negative where it began with the name of its author. Empty if an earlier
        /// version sent it.
        var senders: [Int] {
            get {
                String(decoding: base, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
            }
            set { base = Array(newValue.map { "\($0)" }.joined(separator: " ").utf8) }
        }

        /// Whether it is an issue that became private at the server and was removed here.
        var isHidden: Bool { remote < 0 }

        /// The time entry that both sides last had.
        var time: RemoteTime? {
            do { return try RedmineReader.time(base) } catch { return nil }
        }
    }

    private(set) var links: [Key: Link] = [:]
    private var numbers: [Kind: [Int: Int]] = [:]
    /// The links that have to be written.
    private(set) var changed: Set<Key> = []

    /// The same links, without any left to write.
    var written: MirrorLinks {
        var links = self
        links.changed = []
        return links
    }

    /// The approximate memory that they need, in bytes.
    var bytes: Int { links.values.reduce(0) { $0 + 150 + $1.base.count } }

    subscript(_ kind: Kind, _ number: Int) -> Link? { links[Key(kind: kind, number: number)] }

    /// The number here of an item with this number at the server.
    func number(_ kind: Kind, remote: Int) -> Int? { numbers[kind]?[remote] }

    /// The number at the server; nil if the item isn't there yet.
    func remote(_ kind: Kind, _ number: Int) -> Int? {
        self[kind, number].flatMap { $0.remote > 0 ? $0.remote : nil }
    }

    /// The highest number at the server of what is on both sides; 0 if nothing is.
    func highestRemote(_ kind: Kind) -> Int { numbers[kind]?.keys.max() ?? 0 }

    func all(_ kind: Kind) -> [Link] {
        links.values.filter { $0.kind == kind }.sorted { $0.number < $1.number }
    }

    /// The number of items of a kind that are on both sides.
    func count(_ kind: Kind) -> Int { numbers[kind]?.count ?? 0 }

    /// The issues that became private at the server and were removed here: their numbers here, by
    /// those there.
    var hidden: [Int: Int] {
        var hidden: [Int: Int] = [:]
        for link in links.values where link.kind == .issue && link.isHidden {
            hidden[-link.remote] = link.number
        }
        return hidden
    }

    /// The issues that had parts when they were last the same on both sides, by their numbers at
    /// the server.
    var wholes: Set<Int> {
        Set(links.values.compactMap { $0.kind == .issue ? $0.issue?.parent : nil })
    }

    /// Records that an issue is private at the server, where it has the number `remote`, and was
    /// removed here.
    mutating func hide(_ number: Int, remote: Int) {
        keep(Link(kind: .issue, number: number, remote: -remote, base: []))
    }

    /// Whether there are notes that the server doesn't have yet.
    var hasUnsentNotes: Bool {
        links.values.contains { $0.kind == .note && $0.remote == 0 }
    }

    /// Whether an item has a number at the server that now belongs to another one.
    func isFormer(_ kind: Kind, _ number: Int) -> Bool {
        guard let remote = remote(kind, number) else { return false }
        return self.number(kind, remote: remote) != number
    }

    /// Adds a link that is in the store.
    mutating func put(_ link: Link) {
        let key = Key(kind: link.kind, number: link.number)
        forgetNumber(of: links.updateValue(link, forKey: key))
        if link.remote > 0 { numbers[link.kind, default: [:]][link.remote] = link.number }
    }

    /// Forgets the number of a link at the server, unless another item has it by now.
    private mutating func forgetNumber(of link: Link?) {
        guard let link, number(link.kind, remote: link.remote) == link.number else { return }
        numbers[link.kind]?[link.remote] = nil
    }

    /// Adds or replaces a link, which then has to be written unless it is unchanged.
    mutating func keep(_ link: Link) {
        guard self[link.kind, link.number] != link else { return }
        put(link)
        changed.insert(Key(kind: link.kind, number: link.number))
    }

    mutating func remove(_ kind: Kind, _ number: Int) {
        let key = Key(kind: kind, number: number)
        guard let link = links.removeValue(forKey: key) else { return }
        forgetNumber(of: link)
        changed.insert(key)
    }
}

extension MirrorLinks.Link {
    /// The link of a relation with this number to one at the server.
    init(relation number: Int, to remote: RemoteRelation) {
        self.init(
            kind: .relation, number: number, remote: remote.id, base: RedmineBody.kept(remote))
    }
}

/// The names of a Redmine server for the kinds, states and priorities of issues, in its order.
struct MirrorNames: Hashable, Sendable {
    var trackers: [RemoteName] = []
    var statuses: [RemoteName] = []
    var priorities: [RemoteName] = []
    /// The names of activities, with the one for work without a chosen activity first.
    var activities: [RemoteName] = []

    /// The importance that a priority of the server has here: by its name, or by its place among
    /// the others.
    func importance(_ remote: Int) -> Importance {
        let all = Importance.allCases
        guard let place = priorities.firstIndex(where: { $0.id == remote }) else { return .normal }
        if let named = all.first(where: { $0.rawValue == priorities[place].name.lowercased() }) {
            return named
        }
        guard priorities.count > 1 else { return .normal }
        return all[place * (all.count - 1) / (priorities.count - 1)]
    }
}

/// The sides disagree about a field, or the server did not accept a change.
struct MirrorConflict: Hashable, Sendable {
    /// The number of the issue here.
    let issue: Int
    /// The field; `removed` if one side has removed the issue, `issue` if the server refuses to
    /// make it.
    let field: String
    /// The values as people read them; of long ones, the beginning.
    let ours: String
    let theirs: String
    /// Why the server did not accept ours; empty if both sides have changed it.
    let reason: String
    /// What somebody has decided; nil if nobody has.
    var decision: Decision?

    /// The maximum number of bytes of each text of a conflict.
    static let longest = 1_000

    /// Whose value counts.
    enum Decision: String {
        case ours
        case theirs
    }

    /// The name of a field of a time entry, or of the whole entry.
    static func time(_ number: Int, _ field: String? = nil) -> String {
        "time \(number)" + (field.map { " \($0)" } ?? "")
    }

    /// Whether an issue that was changed here has become private at the server.
    var isHidden: Bool { field == Self.removed && theirs == Self.hidden }

    /// The name of a relation.
    static func relation(_ number: Int) -> String { "relation \(number)" }

    /// A relation that differs in its delay at the server, as people read it there.
    static func words(_ relation: IssueRelation) -> String {
        "\(relation.kind.rawValue) #\(relation.to), delay \(relation.delay)"
    }

    /// The number of the relation that a name refers to; nil if it refers to something else.
    static func relationNumber(_ field: String) -> Int? {
        field.hasPrefix("relation ") ? Int(field.dropFirst(9)) : nil
    }

    /// The name of a note.
    static func note(_ number: Int) -> String { "note \(number)" }

    /// The number of the time entry that a name refers to; nil if it refers to something else.
    static func timeNumber(_ field: String) -> Int? {
        let words = field.split(separator: " ")
        guard words.count >= 2, words[0] == "time" else { return nil }
        return Int(words[1])
    }

    /// The number of the note that a name refers to; nil if it refers to something else.
    static func noteNumber(_ field: String) -> Int? {
        field.hasPrefix("note ") ? Int(field.dropFirst(5)) : nil
    }

    static let removed = "removed"
    /// Why an issue that was removed here isn't removed at the server: time there would go with it.
    static let withTime = "with it the server would also remove the time worked on it there"
    /// What the server has in a conflict about an issue that became private there.
    static let hidden = "private"
    static let whole = "issue"
}
