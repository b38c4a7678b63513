import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import RedmineClient
import RedmineMirror
import TestSupport
import Testing
import WorkCalendar

@testable import ProjectService

/// What a mirror does when things come and go, without a server.
@Suite struct MirrorStateTests {
    static let names: MirrorNames = {
        var names = MirrorNames()
        names.trackers = [RemoteName(id: 1, name: "Bug"), RemoteName(id: 2, name: "Task")]
        names.statuses = [RemoteName(id: 1, name: "New"), RemoteName(id: 5, name: "Closed")]
        names.priorities = ["Low", "Normal", "High", "Urgent", "Immediate"].enumerated().map {
            RemoteName(id: $0 + 1, name: $1)
        }
        return names
    }()

    /// A project without issues, with the trackers and two of the statuses of these names.
    static func record() throws -> ProjectRecord {
        var details = ProjectDetails(
            name: "House", identifier: "house", calendar: try WorkCalendar(week: .usual))
        details.trackers = ["Bug", "Task"]
        details.statuses = [.init("New"), .init("Closed", isClosed: true)]
        return try ProjectRecord(details)
    }

    /// Both sides, and what each knows of the other.
    private struct Sides {
        var record: ProjectRecord
        var links = MirrorLinks()
        var conflicts: [MirrorConflict] = []
        var server: [Int: RemoteIssue] = [:]
        var sweep = 0
        var made = 0

        init() throws { record = try MirrorStateTests.record() }

        mutating func with(_ body: (inout MirrorState) -> Void) throws {
            var state = MirrorState(record, MirrorStateTests.names, links, conflicts)
            body(&state)
            if let edit = state.edit { record = try record.making(edit).record }
            (links, conflicts) = (state.links, state.conflicts)
        }

        /// Reads everything from the server, in parts of this size.
        mutating func read(parts: Int = 100) throws {
            sweep += 1
            let sweep = sweep
            let all = server.values.sorted { $0.id < $1.id }
            for start in stride(from: 0, to: all.count, by: parts) {
                try with { $0.apply(Array(all[start...].prefix(parts)), sweep: sweep) }
            }
            let missing = links.all(.issue).filter { $0.remote > 0 && $0.seen != sweep }
            try with { state in for link in missing { state.lose(link.number, sweep: sweep) } }
        }

        /// Makes the changes of this side at the server.
        ///
        /// - Returns: the number of steps.
        mutating func write() throws -> Int {
            let steps = MirrorPlan(record, MirrorStateTests.names, links, conflicts).steps
            for step in steps { try carryOut(step) }
            return steps.count
        }

        private mutating func carryOut(_ step: MirrorStep) throws {
            switch step {
            case .make(let number, let values, _, _):
                made += 1
                let id = (server.keys.max() ?? 100) + 1
                var issue = remote(id, "")
                for (field, value) in values { Self.put(value, field, &issue) }
                server[id] = issue
                try with { $0.join(number, with: issue) }
            case .change(let number, let base, let values, _, let forced):
                guard var issue = server[base.id] else {
                    return try with { $0.lose(number, sweep: nil) }
                }
                let wanted = values.filter {
                    issue[$0.key] != $0.value
                        && (issue[$0.key] == base[$0.key] || forced.contains($0.key))
                }
                for (field, value) in wanted { Self.put(value, field, &issue) }
                server[base.id] = issue
                try with {
                    wanted.isEmpty
                        ? $0.apply([issue], sweep: nil) : $0.agree(number, on: wanted, issue)
                }
            case .remove(let number, let base, let isForced, _):
                guard let issue = server[base.id] else { return try with { $0.unlink(number) } }
                let isSame = RemoteField.allCases.allSatisfy { issue[$0] == base[$0] }
                guard isSame || isForced else {
                    return try with { $0.apply([issue], sweep: nil) }
                }
                server[base.id] = nil
                try with { $0.unlink(number) }
            case .relate, .unrelate, .logTime, .changeTime, .removeTime, .note, .makeVersion,
                .changeWhole, .removeVersion:
                break
            }
        }

        static func put(_ value: RemoteValue, _ field: RemoteField, _ issue: inout RemoteIssue) {
            let names = MirrorStateTests.names
            switch (field, value) {
            case (.subject, .text(let text)): issue.subject = text
            case (.description, .text(let text)): issue.description = text
            case (.description, _): issue.description = ""
            case (.tracker, .number(let id)):
                issue.tracker = names.trackers.first { $0.id == id } ?? issue.tracker
            case (.status, .number(let id)):
                issue.status = names.statuses.first { $0.id == id } ?? issue.status
            case (.priority, .number(let id)):
                issue.priority = names.priorities.first { $0.id == id } ?? issue.priority
            case (.start, .day(let day)): issue.start = day
            case (.start, _): issue.start = nil
            case (.due, .day(let day)): issue.due = day
            case (.due, _): issue.due = nil
            case (.done, .number(let number)): issue.done = number
            case (.estimate, .number(let number)): issue.estimate = number
            case (.estimate, _): issue.estimate = nil
            case (.parent, .number(let number)): issue.parent = number
            case (.parent, _): issue.parent = nil
            default: break
            }
        }
    }

