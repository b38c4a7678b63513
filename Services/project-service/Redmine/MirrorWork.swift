import Dates
import RedmineClient
import RedmineMirror

/// What is asked of a server in a round, outside the loop.
struct MirrorTask: Sendable {
    /// What a round does.
    enum Aim: Sendable {
        /// Reads what was changed since a time.
        case readChanges(since: Int64)
        /// Reads everything, from some place in the list of issues on.
        case readAll(offset: Int, last: Int)
        /// Looks after issues that were not in the list: numbers here and there.
        case lookAfter([Int: Int])
        /// Does what was changed here.
        case write([MirrorStep], known: Set<Int>)
    }

    let project: String
    let server: RedmineServer
    /// The number of the project and of the user at the server.
    let remote: Int
    let user: Int
    let sweep: Int
    let aim: Aim

    /// Whether it begins to read everything.
    var isFirstPart: Bool { if case .readAll(0, _) = aim { true } else { false } }
}

/// What came of a round.
struct MirrorNews: Sendable {
    /// What is known of the whole project; nil when it was not asked for.
    struct Whole: Sendable {
        var names: MirrorNames
        let statuses: [RemoteStatus]
        let versions: [RemoteVersion]
        let members: [RemoteName]
    }

    /// What came of a step.
    enum Done: Sendable {
        case made(number: Int, RemoteIssue)
        /// The fields were written; the issue is as the server has it then.
        case changed(number: Int, [RemoteField: RemoteValue], RemoteIssue)
        case related(number: Int, relation: Int)
        case unrelated(number: Int)
        case removed(number: Int)
        /// The server has another state than the last one: nothing was written.
        case stale(RemoteIssue)
        case gone(number: Int)
        case denied(number: Int)
        /// The server does not take a field; `issue` for an issue as a whole.
        case refused(number: Int, fields: [String], RemoteIssue?, String)
    }

    var whole: Whole?
    var issues: [RemoteIssue] = []
    var skipped: [String] = []
    /// Up to where changes were read; nil when something else was done.
    var cursor: IssueCursor?
    /// The time of the last change before everything was read; nil when it wasn't begun.
    var newest: Int64?
    /// Up to where everything was read.
    var offset = 0
    var last = 0
    /// Whether the list was read to its end.
    var isAtEnd = false
    /// The number of issues that the project has at the server; nil when it wasn't asked.
    var total: Int?
    var done: [Done] = []
    /// Why it ended before all was done.
    var problem: RedmineProblem?
}

extension MirrorTask {
    /// The number of pages that are read in a round, so that much is kept before more is read.
    private static let pages = 5

    func run() -> MirrorNews {
        var news = MirrorNews()
        do throws(RedmineProblem) {
            switch aim {
            case .readChanges(let since): try readChanges(since, &news)
            case .readAll(let offset, let last): try readAll(offset, last, &news)
            case .lookAfter(let numbers): try lookAfter(numbers, &news)
            case .write(let steps, let known): try write(steps, known, &news)
            }
        } catch { news.problem = error }
        return news
    }

    private func list(
        _ query: KeyValuePairs<String, String>
    ) throws(RedmineProblem) -> RedmineReader.Page<RemoteIssue> {
        try server.get("/issues.json", query, read: RedmineReader.issues)
    }

