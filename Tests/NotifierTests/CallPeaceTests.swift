import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime
import TestSupport
import Testing

@testable import Notifier

/// Maintenance, digests, and the history of alerts.
extension ChannelTests {
    private var now: Int64 { WallClock.milliseconds() }

    @Test func `during maintenance an alert waits, and is delivered when it ends`() throws {
        try add()
        let window = try office.ask(
            BeginMaintenance(
                window: MaintenanceWindow(
                    kind: "test", until: now + 3_600_000, reason: "new oven")),
            for: MaintenanceWindow.self)
        try raiseByAccounts("waits", .warning)
        try raiseByAccounts("urgent", .urgent)
        try wait(for: 1)
        let id = try #require(
            try office.ask(ListAlerts(), for: Alerts.self).alerts
                .first { $0.raised?.key == "waits" }?.id)
        let trace = try office.ask(ReadAlert(id: id), for: AlertTrace.self)
        #expect(trace.deliveries.map(\.note) == ["waits until the maintenance new oven is over"])

        _ = try office.ask(EndMaintenance(id: window.id), for: MaintenanceWindow.self)
        try wait(for: 2)
        #expect(try told().map(\.alert.key) == ["urgent", "waits"])
        #expect(
            try office.ask(ListMaintenance(), for: MaintenanceWindows.self).windows.isEmpty)
    }

    @Test func `a maintenance ends although a channel can't be read`() throws {
        try add("damaged", .webhook, "/damaged")
        try add("whole", .webhook, "/whole")
        let window = try office.ask(
            BeginMaintenance(
                window: MaintenanceWindow(
                    kind: "test", until: now + 3_600_000, reason: "new oven")),
            for: MaintenanceWindow.self)
        try raiseByAccounts("waits", .warning)
        try eventually("it waits on both") { try deliveries().count == 2 }
        office.killNotifier()
        try office.system.edit(
            .notifier, "UPDATE channel SET channel = x'FF' WHERE name = 'damaged'")

        try office.startNotifier()
        _ = try office.ask(EndMaintenance(id: window.id), for: MaintenanceWindow.self)
        try eventually("it is delivered") { try told().map(\.alert.key).contains("waits") }

        #expect(try server.requests().allSatisfy { $0.path == "/whole" })
    }

    @Test func `during maintenance nothing escalates, and afterwards it does`() throws {
        _ = try office.ask(
            KeepPolicy(
                policy: EscalationPolicy(
                    name: "p", kind: "call",
                    steps: [EscalationStep(who: Audience(account: "bob"), after: 60_000)])),
            for: EscalationPolicy.self)
        _ = try office.ask(
            BeginMaintenance(
                window: MaintenanceWindow(kind: "call", until: now + 3_600_000)),
            for: MaintenanceWindow.self)
        _ = try office.ask(
            RaiseAlert(
                audience: Audience(account: "ann"), title: "Come", needsAcknowledgement: true),
            for: Call.self)
        func isCalled(_ person: String) throws -> Bool {
            try office.system.reading(.notifier) { db in
                try !String.fetchAll(
                    db, sql: "SELECT id FROM alert WHERE feed = 'alert.local.\(person).'"
                ).isEmpty
            }
        }
        func timer() throws -> Int64? {
            try office.system.reading(.notifier) { db in
                try Int64.fetchOne(db, sql: "SELECT due FROM timer WHERE kind = 'escalate'")
            }
        }
        #expect(try isCalled("ann"))
        let planned = try #require(try timer())

        try office.setClock(120)
        try eventually("the step is put off") { try timer() ?? 0 > planned + 3_000_000 }
        #expect(try !isCalled("bob"))
        try office.setClock(3_700)
        try eventually("the step is taken") { try isCalled("bob") }
    }

    @Test func `a digest lists minor alerts once a day, and none of them is sent singly`()
        throws
    {
        try add("phone", .ntfy, "/mine")
        _ = try office.ask(
            PreferAlerts(mail: "", from: .urgent, language: "nb"), for: AlertPreference.self)
        let minutes = UInt32(now / 60_000 % 1_440)
        _ = try office.ask(
            SetDigest(
                digest: AlertDigest(
                    at: (minutes + 60) % 1_440, timeZone: "Etc/UTC", upTo: .warning)),
            for: AlertDigest.self)
        try raise("one", .info, title: "First")
        try raise("two", .warning, title: "Second")
        try raise("over", .info, title: "Third")
        try raise("now", .urgent, title: "Urgent")
        try wait(for: 1)
        let over = try #require(
            try office.ask(ListAlerts(), for: Alerts.self).alerts
                .first { $0.raised?.key == "over" }?.id)
        _ = try office.ask(AcknowledgeAlert(id: over), for: AlertAcknowledged.self)

        try office.setClock(3_700)
        try wait(for: 2)

        let bodies = try server.requests().map(\.body)
        #expect(bodies[0].contains("Urgent") && !bodies[0].contains("First"))
        #expect(bodies[1].contains("2 varsler siden forrige sammendrag"))
        #expect(bodies[1].contains("First") && bodies[1].contains("Second"))
        #expect(!bodies[1].contains("Third") && !bodies[1].contains("Urgent"))
    }

    @Test(arguments: [true, false])
    func `what a digest has collected is sent at once when it is turned off or collects less`(
        isOff: Bool
    ) throws {
        try add("phone", .ntfy, "/mine")
        let minutes = UInt32(now / 60_000 % 1_440)
        func set(_ digest: AlertDigest) throws {
            _ = try office.ask(SetDigest(digest: digest), for: AlertDigest.self)
        }
        let hourly = AlertDigest(at: (minutes + 60) % 1_440, timeZone: "Etc/UTC")
        var both = hourly
        both.upTo = .warning
        try set(hourly)
        try raise("one", .info, title: "First")
        try eventually("it is collected") { try deliveries().count == 1 }
        // More is collected from now on; nothing is sent.
        try set(both)
        try raise("two", .warning, title: "Second")
        try eventually("both are collected") { try deliveries().count == 2 }

        try set(isOff ? AlertDigest() : hourly)
        try wait(for: 1)
        try raise("three", .info, title: "Third")
        try eventually("it is known, too") { try deliveries().count == 4 }
        try office.setClock(3_700)
        try wait(for: 2)

        let bodies = try server.requests().map(\.body)
        #expect(bodies[0].contains("First") && bodies[0].contains("Second"))
        #expect(bodies[1].contains("Third") && !bodies[1].contains("First"))
    }

    @Test func `a list that a digest has delivered stays when the digest is then turned off`()
        throws
    {
        try add("phone", .ntfy, "/mine")
        let minutes = UInt32(now / 60_000 % 1_440)
        let hourly = AlertDigest(at: (minutes + 60) % 1_440, timeZone: "Etc/UTC")
        _ = try office.ask(SetDigest(digest: hourly), for: AlertDigest.self)
        try raise("one", .info, title: "First")
        try eventually("it is collected") { try deliveries().count == 1 }
        try office.setClock(3_700)
        try wait(for: 1)

        _ = try office.ask(SetDigest(digest: AlertDigest()), for: AlertDigest.self)

        // A query of an hour ago would come too late.
        try office.setClock(0)
        let open = try office.ask(ListAlerts(openOnly: true), for: Alerts.self).alerts
        #expect(open.contains { $0.raised?.kind == AlertDigest.kind })
    }

    @Test func `alerts that were delivered without a digest aren't in the next one`() throws {
        try add("phone", .ntfy, "/mine")
        let minutes = UInt32(now / 60_000 % 1_440)
        let hourly = AlertDigest(at: (minutes + 60) % 1_440, timeZone: "Etc/UTC")
        for digest in [hourly, AlertDigest()] {
            _ = try office.ask(SetDigest(digest: digest), for: AlertDigest.self)
        }
        try raise("one", .info, title: "First")
        try wait(for: 1)
        _ = try office.ask(SetDigest(digest: hourly), for: AlertDigest.self)
        try raise("two", .info, title: "Second")
        try eventually("it is collected") { try deliveries().count == 2 }

        try office.setClock(3_700)
        try wait(for: 2)

        let bodies = try server.requests().map(\.body)
        #expect(bodies[1].contains("Second") && !bodies[1].contains("First"))
    }

    @Test func `a digest has what is new, even for someone with hundreds of open alerts`() throws {
        for number in 0..<500 { try raise("old/\(number)", .info, title: "Old") }
        try eventually("all are there") {
            try office.system.reading(.notifier) { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM alert WHERE state = 1") == 500
            }
        }
        try add("phone", .ntfy, "/mine")
        let minutes = UInt32(now / 60_000 % 1_440)
        _ = try office.ask(
            SetDigest(digest: AlertDigest(at: (minutes + 60) % 1_440, timeZone: "Etc/UTC")),
            for: AlertDigest.self)
        try raise("new", .info, title: "Fresh")
        try eventually("it is there") {
            try office.system.reading(.notifier) { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM alert WHERE state = 1") == 501
            }
        }

        try office.setClock(3_700)
        try wait(for: 1)

        let bodies = try server.requests().map(\.body)
        #expect(bodies[0].contains("Fresh") && !bodies[0].contains("Old"))
    }

    @Test func `history is searched by words, source, person and time, page by page`() throws {
        for number in 0..<60 {
            try raise("\(number)", .info, title: number % 2 == 0 ? "Smoke \(number)" : "Dør åpen")
        }
        try eventually("all are there") {
            try office.ask(ListAlerts(limit: 100), for: Alerts.self).alerts.count == 60
        }
        let find = { (query: ListAlerts) in
            try self.office.ask(query, for: Alerts.self).alerts
        }
        #expect(try find(ListAlerts(limit: 100, words: "smo")).count == 30)
        #expect(try find(ListAlerts(limit: 100, words: "apen dor")).count == 30)
        #expect(try find(ListAlerts(limit: 100, words: "smoke dør")).isEmpty)
        #expect(try find(ListAlerts(limit: 100, source: "plan-service")).isEmpty)
        #expect(try find(ListAlerts(limit: 100, source: "transit-alert-service")).count == 60)
        #expect(try find(ListAlerts(limit: 100, since: now + 60_000)).isEmpty)
        #expect(try find(ListAlerts(limit: 100, until: now - 600_000)).isEmpty)
        #expect(throws: (any Error).self) { try find(ListAlerts(words: "!?")) }

        var (seen, query) = ([String](), ListAlerts(limit: 7, words: "smoke"))
        repeat {
            let page = try office.ask(query, for: Alerts.self)
            #expect(page.alerts.count <= 7)
            seen += page.alerts.map(\.id)
            query.before = page.next
        } while !query.before.isEmpty
        #expect(seen.count == 30 && seen == seen.sorted(by: >))

        _ = try office.ask(AcknowledgeAlert(id: seen[0]), for: AlertAcknowledged.self)
        let me = Principal.machineOwner.account
        #expect(try find(ListAlerts(acknowledgedBy: me)).map(\.id) == [seen[0]])
    }

    @Test func `closed alerts are deleted after the configured days, open ones are not`() throws {
        office.killNotifier()
        try office.startNotifier(adding: ["STEWARD_ALERT_DAYS": "2"])
        for key in ["open", "closed"] { try raise(key, .info) }
        try eventually("both are there") {
            try office.ask(ListAlerts(), for: Alerts.self).alerts.count == 2
        }
        let closed = try #require(
            try office.ask(ListAlerts(), for: Alerts.self).alerts
                .first { $0.raised?.key == "closed" }?.id)
        _ = try office.ask(AcknowledgeAlert(id: closed), for: AlertAcknowledged.self)
        func keys() throws -> [String] {
            try office.system.reading(.notifier) { db in
                try String.fetchAll(db, sql: "SELECT key FROM alert ORDER BY key")
            }
        }

        try office.setClock(26 * 3_600)
        try eventually("the notifier looked for old rows") {
            try office.system.reading(.notifier) { db in
                try Int64.fetchOne(db, sql: "SELECT due FROM timer WHERE kind = 'prune'") ?? 0
            } > now + 26 * 3_600_000
        }
        #expect(try keys() == ["closed", "open"])
        try office.setClock(50 * 3_600)
        try office.passDay(from: 50 * 3_600)
        try eventually("the closed one is deleted") { try keys() == ["open"] }
    }

    @Test(arguments: ["0", "-1", "3651", "ten", ""])
    func `a retention that isn't a number of days is refused at start`(days: String) {
        #expect(throws: ConfigurationError.self) {
            try AlertRetention.validate([AlertRetention.variable: days])
        }
    }
}
