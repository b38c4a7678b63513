import ArgumentParser
import FloorPlan
import Messages
import PlanSpeech
import Speech
import Terminal

extension PlanCommand {
    /// `steward plan library`
    struct LibraryCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "library", abstract: "Keeps your own things, to be placed again.",
            discussion: """
                Draw a thing, wall or room once, keep it under a name, and place it in any plan:

                  steward plan library keep bed-1 'Bed of ward 3'
                  steward plan place 'Bed of ward 3' --at 1000,1200
                """,
            subcommands: [ListLibraryCommand.self, Keep.self, Remove.self])
    }
}

extension PlanCommand.LibraryCommand {
    /// `steward plan library list`
    struct ListLibraryCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the library by name.")

        @Argument(help: "Words of the name.")
        var words: [String] = []
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.askPlan(
                ListLibrary(text: words.joined(separator: " ")), for: Library.self)
            if output.json { return try session.printer.json(.libraryItems, reply.items) }
            guard !reply.items.isEmpty else {
                return session.printer.remark(
                    words.isEmpty
                        ? "nothing is kept; keep something: steward plan library keep THING NAME"
                        : "nothing of that name is kept; all: steward plan library list")
            }
            let clock = try session.siteClock
            var table = TextTable([
                .text("NAME"), .text("WHAT"), .whole("MEASURES"),
                .time(clock.title("KEPT", of: reply.items.map(\.changed))), .text("BY"),
            ])
            for kept in reply.items {
                table.add([
                    .init(kept.label), .init(kept.item.kindName),
                    .init(kept.item.measures), .init(clock.moment(kept.changed)),
                    .init(kept.changedBy),
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward plan library keep`
    struct Keep: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep",
            abstract: "Keeps a thing, wall or room of a plan under a name.",
            discussion: """
                It replaces what has the same name in the library; things placed earlier don't \
                change. A thing is kept with an angle of 0.
                """)

        @Argument(help: "The thing in the plan: its id or label.")
        var thing: String
        @Argument(help: "The name. Default: its label in the plan.")
        var name: String?
        @OptionGroup var target: PlanOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let read = try PlanContentsRead(try target.plan(session), session)
            var item = try PlanAtHand { read.drawing }.item(thing)
            let label = name ?? item.label
            guard !label.isEmpty else {
                throw Failure(
                    .usage, "\(item.id) has no label under which it could be kept",
                    advice: "give one: steward plan library keep \(item.id) NAME")
            }
            if case .element(var element) = item.item {
                element.angle = 0
                element.label = label
                item = PlanItem(item: .element(element))
            }
            let kept = try session.askPlan(
                KeepInLibrary(item: LibraryItem(label: label, item: item)), for: LibraryItem.self,
                repeating: repeating)
            if output.json { return try session.printer.json(.libraryItems, [kept]) }
            session.printer.result(
                "“\(kept.label.printable)” is kept: \(kept.item.kindName), "
                    + "\(kept.item.measures)")
        }
    }

    /// `steward plan library remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a thing from the library; plans keep their copies.")

        @Argument(help: "Its name.")
        var name: String
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let gone = try session.askPlan(
                RemoveFromLibrary(label: name), for: LibraryItem.self, repeating: repeating)
            if output.json { return try session.printer.json(.libraryItems, [gone]) }
            session.printer.result("“\(gone.label.printable)” is removed from the library")
        }
    }
}