    private func readChanges(_ since: Int64, _ news: inout MirrorNews) throws(RedmineProblem) {
        var cursor = IssueCursor(since: since)
        var count = 0
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
        } while !cursor.isDone && (count < Self.pages || cursor.offset > 0)
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
            // Whatever is changed from now on is changed at this time or later.
            news.newest =
                try list([
                    "project_id": "\(remote)", "subproject_id": "!*", "status_id": "*",
                    "sort": "updated_on:desc", "limit": "1",
                ]).items.first?.updated ?? 0
        }
        (news.offset, news.last) = (offset, last)
        for _ in 0..<Self.pages {
            // The last issue of a part comes again: if not, something before it has gone.
            let start = max(news.offset - 1, 0)
            let page = try list([
                "project_id": "\(remote)", "subproject_id": "!*", "status_id": "*",
                "include": "relations", "sort": "id", "limit": "\(PageWalk.wanted)",
                "offset": "\(start)",
            ])
            guard let total = page.total, page.offset ?? start == start else {
                throw .strange("it doesn't say which part of the list of issues it sent")
            }
            if news.offset > 0, page.items.first?.id != news.last {
                (news.offset, news.last) = (0, 0)
                throw .strange("issues were removed while they were read; they are read again")
            }
            news.issues += page.items
            news.skipped += page.skipped.map(\.description)
            news.offset = start + page.count
            news.last = page.items.last?.id ?? news.last
            if news.offset >= total {
                (news.isAtEnd, news.total) = (true, total)
                return
            }
            guard page.count > 1 else {
                throw .strange("it sent \(news.offset) of \(total) issues and then none")
            }
        }
    }

    private func readWhole() throws(RedmineProblem) -> MirrorNews.Whole {
        let project = try server.get(
            "/projects/\(remote).json", ["include": "trackers"], read: RedmineReader.project)
        let statuses = try server.get("/issue_statuses.json", read: RedmineReader.statuses).items
        let priorities = try server.get("/enumerations/issue_priorities.json") {
            (bytes) throws(RedmineFault) in try RedmineReader.names(bytes, in: "issue_priorities")
        }
        let versions = try server.get(
            "/projects/\(remote)/versions.json", read: RedmineReader.versions)
        return MirrorNews.Whole(
            names: MirrorNames(
                trackers: project.trackers, statuses: statuses.map(\.name),
                priorities: priorities.items),
            statuses: statuses, versions: versions.items, members: [])
    }

    private func read(_ issue: Int) throws(RedmineProblem) -> RemoteIssue {
        try server.get(
            "/issues/\(issue).json", ["include": "relations"], read: RedmineReader.issue)
    }

    private func lookAfter(
        _ numbers: [Int: Int], _ news: inout MirrorNews
    ) throws(RedmineProblem) {
        for (number, there) in numbers.sorted(by: { $0.key < $1.key }) {
            do throws(RedmineProblem) {
                let issue = try read(there)
                news.done.append(issue.project == remote ? .stale(issue) : .gone(number: number))
            } catch .missing {
                news.done.append(.gone(number: number))
            } catch .denied {
                news.done.append(.denied(number: number))
            }
        }
        news.isAtEnd = true
    }

    // MARK: Writing

    private func write(
        _ steps: [MirrorStep], _ known: Set<Int>, _ news: inout MirrorNews
    ) throws(RedmineProblem) {
        var known = known
        // Issues whose dates the server has moved because of what was written here.
        var hasMoved = false
        for step in steps {
            do throws(RedmineProblem) {
                switch step {
                case .make(let number, let values, let attempted):
                    let made = try make(values, attempted, known)
                    known.insert(made.id)
                    news.done.append(.made(number: number, made))
                case .change(let number, let base, let values, let held, let forced):
                    news.done += try change(
                        number, base, values, free: forced.union(hasMoved ? held : []),
                        isMoved: &hasMoved)
                case .remove(let number, let base, let isForced):
                    news.done.append(try remove(number, base, isForced))
                case .relate(let number, let issue, let kind, let from, let to, let delay):
                    news.done += try relate(number, issue, kind, from, to, delay)
                case .unrelate(let number, let relation):
                    do throws(RedmineProblem) {
                        _ = try server.send("DELETE", "/relations/\(relation).json")
                    } catch .missing {}
                    news.done.append(.unrelated(number: number))
                }
            } catch {
                guard !error.isPassing, error != .loggedOut else { throw error }
                news.done.append(Self.outcome(of: step, error))
            }
        }
        news.isAtEnd = true
    }

    private static func outcome(
        of step: MirrorStep, _ problem: RedmineProblem
    ) -> MirrorNews.Done {
        let words = problem.description
        switch step {
        case .make(let number, _, _):
            return .refused(number: number, fields: [MirrorConflict.whole], nil, words)
        case .change(let number, _, let values, _, _):
            if problem == .missing { return .gone(number: number) }
            return .refused(
                number: number, fields: values.keys.map(\.rawValue).sorted(), nil, words)
        case .remove(let number, _, _):
            if problem == .missing { return .removed(number: number) }
            return .refused(number: number, fields: [MirrorConflict.removed], nil, words)
        case .relate(let number, let issue, _, _, _, _):
            return .refused(number: issue, fields: ["relation \(number)"], nil, words)
        case .unrelate(let number, _): return .unrelated(number: number)
        }
    }

    /// Makes an issue. The server has no way to make one only once, so after a lost answer it is
    /// looked for among those that were made since.
    private func make(
        _ values: [RemoteField: RemoteValue], _ attempted: Int64, _ known: Set<Int>
    ) throws(RedmineProblem) -> RemoteIssue {
        if attempted > 0 {
            // A day earlier, because the server's clock may be another one.
            let day = CivilDate(daysSince1970: Int(attempted / 86_400_000) - 1)
            var walk = PageWalk()
            while !walk.isDone {
                let page = try list([
                    "project_id": "\(remote)", "subproject_id": "!*", "status_id": "*",
                    "author_id": "\(user)", "created_on": ">=\(day.iso)", "sort": "id",
                    "include": "relations", "limit": "\(PageWalk.wanted)",
                    "offset": "\(walk.offset)",
                ])
                let same = page.items.first { issue in
                    !known.contains(issue.id)
                        && [RemoteField.subject, .description].allSatisfy {
                            issue[$0] == values[$0]
                        }
                }
                if let same { return same }
                do { try walk.note(page) } catch { throw .strange(error.description) }
            }
        }
        let answer = try server.send(
            "POST", "/issues.json", RedmineBody.issue(values, project: remote))
        let made: RemoteIssue
        do { made = try RedmineReader.issue(answer) } catch {
            throw .unanswered(error.description)
        }
        return try read(made.id)
    }

    private func change(
        _ number: Int, _ base: RemoteIssue, _ values: [RemoteField: RemoteValue],
        free: Set<RemoteField>, isMoved: inout Bool
    ) throws(RedmineProblem) -> [MirrorNews.Done] {
        let before = try read(base.id)
        guard before.project == remote else { return [.gone(number: number)] }
        // Written is only what the server has as both sides had it, or may have otherwise.
        let wanted = values.filter { field, value in
            before[field] != value && (before[field] == base[field] || free.contains(field))
        }
        guard !wanted.isEmpty else { return [.stale(before)] }
        isMoved = isMoved || wanted[.start] != nil || wanted[.due] != nil
        do throws(RedmineProblem) {
            _ = try server.send("PUT", "/issues/\(base.id).json", RedmineBody.issue(wanted))
        } catch .refused(let reasons) {
            let fields = wanted.keys.map(\.rawValue).sorted()
            return [
                .refused(
                    number: number, fields: fields, before,
                    RedmineProblem.refused(reasons).description)
            ]
        }
        // “204” doesn't mean that anything was done.
        let after = try read(base.id)
        let ignored = wanted.filter { after[$0.key] != $0.value }
        var done: [MirrorNews.Done] = [
            .changed(number: number, wanted.filter { ignored[$0.key] == nil }, after)
        ]
        if !ignored.isEmpty {
            done.append(
                .refused(
                    number: number, fields: ignored.keys.map(\.rawValue).sorted(), after,
                    "the server said that it did it, and didn't"))
        }
        return done
    }

    private func remove(
        _ number: Int, _ base: RemoteIssue, _ isForced: Bool
    ) throws(RedmineProblem) -> MirrorNews.Done {
        let before = try read(base.id)
        guard isForced || RemoteField.allCases.allSatisfy({ before[$0] == base[$0] }) else {
            return .stale(before)
        }
        _ = try server.send("DELETE", "/issues/\(base.id).json")
        return .removed(number: number)
    }

    private func relate(
        _ number: Int, _ issue: Int, _ kind: RemoteRelation.Kind, _ from: Int, _ to: Int,
        _ delay: Int
    ) throws(RedmineProblem) -> [MirrorNews.Done] {
        func present(_ issue: RemoteIssue) -> RemoteRelation? {
            issue.relations.first { $0.kind == kind && $0.from == from && $0.to == to }
        }
        if let there = present(try read(from)) {
            return [.related(number: number, relation: there.id)]
        }
        _ = try server.send(
            "POST", "/issues/\(from)/relations.json",
            RedmineBody.relation(kind, to: to, delay: delay))
        let after = try read(from)
        guard let made = present(after) else {
            return [
                .refused(
                    number: issue, fields: ["relation \(number)"], nil,
                    "the server said that it did it, and didn't")
            ]
        }
        return [.related(number: number, relation: made.id)]
    }
}
