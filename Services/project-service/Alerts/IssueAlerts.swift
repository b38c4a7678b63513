import Dates
import LocalTime
import Messages
import Phrases
import ProjectNetwork
import ProjectRecord
import ServiceRuntime
import WorkCalendar

/// The rules for the alerts about an issue. They go to the member who does it, if that member has
/// an account, and nobody is alerted to what they did themselves. Alerts that depend on a date
/// begin at six in the morning where the member is.
struct IssueAlerts {
    /// What was just done to the issue.
    struct Edit {
        /// The issue before; nil when it was added.
        let before: ProjectIssue?
        /// The account of the person who did it.
        let account: String
        /// The name of the person who did it.
        let name: String
        /// When, in milliseconds since 1970.
        let time: Int64
        /// The issue that caused the dates to change; nil when they were changed directly.
        let because: ProjectIssue?
    }

    let project: Project
    let issue: ProjectIssue
    /// Who does it.
    let member: Member
    /// The standing alerts of the issue, by key.
    let present: [String: StandingAlert]

    /// When a day begins, in minutes after midnight.
    static let morning = 360
    /// How long an alert stays open unless it is withdrawn, in milliseconds: 30 days.
    static let life: Int64 = 30 * 86_400_000
    /// By how much the occasion of an alert about a date grows each time the alert is renewed. It
    /// is more than the number of any day.
    private static let round: Int64 = 10_000_000

    /// The subject of the alerts of an issue.
    static func subject(_ issue: Int, of project: Project) -> String { "\(project.id)/\(issue)" }

    /// The date where a member is, at a time in milliseconds since 1970. Until the morning it is
    /// the previous day.
    static func day(of member: Member, at now: Int64) -> CivilDate {
        guard let local = LocalTime(zone: member.timeZone) ?? LocalTime(zone: "UTC") else {
            return CivilDate(daysSince1970: Int(now / 86_400_000))
        }
        let reading = local.reading(at: now)
        return CivilDate(
            daysSince1970: Int(reading.day) - (reading.minutes < morning ? 1 : 0))
    }

    /// When the next day begins where a member is, in milliseconds since 1970.
    static func nextMorning(of member: Member, after now: Int64) -> Int64 {
        let local = LocalTime(zone: member.timeZone) ?? LocalTime(zone: "UTC")
        return local?.first(minutes: morning, notBefore: now + 1) ?? now + 86_400_000
    }

    /// The last due day that a member is alerted to beforehand: their next working day.
    static func soon(for member: Member, on today: CivilDate) -> CivilDate {
        let tomorrow = CivilDate(daysSince1970: today.daysSince1970 + 1)
        return member.calendar.next(onOrAfter: tomorrow) ?? tomorrow
    }

    /// The alerts that should stand for an open issue.
    ///
    /// - Parameters:
    ///   - now: the time, in milliseconds since 1970.
    ///   - edit: what was done to it; nil when only time has passed.
    func wanted(at now: Int64, after edit: Edit? = nil) -> [StandingAlert] {
        let foreign = edit.flatMap { $0.account == member.account ? nil : $0 }
        let isNew = edit.map { $0.before?.assignee != issue.assignee } ?? false
        var alerts: [StandingAlert] = []
        if isNew {
            if let foreign { alerts.append(assigned(foreign)) }
        } else {
            if let standing = present[key("assigned")] { alerts.append(standing) }
            if let foreign, let before = foreign.before, before.span != issue.span {
                alerts.append(moved(foreign, from: before.span))
            } else if let standing = present[key("moved")] {
                alerts.append(standing)
            }
        }
        if let due = issue.span.due {
            let today = Self.day(of: member, at: now)
            if due < today {
                alerts.append(
                    dated(due, "overdue", .warning, .issueOverdue, at: now))
            } else if due <= Self.soon(for: member, on: today) {
                alerts.append(dated(due, "dueSoon", .info, .issueDueSoon, at: now))
            }
        }
        return alerts
    }

    private func assigned(_ edit: Edit) -> StandingAlert {
        var raised = alert("assigned", .info, at: edit.time)
        raised.say(
            Said(.issueAssigned, ["issue": title]),
            [
                PhraseLine([
                    Said<AlertPhrase>(
                        .issueAssignedBody,
                        ["project": .text(project.name), "person": .text(edit.name)])
                ])
            ])
        return StandingAlert(raised, occasion: edit.time, since: edit.time)
    }

    private func moved(_ edit: Edit, from before: Span) -> StandingAlert {
        var raised = alert("moved", .info, at: edit.time)
        let dates = KeyValuePairs<String, Said<AlertPhrase>.Value>(
            dictionaryLiteral: ("before", .text(Self.text(before))),
            ("after", .text(Self.text(issue.span))),
            ("issue", .text(edit.because.map(Self.name) ?? "")), ("person", .text(edit.name)))
        raised.say(
            Said(.issueMoved, ["issue": title]),
            [
                PhraseLine([
                    Said<AlertPhrase>(
                        edit.because == nil ? .issueMovedByPerson : .issueMovedByIssue, dates)
                ]), inProject,
            ])
        return StandingAlert(raised, occasion: edit.time, since: edit.time)
    }

    /// The alert about a due date. It is renewed before it expires, and whoever has seen it then is
    /// alerted again: an issue may be overdue for months.
    private func dated(
        _ due: CivilDate, _ what: String, _ severity: Severity, _ phrase: AlertPhrase,
        at now: Int64
    ) -> StandingAlert {
        let day = Int64(due.daysSince1970)
        let standing = present[key(what)].flatMap {
            ($0.occasion - day).isMultiple(of: Self.round) ? $0 : nil
        }
        // The next look is in the morning, give or take an hour.
        let look = Self.nextMorning(of: member, after: now) + 3_600_000
        if let standing, standing.raised.expiresAt > look { return standing }
        var raised = alert(what, severity, at: now)
        raised.say(Said(phrase, ["date": .text(due.iso), "issue": title]), [inProject])
        let occasion = standing.map { $0.occasion + Self.round } ?? day
        return StandingAlert(raised, occasion: occasion, since: now)
    }

    private func alert(_ what: String, _ severity: Severity, at now: Int64) -> AlertRaised {
        AlertRaised(
            key: key(what), kind: "project.\(what)", severity: severity,
            subject: Self.subject(issue.id, of: project), recipient: member.account,
            needsAcknowledgement: true, expiresAt: now + Self.life,
            actions: [
                Action(
                    name: "show", Said(.seeIssue),
                    target: "steward issue show \(issue.id) -p \(project.id)")
            ], organisation: project.organisation)
    }

    /// Each person has alerts of their own: those of a former assignee are withdrawn.
    private func key(_ what: String) -> String {
        "project/\(project.id)/\(issue.id)/\(what)/\(member.account)"
    }

    private var title: Said<AlertPhrase>.Value { .text(Self.name(issue)) }

    private static func name(_ issue: ProjectIssue) -> String { "#\(issue.id) \(issue.subject)" }

    private var inProject: PhraseLine {
        PhraseLine([Said<AlertPhrase>(.plain, ["text": .text(project.name)])])
    }

    private static func text(_ span: Span) -> String {
        "\(span.start?.iso ?? "…") – \(span.due?.iso ?? "…")"
    }
}
