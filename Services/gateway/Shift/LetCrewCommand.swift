import ArgumentParser
import Bus
import Messages
import ShiftClient
import ShiftLog
import Speech
import Terminal

extension ShiftCommand {
    /// `steward shift let-crew`
    struct LetCrew: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "let-crew",
            abstract: "Sets what crew members may do in a list of this shift.",
            discussion: """
                They may do nothing in it, tick tasks of their areas as ok or done, or inspect: \
                mark those tasks in every way and write notes. Without this, what the template \
                says counts. To-dos of their areas they may always tick, add and comment on.
                """)

        @Argument(help: "The list: its number, its name or the beginning of it.")
        var list: String
        @Argument(help: "nothing, tick or inspect.")
        var may: CrewMayArgument
        @Option(help: "Only this person: the name of an account.")
        var account: String?
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let template = try ShiftNames(desk.state).list(list)
            try desk.perform(
                .letCrew(
                    Messages.LetCrew(
                        list: template.id, may: UInt32(clamping: may.may.rawValue),
                        account: account ?? "")))
            if output.json {
                let report = ShiftReport(desk, at: WallClock.milliseconds())
                return try session.printer.json(
                    .lists, report.lists.filter { $0.id == template.id })
            }
            let who = account?.printable ?? "crew members"
            session.printer.result(
                "\(template.name(in: desk.state.language).printable): \(who) may \(may.may.word)")
        }
    }
}

/// What crew members may do, as it is typed.
enum CrewMayArgument: String, ExpressibleByArgument, CaseIterable {
    case nothing
    case tick
    case inspect

    var may: CrewMay {
        switch self {
        case .nothing: .unspecified
        case .tick: .tick
        case .inspect: .inspect
        }
    }
}
