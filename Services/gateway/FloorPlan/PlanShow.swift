import ArgumentParser
import FloorPlan
import Messages
import PlanSpeech
import Speech
import Terminal

extension PlanCommand {
    /// `steward plan show`
    struct Show: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows a plan: its details, and everything in it with ids.",
            discussion: """
                It lists walls with their doors and windows, then rooms with their areas, then \
                things. Measures are in millimetres. “steward plan draw” shows the picture.
                """)

        @Argument(help: ArgumentHelp("Only these things: ids or labels.", valueName: "thing"))
        var things: [String] = []
        @OptionGroup var target: PlanOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let read = try PlanContentsRead(try target.plan(session), session)
            let plan = PlanAtHand { read.drawing }
            let items =
                things.isEmpty ? read.drawing.listed : try things.map { try plan.item($0) }
            if output.json {
                return try session.printer.json(
                    .contents,
                    [
                        PlanContents(
                            plan: read.plan, items: things.isEmpty ? read.drawing.items : items)
                    ])
            }
            if things.isEmpty {
                for line in PlanWords.details(read.plan, try session.siteClock) {
                    session.printer.result(line)
                }
                guard !items.isEmpty else {
                    return session.printer.remark(
                        "nothing is in it yet; draw a room: steward plan room --help")
                }
                session.printer.result("")
            }
            session.printer.table(Self.table(items))
        }

        private static func table(_ items: [PlanItem]) -> TextTable {
            var table = TextTable([
                .id("ID"), .text("WHAT"), .text("CALLED"), .whole("WHERE"), .whole("MEASURES"),
            ])
            for item in items {
                table.add([
                    .init(item.id, .bold), .init(item.kindName), .init(item.label),
                    .init(item.position), .init(item.measures),
                ])
            }
            return table
        }
    }
}

extension FloorPlan {
    /// Its items in the order of the list: walls with their openings, rooms, elements, each in the
    /// order in which they were drawn.
    var listed: [PlanItem] {
        let order = order
        let drawn = order.compactMap { walls[$0] }.flatMap { wall in
            [PlanItem(item: .wall(wall))]
                + openings(in: wall.id).map { PlanItem(item: .opening($0)) }
        }
        return drawn + order.compactMap { rooms[$0].map { PlanItem(item: .room($0)) } }
            + order.compactMap { elements[$0].map { PlanItem(item: .element($0)) } }
    }
}

extension PlanWords {
    /// The details of a plan, one line each.
    static func details(_ plan: Plan, _ clock: SiteClock) -> [String] {
        let details = plan.details ?? PlanDetails()
        var rows = [
            ("name", details.name), ("about", details.description), ("address", details.address),
            ("client", details.client), ("author", details.author),
            ("title", details.authorTitle), ("assessed", details.assessment),
            ("north", details.north.map(PlanWords.degrees) ?? ""),
        ]
        rows.append(("measured", details.tolerance > 0 ? "± \(details.tolerance) mm" : ""))
        rows.append(("standard", details.standards.joined(separator: ", ")))
        rows.append(("chair", details.chair))
        rows.append(
            (
                "changed",
                clock.fullMoment(plan.changed)
                    + (plan.changedBy.isEmpty ? "" : " by " + plan.changedBy)
            ))
        rows.append(("revision", "\(plan.revision)"))
        let undo = [
            plan.undoable > 0 ? "\(plan.undoable) can be undone" : "",
            plan.redoable > 0 ? "\(plan.redoable) redone" : "",
        ]
        rows.append(("edits", PlanItem.joined(undo)))
        return rows.filter { !$0.1.isEmpty }.map { name, value in
            name.padded(to: 10) + value.printable
        }
    }
}
