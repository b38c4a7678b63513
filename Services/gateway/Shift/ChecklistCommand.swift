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
        subcommands: [
            List.self, Show.self, Tick.self, Note.self, Walk.self, ShowPhoto.self,
        ])

    /// `steward checklist list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
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
            commandName: "show",
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

    /// `steward checklist note`
    struct Note: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "note",
            abstract: "Adds a note to a task. Notes are never overwritten.")

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
