import ArgumentParser
import Dates
import Foundation
import GanttChart
import Messages
import Papers
import Phrases
import ProjectRecord
import Speech
import Terminal

/// `steward gantt`
struct GanttCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gantt", abstract: "Draws a Gantt chart of one or more projects.",
        discussion: """
            At the terminal, or into a file whose extension chooses the format: .svg, .png or \
            .pdf.

              steward gantt
              steward gantt --from 2026-03-01 --until 2026-03-31 --scale day
              steward gantt --baseline Promised -o plan.pdf --paper a3
              steward gantt --load

            At the terminal, days with fewer than three columns have no numbers, except Mondays: \
            choose fewer days, or more --columns.

            The critical path, what is late, what may slip and today are marked. Edit with steward \
            issue; --load shows who is planned for more than they have time for.
            """)

    @Flag(help: "All projects that you see, one below another; up to 50.")
    var all = false
    @Flag(help: "Draw people's workload, week by week.")
    var load = false
    @Option(help: "The first day to draw.")
    var from: DayArgument?
    @Option(help: "The last day to draw.")
    var until: DayArgument?
    @Option(help: "day, week or month. Default: the finest that fits.")
    var scale: TimeScale?
    @Option(help: "A baseline to compare with, drawn below the bars.")
    var baseline: String?
    @Flag(help: "Let an issue also wait for the same person's previous one.")
    var people = false
    @Option(help: "The paper of a PDF, a4 to a0.")
    var paper: PaperSize = .a4
    @Flag(help: "Portrait instead of landscape.")
    var portrait = false
    @Option(name: .shortAndLong, help: "The file: .svg, .png or .pdf.", completion: .file())
    var output: String?
    @Option(help: "Columns at the terminal. Default: those of the window, else 80.")
    var columns: Int?
    @OptionGroup var speech: PlanLanguageOption
    @Flag(help: "Print JSON, as described in docs/json.md.")
    var json = false
    @OptionGroup var target: ProjectOption

    private static let endings = ["svg", "png", "pdf"]
    /// The maximum number of projects in a chart.
    private static let mostProjects: UInt32 = 50

    func validate() throws {
        if let output, !Self.endings.contains(PlanOutput.ending(of: output)) {
            throw ValidationError(
                "the file's extension chooses the format: "
                    + Self.endings.map { "." + $0 }.joined(separator: ", "))
        }
        guard !all || (target.named == nil && baseline == nil && !load) else {
            throw ValidationError("--all goes with neither -p, --baseline nor --load")
        }
        guard (CharacterChart.leastColumns...1_000).contains(columns ?? 80) else {
            throw ValidationError(
                "a chart has \(CharacterChart.leastColumns) to 1000 columns")
        }
    }

    func run() throws {
        let session = try Session()
        do {
            var leftOut: UInt32 = 0
            let bytes: [UInt8]
            if load {
                bytes = try loadChart(session)
            } else {
                (bytes, leftOut) = try chart(session)
            }
            try put(bytes, leftOut: leftOut, session)
            guard leftOut > 0 else { return }
            session.printer.remark(
                "the projects that were changed last are drawn; left out: "
                    + "\(Wording.count(leftOut, "project")); draw one: -p")
        } catch let error as ChartError {
            throw Failure(.refused, error.description)
        }
    }

    // MARK: The chart

    /// The projects to draw, and how many are left out.
    private func projects(
        _ session: Session
    ) throws -> (read: [ProjectContentsRead], leftOut: UInt32) {
        guard all else {
            return ([try ProjectContentsRead(try target.project(session), session)], 0)
        }
        let listed = try session.askProject(
            ListProjects(limit: Self.mostProjects), for: ProjectsListed.self)
        let told = UInt32(clamping: listed.projects.count)
        return (
            try listed.projects.map { try ProjectContentsRead($0.id, session) },
            listed.count > told ? listed.count - told : 0
        )
    }

    /// The chart, and how many projects are left out of it.
    private func chart(_ session: Session) throws -> (bytes: [UInt8], leftOut: UInt32) {
        let today = try session.shownToday(with: from, until)
        let (projects, leftOut) = try self.projects(session)
        let kept = try baseline.map { try projects[0].baseline($0).baseline }
        let sections = try projects.map { read in
            GanttChart.Section(
                name: read.project.name, network: try read.record.network(),
                issues: read.record.issues.mapValues { ChartIssue($0, in: read.record) },
                baseline: kept)
        }
        let chart = try GanttChart(
            projects.count == 1 ? projects[0].project.name : "Projects", of: sections,
            today: today, withPeople: people)
        let options = ChartOptions(
            first: from.map { date($0, today) }, last: until.map { date($0, today) }, scale: scale,
            paper: paper, isWide: !portrait, language: try speech.chosen(session))
        guard let output else {
            let lines = try CharacterChart(
                chart, options: options, columns: width(session),
                isColoured: session.printer.out.hasColours && !json
            ).lines()
            return (Array(lines.joined(separator: "\n").utf8), leftOut)
        }
        let picture = try ChartPicture(chart, options: options)
        switch PlanOutput.ending(of: output) {
        case "pdf": return (try picture.pdf(), leftOut)
        case "png": return (try picture.drawing().png(), leftOut)
        default: return (Array(try picture.drawing().svg().utf8), leftOut)
        }
    }

    private func loadChart(_ session: Session) throws -> [UInt8] {
        let today = try session.shownToday(with: from, until)
        let read = try ProjectContentsRead(try target.project(session), session)
        let dates = read.record.issues.values.flatMap { [$0.span.start, $0.span.due] }
            .compactMap { $0 }
        let first = from.map { date($0, today) } ?? dates.min() ?? today
        let last = until.map { date($0, today) } ?? dates.max() ?? today
        guard first <= last else {
            throw Failure(.refused, "the last day, \(last.iso), is before the first, \(first.iso)")
        }
        let load = WorkLoad(of: read.record, from: first, to: last)
        let monday = load.rows.first?.weeks.first?.monday ?? first
        let chart = try LoadChart(
            read.project.name, from: monday,
            load.rows.map { row in
                LoadChart.Row(
                    name: read.record.members[row.member]?.name ?? "",
                    weeks: row.weeks.map { .init(planned: $0.planned, available: $0.available) })
            }, language: try speech.chosen(session))
        guard let output else {
            let lines = try chart.lines(
                columns: width(session), isColoured: session.printer.out.hasColours && !json)
            return Array(lines.joined(separator: "\n").utf8)
        }
        let drawing = chart.drawing()
        switch PlanOutput.ending(of: output) {
        case "pdf": return try drawing.pdf()
        case "png": return try drawing.png()
        default: return Array(drawing.svg().utf8)
        }
    }

    // MARK: Where to

    private func put(_ bytes: [UInt8], leftOut: UInt32, _ session: Session) throws {
        if let output { try OutputFile.write(bytes, to: output) }
        let text = String(decoding: output == nil ? bytes : [], as: UTF8.self)
        if json {
            let file = WrittenFile(path: output, text: output == nil ? text : nil)
            return try session.printer.json(.files, [file], beside: ["leftOut": leftOut])
        }
        session.printer.result(output.map { "written: \($0.printable)" } ?? text)
    }

    private func width(_ session: Session) -> Int {
        columns
            ?? max(CharacterChart.leastColumns, session.printer.out.width ?? Terminal.columns ?? 80)
    }

    private func date(_ day: DayArgument, _ today: CivilDate) -> CivilDate {
        CivilDate(daysSince1970: Int(day.number(from: Int64(today.daysSince1970))))
    }
}

extension TimeScale: ExpressibleByArgument {}

extension ChartIssue {
    /// An issue as a chart shows it.
    init(_ issue: ProjectIssue, in record: ProjectRecord) {
        self.init(
            title: issue.subject,
            person: issue.assignee.flatMap { record.members[$0]?.name } ?? "", done: issue.done,
            isClosed: record.isClosed(issue), isMilestone: issue.isMilestone)
    }
}
