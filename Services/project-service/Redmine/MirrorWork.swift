import RedmineClient
import RedmineMirror

/// The requests to a server in a round, outside the loop.
struct MirrorTask: Sendable {
    /// What a round does.
    enum Aim: Sendable {
        /// Reads what has changed since a time.
        case readChanges(since: Int64)
        /// Reads everything, from a place in the list of issues.
        case readAll(offset: Int, last: Int)
        /// Looks for issues that were not in the list: numbers here and there.
        case lookAfter([Int: Int])
        /// Reads time entries: all of them from a place in the list, or only those logged last.
        case readTimes(offset: Int, last: Int, isWhole: Bool)
        /// Looks for time entries that were not in the list: numbers here and there.
        case lookAfterTimes([Int: Int])
        /// Finds out which of these issues have notes: numbers there.
        case findNotes(Set<Int>)
        /// Reads the notes of issues: numbers here and there.
        case readNotes([Int: Int])
        /// Writes what was changed here.
        case write([MirrorStep], known: Known)
    }

    /// The numbers of what is known at the server; for issues and time entries, also when they were
    /// made.
    struct Known: Sendable {
        var issues: [Int: Int64]
        var times: [Int: Int64]
        var notes: Set<Int>
        /// Our time entries that were sent before and may or may not be there.
        var sentTimes: [RemoteTime] = []
        /// The same for issues.
        var sentIssues: [RemoteIssue] = []
        /// The issues there that have, or had, parts.
        var wholes: Set<Int> = []
        /// The names of activities there, the usual one first.
        let activities: [RemoteName]

        func has(_ issue: RemoteIssue) -> Bool {
            issues[issue.id].map { Self.isSame($0, issue.created) } ?? false
        }

        func has(_ time: RemoteTime) -> Bool {
            times[time.id].map { Self.isSame($0, time.created) } ?? false
        }

        private static func isSame(_ known: Int64, _ created: Int64) -> Bool {
            known == 0 || created == 0 || known == created
        }
    }

    /// The mirror when the round began.
    let mirror: MirrorRow
    let server: RedmineServer
    /// The number of the user at the server.
    let user: Int
    let aim: Aim

    var project: String { mirror.project }
    /// The number of the project at the server.
    var remote: Int { mirror.remote }
    var sweep: Int { mirror.sweep }

    /// Whether it reads everything from the beginning.
    var isFirstPart: Bool { if case .readAll(0, _) = aim { true } else { false } }
}

/// The result of a round.
struct MirrorNews: Sendable {
    /// What is known about the whole project; nil if it wasn't requested.
    struct Whole: Sendable {
        var names: MirrorNames
        let statuses: [RemoteStatus]
        let project: RemoteProject
        let versions: [RemoteVersion]
        let members: [RemoteName]
    }

    /// The result of a step.
    enum Done: Sendable {
        /// `sent` is what was sent earlier, if an answer was lost.
        case made(number: Int, RemoteIssue, sent: RemoteIssue?)
        /// The fields were written; the issue is the server's after that.
        case changed(number: Int, [RemoteField: RemoteValue], RemoteIssue)
        case related(number: Int, RemoteRelation)
        case unrelated(number: Int)
        case removed(number: Int)
        /// The server's state differs from the last known one, so nothing was written.
        case stale(RemoteIssue)
        case gone(number: Int)
        case denied(number: Int)
        /// An issue or a time entry is there, but can't be kept here as it is now.
        case unusable(MirrorLinks.Kind, number: Int, String)
        /// The server does not accept a field; `issue` stands for the whole issue.
        case refused(number: Int, fields: [String], RemoteIssue?, String)
        /// The same for time entries.
        case logged(number: Int, RemoteTime, sent: RemoteTime?)
        case changedTime(number: Int, [RemoteTimeField], RemoteTime)
        case removedTime(number: Int)
        case staleTime(RemoteTime)
        case goneTime(number: Int)
        case deniedTime(number: Int)
        /// The item isn't there: either it was never sent, or what was sent isn't there and differs
        /// from what would be sent now.
        case unsent(MirrorLinks.Kind, number: Int)
        /// The same for versions and the project itself.
        case changedWhole(MirrorLinks.Kind, Int, [RemoteWhole.Field], RemoteWhole)
        case staleWhole(MirrorLinks.Kind, Int, RemoteWhole)
        case refusedWhole(
            MirrorLinks.Kind, Int, [RemoteWhole.Field: RemoteValue], RemoteWhole?, String)
        case removedVersion(Int)
        /// A note is at the server.
        case noted(number: Int, RemoteNote)
    }

