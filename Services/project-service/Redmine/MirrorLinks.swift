import ProjectRecord
import RedmineMirror

/// Which thing of a project is which at a Redmine server, and how both sides had it last.
struct MirrorLinks: Sendable {
    /// What may be the same on both sides.
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
        /// Its number at the server; 0 while it is being made there.
        var remote: Int
        /// Of an issue and of time worked how both sides had it last, as `RedmineBody` writes it;
        /// while it is being made at the server, what was sent, of time worked with the highest
        /// number that was known there then. Of a note its text at the server.
        var base: [UInt8]
        /// When it was first tried to make it at the server, milliseconds since 1970; 0 for never.
        var attempted: Int64 = 0
        /// The sweep in which it was seen last.
        var seen = 0
        /// Of an issue: the time of its last change when its notes were read, in seconds since
        /// 1970; 0 for never, and `hasNotes` if it is known that it has some.
        var noted: Int64 = 0
        /// When they were read, milliseconds since 1970.
        var notedAt: Int64 = 0

        static let hasNotes: Int64 = -1

        /// How both sides had the issue last.
        var issue: RemoteIssue? { ReadIssues.shared.issue(base) }

        /// How both sides had the time worked last.
        var time: RemoteTime? {
            do { return try RedmineReader.time(base) } catch { return nil }
        }
    }

    private(set) var links: [Key: Link] = [:]
    private var numbers: [Kind: [Int: Int]] = [:]
    /// What has to be written.
    private(set) var changed: Set<Key> = []

    /// The same when nothing has to be written any more.
    var written: MirrorLinks {
        var links = self
        links.changed = []
        return links
    }

    /// About how much memory they need, bytes.
    var bytes: Int { links.values.reduce(0) { $0 + 150 + $1.base.count } }

    subscript(_ kind: Kind, _ number: Int) -> Link? { links[Key(kind: kind, number: number)] }

    /// The number here of what has a number at the server.
    func number(_ kind: Kind, remote: Int) -> Int? { numbers[kind]?[remote] }

    /// The number at the server; nil for what isn't there yet.
    func remote(_ kind: Kind, _ number: Int) -> Int? {
        self[kind, number].flatMap { $0.remote > 0 ? $0.remote : nil }
    }

    /// The highest number at the server of what is on both sides; 0 if nothing is.
    func highestRemote(_ kind: Kind) -> Int { numbers[kind]?.keys.max() ?? 0 }

    func all(_ kind: Kind) -> [Link] {
        links.values.filter { $0.kind == kind }.sorted { $0.number < $1.number }
    }

    /// How many of a kind are on both sides.
    func count(_ kind: Kind) -> Int { numbers[kind]?.count ?? 0 }

    /// Whether something has the number at the server that something else has there now.
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

    /// Something else may have its number at the server by now.
    private mutating func forgetNumber(of link: Link?) {
        guard let link, number(link.kind, remote: link.remote) == link.number else { return }
        numbers[link.kind]?[link.remote] = nil
    }

    /// Adds or replaces a link, which then has to be written unless it is as before.
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

/// The names of a Redmine server for the kinds, states and priorities of issues, in its order.
struct MirrorNames: Hashable, Sendable {
    var trackers: [RemoteName] = []
    var statuses: [RemoteName] = []
    var priorities: [RemoteName] = []
    /// What work is called, that for which nothing was chosen first.
    var activities: [RemoteName] = []

    /// What a priority of the server is here: by its name, or by its place among the others.
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

/// That the sides don't agree about a field, or that the server did not take a change.
struct MirrorConflict: Hashable, Sendable {
    /// The number of the issue here.
    let issue: Int
    /// The field; `removed` when one side has removed the issue, `issue` when the server refuses to
    /// make it.
    let field: String
    /// The values as people read them.
    let ours: String
    let theirs: String
    /// Why the server did not take ours; empty when both sides have changed it.
    let reason: String
    /// What somebody has decided; nil for nothing.
    var decision: Decision?

    /// Whose value is to count.
    enum Decision: String {
        case ours
        case theirs
    }

    /// The name of a field of time worked, or of all of it.
    static func time(_ number: Int, _ field: String? = nil) -> String {
        "time \(number)" + (field.map { " \($0)" } ?? "")
    }

    /// The name of a relation.
    static func relation(_ number: Int) -> String { "relation \(number)" }

    /// The number of the relation that a name is about; nil for another one.
    static func relationNumber(_ field: String) -> Int? {
        field.hasPrefix("relation ") ? Int(field.dropFirst(9)) : nil
    }

    /// The name of a note.
    static func note(_ number: Int) -> String { "note \(number)" }

    /// The number of the time worked that a name is about; nil for another one.
    static func timeNumber(_ field: String) -> Int? {
        let words = field.split(separator: " ")
        guard words.count >= 2, words[0] == "time" else { return nil }
        return Int(words[1])
    }

    /// The number of the entry of the note that a name is about; nil for another one.
    static func noteNumber(_ field: String) -> Int? {
        field.hasPrefix("note ") ? Int(field.dropFirst(5)) : nil
    }

    static let removed = "removed"
    static let whole = "issue"
}
