import ArgumentParser
import Messages
import Speech
import Terminal

/// `steward issue`
struct IssueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue", abstract: "Issues of a project: what is to be done.",
        discussion: """
            A date is 2026-03-31, today, tomorrow, or none. An end that isn't known may be left \
            open. When dates change, what follows moves too: --preview shows what and why.
            """,
        subcommands: [
            List.self, Mine.self, Filter.self, Show.self, Create.self, Change.self, Note.self,
            Relate.self, Unrelate.self,
            Remove.self, Calendar.self,
        ])

    /// `steward issue list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the issues that match all options; by default the open ones.")

        @OptionGroup var sought: IssueSought
        @Option(help: "A saved filter: see steward issue filter list.")
        var filter: String?
        @Option(
            help: """
                What to group by: project, status, assignee, version, priority, tracker or parent.
                """)
        var group: GroupArgument?
        @Option(help: "The maximum number of issues, up to 1000.")
        var limit: UInt32 = 50
        @Option(help: "How many to skip.")
        var skip: UInt32 = 0
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 1_000) }

        func run() throws {
            let session = try Session()
            var query = try sought.query(session, filter: filter)
            (query.limit, query.skip) = (limit, skip)
            if let named = target.named {
                query.project = named
            } else if filter == nil, !sought.isEverywhere {
                query.project = try target.projectOrAll(session)
            }
            let reply = try session.askProject(query, for: IssuesListed.self)
            if output.json {
                return try session.printer.json(
                    .issues, reply.issues,
                    beside: ["count": reply.count, "leftOut": reply.leftOut])
            }
            defer { Self.remark(on: reply.leftOut, session.printer) }
            guard !reply.issues.isEmpty else {
                return session.printer.remark(
                    "no issue matches; all: steward issue list --state all")
            }
            let isMixed = Set(reply.issues.map(\.project)).count > 1
            for group in groups(of: reply.issues, isMixed: isMixed) {
                if let name = group.name { session.printer.result(name.printable) }
                session.printer.table(
                    IssueTable.table(of: group.issues, today: query.today, withProject: isMixed))
            }
            session.printer.more(after: skip, reply.issues.count, of: reply.count)
        }

        /// Says how many projects were not searched.
        private static func remark(on leftOut: UInt32, _ printer: Printer) {
            guard leftOut > 0 else { return }
            printer.remark("not searched: \(Wording.count(leftOut, "project")); name one: -p")
        }

        /// The issues in groups, in the order of their first issues; a single one without a name if
        /// they aren't grouped.
        private func groups(
            of issues: [ListedIssue], isMixed: Bool
        ) -> [(name: String?, issues: [ListedIssue])] {
            guard let group else { return [(nil, issues)] }
            var names: [String] = []
            var members: [String: [ListedIssue]] = [:]
            for issue in issues {
                let name = group.name(of: issue, isMixed: isMixed)
                if members[name] == nil { names.append(name) }
                members[name, default: []].append(issue)
            }
            return names.map { ($0, members[$0] ?? []) }
        }
    }

    /// `steward issue show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows an issue, what it waits for, and what happened to it.")

        @Argument(help: "Its number.")
        var issue: IssueArgument
        @Option(help: "The maximum number of journal entries, up to 500.")
        var limit: UInt32 = 20
        @Option(help: "Only journal entries before the one with this number.")
        var before: UInt64 = 0
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 500) }

        func run() throws {
            let session = try Session()
            let contents = try session.askProject(
                ReadIssue(
                    project: try target.project(session), issue: issue.number, limit: limit,
                    before: before),
                for: IssueContents.self)
            if output.json { return try session.printer.json(.issueContents, [contents]) }
            let clock = try session.siteClock
            let sheet = IssueSheet(contents, clock: clock, today: clock.today.iso)
            for line in sheet.lines { session.printer.result(line) }
            if contents.more, let last = contents.journal.last {
                session.printer.remark("there are older entries: --before \(last.number)")
            }
        }
    }

    /// `steward issue create`
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Adds an issue.",
            discussion: """
                  steward issue create 'Paint the walls' --start 2026-03-09 --due 2026-03-11 \
                --assignee Kari --estimate 16 --after 2
                """)

        @Argument(help: "What it is.")
        var subject: String
        @OptionGroup var traits: IssueTraits
        @Option(help: "The issue after which it begins; may be given several times.")
        var after: [IssueArgument] = []
        @OptionGroup var cascade: CascadeOptions
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            try options.edit(cascade) { read, session in
                for one in after { _ = try read.issue(one.number) }
                var issue = TrackedIssue(subject: subject)
                try traits.apply(to: &issue, read, session)
                // A relation to 0 means the issue that was added.
                var actions = [ProjectAction.keep(.issue(issue))]
                actions += after.map {
                    ProjectAction.keep(
                        .relation(IssueLink(kind: .precedes, from: $0.number, to: 0)))
                }
                return actions
            }
        }
    }

    /// `steward issue change`
    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Changes an issue; options that aren't given change nothing.",
            discussion: """
                  steward issue change 4 --status Closed --done 100
                  steward issue change 4 --start 2026-03-12 --preview
                  steward issue change 4 --due none

                With a new start alone, an issue keeps its length.
                """)

        @Argument(help: "Its number.")
        var issue: IssueArgument
        @Option(help: "Its new subject.")
        var subject: String?
        @OptionGroup var traits: IssueTraits
        @OptionGroup var cascade: CascadeOptions
        @OptionGroup var options: ProjectEditOptions

        func validate() throws {
            guard subject != nil || !traits.isEmpty else {
                throw ValidationError("say what to change; see --help")
            }
        }

        func run() throws {
            try options.edit(cascade) { read, session in
                let before = TrackedIssue(try read.issue(issue.number))
                var issue = before
                if let subject { issue.subject = subject }
                try traits.apply(to: &issue, read, session)
                return issue == before ? [] : [.keep(.issue(issue))]
            }
        }
    }

    /// `steward issue note`
    struct Note: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "note",
            abstract: "Writes a note in the journal of an issue.")

        @Argument(help: "Its number.")
        var issue: IssueArgument
        @Argument(help: "The text of the note.")
        var note: String
        @OptionGroup var target: ProjectOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let entry = try session.askProject(
                NoteIssue(
                    project: try target.project(session), issue: issue.number, note: note),
                for: IssueEntry.self, repeating: repeating)
            if output.json { return try session.printer.json(.journal, [entry]) }
            session.printer.result("the note is written")
        }
    }

    /// `steward issue relate`
    struct Relate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "relate",
            abstract: "Relates an issue to another.",
            discussion: """
                  steward issue relate 1 precedes 2 --delay 3
                  steward issue relate 2 follows 1
                  steward issue relate 1 blocks 2

                The issue that follows begins on the first working day after the other one ends, \
                or --delay working days later. If they are related already, --delay replaces the \
                present one.
                """)

        @Argument(help: "The first issue.")
        var first: IssueArgument
        @Argument(
            help: """
                precedes, follows, blocks, blocked-by, relates, duplicates or copied-to.
                """)
        var kind: RelationArgument
        @Argument(help: "The second issue.")
        var second: IssueArgument
        @Option(help: "Working days in between; negative when they may overlap. Default: 0.")
        var delay: Int32?
        @OptionGroup var cascade: CascadeOptions
        @OptionGroup var options: ProjectEditOptions

        func validate() throws {
            guard delay ?? 0 == 0 || kind.told == .precedes else {
                throw ValidationError("--delay goes with precedes and follows alone")
            }
        }

        func run() throws {
            try options.edit(cascade) { read, _ in
                for one in [first, second] { _ = try read.issue(one.number) }
                let ends = kind.isReversed ? (second, first) : (first, second)
                let link = IssueLink(
                    kind: kind.told, from: ends.0.number, to: ends.1.number, delay: delay ?? 0)
                let before = read.record.relations.values.lazy.map { IssueLink($0) }.first {
                    ($0.kind, $0.from, $0.to) == (link.kind, link.from, link.to)
                }
                guard let before else { return [.keep(.relation(link))] }
                guard delay ?? before.delay != before.delay else { return [] }
                // A relation isn't changed: another takes its place.
                return [.remove(.relation(before)), .keep(.relation(link))]
            }
        }
    }

    /// `steward issue unrelate`
    struct Unrelate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unrelate",
            abstract: "Removes the relation between two issues.")

        @Argument(help: "The first issue.")
        var first: IssueArgument
        @Argument(help: "The second issue.")
        var second: IssueArgument
        @OptionGroup var cascade: CascadeOptions
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            try options.edit(cascade) { read, _ in
                let ends = Set([Int(first.number), Int(second.number)])
                let found = read.record.relations.values.filter { Set([$0.from, $0.to]) == ends }
                    .sorted { $0.id < $1.id }
                guard !found.isEmpty else {
                    throw Failure(
                        .refused, "#\(first.number) and #\(second.number) aren't related",
                        advice: "see steward issue show \(first.number)")
                }
                return found.map {
                    ProjectAction.remove(.relation(IssueLink(number: UInt32(clamping: $0.id))))
                }
            }
        }
    }

    /// `steward issue remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes an issue; steward project undo brings it back.")

        @Argument(help: "Its number.")
        var issue: IssueArgument
        @Flag(help: "Remove its parts too.")
        var withParts = false
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            try options.edit { read, _ in
                _ = try read.issue(issue.number)
                return [
                    .remove(.issue(TrackedIssue(number: issue.number)), withParts: withParts)
                ]
            }
        }
    }
}