    /// Whether the round took all the time that a round may take.
    var isOutOfTime = false
    var whole: Whole?
    var issues: [RemoteIssue] = []
    var skipped: [String] = []
    /// How far changes were read; nil if something else was done.
    var cursor: IssueCursor?
    /// The time of the last change before everything was read; nil if that wasn't begun.
    var newest: Int64?
    /// How far everything was read.
    var offset = 0
    var last = 0
    /// Whether the list was read to its end.
    var isAtEnd = false
    /// The number of issues that the project has at the server; nil if it wasn't asked.
    var total: Int?
    var done: [Done] = []
    var times: [RemoteTime] = []
    /// The issues that have notes, by their numbers there; nil if it wasn't asked.
    var withNotes: Set<Int>?
    /// The notes of issues, by their numbers here.
    var notes: [Int: RemoteNotes] = [:]
    /// The issues whose notes are no longer visible, by their numbers here.
    var unseen: Set<Int> = []
    /// Why it ended before everything was done.
    var problem: RedmineProblem?

    /// The number of things in it that are put into the project.
    var count: Int {
        issues.count + times.count + done.count + skipped.count + (withNotes?.count ?? 0)
            + (whole.map { $0.members.count + $0.versions.count } ?? 0)
    }
}

extension MirrorTask {
    /// The number of pages that a round reads before they are kept and more are read.
    static let pages = 5
    private static let issuesAhead = ReadAhead<RemoteIssue>()

    func run() -> MirrorNews {
        var news = MirrorNews()
        do throws(RedmineProblem) {
            switch aim {
            case .readChanges(let since): try readChanges(since, &news)
            case .readAll(let offset, let last): try readAll(offset, last, &news)
            case .lookAfter(let numbers): try lookAfter(numbers, &news)
            case .readTimes(let offset, let last, let isWhole):
                do throws(RedmineProblem) {
                    try isWhole ? readTimes(offset, last, &news) : readNewestTimes(&news)
                } catch .denied { news.isAtEnd = true }
            case .lookAfterTimes(let numbers): try lookAfterTimes(numbers, &news)
            case .findNotes(let issues): try findNotes(among: issues, &news)
            case .readNotes(let numbers): try readNotes(numbers, &news)
            case .write(let steps, let known): try write(steps, known, &news)
            }
        } catch { news.problem = error }
        return news
    }

    func list(
        _ query: KeyValuePairs<String, String>
    ) throws(RedmineProblem) -> RedmineReader.Page<RemoteIssue> {
        try server.get("/issues.json", query, read: RedmineReader.issues)
    }

    private func readChanges(_ since: Int64, _ news: inout MirrorNews) throws(RedmineProblem) {
        var cursor = IssueCursor(since: since)
        var (count, bytes) = (0, 0)
        repeat {
            let page = try list([
                "project_id": "\(remote)", "subproject_id": "!*", "status_id": "*",
                "include": "relations", "sort": "updated_on,id",
                "updated_on": ">=\(RedmineMoment.text(cursor.since))",
                "limit": "\(PageWalk.wanted)", "offset": "\(cursor.offset)",
            ])
            do { try cursor.note(page) } catch { throw .strange(error.description) }
            news.issues += page.items
            news.skipped += page.skipped.map(\.description)
            news.cursor = cursor
            count += 1
            bytes += page.bytes
        } while !cursor.isDone
            && (count < Self.pages && bytes < RedmineLimit.answer || cursor.offset > 0)
        news.isAtEnd = cursor.isDone
        guard cursor.isDone else { return }
        news.total = try list([
            "project_id": "\(remote)", "subproject_id": "!*", "status_id": "*", "limit": "1",
        ]).total
    }

