import ArgumentParser
import Bus
import FloorPlan
import Foundation
import Messages
import Papers
import PlanDrawing
import PlanWriting
import Speech
import Terminal

extension PlanCommand {
    /// `steward plan export`
    struct Export: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Exports a plan: as a picture to scale, or as a file to import again.",
            discussion: """
                The file's extension chooses the format: .pdf, .svg and .png are pictures with \
                dimensions, a title block and a scale bar; .nav has the whole plan, exactly; .xml \
                is the XML of BoligApp, which has only walls, doors and rectangles.

                  steward plan export flat.pdf
                  steward plan export flat.png --view --no-dimensions --language nb
                  steward plan export flat.svg --check --reach --to Bath
                  steward plan export flat.nav
                """)

        @Argument(help: "The file: .pdf, .svg, .png, .nav or .xml.", completion: .file())
        var file: String
        @OptionGroup var picture: PictureArguments
        @OptionGroup var target: PlanOption
        @OptionGroup var output: OutputOptions

        private static let endings = ["pdf", "svg", "png", "nav", "xml"]

        func validate() throws {
            guard Self.endings.contains(ending) else {
                throw ValidationError(
                    "the file's extension chooses the format: "
                        + Self.endings.map { "." + $0 }.joined(separator: ", "))
            }
        }

        func run() throws {
            let session = try Session()
            let read = try PlanContentsRead(try target.plan(session), session)
            let details = read.plan.details ?? PlanDetails()
            try PlanOutput.write(
                try bytes(read, details, session), to: file, session.printer, isJSON: output.json)
        }

        private func bytes(
            _ read: PlanContentsRead, _ details: PlanDetails, _ session: Session
        ) throws -> [UInt8] {
            switch ending {
            case "nav": return WrittenPlan.native(details, read.drawing.items)
            case "xml":
                for loss in WrittenPlan.leftOutOfBoligXML(details, read.drawing.items) {
                    session.printer.remark("left out: \(loss.printable)")
                }
                return WrittenPlan.boligXML(details, read.drawing.items)
            default: break
            }
            let drawn = try picture.picture(of: read, session)
            for remark in drawn.remarks { session.printer.remark("note: \(remark.printable)") }
            switch ending {
            case "pdf": return try drawn.pdf()
            case "png": return try drawn.png()
            default: return drawn.svg()
            }
        }

        private var ending: String { PlanOutput.ending(of: file) }
    }

    /// `steward plan draw`
    struct Draw: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "draw",
            abstract: "Draws a plan at the terminal.",
            discussion: """
                It fills the window with your view: see “steward plan view”. For exact measures \
                use “steward plan show” and “steward plan export”.
                """)

        @Flag(help: "Show all of the plan, whatever your view is.")
        var all = false
        @Option(help: "Columns of the drawing. Default: those of the window, else 80.")
        var columns: Int?
        @Option(help: "Rows of the drawing. Default: those of the window, else 30.")
        var rows: Int?
        @OptionGroup var content: PictureContent
        @OptionGroup var target: PlanOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (20...1_000).contains(columns ?? 80), (5...1_000).contains(rows ?? 30) else {
                throw ValidationError("a drawing has 20 to 1000 columns and 5 to 1000 rows")
            }
        }

        func run() throws {
            let session = try Session()
            let read = try PlanContentsRead(try target.plan(session), session)
            guard !read.drawing.order.isEmpty else {
                if output.json {
                    return try session.printer.json(.files, [WrittenFile(path: nil, text: "")])
                }
                return session.printer.remark(
                    "nothing is drawn yet; begin with steward plan room NAME --size 4000x3000")
            }
            var options = try content.options(session)
            if !all { options.region = try session.region(of: read.plan) }
            let picture = try content.picture(of: read, options, session)
            let out = session.printer.out
            let height = out.height.map { max(5, $0 - 2) }
            let text = picture.text(
                columns: columns ?? out.width ?? Terminal.columns ?? 80, rows: rows ?? height ?? 30,
                coloured: out.hasColours && !output.json)
            if output.json {
                return try session.printer.json(.files, [WrittenFile(path: nil, text: text)])
            }
            session.printer.result(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        }
    }
}

