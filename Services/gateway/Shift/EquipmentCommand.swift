import ArgumentParser
import Foundation
import Messages
import Speech
import Terminal

/// `steward equipment`
struct EquipmentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "equipment", abstract: "Equipment: what works, what doesn't, and its history.",
        subcommands: [List.self, Report.self])

    /// `steward equipment list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the equipment of a site.")

        @Argument(help: "Only equipment with this in its name.")
        var text: String = ""
        @Flag(help: "Only equipment that doesn't work properly.")
        var faulty = false
        @Flag(help: "Include its history.")
        var history = false
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let equipment = try session.equipment(
                ListEquipment(site: try place.site(session).id, faultyOnly: faulty, text: text))
            if output.json { return try session.printer.json(.equipment, equipment) }
            guard !equipment.isEmpty else {
                return session.printer.remark("there is none; name some: steward equipment report")
            }
            let clock = try session.siteClock
            let times = equipment.flatMap { $0.history.map(\.time) }
            var table = TextTable([
                .text("EQUIPMENT"), .text("AREA"), .text("STATE"),
                .time(clock.title("SINCE", of: times)), .text("BY"),
                .text("WHAT"),
            ])
            for one in equipment {
                let entries = one.history.prefix(history ? one.history.count : 1)
                for (index, entry) in entries.enumerated() {
                    table.add([
                        .init(index == 0 ? one.name : ""), .init(index == 0 ? one.area : ""),
                        .init(entry.state.word, entry.state.style),
                        .init(clock.moment(entry.time)), .init(entry.by), .init(entry.text),
                    ])
                }
            }
            session.printer.table(table)
        }
    }

    /// `steward equipment report`
    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "report",
            abstract: "Reports the state of a piece of equipment: a fault, a repair.")

        @Argument(help: "Its name; a new one is added.")
        var name: String
        @Argument(help: "Its state: working, faulty or out-of-order.")
        var state: StateArgument
        @Argument(help: "What is wrong, or what was done.")
        var text: String = ""
        @Option(help: "The area where it is.", completion: Offered.areas)
        var area: String?
        @OptionGroup var place: SiteOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let site = try place.site(session).id
            // A name that is mistyped makes another piece, and the fault of the first one stays.
            let typed = name.trimmingCharacters(in: .whitespaces).prefix(100)
            let known = try session.equipment(ListEquipment(site: site, text: String(typed)))
            let reply = try session.ask(
                .checklist,
                ReportEquipment(
                    site: site, name: name, area: area ?? "",
                    state: state.state, text: text),
                for: Equipment.self, repeating: repeating)
            if output.json { return try session.printer.json(.equipment, [reply]) }
            session.printer.result("\(reply.name.printable): \(reply.state.word)")
            if !known.contains(where: { $0.id == reply.id }) {
                session.printer.remark("it is new here; the others: steward equipment list")
            }
        }
    }

    /// The state of equipment, as it is typed.
    enum StateArgument: String, ExpressibleByArgument, CaseIterable {
        case working
        case faulty
        case outOfOrder = "out-of-order"

        var state: EquipmentState {
            switch self {
            case .working: .working
            case .faulty: .faulty
            case .outOfOrder: .outOfOrder
            }
        }
    }
}

extension EquipmentState {
    /// The state in words.
    var word: String {
        switch self {
        case .working: "working"
        case .faulty: "faulty"
        case .outOfOrder: "out of order"
        default: description
        }
    }

    /// The style that makes it stand out.
    var style: Style? {
        switch self {
        case .faulty: .yellow
        case .outOfOrder: .alarm
        default: nil
        }
    }
}
