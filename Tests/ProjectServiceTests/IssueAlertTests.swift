import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import ServiceRuntime
import Testing
import WorkCalendar

@testable import ProjectService

@Suite struct IssueAlertTests {
    private static let friday = 20_665  // 2026-07-31
    private static let hour: Int64 = 3_600_000

    private static func member(zone: String = "UTC") throws -> Member {
        var member = Member(
            id: 1, name: "Ann", timeZone: zone,
            calendar: try WorkCalendar(week: .usual))
        member.account = "ann"
        return member
    }

    private static func kinds(
        due: Int, at time: Int64, present: [StandingAlert] = [], zone: String = "UTC"
    ) throws -> [String] {
        var issue = ProjectIssue(id: 1, subject: "Roof", assignee: 1)
        issue.span = Span(start: nil, due: CivilDate(daysSince1970: due))
        let alerts = IssueAlerts(
            project: Project(id: "p", name: "House"), issue: issue,
            member: try member(zone: zone),
            present: Dictionary(uniqueKeysWithValues: present.map { ($0.key, $0) }))
        return alerts.wanted(at: time).map(\.raised.kind)
    }

    private static func time(_ day: Int, _ hour: Int64) -> Int64 {
        Int64(day) * 86_400_000 + hour * Self.hour
    }

    @Test func `an issue due by the next working day is due soon, from six in the morning`() throws
    {
        let monday = Self.friday + 3
        #expect(CivilDate(daysSince1970: Self.friday).iso == "2026-07-31")
        #expect(try Self.kinds(due: monday, at: Self.time(Self.friday, 5)) == [])
        #expect(try Self.kinds(due: monday, at: Self.time(Self.friday, 6)) == ["project.dueSoon"])
        #expect(try Self.kinds(due: monday + 1, at: Self.time(Self.friday, 6)) == [])
        #expect(try Self.kinds(due: monday, at: Self.time(monday, 23)) == ["project.dueSoon"])
    }

    @Test func `an issue is overdue from six in the morning of the day after it was due`() throws {
        let due = Self.friday
        #expect(try Self.kinds(due: due, at: Self.time(due + 1, 5)) == ["project.dueSoon"])
        #expect(try Self.kinds(due: due, at: Self.time(due + 1, 6)) == ["project.overdue"])
    }

    @Test(arguments: [false, true])
    func `an issue that is overdue for two months still has an alert`(isSeen: Bool) throws {
        var issue = ProjectIssue(id: 1, subject: "Roof", assignee: 1)
        issue.span = Span(start: nil, due: CivilDate(daysSince1970: Self.friday))
        var standing: StandingAlert?
        var occasions: [Int64] = []
        for day in 1...65 {
            // The timer of each morning is a little later than the one before.
            let now = Self.time(Self.friday + day, 6) + Int64(day)
            let alerts = IssueAlerts(
                project: Project(id: "p", name: "House"), issue: issue, member: try Self.member(),
                present: standing.map { [$0.key: $0] } ?? [:])
            let wanted = try #require(alerts.wanted(at: now).first)
            #expect(wanted.raised.kind == "project.overdue")
            if wanted.occasion != occasions.last {
                // What stood before has not expired yet.
                #expect(standing.map { $0.raised.expiresAt > now } ?? true)
                occasions.append(wanted.occasion)
                standing =
                    isSeen
                    ? StandingAlert(
                        kept: wanted.raised, occasion: wanted.occasion, since: now,
                        wasAcknowledged: true) : wanted
            }
        }
        #expect(occasions.count == 3 && Set(occasions).count == 3)

        // Another due date is another occasion, so the alert begins anew.
        issue.span.due = CivilDate(daysSince1970: Self.friday + 1)
        let alerts = IssueAlerts(
            project: Project(id: "p", name: "House"), issue: issue, member: try Self.member(),
            present: standing.map { [$0.key: $0] } ?? [:])
        let other = alerts.wanted(at: Self.time(Self.friday + 66, 6)).first
        #expect(other?.occasion == Int64(Self.friday + 1) && other?.isAcknowledged == false)
    }

    @Test func `the morning is in the member's time zone, also when the clock changes`() throws {
        let due = Self.friday
        let oslo = "Europe/Oslo"
        #expect(
            try Self.kinds(due: due, at: Self.time(due + 1, 4), zone: oslo)
                == ["project.overdue"])
        #expect(
            try Self.kinds(due: due, at: Self.time(due + 1, 4) - 1, zone: oslo)
                == ["project.dueSoon"])
        // On 2026-03-29 six in the morning comes five hours after midnight.
        let spring = try #require(CivilDate(iso: "2026-03-29")).daysSince1970
        let member = try Self.member(zone: oslo)
        let morning = IssueAlerts.nextMorning(of: member, after: Self.time(spring, 0))
        #expect(morning == Self.time(spring, 4))
        #expect(IssueAlerts.day(of: member, at: morning).daysSince1970 == spring)
        #expect(IssueAlerts.day(of: member, at: morning - 1).daysSince1970 == spring - 1)
        #expect(
            IssueAlerts.nextMorning(of: member, after: morning)
                == morning + 86_400_000)
    }
}
