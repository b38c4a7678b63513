import ArgumentParser
import Bus
import Messages
import PlanSpeech
import Speech
import Terminal

extension PlanCommand {
    /// `steward plan reach`
    struct Reach: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows where a wheelchair can go: doors, rooms, and the path.",
            discussion: """
                It begins at the entrances, and lists every door that is too narrow for the chair, \
                and for each room whether the chair can enter and turn there, or what keeps it \
                out.

                  steward plan reach --chair wheelchair-1
                  steward plan reach --size 700x1200 --to Bath
                """)

        @Option(help: "The wheelchair in the plan. Default: that of the plan's details.")
        var chair: String?
        @Option(help: "A chair of this width and length instead.", transform: PlanMeasure.size)
        var size: PlanSize?
        @Option(help: "The room to which to show the path: its id or name.")
        var to: String?
        @OptionGroup var target: PlanOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard chair == nil || size == nil else {
                throw ValidationError("--chair and --size can't be said together")
            }
            let sides = size.map { [$0.width, $0.depth] } ?? [] as [UInt32]
            guard sides.allSatisfy({ (100...5_000).contains($0) }) else {
                throw ValidationError("a chair is 100 mm to 5 m wide and long: --size 650x1100")
            }
        }

        func run() throws {
            let session = try Session()
            let reach = try session.reach(
                ReachPlan(
                    plan: try target.plan(session), chair: chair ?? "", width: size?.width ?? 0,
                    length: size?.depth ?? 0, to: to ?? ""))
            if output.json { return try session.printer.json(.reaches, [reach]) }
            let printer = session.printer
            printer.result("a chair of \(reach.width) x \(reach.length) mm")
            for door in reach.doors {
                let name = door.name.isEmpty ? door.door : "\(door.door) (\(door.name))"
                printer.result(
                    "\(FindingWords.mark(.fail, printer.out.hasColours)) \(name.printable): "
                        + "\(door.measured ? "" : "about ")\(door.passage) mm are free, "
                        + "\(door.missing) mm are missing"
                        + (door.stoppedBy.isEmpty
                            ? "" : "; \(door.stoppedBy.printable) keeps it from opening fully"))
            }
            if reach.doors.isEmpty { printer.result("no door is too narrow for it") }
            printer.table(Self.rooms(reach))
            if let to { tellWay(to, reach, printer) }
        }

        private static func rooms(_ reach: PlanReach) -> TextTable {
            var table = TextTable([
                .text("ROOM"), .id("ID"), .text("GETS IN"), .text("TURNS"), .text("KEPT OUT BY"),
            ])
            for room in reach.rooms {
                table.add([
                    .init(room.name, .bold), .init(room.room), answer(room.reached),
                    answer(room.turned), .init(room.obstruction),
                ])
            }
            return table
        }

        private static func answer(_ verdict: Verdict) -> TextTable.Cell {
            switch verdict {
            case .pass: .init("yes", .green)
            case .fail: .init("no", .red)
            case .uncertain: .init("unsure", .yellow)
            default: .init("unknown", .yellow)
            }
        }

        private func tellWay(_ room: String, _ reach: PlanReach, _ printer: Printer) {
            guard let first = reach.route.first, let last = reach.route.last else {
                return printer.result("no sure way to “\(room.printable)” was found")
            }
            var length = 0.0
            for (from, to) in zip(reach.route, reach.route.dropFirst()) {
                let (a, b) = (from.at ?? PlanPoint(), to.at ?? PlanPoint())
                let (x, y) = (Double(b.x) - Double(a.x), Double(b.y) - Double(a.y))
                length += (x * x + y * y).squareRoot()
            }
            printer.result(
                "the way to “\(room.printable)”: \(Wording.distance(UInt32(length / 1000))) from "
                    + "\((first.at ?? PlanPoint()).words) to \((last.at ?? PlanPoint()).words); "
                    + "draw it: steward plan export FILE.pdf --reach --to "
                    + room.asWord)
        }
    }
}