    private func readAll(
        _ offset: Int, _ last: Int, _ news: inout MirrorNews
    ) throws(RedmineProblem) {
        if offset == 0 {
            news.whole = try readWhole()
            // Whatever changes from now on has this time of change or a later one.
            news.newest =
                try list([
                    "project_id": "\(remote)", "subproject_id": "!*", "status_id": "*",
                    "sort": "updated_on:desc", "limit": "1",
                ]).items.first?.updated ?? 0
        }
        let place = ReadAhead<RemoteIssue>.Place(mirror, sweep: sweep, offset: offset, last: last)
        let part = Self.issuesAhead.part(at: place) { walk in
            .read("the list of issues", from: walk) { start throws(RedmineProblem) in
                try list([
                    "project_id": "\(remote)", "subproject_id": "!*", "status_id": "*",
                    "include": "relations", "sort": "id", "limit": "\(PageWalk.wanted)",
                    "offset": "\(start)",
                ])
            }
        }
        news.issues = part.items
        try news.note(part)
    }

    private func readWhole() throws(RedmineProblem) -> MirrorNews.Whole {
        let project = try server.get(
            "/projects/\(remote).json", ["include": "trackers,time_entry_activities"],
            read: RedmineReader.project)
        let statuses = try server.get("/issue_statuses.json", read: RedmineReader.statuses).items
        let priorities = try server.get("/enumerations/issue_priorities.json") {
            (bytes) throws(RedmineFault) in try RedmineReader.names(bytes, in: "issue_priorities")
        }
        let versions = try server.get(
            "/projects/\(remote)/versions.json", read: RedmineReader.versions)
        return MirrorNews.Whole(
            names: MirrorNames(
                trackers: project.trackers, statuses: statuses.map(\.name),
                priorities: priorities.items, activities: try activities(of: project)),
            statuses: statuses, project: project, versions: versions.items, members: try members())
    }

    func read(_ issue: Int) throws(RedmineProblem) -> RemoteIssue {
        try server.get(
            "/issues/\(issue).json", ["include": "relations"], read: RedmineReader.issue)
    }

    private func lookAfter(
        _ numbers: [Int: Int], _ news: inout MirrorNews
    ) throws(RedmineProblem) {
        for (number, there) in numbers.sorted(by: { $0.key < $1.key }) {
            do throws(RedmineProblem) {
                let issue = try read(there)
                // What is said about a private issue doesn't depend on its project.
                let isHere = issue.project == remote || issue.isPrivate
                news.done.append(isHere ? .stale(issue) : .gone(number: number))
            } catch .missing {
                news.done.append(.gone(number: number))
            } catch .denied {
                news.done.append(.denied(number: number))
            } catch .unusable(let reason) {
                news.done.append(.unusable(.issue, number: number, reason))
            }
        }
        news.isAtEnd = true
    }

    // MARK: Writing

