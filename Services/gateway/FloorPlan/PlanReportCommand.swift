import ArgumentParser
import FloorPlan
import Messages
import PlanDrawing
import Speech
import Terminal

extension PlanCommand {
    /// `steward plan report`
    struct Report: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "report",
            abstract: "Writes the report on a plan: its drawing, the findings, the aids placed.",
            discussion: """
                The file's extension chooses the format: .pdf or .html.

                  steward plan report flat.pdf --language nb
                """)

        @Argument(help: "The file: .pdf or .html.", completion: .file())
        var file: String
        @Option(
            name: .customLong("standard"),
            help: "A standard; may be given several times. Default: those of the plan, else tek17.",
            transform: { $0.lowercased() })
        var standards: [String] = []
        @Option(help: "The wheelchair in the plan. Default: that of the plan's details.")
        var chair: String?
        @Flag(inversion: .prefixedNo, help: "Look for repairs, which takes longer.")
        var repairs = true
        @Option(help: "The unit of dimensions, cm or mm.")
        var unit: PictureOptions.Unit = .centimetres
        @OptionGroup var speech: PlanLanguageOption
        @OptionGroup var target: PlanOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard ["pdf", "html", "htm"].contains(PlanOutput.ending(of: file)) else {
                throw ValidationError("the file's extension chooses the format: .pdf or .html")
            }
        }

        func run() throws {
            let session = try Session()
            let plan = try target.plan(session)
            let chair = try session.chair(self.chair, of: plan)
            let check = try session.check(
                CheckPlan(
                    plan: plan, standards: standards, chair: chair,
                    language: speech.code(session), repairs: repairs))
            let read = try PlanContentsRead(plan, session)
            guard check.plan?.revision == read.plan.revision else {
                throw Failure(
                    .refused, "the plan was changed while it was checked", advice: "ask again")
            }
            var details = read.plan.details ?? PlanDetails()
            if !chair.isEmpty { details.chair = chair }
            // The report has both: with and without movable aids.
            let cleared =
                read.drawing.elements.values.contains { $0.aidRole == .movable }
                ? try session.check(
                    CheckPlan(
                        plan: plan, standards: standards, chair: chair,
                        language: speech.code(session), withoutMovable: true)) : nil
            let report = try PlanReport(
                read.drawing, details, check: check, cleared: cleared,
                language: speech.code(session), date: PlanOutput.today, unit: unit)
            let isPDF = PlanOutput.ending(of: file) == "pdf"
            try PlanOutput.write(
                isPDF ? try report.pdf() : report.html(), to: file, session.printer,
                isJSON: output.json)
        }
    }
}
