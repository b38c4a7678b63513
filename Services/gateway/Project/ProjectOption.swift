import ArgumentParser
import Bus
import Dates
import Messages
import ProjectFiles
import Speech

/// The project that a command is about: the one that is named, else the one in use, else the only
/// one there is.
struct ProjectOption: ParsableArguments {
    @Option(
        name: [.customLong("project"), .customShort("p")],
        help: ArgumentHelp(
            """
            The project: its identifier, name or id. Default: the one that you last created, or \
            chose with steward project use.
            """, valueName: "name"), completion: Offered.projects)
    var named: String?

    /// The project as named to the service.
    ///
    /// - Throws: ``Failure`` when there is none, or there are several and none is in use; it names
    ///   them.
    func project(_ session: Session) throws -> String {
        let project = try projectOrAll(session)
        guard project.isEmpty else { return project }
        let projects = try session.ask(
            .project, ListProjects(limit: 10), for: ProjectsListed.self
        ).projects
        let names = projects.prefix(5).map { "“\($0.identifier)”" }.joined(separator: ", ")
        throw Failure(
            .refused,
            "it is unclear which project is meant; there are \(names)"
                + (projects.count > 5 ? " and more" : ""),
            advice: "say -p NAME, or choose one: steward project use "
                + (projects.first?.identifier ?? "NAME"))
    }

    /// The project as named to the service; empty when there are several and none is in use.
    ///
    /// - Throws: ``Failure`` when there is none.
    func projectOrAll(_ session: Session) throws -> String {
        if let named { return named }
        if let kept = try session.keptProject.chosen() { return kept.id }
        let projects = try session.ask(
            .project, ListProjects(limit: 2), for: ProjectsListed.self
        ).projects
        guard let only = projects.first else {
            throw Failure(
                .refused, "there is no project yet",
                advice: "create one: steward project create NAME")
        }
        return projects.count == 1 ? only.id : ""
    }
}

extension Session {
    /// Asks project-service. A project in use that no longer exists is reported by its name.
    func askProject<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for type: R.Type, repeating: RepeatOptions? = nil,
        deadline: Duration = .seconds(10)
    ) throws -> R {
        do {
            return try ask(
                .project, message, for: type, repeating: repeating, deadline: deadline)
        } catch ClientError.refused(let refusal) where refusal.isBecause(.projectMissing) {
            guard let kept = try keptProject.chosen(), refusal.subject == kept.id else {
                throw ClientError.refused(refusal)
            }
            throw Failure(
                .refused, "the project “\(kept.name)”, which was in use, no longer exists",
                advice: "choose another: steward project list, then steward project use NAME")
        }
    }

    /// Today by the site's clock, for what is typed, kept or selected.
    ///
    /// - Throws: what ``inputClock`` throws.
    var today: CivilDate { get throws { try inputClock.today } }

    /// Today for what is shown: by this machine's clock if account-service can't be reached. It is
    /// ``today`` if one of the days that were typed is counted from it.
    func shownToday(with typed: DayArgument?...) throws -> CivilDate {
        if typed.contains(where: { $0?.isCounted == true }) { return try today }
        return try siteClock.today
    }
}

extension SiteClock {
    /// Today in its zone.
    var today: CivilDate {
        CivilDate(iso: moment(WallClock.milliseconds()).prefix(10)) ?? CivilDate(daysSince1970: 0)
    }
}

extension DayArgument {
    /// The date in ISO 8601, counted from ``Session/today``.
    func iso(_ session: Session) throws -> String {
        let today = isCounted ? Int64(try session.today.daysSince1970) : 0
        return CivilDate(daysSince1970: Int(number(from: today))).iso
    }
}

/// A date as typed, or `none`.
struct IssueDateArgument: ExpressibleByArgument, Hashable {
    /// The day; nil for `none`.
    private let day: DayArgument?

    init?(argument: String) {
        if argument.lowercased() == "none" {
            day = nil
        } else if let day = DayArgument(argument: argument) {
            self.day = day
        } else {
            return nil
        }
    }

    /// The date in ISO 8601; empty for none.
    func iso(_ session: Session) throws -> String {
        try day?.iso(session) ?? ""
    }
}

/// Working time as it is typed: `7:30`, `7.5`, `7.5h`, `450m`.
struct EffortArgument: ExpressibleByArgument, Hashable {
    /// Minutes, up to 100,000 hours.
    let minutes: UInt32

    init(minutes: UInt32) { self.minutes = minutes }

    var defaultValueDescription: String { Effort.text(minutes) }

    init?(argument: String) {
        guard let minutes = Effort.minutes(of: argument) else { return nil }
        self.minutes = minutes
    }
}

/// The number of an issue as it is typed: `12` or `#12`.
struct IssueArgument: ExpressibleByArgument, Hashable {
    /// The number.
    let number: UInt32

    init?(argument: String) {
        let digits = argument.hasPrefix("#") ? argument.dropFirst() : argument[...]
        guard let number = UInt32(digits), number > 0 else { return nil }
        self.number = number
    }
}