    private func write(
        _ steps: [MirrorStep], _ known: Known, _ news: inout MirrorNews
    ) throws(RedmineProblem) {
        var known = known
        known.sentTimes = steps.compactMap { step -> RemoteTime? in
            guard case .logTime(_, _, _, let sent) = step else { return nil }
            return sent
        }
        known.sentIssues = steps.compactMap { step -> RemoteIssue? in
            guard case .make(_, _, _, let sent) = step else { return nil }
            return sent
        }
        // Issues whose dates the server has moved because of what was written here.
        var hasMoved = false
        for (place, step) in steps.enumerated() {
            do throws(RedmineProblem) {
                switch step {
                case .make(let number, let values, let attempted, let sent):
                    if let place = known.sentIssues.firstIndex(where: { $0 == sent }) {
                        known.sentIssues.remove(at: place)
                    }
                    guard let made = try make(values, attempted, sent, known) else {
                        news.done.append(.unsent(.issue, number: number))
                        continue
                    }
                    known.issues[made.id] = made.created
                    news.done.append(.made(number: number, made, sent: sent))
                case .change(let number, let base, let values, let held, let forced):
                    news.done += try change(
                        number, base, values, free: forced.union(hasMoved ? held : []),
                        isMoved: &hasMoved)
                case .remove(let number, let base, let isForced, let withTime):
                    news.done.append(try remove(number, base, isForced, withTime, known))
                case .relate: news.done += try relate(step)
                case .unrelate(let number, let relation, let base):
                    try unrelate(relation, base)
                    news.done.append(.unrelated(number: number))
                case .logTime, .changeTime, .removeTime:
                    news.done += try writeTime(step, &known)
                case .makeVersion, .changeWhole, .removeVersion:
                    news.done += try writeWhole(step)
                case .note(let note, let issue):
                    let written = try write(note, issue, known.notes)
                    known.notes.insert(written.id)
                    news.done.append(.noted(number: note.number, written))
                }
            } catch {
                guard !error.isPassing, error != .loggedOut else {
                    news.done += Self.unsent(steps[place...], error)
                    throw error
                }
                news.done.append(Self.outcome(of: step, error))
            }
        }
        news.isAtEnd = true
    }

    /// Those of the steps, beginning with the one that failed, that have certainly made nothing at
    /// the server. This matters because items that may have been made are looked for there, even
    /// with another text or other hours, and what somebody else has made meanwhile could be
    /// mistaken for them.
    static func unsent(
        _ steps: ArraySlice<MirrorStep>, _ problem: RedmineProblem
    ) -> [MirrorNews.Done] {
        var rest = steps
        if case .unreachable = problem {} else { rest = rest.dropFirst() }
        return rest.compactMap { step in
            switch step {
            case .make(let number, _, 0, _): .unsent(.issue, number: number)
            case .logTime(let number, _, _, nil): .unsent(.entry, number: number)
            default: nil
            }
        }
    }

    /// Reads what was just made. If the server can't be reached any more, the item still exists
    /// there.
    func readBack<Made>(
        _ read: () throws(RedmineProblem) -> Made
    ) throws(RedmineProblem) -> Made {
        do throws(RedmineProblem) { return try read() } catch .unreachable(let reason) {
            throw .unanswered(reason)
        }
    }

    private static func outcome(
        of step: MirrorStep, _ problem: RedmineProblem
    ) -> MirrorNews.Done {
        let words = problem.description
        switch step {
        case .make(let number, _, _, _):
            return .refused(number: number, fields: [MirrorConflict.whole], nil, words)
        case .change(let number, _, let values, _, _):
            if problem == .missing { return .gone(number: number) }
            return .refused(
                number: number, fields: values.keys.map(\.rawValue).sorted(), nil, words)
        case .remove(let number, _, _, _):
            if problem == .missing { return .removed(number: number) }
            return .refused(number: number, fields: [MirrorConflict.removed], nil, words)
        case .relate(let number, let issue, _, _, _, _, _):
            return .refused(
                number: issue, fields: [MirrorConflict.relation(number)], nil, words)
        case .unrelate(let number, _, _): return .unrelated(number: number)
        case .makeVersion, .changeWhole, .removeVersion: return outcomeOfWhole(step, problem)
        case .logTime(let number, let issue, _, _):
            return .refused(
                number: issue, fields: [MirrorConflict.time(number)], nil, words)
        case .changeTime(let number, let issue, _, let values, _):
            if problem == .missing { return .goneTime(number: number) }
            let fields = values.keys.map { MirrorConflict.time(number, $0.rawValue) }.sorted()
            return .refused(number: issue, fields: fields, nil, words)
        case .removeTime(let number, let issue, _, _):
            if problem == .missing { return .removedTime(number: number) }
            let field = MirrorConflict.time(number, MirrorConflict.removed)
            return .refused(number: issue, fields: [field], nil, words)
        case .note(let note, _):
            if problem == .missing { return .gone(number: note.issue) }
            let field = MirrorConflict.note(note.number)
            return .refused(number: note.issue, fields: [field], nil, words)
        }
    }
}