/// Options for what to draw of a plan.
struct PictureContent: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Dimensions.")
    var dimensions = true
    @Flag(inversion: .prefixedNo, help: "The names of rooms and things.")
    var labels = true
    @Flag(inversion: .prefixedNo, help: "The corners of walls.")
    var corners = true
    @Flag(help: "Mark what fails a check.")
    var check = false
    @Flag(help: "Show where the chair can go, and its turning circle.")
    var reach = false
    @Option(help: "The room to which to draw the path, with --reach.")
    var to: String?
    @Option(help: "The wheelchair in the plan. Default: that of the plan's details.")
    var chair: String?
    @OptionGroup var speech: PlanLanguageOption

    /// The options of a picture, as far as given here.
    func options(_ session: Session) throws -> PictureOptions {
        try PictureOptions(
            dimensions: dimensions, labels: labels, corners: corners,
            language: speech.code(session))
    }

    func validate() throws {
        guard to == nil || reach else { throw ValidationError("--to goes with --reach") }
    }

    /// Draws a plan, with the requested findings and reach.
    func picture(
        of read: PlanContentsRead, _ options: PictureOptions, _ session: Session
    ) throws -> PlanPicture {
        let chair = try session.chair(self.chair, of: read.plan.id)
        let findings =
            check
            ? try session.check(
                CheckPlan(
                    plan: read.plan.id, chair: chair, language: speech.code(session),
                    failingOnly: true)
            ).findings : []
        let reached =
            reach
            ? try session.reach(
                ReachPlan(
                    plan: read.plan.id, chair: chair, to: to ?? "",
                    language: speech.code(session))) : nil
        return try PlanPicture(
            read.drawing, read.plan.details ?? PlanDetails(), options: options,
            findings: findings, reach: reached)
    }
}

/// Options for how a plan is drawn on its sheet.
struct PictureArguments: ParsableArguments {
    @Option(
        help: "The scale, e.g. 50 for 1:50, or fit. Default: 50, or the next that fits.",
        transform: Self.scale)
    var scale: PictureOptions.Scale = .automatic
    @Option(help: "The paper, a4 to a0. Default: a4, or larger if necessary.")
    var paper: PaperSize?
    @Option(help: "The unit of dimensions, cm or mm.")
    var unit: PictureOptions.Unit = .centimetres
    @Flag(help: "Only your view: see steward plan view.")
    var view = false
    @OptionGroup var content: PictureContent

    @Sendable private static func scale(_ text: String) throws -> PictureOptions.Scale {
        if text.lowercased() == "fit" { return .fit }
        let number = text.hasPrefix("1:") ? text.dropFirst(2) : text[...]
        guard let scale = UInt32(number), (1...10_000).contains(scale) else {
            throw ValidationError("a scale is 50 or 1:50, from 1 to 10000, or fit")
        }
        return .oneTo(scale)
    }

    /// Draws a plan.
    func picture(of read: PlanContentsRead, _ session: Session) throws -> PlanPicture {
        var options = try content.options(session)
        (options.scale, options.paper, options.unit) = (scale, paper, unit)
        (options.date, options.revision) = (PlanOutput.today, read.plan.revision)
        if view { options.region = try session.region(of: read.plan) }
        return try content.picture(of: read, options, session)
    }
}

extension PaperSize: ExpressibleByArgument {}
extension PictureOptions.Unit: ExpressibleByArgument {}

extension Session {
    /// The part of a plan that the person's view shows; nil for all of it.
    func region(of plan: Plan) throws -> PictureOptions.Region? {
        PictureOptions.Region(
            try askPlan(ReadPlanView(plan: plan.id), for: PlanView.self))
    }
}

/// The files that commands write.
enum PlanOutput {
    /// The extension of a file, in lower case: `pdf`.
    static func ending(of file: String) -> String { URL(filePath: file).pathExtension.lowercased() }

    /// Today's date as drawings show it.
    static var today: String {
        String(SiteClock(zone: nil).moment(WallClock.milliseconds()).prefix(10))
    }

    /// Writes a file.
    static func write(
        _ bytes: [UInt8], to file: String, _ printer: Printer, isJSON: Bool
    ) throws {
        try OutputFile.write(bytes, to: file)
        if isJSON { return try printer.json(.files, [WrittenFile(path: file, text: nil)]) }
        printer.result("written: \(file.printable)")
    }

    /// Writes a text to a file, or to standard output if that is nil.
    static func write(_ text: String, to file: String?, _ printer: Printer, isJSON: Bool) throws {
        if let file { return try write(Array(text.utf8), to: file, printer, isJSON: isJSON) }
        if isJSON { return try printer.json(.files, [WrittenFile(path: nil, text: text)]) }
        printer.result(bytes: Array(text.utf8))
    }
}
