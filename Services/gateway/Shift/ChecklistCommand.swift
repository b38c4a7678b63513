import ArgumentParser
import Bus
import Messages
import ShiftClient
import ShiftLog
import Speech
import Terminal

/// `steward checklist`
struct ChecklistCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checklist",
        abstract: "The checklists of the open shift: walk them, tick tasks.",
        discussion: """
            A task is named by its number in steward checklist show, by its id, or by words of its \
            title. Without a connection marks are kept on this machine and sent later.
            """,
        subcommands: [List.self, Show.self, Tick.self, Note.self, Walk.self])

    /// `steward checklist list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the checklists of the open shift and their progress.")

        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let report = ShiftReport(desk, at: WallClock.milliseconds())
            if output.json { return try session.printer.json(.lists, report.lists) }
            session.printer.table(report.table)
            try desk.remarkOnState()
        }
    }

    /// `steward checklist show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the tasks of a checklist with their numbers.",
            discussion: """
                General tasks, which have to be watched over the whole section, are orange and \
                have the word “general”.
                """)

        @Argument(help: "The list: its number, its name or the beginning of it. Default: all.")
        var list: String?
        @Flag(help: "Only unmarked tasks.")
        var open = false
        @Flag(help: "Only tasks of the daily security round.")
        var security = false
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let state = desk.state
            let names = ShiftNames(state)
            let lists = try list.map { [try names.list($0)] } ?? state.lists.templates
            let listing = TaskListing(state, at: WallClock.milliseconds()) {
                (!open || $0.state == .unchecked) && (!security || $0.listed.task.securityRound)
            }
            if output.json {
                return try session.printer.json(.tasks, lists.flatMap { listing.reports(of: $0) })
            }
            for line in lists.flatMap({ listing.lines(of: $0) }) { session.printer.result(line) }
            try desk.remarkOnState()
        }
    }

    /// `steward checklist tick`
    struct Tick: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Marks tasks as ok or done, or otherwise as the options say.")

        @Argument(
            help: "The tasks: numbers, ids, or words of the title in quotes.",
            completion: Offered.tasks)
        var tasks: [String]
        @Flag(name: .customLong("not-ok"), help: "They are not as they should be.")
        var isNotOk = false
        @Option(name: .customLong("not-applicable"), help: "They don't apply today, and why.")
        var reason: String?
        @Flag(help: "Remove the mark.")
        var clear = false
        @Option(help: "A note at each of them.")
        var note: String?
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard [isNotOk, reason != nil, clear].count(where: { $0 }) < 2 else {
                throw ValidationError(
                    "--not-ok, --not-applicable and --clear can't be said together")
            }
            if reason?.isEmpty == true { throw ValidationError("say why it doesn't apply") }
        }

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let names = ShiftNames(desk.state)
            let found = try tasks.map { try leaf($0, names, desk.state) }
            try desk.perform(
                found.flatMap { task in
                    [.mark(mark(task.key))]
                        + (note.map {
                            [.note(NoteTask(list: task.key.list, task: task.key.task, text: $0))]
                        } ?? [])
                })
            let listing = TaskListing(desk.state, at: WallClock.milliseconds()) { _ in true }
            let reports = found.map { listing.report($0.key) }
            if output.json { return try session.printer.json(.tasks, reports) }
            for report in reports {
                session.printer.result(
                    "\(report.number) \(report.title.printable): \(report.words)")
            }
            for task in found where !task.task.link.isEmpty && !isNotOk && !clear {
                session.printer.remark(
                    "it opens a list: steward checklist walk '\(task.task.link)'")
            }
        }

        private func mark(_ key: TaskKey) -> MarkTask {
            MarkTask(
                list: key.list, task: key.task,
                finding: clear || reason != nil ? .unspecified : isNotOk ? .notOk : .ok,
                notApplicable: reason ?? "")
        }

        /// The state of a parent follows from its children, so the error names those.
        private func leaf(
            _ text: String, _ names: ShiftNames, _ state: ShiftState
        ) throws(Failure) -> ListedTask {
            let task = try names.task(text)
            guard !task.isLeaf else { return task }
            let children = task.children.map { position in
                let child = state.lists.tasks[position]
                return "\(position + 1) “\(child.task.title(in: state.language).printable)”"
            }
            let title = task.task.title(in: state.language).printable
            throw Failure(
                .refused, "“\(title)” follows from the tasks under it",
                advice: "tick those: " + children.joined(separator: ", "))
        }
    }

    /// `steward checklist note`
    struct Note: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes a note at a task. Notes are added, never overwritten.")

        @Argument(
            help: "The task: its number, its id, or words of its title in quotes.",
            completion: Offered.tasks)
        var task: String
        @Argument(help: "The note.")
        var text: String
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let task = try ShiftNames(desk.state).task(task)
            try desk.perform(
                .note(NoteTask(list: task.key.list, task: task.key.task, text: text)))
            if output.json {
                let listing = TaskListing(desk.state, at: WallClock.milliseconds()) { _ in true }
                return try session.printer.json(.tasks, [listing.report(task.key)])
            }
            session.printer.result(
                "noted at “\(task.task.title(in: desk.state.language).printable)”")
        }
    }
}
