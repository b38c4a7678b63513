import Bus
import Messages
import ServiceRuntime
import TestSupport
import Testing

@testable import Notifier

/// What happens to alerts that can't be read, or whose recipient's settings can't be read.
extension ChannelTests {
    private var owner: String { Principal.machineOwner.account }

    @Test func `an alert that can't be read can be withdrawn, and raised again`() throws {
        try add()
        try raise("a")
        try wait(for: 1)
        try office.system.edit(
            .notifier, "UPDATE alert SET alert = x'FF'; UPDATE notice SET notice = x'FF'")

        try office.withdraw("a")
        try wait(for: 2)
        try raise("a", title: "Get off here")
        try wait(for: 3)

        let heard = try told()
        #expect(heard.map(\.reason) == ["raised", "closed", "raised"])
        #expect(heard.map(\.alert.key) == ["a", "a", "a"])
        #expect(heard[1].alert.state == "withdrawn")
        #expect(heard[2].alert.title == "Get off here")
        let feed = try office.ask(ReadFeed(), for: FeedPage.self)
        #expect(feed.notices.map(\.feedSequence) == [1, 2, 3])
    }

    @Test func `an alert is withdrawn although its delivery and its mail can't be read`() throws {
        try add()
        _ = try office.ask(
            PreferAlerts(mail: "ann@example.org", from: .info), for: AlertPreference.self)
        try raise("a")
        try eventually("it is delivered, and the mail waits for a server") {
            try office.system.query(.notifier, "SELECT state FROM delivery") == [["3"]]
                && office.system.query(.notifier, "SELECT count(*) FROM mail") == [["1"]]
        }
        try office.system.edit(
            .notifier, "UPDATE delivery SET delivery = x'FF'; UPDATE mail SET mail = x'FF'")

        try office.withdraw("a")
        try wait(for: 2)

        #expect(try told().map(\.reason) == ["raised", "closed"])
        let alert = try #require(try office.ask(ListAlerts(), for: Alerts.self).alerts.first)
        let trace = try office.ask(ReadAlert(id: alert.id), for: AlertTrace.self)
        #expect(trace.deliveries.count == 2)
    }

    @Test func `an alert that can't be read is changed by its source, and listed`() throws {
        try add()
        try raise("a", .warning)
        try raise("b", .warning)
        try wait(for: 2)
        try office.system.edit(.notifier, "UPDATE alert SET alert = x'FF' WHERE key = 'a'")
        let titles = {
            try self.office.ask(OpenFeed(), for: AlertFeed.self).open.map { $0.raised?.title }
        }
        #expect(try titles() == ["An alert that can’t be read", "Get off"])

        try raise("a", .warning, title: "Get off here")
        try wait(for: 3)

        #expect(try told().last?.reason == "changed")
        #expect(try titles() == ["Get off here", "Get off"])
    }

    @Test func `an alert that can't be read is repeated on, and ends when it was to end`() throws {
        try add()
        try raise("a", again: 60_000)
        try wait(for: 1)
        let end = "SELECT due FROM timer WHERE kind = 'expire'"
        let due = try office.system.query(.notifier, end)
        try office.system.edit(.notifier, "UPDATE alert SET alert = x'FF'")

        for (index, seconds) in [61, 700, 1_400].enumerated() {
            try office.setClock(seconds)
            try wait(for: index + 2)
        }

        let heard = try told()
        #expect(heard.map(\.reason) == ["raised", "repeated", "repeated", "repeated"])
        #expect(heard.dropFirst().allSatisfy { $0.alert.title == "An alert that can’t be read" })
        #expect(due.count == 1)
        #expect(try office.system.query(.notifier, end) == due)
    }

    @Test func `a call that can't be read is withdrawn, and begins anew`() throws {
        try add()
        let call = AlertRaised(
            key: "c", kind: "test", severity: .urgent, title: "Come", needsAcknowledgement: true,
            audience: Audience(account: owner))
        try office.raise(call)
        try wait(for: 1)
        let damage = "UPDATE call SET call = x'FF'; UPDATE alert SET alert = x'FF'"
        try office.system.edit(.notifier, damage)
        try office.withdraw("c")
        try wait(for: 2)
        try office.raise(call)
        try wait(for: 3)
        try office.system.edit(.notifier, damage)
        try office.raise(call)
        try wait(for: 5)

        let reasons = try told().map(\.reason)
        #expect(reasons == ["raised", "closed", "raised", "closed", "raised"])
    }

