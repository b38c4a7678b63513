import ArgumentParser
import Bus
import Messages
import Phrases
import PlanDrawing
import PlanSpeech
import Speech
import Terminal

extension PlanCommand {
    /// `steward plan reach`
    struct Reach: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "reach",
            abstract: "Shows where a wheelchair can go: doors, rooms, and the path.",
            discussion: """
                It begins at the entrances, and lists every door that is too narrow for the chair, \
                or may be, and for each room whether the chair can enter and turn there, or what \
                keeps it out. What is closer to the size of the chair than the tolerance of the \
                plan (see --tolerance of steward plan details) is unsure.

                  steward plan reach --chair wheelchair-1
                  steward plan reach --size 700x1200 --to Bath
                """)

        @Option(help: "The wheelchair in the plan. Default: that of the plan's details.")
        var chair: String?
        @Option(help: "A chair of this width and length instead.", transform: PlanMeasure.size)
        var size: PlanSize?
        @Option(help: "The room to which to show the path: its id or name.")
        var to: String?
        @OptionGroup var person: PersonOptions
        @Flag(help: "Leave out movable aids: shower chairs, commodes and rails that fold up.")
        var withoutMovable = false
        @OptionGroup var speech: PlanLanguageOption
        @OptionGroup var target: PlanOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard chair == nil || size == nil else {
                throw ValidationError("--chair and --size can't be used together")
            }
            guard person.given.isEmpty || size != nil else {
                throw ValidationError(
                    "\(person.given[0]) goes with --size; for a chair of the plan: steward plan "
                        + "change")
            }
            try size?.requireChair()
        }

        func run() throws {
            let session = try Session()
            let plan = try target.plan(session)
            let reach = try session.reach(
                ReachPlan(
                    plan: plan, chair: try session.chair(chair, of: plan),
                    width: size?.width ?? 0, length: size?.depth ?? 0, to: to ?? "",
                    language: speech.code(session),
                    withoutMovable: withoutMovable,
                    build: size == nil ? nil : person.applied(to: Wheelchair())))
            if output.json { return try session.printer.json(.reaches, [reach]) }
            let printer = session.printer
            let words = Words<FindingPhrase>(try speech.chosen(session))
            printer.result(
                words.say(
                    .reachChair, ["width": "\(reach.width)", "length": "\(reach.length)"]))
            for door in reach.doors {
                let verdict: Verdict = door.isCertain ? .fail : .uncertain
                let mark = FindingWords.mark(verdict, printer.out.hasColours, words)
                printer.result("\(mark) \(Self.line(door, words))")
            }
            // Whatever else may keep the chair out is named with the rooms.
            let isSure = !reach.guessed && !reach.rooms.contains { $0.reached == .uncertain }
            if reach.doors.isEmpty, isSure { printer.result(words.say(.reachNoDoor)) }
            printer.table(Self.rooms(reach, words))
            if let to { printWay(to, reach, words, printer) }
        }

        private static func line(_ door: TightDoor, _ words: Words<FindingPhrase>) -> String {
            let name = door.name.isEmpty ? door.door : "\(door.door) (\(door.name))"
            let line = words.say(
                door.isCertain ? .reachDoor : .reachDoorUnsure,
                [
                    "door": name.printable,
                    "free": (door.measured ? "" : "~") + "\(door.passage)",
                    "missing": "\(door.missing)",
                ])
            guard !door.stoppedBy.isEmpty else { return line }
            return line + "; " + words.say(.reachStopped, ["item": door.stoppedBy.printable])
        }

        private static func rooms(
            _ reach: PlanReach, _ words: Words<FindingPhrase>
        ) -> TextTable {
            var table = TextTable([
                .text(words.say(.reachRoom)), .id("ID"), .text(words.say(.reachGetsIn)),
                .text(words.say(.reachTurns)), .whole(words.say(.reachKeptOut)),
            ])
            for room in reach.rooms {
                table.add([
                    .init(room.name, .bold), .init(room.room), answer(room.reached, words),
                    answer(room.turned, words), .init(room.obstruction),
                ])
            }
            return table
        }

        private static func answer(
            _ verdict: Verdict, _ words: Words<FindingPhrase>
        ) -> TextTable.Cell {
            switch verdict {
            case .pass: .init(words.say(.reachYes), .green)
            case .fail: .init(words.say(.reachNo), .red)
            case .uncertain: .init(words.say(.reachUnsure), .yellow)
            default: .init(words.say(.reachUnknown), .yellow)
            }
        }

        private func printWay(
            _ room: String, _ reach: PlanReach, _ words: Words<FindingPhrase>, _ printer: Printer
        ) {
            guard let first = reach.route.first, let last = reach.route.last else {
                return printer.result(words.say(.reachNoWay, ["room": room.printable]))
            }
            var length = 0.0
            for (from, to) in zip(reach.route, reach.route.dropFirst()) {
                let (a, b) = (from.at ?? PlanPoint(), to.at ?? PlanPoint())
                let (x, y) = (Double(b.x) - Double(a.x), Double(b.y) - Double(a.y))
                length += (x * x + y * y).squareRoot()
            }
            printer.result(
                words.say(
                    .reachWay,
                    [
                        "room": room.printable,
                        "distance": Wording.distance(UInt32(length / 1000)),
                        "from": (first.at ?? PlanPoint()).words,
                        "to": (last.at ?? PlanPoint()).words,
                        "command": "steward plan export FILE.pdf --reach --to " + room.asWord,
                    ]))
        }
    }
}

extension PlanSize {
    /// Refuses what can't be the size of a chair, such as centimetres without their unit.
    func requireChair() throws {
        guard [width, depth].allSatisfy({ (100...5_000).contains($0) }) else {
            throw ValidationError("a chair is 100 mm to 5 m wide and long: --size 650x1100")
        }
    }
}
