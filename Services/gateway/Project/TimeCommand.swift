import ArgumentParser
import Messages
import ProjectFiles
import Speech
import Terminal

/// `steward time`
struct TimeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "time", abstract: "Time worked on the issues of a project.",
        subcommands: [List.self, Log.self, Change.self, Remove.self])

    /// `steward time list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the time worked, newest day first.")

        @Option(help: "Only time on this issue.")
        var issue: IssueArgument?
        @Option(help: "Only time of this person.")
        var person: String?
        @Option(help: "Only from this day on.")
        var from: DayArgument?
        @Option(help: "Only up to this day.")
        var until: DayArgument?
        @Option(help: "The maximum number of entries, up to 1000.")
        var limit: UInt32 = 50
        @Option(help: "How many to skip.")
        var skip: UInt32 = 0
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            try ListLimit.validate(limit, most: 1_000)
            try DayArgument.validate(from: from, to: until)
        }

        func run() throws {
            let session = try Session()
            let first = try from.map { try $0.iso(session) }
            let last = try until.map { try $0.iso(session) }
            let reply = try session.askProject(
                ListTime(
                    project: try target.project(session), issue: issue?.number ?? 0,
                    member: person ?? "", first: first ?? "", last: last ?? "", limit: limit,
                    skip: skip),
                for: TimeListed.self)
            if output.json {
                return try session.printer.json(
                    .times, reply.times,
                    beside: ["count": reply.count, "minutes": reply.minutes])
            }
            guard !reply.times.isEmpty else {
                return session.printer.remark(
                    "no time is logged; log some: steward time log ISSUE HOURS")
            }
            var table = TextTable([
                .number("NO"), .time("DAY"), .text("PERSON"), .text("ISSUE"), .number("HOURS"),
                .text("COMMENT"),
            ])
            for listed in reply.times {
                let time = listed.time ?? WorkedTime()
                table.add([
                    "\(time.number)", .init(time.date), .init(listed.member),
                    .init("#\(time.issue) \(listed.subject)"),
                    .init(Effort.text(time.minutes)), .init(time.comment),
                ])
            }
            session.printer.table(table)
            session.printer.remark(
                "\(Effort.text(reply.minutes)) h in \(reply.count) "
                    + (reply.count == 1 ? "entry" : "entries"))
            session.printer.more(after: skip, reply.times.count, of: reply.count)
        }
    }

    /// The options of an entry.
    struct Traits: ParsableArguments {
        @Option(help: "Who worked: a name or number of steward project person.")
        var person: String?
        @Option(help: "The day. Default: today.")
        var day: DayArgument?
        @Option(help: "What was done.")
        var comment: String?

        /// Whether none of the options is given.
        var isEmpty: Bool { person == nil && day == nil && comment == nil }

        func apply(
            to time: inout WorkedTime, _ read: ProjectContentsRead, _ session: Session
        ) throws {
            if let person { time.member = UInt32(clamping: try read.member(person).id) }
            if let day { time.date = try day.iso(session) }
            if let comment { time.comment = comment }
        }
    }

    /// `steward time log`
    struct Log: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "log",
            abstract: "Logs time worked on an issue.",
            discussion: """
                  steward time log 4 7:30 --comment 'the first coat'

                Without --person, it is the time of the issue's assignee.
                """)

        @Argument(help: "The issue.")
        var issue: IssueArgument
        @Argument(help: "How long, in hours: 7:30, 7.5 or 450m.")
        var hours: EffortArgument
        @OptionGroup var traits: Traits
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            try options.edit { read, session in
                let found = try read.issue(issue.number)
                var time = WorkedTime(
                    issue: issue.number, member: UInt32(clamping: found.assignee ?? 0),
                    date: try traits.day == nil ? session.today.iso : "", minutes: hours.minutes)
                try traits.apply(to: &time, read, session)
                guard time.member > 0 else {
                    throw Failure(
                        .refused, "#\(issue.number) is assigned to nobody",
                        advice: "say who worked: --person NAME")
                }
                return [.keep(.time(time))]
            }
        }
    }

    /// `steward time change`
    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Corrects an entry; options that aren't given change nothing.")

        @Argument(help: "The number of the entry.")
        var entry: UInt32
        @Option(help: "How long, in hours.")
        var hours: EffortArgument?
        @Option(help: "The issue.")
        var issue: IssueArgument?
        @OptionGroup var traits: Traits
        @OptionGroup var options: ProjectEditOptions

        func validate() throws {
            guard hours != nil || issue != nil || !traits.isEmpty else {
                throw ValidationError("say what to change; see --help")
            }
        }

        func run() throws {
            try options.edit { read, session in
                let before = try Self.entry(entry, read, session)
                var time = before
                if let hours { time.minutes = hours.minutes }
                if let issue { time.issue = issue.number }
                try traits.apply(to: &time, read, session)
                return time == before ? [] : [.keep(.time(time))]
            }
        }

        /// The entry with a number.
        static func entry(
            _ number: UInt32, _ read: ProjectContentsRead, _ session: Session
        ) throws -> WorkedTime {
            var skip: UInt32 = 0
            while true {
                let reply = try session.askProject(
                    ListTime(project: read.project.id, limit: 1_000, skip: skip),
                    for: TimeListed.self)
                for listed in reply.times {
                    if let time = listed.time, time.number == number { return time }
                }
                skip += UInt32(clamping: reply.times.count)
                guard skip < reply.count, !reply.times.isEmpty else {
                    throw Failure(
                        .refused, "there is no entry \(number)", advice: "see steward time list")
                }
            }
        }
    }

    /// `steward time remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes an entry; steward project undo brings it back.")

        @Argument(help: "The number of the entry.")
        var entry: UInt32
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            try options.edit { _, _ in [.remove(.time(WorkedTime(number: entry)))] }
        }
    }
}