    @Test func `a digest that can't be read stops neither the next one nor any alert`() throws {
        try add("phone", .ntfy, "/mine")
        let minutes = UInt32(WallClock.milliseconds() / 60_000 % 1_440)
        _ = try office.ask(
            SetDigest(digest: AlertDigest(at: (minutes + 60) % 1_440, timeZone: "Etc/UTC")),
            for: AlertDigest.self)
        try raise("one", .info, title: "First")
        try eventually("it is there") {
            try office.system.query(.notifier, "SELECT key FROM alert") == [["one"]]
        }
        try office.setClock(3_700)
        try wait(for: 1)
        try office.system.edit(
            .notifier, "UPDATE alert SET alert = x'FF' WHERE key LIKE 'digest/%'")
        try raise("two", .info, title: "Second")
        try eventually("it is there") {
            try office.system.query(.notifier, "SELECT 1 FROM alert WHERE key = 'two'") == [["1"]]
        }

        try office.setClock(24 * 3_600 + 3_700)
        try wait(for: 2)

        let bodies = try server.requests().map(\.body)
        #expect(bodies[0].contains("First") && bodies[1].contains("Second"))
        let open = "SELECT count(*) FROM alert WHERE state = 1 AND key LIKE 'digest/%'"
        #expect(try office.system.query(.notifier, open) == [["1"]])
    }

    @Test func `mails go where they went before if someone's preference can't be read`() throws {
        _ = try office.ask(
            PreferAlerts(mail: "ann@example.org", from: .info), for: AlertPreference.self)
        try raise("a", .info)
        try eventually("it is mailed") { try office.mails().count == 1 }
        try office.system.edit(.notifier, "UPDATE preference SET preference = x'FF'")

        try raise("b", .info)

        try eventually("it is mailed too") { try office.mails().count == 2 }
        #expect(try office.mails().map(\.to) == ["ann@example.org", "ann@example.org"])
    }

    @Test func `settings that can't be read hold up no alert`() throws {
        try add()
        _ = try office.ask(
            SetDigest(digest: AlertDigest(at: 1, timeZone: "Etc/UTC")), for: AlertDigest.self)
        _ = try office.ask(
            SetQuietHours(hours: QuietHours(from: 1, until: 2, timeZone: "Etc/UTC")),
            for: QuietHours.self)
        let until = WallClock.milliseconds() + 3_600_000
        _ = try office.ask(
            SilenceAlerts(silence: Silence(kind: "test", until: until)), for: Silence.self)
        _ = try office.ask(
            BeginMaintenance(window: MaintenanceWindow(kind: "test", until: until)),
            for: MaintenanceWindow.self)
        _ = try office.ask(PreferAlerts(language: "nb"), for: AlertPreference.self)
        _ = try office.ask(
            KeepPolicy(
                policy: EscalationPolicy(
                    name: "p", kind: "test",
                    steps: [EscalationStep(who: Audience(account: owner))])),
            for: EscalationPolicy.self)
        try office.system.edit(
            .notifier,
            """
            UPDATE digest SET digest = x'FF';
            UPDATE quiet SET hours = x'FF';
            UPDATE silence SET silence = x'FF';
            UPDATE maintenance SET maintenance = x'FF';
            UPDATE preference SET preference = x'FF';
            UPDATE policy SET policy = x'FF';
            """)

        try raiseByAccounts("a", .warning)
        try wait(for: 1)

        #expect(try told().map(\.alert.title) == ["Get off"])
    }
}

extension CallTests {
    @Test func `people keep their alerts of a call that can't be read`() throws {
        let crew = Grant(role: .crew, site: "harbour")
        try publish(.member("ann", crew), .member("bob", crew))
        try raise("crew", for: Audience(role: .crew, site: "harbour"))
        try wait("crew", for: ["ann", "bob"])
        try office.system.edit(.notifier, "UPDATE call SET call = x'FF'")

        try publish(.member("bob", Grant(role: .crew, site: "pier")))
        try raise("later", for: Audience(role: .crew, site: "pier"))
        try wait("later", for: ["bob"])

        #expect(try people("crew") == ["ann", "bob"])
    }

    @Test func `it is reported that a call that can't be read isn't repeated`() throws {
        try publish(.member("ann", Grant(role: .crew, site: "harbour")))
        try office.raise(
            AlertRaised(
                key: "crew", kind: "test", severity: .warning, title: "Come",
                needsAcknowledgement: true, repeatEvery: 60_000, organisation: "o",
                audience: Audience(role: .crew, site: "harbour")))
        try wait("crew", for: ["ann"])
        try office.system.edit(.notifier, "UPDATE call SET call = x'FF'")

        try office.setClock(61)

        try eventually("it is reported") {
            try rows("SELECT key FROM alert WHERE key LIKE 'aside/notifier/%'").count == 1
        }
        // And again the next day, no sooner.
        let pause = "SELECT due - begun FROM timer WHERE kind = 'repeatCall'"
        #expect(try office.system.query(.notifier, pause) == [["86400000"]])
        #expect(try people("crew") == ["ann"])
    }

    @Test func `a call reaches everyone although one person's data can't be read`() throws {
        try publish(
            .member("ann", Grant(role: .crew, site: "harbour")),
            .member("bob", Grant(role: .crew, site: "harbour")))
        try office.system.edit(
            .notifier, "UPDATE member SET member = x'FF' WHERE account = 'ann'")

        try raise("crew", for: Audience(role: .crew, site: "harbour"))

        try wait("crew", for: ["ann", "bob"])
    }
}
