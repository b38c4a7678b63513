import ArgumentParser
import Calendars
import Dates
import Messages
import ProjectRecord
import Speech

extension IssueCommand {
    /// `steward issue calendar`
    struct Calendar: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "calendar",
            abstract: "Writes the days on which issues and versions are due as a calendar, .ics.",
            discussion: """
                  steward issue calendar -o due.ics
                  steward issue calendar --assignee Kari -o /var/www/kari.ics

                Calendar programs import the file, or subscribe to it where a web server offers \
                it; a line for cron keeps it up to date. An earlier file is replaced: an issue \
                keeps its entry, and a closed issue loses it.
                """)

        @Option(help: "Only the issues of this person, and no versions.")
        var assignee: String?
        @Option(
            name: [.long, .customShort("o")],
            help: "The file to write. Default: standard output.", completion: .file())
        var output: String?
        @OptionGroup var target: ProjectOption
        @Flag(help: "Print JSON, as described in docs/json.md.")
        var json = false

        func run() throws {
            let session = try Session()
            let read = try ProjectContentsRead(try target.project(session), session)
            let member = try assignee.map { try read.member($0).id }
            let text: String
            do {
                text = try DueDateCalendar.text(
                    ProjectDueDates(read).dates(of: member), name: read.project.name)
            } catch {
                throw Failure(.refused, error.description)
            }
            try PlanOutput.write(text, to: output, session.printer, isJSON: json)
        }
    }
}

/// The days on which something in a project is due.
struct ProjectDueDates {
    private let read: ProjectContentsRead

    init(_ read: ProjectContentsRead) { self.read = read }

    /// The due dates of open issues, or of those of a person alone, and of open versions.
    ///
    /// - Parameter member: the number of the person; nil for everyone, and for versions too.
    func dates(of member: Int?) -> [DueDate] {
        let (project, record) = (read.project, read.record)
        let stamp = project.changed / 1_000
        func date(_ kind: String, _ id: Int, _ due: CivilDate, _ title: String, _ text: String)
            -> DueDate
        {
            DueDate(
                uid: "\(kind)-\(id)@\(project.id)", day: Int64(due.daysSince1970), title: title,
                text: text, stamp: stamp)
        }
        var dates: [DueDate] = []
        if member == nil {
            for version in record.versions.values.sorted(by: { $0.id < $1.id })
            where !version.isClosed {
                guard let due = version.due else { continue }
                dates.append(
                    date("version", version.id, due, version.name, project.name))
            }
        }
        for issue in record.issues.values.sorted(by: { $0.id < $1.id })
        where !record.isClosed(issue) && (member == nil || issue.assignee == member) {
            guard let due = issue.span.due else { continue }
            let person = issue.assignee.flatMap { record.members[$0]?.name }
            dates.append(
                date(
                    "issue", issue.id, due, "#\(issue.id) \(issue.subject)",
                    ([project.name, person ?? "", issue.status].filter { !$0.isEmpty })
                        .joined(separator: " · ")))
        }
        return dates
    }
}