    static func remote(_ id: Int, _ subject: String) -> RemoteIssue {
        RemoteIssue(
            id: id, project: 1, subject: subject, tracker: names.trackers[0],
            status: names.statuses[0], priority: names.priorities[1])
    }

    @Test
    func `an issue gets the server's number if it is free, and its whole even if read later`()
        throws
    {
        var sides = try Sides()
        sides.record = try sides.record.making(
            .addIssue(ProjectIssue(id: 0, subject: "Own", tracker: "Bug"))
        ).record
        var part = Self.remote(7, "Part")
        part.parent = 9
        sides.server = [1: Self.remote(1, "One"), 7: part, 9: Self.remote(9, "Whole")]
        try sides.read(parts: 2)
        let issues = sides.record.issues
        #expect(issues.mapValues(\.subject) == [1: "Own", 2: "One", 7: "Part", 9: "Whole"])
        #expect(issues[7]?.parent == 9)
        // Only what is new on this side is made there.
        #expect(try sides.write() == 1)
        #expect(sides.server[7]?.parent == 9 && sides.server[10]?.subject == "Own")
    }

    @Test(arguments: [false, true])
    func `an issue with the number of a removed one is a different issue`(isOurs: Bool) throws {
        var sides = try Sides()
        var former = Self.remote(7, "Roof")
        former.created = 1_000
        sides.server = [7: former]
        try sides.read()
        if isOurs {
            var issue = try #require(sides.record.issues[7])
            issue.done = 50
            sides.record = try sides.record.making(.changeIssue(issue, .keepGaps)).record
        }
        var other = Self.remote(7, "Door")
        other.created = 2_000
        sides.server = [7: other]
        try sides.read()
        #expect(sides.record.issues[8]?.subject == "Door" && sides.links.remote(.issue, 8) == 7)
        // A change on this side stays, and doesn't overwrite the other issue.
        #expect(sides.record.issues[7]?.done == (isOurs ? 50 : nil))
        #expect(
            sides.conflicts.map { [$0.field, "\($0.issue)"] } == (isOurs ? [["removed", "7"]] : []))
        #expect(try sides.write() == 0)
        #expect(sides.server[7] == other)
    }

    @Test func `a parent in another project stays unchanged on the server`() throws {
        var sides = try Sides()
        var part = Self.remote(7, "Part")
        part.parent = 3
        sides.server = [7: part]
        try sides.read()
        #expect(sides.record.issues[7]?.parent == nil)
        #expect(try sides.write() == 0)
        #expect(sides.server[7]?.parent == 3)
    }

    @Test(arguments: [false, true])
    func `a private issue stays at the server, also one that becomes private later`(
        isOurs: Bool
    ) throws {
        var sides = try Sides()
        var part = Self.remote(9, "Part")
        part.parent = 8
        sides.server = [7: Self.remote(7, "Pay"), 8: Self.remote(8, "Roof"), 9: part]
        sides.server[7]?.isPrivate = true
        try sides.read()
        #expect(sides.record.issues.mapValues(\.subject) == [8: "Roof", 9: "Part"])
        if isOurs {
            var issue = try #require(sides.record.issues[8])
            issue.estimate = 60
            sides.record = try sides.record.making(.changeIssue(issue, .keepGaps)).record
        }

        sides.server[8]?.isPrivate = true
        try sides.read()

        // What was changed here stays until somebody has decided.
        #expect(sides.record.issues.keys.sorted() == (isOurs ? [8, 9] : [9]))
        #expect(sides.conflicts.map(\.field) == (isOurs ? ["removed"] : []))
        // It is still there, with its part, and nothing is written to it.
        #expect(try sides.write() == 0)
        #expect(sides.server.count == 3 && sides.server[9]?.parent == 8)
    }

    /// Issue 8, which was changed here and is private at the server by now.
    private static func disputed() throws -> Sides {
        var sides = try Sides()
        sides.server = [8: remote(8, "Roof")]
        try sides.read()
        var issue = try #require(sides.record.issues[8])
        issue.estimate = 60
        sides.record = try sides.record.making(.changeIssue(issue, .keepGaps)).record
        sides.server[8]?.isPrivate = true
        try sides.read()
        #expect(sides.conflicts.map(\.field) == ["removed"])
        return sides
    }

    @Test func `the conflict about a private issue ends when it is public again`() throws {
        var sides = try Self.disputed()
        sides.server[8]?.isPrivate = false

        try sides.read()

        #expect(sides.conflicts.isEmpty && sides.record.issues.count == 1)
        let steps = try sides.write()
        #expect(steps == 1 && sides.server[8]?.estimate == 60)
    }

    @Test func `what is new about a private issue stays at the server, even in a conflict`()
        throws
    {
        var sides = try Self.disputed()
        var hidden = Self.remote(8, "Secret")
        hidden.isPrivate = true
        let time = RemoteTime(
            id: 3, project: 1, issue: 8, user: RemoteName(id: 5, name: "Ann"),
            day: try #require(CivilDate(iso: "2027-03-01")), minutes: 60, comment: "Secret")

        try sides.with { state in
            state.apply([time], sweep: 1)
            Mirrors.applyDone(
                [.refused(number: 8, fields: ["subject"], hidden, "no")], sweep: nil, into: &state)
        }

        #expect(sides.record.issues[8]?.subject == "Roof" && sides.record.entries.isEmpty)
        #expect(sides.conflicts.map(\.field) == ["removed"])
    }

    @Test func `private issues beyond those that are named don't make each round read everything`()
        throws
    {
        let number = MirrorRow.mostSkipped + 10
        var mirror = MirrorRow(
            project: "house", logIn: "1", remote: 1, identifier: "house", due: 0)
        mirror.skipped = (0..<MirrorRow.mostSkipped).map { "#\($0)" }
        (mirror.swept, mirror.phase) = (5_000, .read)
        var state = MirrorState(try Self.record(), Self.names, MirrorLinks(), [])
        var news = MirrorNews()
        (news.total, news.isAtEnd) = (number, true)
        let server = RedmineServer(
            try RedmineAddress("https://redmine"), .key("key"), .outside)
        let task = MirrorTask(
            mirror: mirror, server: server, user: 1, aim: .readChanges(since: 0))

        Mirrors.apply(news, of: task, into: &state, &mirror, at: 9_000)

        #expect(mirror.swept == 5_000 && mirror.phase == .times)
    }

    @Test(arguments: Seed.some(200))
    func `after any edits both sides are equal except for conflicts, with no duplicates`(
        seed: Seed
    ) throws {
        var seed = seed
        var sides = try Sides()
        var edits = 0
        for _ in 0..<(3 + seed.below(5)) {
            for _ in 0..<seed.below(6) {
                edits += 1
                try Self.edit(&sides, "edit \(edits)", &seed)
            }
            if seed.below(4) > 0 { try sides.read(parts: 1 + seed.below(4)) }
            if seed.below(4) > 0 { _ = try sides.write() }
        }
        var rounds = 0
        repeat {
            rounds += 1
            try #require(rounds < 20, "it doesn't end")
            try sides.read()
        } while try sides.write() > 0
        let removed = Set(
            sides.conflicts.filter { $0.field == MirrorConflict.removed }.map(\.issue))
        let terms = MirrorTerms(names: Self.names, links: sides.links)
        var there: Set<Int> = []
        for (number, issue) in sides.record.issues where !removed.contains(number) {
            let id = try #require(sides.links.remote(.issue, number))
            let remote = try #require(sides.server[id])
            #expect(there.insert(id).inserted)
            let values = terms.values(of: issue, remote)
            for field in RemoteField.allCases where values[field] != remote[field] {
                #expect(
                    sides.conflicts.contains { $0.issue == number && $0.field == field.rawValue },
                    "#\(number) \(field)")
            }
        }
        for id in sides.server.keys where !there.contains(id) {
            let number = try #require(sides.links.number(.issue, remote: id))
            #expect(removed.contains(number), "the server also has \(id)")
        }
    }

    private static func edit(_ sides: inout Sides, _ word: String, _ seed: inout Seed) throws {
        let own = sides.record.issues.keys.sorted()
        let there = sides.server.keys.sorted()
        switch seed.below(8) {
        case 0:
            let issue = ProjectIssue(id: 0, subject: word, tracker: "Task")
            sides.record = try sides.record.making(.addIssue(issue)).record
        case 1:
            let id = (there.last ?? 50) + 1 + seed.below(3)
            sides.server[id] = remote(id, word)
        case 2 where !own.isEmpty && seed.below(3) == 0:
            sides.record = try sides.record.making(
                .removeIssue(seed.pick(own), withParts: true)
            ).record
        case 3 where !there.isEmpty && seed.below(3) == 0:
            sides.server[seed.pick(there)] = nil
        case 4, 5:
            guard !own.isEmpty, var issue = sides.record.issues[seed.pick(own)] else { return }
            switch seed.below(4) {
            case 0: issue.subject = word
            case 1: issue.done = 10 * seed.below(11)
            case 2: issue.description = seed.below(2) == 0 ? "" : word
            default: issue.estimate = seed.below(2) == 0 ? nil : seed.below(600)
            }
            sides.record = try sides.record.making(.changeIssue(issue, .keepGaps)).record
        default:
            guard !there.isEmpty, var issue = sides.server[seed.pick(there)] else { return }
            switch seed.below(4) {
            case 0: issue.subject = word
            case 1: issue.done = 10 * seed.below(11)
            case 2: issue.priority = seed.pick(names.priorities)
            default: issue.estimate = seed.below(2) == 0 ? nil : seed.below(600)
            }
            sides.server[issue.id] = issue
        }
    }
}
