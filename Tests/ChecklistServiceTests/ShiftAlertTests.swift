import Messages
import ServiceRuntime
import ShiftLog
import Testing

@testable import ChecklistService

/// Which alerts a shift should have when very much is overdue.
struct ShiftAlertTests {
    /// 2026-06-01 08:00 UTC.
    private static let started: Int64 = 1_780_300_800_000

    /// A shift with tasks that are due at its beginning unless `change` says otherwise.
    private static func state(
        tasks: Int, _ change: (Int, inout ChecklistTask) -> Void = { _, _ in }
    ) throws -> ShiftState {
        var settings = SiteSettings.standard(for: "harbour")
        (settings.grace, settings.escalateAfter) = (0, 10)
        var list = ChecklistTemplate.list("Rush", .before, tasks: tasks) { number, task in
            task.carryOut = 480
            change(number, &task)
        }
        list.id = "rush"
        let shift = Shift(
            id: "s", organisation: "o", site: "harbour", siteName: "Harbour", manager: "mia",
            managerName: "Mia", dayPart: 1, date: "2026-06-01", timeZone: "Etc/UTC",
            started: started, settings: settings.packed(),
            firstTravelPath: started + 86_400_000)
        return try ShiftState(shift: shift, lists: [list])
    }

    private static func wanted(
        _ state: ShiftState, minutes: Int64, present: [StandingAlert] = [],
        above: [String] = ["sue"]
    ) -> [StandingAlert] {
        let alerts = ShiftAlerts(
            state: state, present: Dictionary(uniqueKeysWithValues: present.map { ($0.key, $0) }))
        return alerts.wanted(at: started + minutes * 60_000) {
            above
        } account: { _ in
            nil
        }
    }

    private static func acknowledged(_ alert: StandingAlert) -> StandingAlert {
        StandingAlert(
            kept: alert.raised, occasion: alert.occasion, since: alert.since,
            wasAcknowledged: true)
    }

    @Test func `what is escalated first has its own alerts, and one covers the rest`() throws {
        let state = try Self.state(tasks: 150) { number, task in task.timeCritical = number <= 60 }

        let alerts = Self.wanted(state, minutes: 1)
        let later = Self.wanted(
            state, minutes: 11, above: ["sue", "sue"] + (1...30).map { "superior \($0)" })

        #expect(alerts.count == 101 && Set(alerts.map(\.key)).count == 101)
        let critical = (1...60).map { "shift/s/task/rush/t\($0)" }
        #expect(Set(alerts.prefix(60).map(\.key)) == Set(critical))
        let rest = try #require(alerts.last)
        #expect(rest.key == "shift/s/rest" && rest.raised.title == "50 more are overdue")
        #expect(rest.raised.recipient == "mia" && rest.raised.needsAcknowledgement)
        #expect(rest.raised.repeatEvery == ShiftAlerts.slowRepetition)
        let escalated = later.map(\.key).filter { $0.contains("/escalated/") }
        #expect(escalated.count == 60 * 20 && Set(escalated).count == 60 * 20)
        #expect(!escalated.contains { $0.hasPrefix("shift/s/rest") })
    }

    @Test func `the alert that covers the rest is escalated when any of it has to be`() throws {
        let state = try Self.state(tasks: 101) { _, task in task.timeCritical = true }

        let before = Self.wanted(state, minutes: 9)
        let after = Self.wanted(state, minutes: 10)

        #expect(before.last?.raised.title == "1 more is overdue")
        #expect(before.last?.raised.repeatEvery == ShiftAlerts.repetition)
        #expect(before.count == 101 && after.count == 202)
        #expect(after.last?.key == "shift/s/rest/escalated/sue")
        #expect(after.last?.raised.severity == .urgent)
        #expect(after.last?.raised.title == "1 more is overdue")
    }

    @Test func `someone who acknowledged what is overdue is alerted again only when more is`()
        throws
    {
        let state = try Self.state(tasks: 110) { number, task in
            if number > 105 { task.carryOut = 485 }
        }
        let rest = try #require(Self.wanted(state, minutes: 1).last)
        let seen = Self.acknowledged(rest)

        #expect(rest.raised.title == "5 more are overdue")
        #expect(Self.wanted(state, minutes: 2, present: [rest]).last == rest)
        #expect(Self.wanted(state, minutes: 4, present: [seen]).last == seen)
        let again = Self.wanted(state, minutes: 5, present: [seen]).last
        #expect(again?.raised.title == "10 more are overdue")
        #expect(again?.isAcknowledged == false && again?.occasion == Self.started + 300_000)
    }
}
