import ArgumentParser
import Dates
import Messages
import ProjectLanguage
import ProjectRecord
import Speech
import Terminal

extension ProjectVersionCommand {
    /// `steward project version list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the versions: their progress, and when they will be done.",
            discussion: DeliveryWords.explanation)

        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            try DeliveryWords.list(
                .versions, of: target, output, \.versions, \.versionTable,
                adding: "steward project version add NAME")
        }
    }
}

/// `steward project milestones`
struct MilestonesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "milestones",
        abstract: "Lists the milestones, with the progress of what they wait for and a forecast.",
        discussion: DeliveryWords.explanation)

    @OptionGroup var target: ProjectOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        try DeliveryWords.list(
            .milestones, of: target, output, \.milestones, \.milestoneTable,
            adding: "steward issue create NAME --milestone --due DAY")
    }
}

/// A version or a milestone.
private protocol Delivery: Encodable {
    var forecast: DeliveryWords.Forecast { get }
}

/// The versions and milestones of a project with their forecasts.
struct DeliveryWords {
    /// The meaning of the tables' columns.
    static let explanation = """
        PLANNED is when the last open issue ends by the plan. LIKELY is when it may end if the \
        rest differs from the plan as closed issues did from their estimates.
        """

    /// A forecast as JSON; a day that isn't known is empty.
    struct Forecast: Encodable {
        let done: Int
        let undated: Int
        let planned: String
        let likelyFrom: String
        let likely: String
        let likelyUntil: String

        fileprivate init(_ forecast: DeliveryForecast) {
            (done, undated) = (forecast.done, forecast.undated)
            planned = forecast.planned?.iso ?? ""
            likelyFrom = forecast.likely?.soonest.iso ?? ""
            likely = forecast.likely?.median.iso ?? ""
            likelyUntil = forecast.likely?.latest.iso ?? ""
        }

        fileprivate var plannedWords: String {
            undated > 0 ? "\(Wording.count(undated, "issue")) without an end" : planned
        }

        fileprivate var likelyWords: String {
            likely.isEmpty ? "" : "\(likelyFrom) – \(likelyUntil)"
        }
    }

    /// A version with its progress.
    struct Progress: Encodable, Delivery {
        let version: ProjectVersion
        let issues: Int
        let closedIssues: Int
        let forecast: Forecast
    }

    /// A milestone with the progress of what it waits for.
    struct Milestone: Encodable, Delivery {
        let issue: Int
        let subject: String
        let isClosed: Bool
        let issues: Int
        let closedIssues: Int
        let forecast: Forecast
    }

    let versions: [Progress]
    let milestones: [Milestone]
    private let today: CivilDate
    private let spread: EstimateSpread?
    /// The number of closed issues that have an estimate and time worked.
    private let past: Int

    /// Reads a project with its time worked.
    init(_ target: ProjectOption, _ session: Session) throws {
        let read = try ProjectContentsRead(try target.project(session), session, withTime: true)
        self.init(read.record, today: try session.shownToday())
    }

    private init(_ record: ProjectRecord, today: CivilDate) {
        let percents = EstimateSpread.percents(of: record)
        let spread = EstimateSpread(percents)
        let forecaster = Forecaster(record, today: today, spread)
        (self.today, self.spread, past) = (today, spread, percents.count)
        versions = record.versions.values.sorted { $0.id < $1.id }.map { version in
            let forecast = forecaster.version(version.id)
            return Progress(
                version: ProjectVersion(version), issues: forecast.issues,
                closedIssues: forecast.closed, forecast: Forecast(forecast))
        }
        let moments = record.issues.values.filter(\.isMilestone).sorted { $0.id < $1.id }
        milestones = moments.map { issue in
            let forecast = forecaster.milestone(issue.id)
            return Milestone(
                issue: issue.id, subject: issue.subject, isClosed: record.isClosed(issue),
                issues: forecast.issues, closedIssues: forecast.closed,
                forecast: Forecast(forecast))
        }
    }

    /// Lists the versions or the milestones of a project, or says how to add one.
    fileprivate static func list<Listed: Delivery>(
        _ name: ListName, of target: ProjectOption, _ output: OutputOptions,
        _ listed: KeyPath<DeliveryWords, [Listed]>, _ table: KeyPath<DeliveryWords, TextTable>,
        adding command: String
    ) throws {
        let session = try Session()
        let words = try DeliveryWords(target, session)
        let all = words[keyPath: listed]
        if output.json { return try session.printer.json(name, all) }
        guard !all.isEmpty else {
            return session.printer.remark("there is none; add one: \(command)")
        }
        session.printer.table(words[keyPath: table])
        if let remark = words.remark(all.map(\.forecast)) { session.printer.remark(remark) }
    }

    var versionTable: TextTable {
        var table = TextTable([
            .number("NO"), .text("VERSION"), .time("DUE"), .number("ISSUES"), .number("CLOSED"),
            .number("DONE"), .time("PLANNED"), .time("LIKELY"), .text(""),
        ])
        for one in versions {
            let (due, planned) = (one.version.due, one.forecast.planned)
            let isLate = !planned.isEmpty && (planned < today.iso || !due.isEmpty && planned > due)
            table.add([
                "\(one.version.number)", .init(one.version.name), .init(due), "\(one.issues)",
                "\(one.closedIssues)", "\(one.forecast.done) %",
                .init(one.forecast.plannedWords + (isLate ? " late" : "")),
                .init(one.forecast.likelyWords),
                .init(one.version.isClosed ? "closed" : "", .dim),
            ])
        }
        return table
    }

    var milestoneTable: TextTable {
        var table = TextTable([
            .number("NO"), .text("MILESTONE"), .number("AFTER"), .number("CLOSED"),
            .number("DONE"), .time("PLANNED"), .time("LIKELY"), .text(""),
        ])
        for one in milestones {
            let planned = one.forecast.planned
            let isLate = !planned.isEmpty && planned < today.iso
            table.add([
                "#\(one.issue)", .init(one.subject), "\(one.issues)", "\(one.closedIssues)",
                "\(one.forecast.done) %",
                .init(one.forecast.plannedWords + (isLate ? " late" : "")),
                .init(one.forecast.likelyWords), .init(one.isClosed ? "closed" : "", .dim),
            ])
        }
        return table
    }

    /// Where the likely days come from, or why there are none; nil if none are to be expected.
    private func remark(_ forecasts: [Forecast]) -> String? {
        guard forecasts.contains(where: { $0.planned >= today.iso }) else { return nil }
        guard let spread else {
            return "to say what is likely, \(EstimateSpread.fewest) closed issues need an estimate "
                + "and time worked; there are \(past)"
        }
        return "likely: most of \(spread.issues) closed issues took \(spread.low) to "
            + "\(spread.high) % of their estimates; half took up to \(spread.median) %"
    }
}
