import ArgumentParser
import Bus
import Messages
import ShiftClient
import ShiftLog
import Speech

extension ChecklistCommand {
    /// `steward checklist walk`
    struct Walk: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "walk",
            abstract: "Walks a checklist at the terminal: one key for each task.",
            discussion: """
                It continues where the last walk ended, and goes from one task that you may mark \
                to the next: for crew members those of their areas. space ok, x not ok, a does \
                not apply, n note, u undo, b back, j section, / search, q quit; ? explains them.

                Each mark is saved on this machine before the next task is shown, and sent in the \
                background.
                """)

        @Argument(
            help: """
                The list: its number, its name or the beginning of it. Default: the first that is \
                not finished and has something for you to mark.
                """)
        var list: String?
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let state = desk.state
            let crew = try session.crewMember(at: desk.copy.shift.site)
            let open = state.lists.templates.first {
                $0.kind != .travelPath && WalkPosition($0, state, crew).hasOpen(state)
            }
            guard
                let first = try list.map({ try ShiftNames(state).list($0) }) ?? open
                    ?? state.lists.templates.first
            else {
                throw Failure(
                    .refused, "the shift has no lists",
                    advice:
                        "import the shipped ones before the next shift: steward template restaurant"
                )
            }
            let language = try session.language
            let walk = try ChecklistWalk(desk, first, crew, language)
            try walk.run()
            walk.leave()
            walk.unshown.forEach(session.printer.remark)
            desk.showNews(in: language)
            if output.json {
                let report = ShiftReport(desk, at: WallClock.milliseconds())
                try session.printer.json(.lists, report.lists.filter { $0.id == walk.list })
            } else {
                let progress = desk.state.progress(of: walk.list)
                session.printer.result(
                    "\(progress.lookedAt) of \(progress.tasks) tasks looked at")
            }
            try desk.remarkOnState()
            guard walk.refused == 0 else {
                throw Failure(
                    .refused, "of what you did on this walk, \(walk.refused) not taken in",
                    advice: "it stays in steward shift refused until you dismiss it or send it "
                        + "again")
            }
        }
    }
}
