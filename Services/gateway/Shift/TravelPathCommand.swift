import ArgumentParser
import Bus
import Messages
import ShiftClient
import ShiftLog
import Speech
import Terminal

/// `steward tp`
struct TravelPathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tp", abstract: "The travel path: a quick walk through the place.",
        subcommands: [Begin.self, Log.self, List.self])

    /// `steward tp begin`
    struct Begin: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "begin",
            abstract: "Begins a travel path, and shows what was done since the last one.")

        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            try desk.perform(.beginTravelPath(BeginTravelPath()))
            let state = desk.state
            let begun = state.travelPaths.last { $0.logged == nil }?.begun
            let todos = state.todosToFollowUp(from: begun)
            let listing = TodoListing(state)
            if output.json { return try session.printer.json(.todos, todos.map(listing.report)) }
            if todos.isEmpty {
                session.printer.result("nothing was done since the last travel path")
            } else {
                session.printer.result("done since the last travel path; have a look at each:")
                session.printer.table(listing.table(todos))
            }
            session.printer.remark(
                "add what you find: steward todo add; at the end: steward tp log")
        }
    }

    /// `steward tp log`
    struct Log: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "log",
            abstract: "Logs that the travel path was walked, which ends its reminder.")

        @Argument(help: "What was seen, in a few words.")
        var text: String = ""
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let begun = desk.state.travelPaths.last { $0.logged == nil }?.begun ?? []
            try desk.perform(.logTravelPath(LogTravelPath(begun: begun, text: text)))
            let state = desk.state
            let now = WallClock.milliseconds()
            if output.json {
                return try session.printer.json(.shifts, [ShiftReport(desk, at: now)])
            }
            let zone = state.shift.timeZone
            let slot = state.travelPaths.last { $0.logged != nil }?.slot
            let counts =
                slot.map { " for \(Wording.time($0, in: zone))" } ?? ", off schedule"
            let next = state.nextTravelPath(after: now).map {
                "; the next is due at \(SiteClock(zone: zone).time($0))"
            }
            session.printer.result("travel path logged\(counts)\(next ?? "")")
        }
    }

    /// `steward tp list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists when travel paths were due and what became of each.")

        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let state = desk.state
            let slots = state.slots(at: WallClock.milliseconds())
            if output.json {
                return try session.printer.json(.travelPaths, slots.map(ShiftReport.Slot.init))
            }
            let zone = state.shift.timeZone
            let clock = SiteClock(zone: zone)
            guard !slots.isEmpty else {
                let first = clock.time(state.schedule.first)
                session.printer.remark("none was due yet; the first is at \(first)")
                return try desk.remarkOnState()
            }
            var table = TextTable([
                .time(clock.title("DUE", of: slots.map(\.due))), .text("STATE"), .time("WALKED"),
                .text("BY"),
            ])
            for slot in slots {
                table.add([
                    .init(Wording.time(slot.due, in: zone)),
                    .init(slot.state.rawValue, slot.state.style),
                    .init(slot.logged.map { Wording.time($0.time, in: zone) } ?? ""),
                    .init(slot.logged?.name ?? ""),
                ])
            }
            session.printer.table(table)
            try desk.remarkOnState()
        }
    }
}
