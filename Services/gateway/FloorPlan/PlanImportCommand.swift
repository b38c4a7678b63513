import ArgumentParser
import Bus
import Foundation
import Messages
import PlanFiles
import PlanSpeech
import Speech
import Terminal

extension PlanCommand {
    /// `steward plan import`
    struct Import: PlanChoosingCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Creates a plan from a file and makes it the one in use.",
            discussion: """
                It reads native files (.nav) as “steward plan export” and “steward plan send” make \
                them, plans in the XML of BoligApp, homes of Sweet Home 3D (.sh3d), scans of \
                RoomPlan (.json), and corners marked in a panorama (.json). It reports what was \
                repaired or guessed. A file that can't be read changes nothing.

                  steward plan import flat.nav
                  steward plan import house.sh3d --level 'Ground floor' --name 'Storgata 1'
                """)

        @Argument(help: "The file.", completion: .file())
        var file: String
        @Option(help: "The plan's name. Default: the name in the file, else the file's own name.")
        var name: String?
        @Option(help: "The storey, by name or id, of a file that has several.")
        var level: String?
        @Option(
            help: "The thickness of walls if the file has none.", transform: PlanMeasure.length)
        var wallThickness: UInt32?
        @Option(help: "Of BoligApp's XML: the unit of its numbers, cm or mm. Default: cm.")
        var unit: PlanFileOptions.Unit?
        @Option(
            help: "Of BoligApp's XML: what places a rectangle, centre or corner. Default: centre.")
        var origin: PlanFileOptions.Origin?
        @Option(
            help: """
                Of BoligApp's XML: the direction of angles, counter-clockwise or clockwise. \
                Default: counter-clockwise.
                """)
        var rotation: PlanFileOptions.Rotation?
        @Option(help: "Of BoligApp's XML: the direction of y, north or south. Default: north.")
        var y: PlanFileOptions.Axis?
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            var imported = try PlanFile.read(
                try InputFile.bytes(file, upTo: PlanFile.largest), named: file, options)
            if let name { imported.details.name = name }
            let plan: Plan
            do {
                plan = try session.askPlan(
                    // Items that overlap in the file are kept as they are.
                    CreatePlan(details: imported.details, items: imported.items, force: true),
                    for: Plan.self, repeating: repeating)
            } catch ClientError.refused(let refusal) where refusal.code == .conflict {
                throw Failure(
                    .refused, refusal.message,
                    advice: "give one: steward plan import \(file.asWord) --name NAME")
            }
            try session.keptPlan.keep(id: plan.id, name: plan.name)
            for warning in imported.warnings {
                session.printer.remark("note: \(warning.printable)")
            }
            if output.json { return try session.printer.json(.plans, [plan]) }
            session.printer.result(
                "\(plan.words) is made from \(file.printable), with "
                    + "\(Wording.count(plan.items, "thing")), and in use")
        }

        private var options: PlanFileOptions {
            var options = PlanFileOptions()
            if let unit { options.unit = unit }
            if let origin { options.origin = origin }
            if let rotation { options.rotation = rotation }
            if let y { options.y = y }
            options.level = level
            options.wallThickness = wallThickness
            return options
        }
    }
}

extension PlanFileOptions.Unit: ExpressibleByArgument {}
extension PlanFileOptions.Origin: ExpressibleByArgument {}
extension PlanFileOptions.Rotation: ExpressibleByArgument {}
extension PlanFileOptions.Axis: ExpressibleByArgument {}
