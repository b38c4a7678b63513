import ArgumentParser
import Messages
import ProjectRecord
import Speech
import Terminal

/// `steward schedule`
struct ScheduleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Plans who does what and when, so that a project ends soon.",
        discussion: """
              steward schedule propose
              steward schedule apply

            Issues are given to people who have the skills they need, on days on which these \
            people work, one issue a day for each; what waits for others comes after them. An \
            issue that is fixed stays, one that has begun stays with whoever does it, and little \
            else changes without need. The same project and --seed give the same schedule.
            """,
        subcommands: [Propose.self, Apply.self])

    /// The options of a schedule.
    struct Wishes: ParsableArguments {
        @Option(help: "The first day on which work may be planned. Default: today.")
        var from: DayArgument?
        @Flag(help: "Also reassign issues to other people.")
        var anyPerson = false
        @Option(help: "About how many schedules to try, up to 100000. Default: 2000.")
        var tries: UInt32 = 0
        @Option(help: "A seed; another number may find another schedule.")
        var seed: UInt64 = 1

        func validate() throws {
            guard tries <= 100_000 else { throw ValidationError("--tries may be up to 100000") }
        }

        /// The schedule that the service proposes.
        func proposal(_ project: String, _ session: Session) throws -> ScheduleProposed {
            let day = try from.map { try $0.iso(session) }
            return try session.askProject(
                ProposeSchedule(
                    project: project, from: try day ?? session.today.iso, anyPerson: anyPerson,
                    tries: tries, seed: seed),
                for: ScheduleProposed.self, deadline: .seconds(120))
        }
    }

    /// `steward schedule propose`
    struct Propose: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "propose",
            abstract: "Shows a schedule beside today's plan, and changes nothing.")

        @OptionGroup var wishes: Wishes
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let read = try ProjectContentsRead(try target.project(session), session)
            let proposed = try wishes.proposal(read.project.id, session)
            if output.json { return try session.printer.json(.schedules, [proposed]) }
            guard !proposed.places.isEmpty else {
                return session.printer.remark("no issue is open that may be moved")
            }
            let words = ScheduleWords(proposed, read)
            session.printer.table(words.table)
            for remark in words.remarks { session.printer.remark(remark) }
            session.printer.remark(
                "nothing was changed; steward schedule apply with the same options does it")
        }
    }

    /// `steward schedule apply`
    struct Apply: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apply",
            abstract: "Gives issues the days and people of a schedule, in one step.",
            discussion: "steward project undo takes it back.")

        @OptionGroup var wishes: Wishes
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            try options.edit { read, session in
                let proposed = try wishes.proposal(read.project.id, session)
                guard proposed.project?.revision == read.project.revision else {
                    throw Failure(
                        .refused, "somebody changed the project just now", advice: "try it again")
                }
                guard !proposed.places.isEmpty else {
                    throw Failure(
                        .refused, "no issue is open that may be moved",
                        advice: "see steward issue list")
                }
                return [ProjectAction(action: .places(IssuePlaces(places: proposed.places)))]
            }
        }
    }
}

/// A proposed schedule, in words.
struct ScheduleWords {
    private let proposed: ScheduleProposed
    private let read: ProjectContentsRead

    init(_ proposed: ScheduleProposed, _ read: ProjectContentsRead) {
        (self.proposed, self.read) = (proposed, read)
    }

    var table: TextTable {
        var table = TextTable([
            .number("NO"), .text("SUBJECT"), .text("WHO"), .time("START"), .time("DUE"),
            .text("NOW"),
        ])
        for place in proposed.places.sorted(by: { ($0.start, $0.issue) < ($1.start, $1.issue) }) {
            let issue = read.record.issues[Int(place.issue)]
            let start = issue?.span.start?.iso ?? "", due = issue?.span.due?.iso ?? ""
            let isSame =
                start == place.start && due == place.due
                && issue?.assignee ?? 0 == Int(place.assignee)
            var now = "no dates"
            if !start.isEmpty || !due.isEmpty {
                now = "\(start.isEmpty ? "…" : start) – \(due.isEmpty ? "…" : due)"
            }
            if issue?.assignee ?? 0 != Int(place.assignee) { now += ", \(name(issue?.assignee))" }
            table.add([
                "#\(place.issue)", .init(issue?.subject ?? ""),
                .init(name(place.assignee == 0 ? nil : Int(place.assignee))), .init(place.start),
                .init(place.due), .init(isSame ? "the same" : now, isSame ? .dim : nil),
            ])
        }
        return table
    }

    var remarks: [String] {
        var remarks: [String] = []
        if proposed.provedShortest {
            remarks.append("it ends on \(proposed.end); no schedule ends sooner")
        } else {
            let bound = proposed.soonestEnd
            remarks.append(
                "it ends on \(proposed.end)"
                    + (bound.isEmpty ? "" : "; none can end before \(bound)"))
        }
        remarks += versionEnds
        if proposed.chain.count > 1 {
            remarks.append("the end waits for \(numbers(proposed.chain, " → "))")
        }
        if !proposed.late.isEmpty {
            remarks.append("later than their versions: \(numbers(proposed.late, ", "))")
        }
        if !proposed.assumed.isEmpty {
            remarks.append(
                "without an estimate, so planned as long as now, or a day: "
                    + numbers(proposed.assumed, ", "))
        }
        return remarks
    }

    /// When the versions are done by the schedule.
    private var versionEnds: [String] {
        let parts = read.record.partsOfWholes
        let places = Dictionary(
            proposed.places.map { (Int($0.issue), $0.due) }, uniquingKeysWith: { first, _ in first }
        )
        // The open issues of an issue with parts, or itself.
        func leaves(of issue: ProjectIssue) -> [ProjectIssue] {
            var (leaves, open) = ([ProjectIssue](), [issue.id])
            while let next = open.popLast() {
                open += parts[next] ?? []
                guard parts[next] == nil, let leaf = read.record.issues[next],
                    !read.record.isClosed(leaf)
                else { continue }
                leaves.append(leaf)
            }
            return leaves
        }
        let versions = read.record.versions.values.sorted { $0.id < $1.id }
        return versions.compactMap { version in
            let ends = read.record.issues.values.filter { $0.version == version.id }
                .flatMap(leaves).map { places[$0.id] ?? $0.span.due?.iso ?? "" }
            // A fixed issue before the schedule may have no end.
            guard let last = ends.max(), !ends.contains("") else { return nil }
            let due = version.due.map { ", due on \($0.iso)" } ?? ""
            return "“\(version.name)” is done on \(last)\(due)".printable
        }
    }

    private func name(_ member: Int?) -> String {
        guard let member else { return "nobody" }
        return read.record.members[member]?.name ?? "person \(member)"
    }

    private func numbers(_ issues: [UInt32], _ between: String) -> String {
        issues.prefix(20).map { "#\($0)" }.joined(separator: between)
            + (issues.count > 20 ? " and \(issues.count - 20) more" : "")
    }
}
