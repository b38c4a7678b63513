import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import Notifier

/// What channels hold back, and what gets through nevertheless.
extension ChannelTests {
    /// Lets quiet hours last for another hour.
    private func beginQuietHours() throws {
        let minutes = UInt32(WallClock.milliseconds() / 60_000 % 1_440)
        _ = try office.ask(
            SetQuietHours(
                hours: QuietHours(
                    from: (minutes + 1_435) % 1_440, until: (minutes + 60) % 1_440,
                    timeZone: "Etc/UTC")), for: QuietHours.self)
    }

    @Test func `quiet hours hold back what isn't urgent, and drop it if it ends meanwhile`() throws
    {
        try add()
        try beginQuietHours()
        try raise("later", .warning)
        try raise("never", .warning)
        try raise("now", .urgent)
        try wait(for: 1)
        let never = try #require(
            try office.ask(ListAlerts(), for: Alerts.self).alerts
                .first { $0.raised?.key == "never" })
        _ = try office.ask(AcknowledgeAlert(id: never.id), for: AlertAcknowledged.self)

        try office.setClock(2 * 3_600)
        try eventually("what waited is delivered") {
            try told().contains { $0.alert.key == "later" }
        }

        let open = try told().filter { $0.reason == "raised" }.map(\.alert.key)
        #expect(open == ["now", "later"])
    }

    @Test func `what failed before quiet hours waits until they are over`() throws {
        try add()
        try server.behave("500")
        try raise("a", .warning)
        try eventually("it has failed") {
            try deliveries().first.map { $0.state == .waiting && !$0.note.isEmpty } ?? false
        }
        try beginQuietHours()

        try office.setClock(60)
        try eventually("it waits") {
            try deliveries().map(\.note) == ["waits until the quiet hours are over"]
        }
        try server.behave("200")
        let before = try server.requests().count
        try office.setClock(2 * 3_600)
        try eventually("it is sent") { try deliveries().map(\.state) == [.sent] }
        #expect(try server.requests().count == before + 1)
    }

    @Test func `the end of an alert and the test of a channel don't wait for quiet hours`() throws {
        try add("siren")
        try raise("a", .warning)
        try wait(for: 1)
        try beginQuietHours()

        let id = try #require(try office.ask(ListAlerts(), for: Alerts.self).alerts.first).id
        _ = try office.ask(AcknowledgeAlert(id: id), for: AlertAcknowledged.self)
        try wait(for: 2)
        _ = try office.ask(TestChannel(name: "siren"), for: Alert.self)
        try wait(for: 3)

        #expect(try told().map(\.reason) == ["raised", "closed", "raised"])
    }

    @Test func `a silenced alert is listed, and its trace says why it went no further`() throws {
        try add()
        _ = try office.ask(
            SilenceAlerts(
                silence: Silence(
                    key: "hush/", until: WallClock.milliseconds() + 3_600_000)), for: Silence.self)

        try raise("hush/1", .warning)
        try raise("other", .warning)
        try wait(for: 1)

        #expect(try told().map(\.alert.key) == ["other"])
        let alert = try #require(
            try office.ask(ListAlerts(), for: Alerts.self).alerts
                .first { $0.raised?.key == "hush/1" })
        let trace = try office.ask(ReadAlert(id: alert.id), for: AlertTrace.self)
        #expect(trace.deliveries.map(\.state) == [.skipped])
        #expect(trace.deliveries[0].note.hasPrefix("silenced by "))
    }

    @Test func `a storm doesn't delay urgent alerts, and a phone gets thirty a minute`() throws {
        try add("phone", .ntfy, "/alerts")
        let begun = ContinuousClock.now
        for number in 0..<200 { try raise("storm/\(number)", .info, title: "Storm") }

        try raise("fire", .urgent, title: "Fire")
        try eventually("the urgent one is there") {
            try server.requests().contains { $0.body.contains("Fire") }
        }
        try eventually("thirty are there") {
            try server.requests().count >= 31
        }

        let before = try server.requests().count
        // A busy machine may take longer than a minute for all this.
        let minutes = Int((ContinuousClock.now - begun) / .seconds(60))
        #expect(before <= 31 + 30 * minutes)
        try office.setClock(70)
        try eventually("the next are delivered") {
            try server.requests().count > before
        }
    }

    @Test func `a channel's test goes only by that channel, and reports the result`() throws {
        try add("phone", .ntfy, "/alerts", from: .urgent)
        try add("all", .webhook, "/all")

        let alert = try office.ask(TestChannel(name: "phone"), for: Alert.self)
        var trace = AlertTrace()
        try eventually("it is sent") {
            trace = try office.ask(ReadAlert(id: alert.id), for: AlertTrace.self)
            return trace.deliveries.map(\.state) == [.sent]
        }

        #expect(trace.deliveries.map(\.channel) == ["phone"])
        #expect(try server.requests().map(\.path) == ["/"])
        #expect(throws: (any Error).self) {
            _ = try office.ask(TestChannel(name: "none"), for: Alert.self)
        }
    }

    @Test func `a removed channel gets nothing more, and an eleventh channel is refused`() throws {
        for number in 0..<10 { try add("c\(number)", .webhook, "/c", from: .urgent) }
        #expect(throws: (any Error).self) { try add("c10") }
        try add("c0", .webhook, "/again", from: .urgent)
        for number in 1..<10 {
            _ = try office.ask(RemoveChannel(name: "c\(number)"), for: AlertChannel.self)
        }

        try raise("a")
        try wait(for: 1)
        try raise("b")
        try wait(for: 2)

        #expect(try server.requests().map(\.path) == ["/again", "/again"])
    }

    @Test func `a command is run for each notice, and no text of an alert is executed`() throws {
        let (heard, mark) = (office.system.path("heard"), office.system.path("mark"))
        let command = """
            printf '%s %s %s\\n' "$ALERT_SEVERITY" "$ALERT_REASON" "$ALERT_TITLE" >> '\(heard)'
            """
        let watch = try office.system.spawn(
            [
                "\(System.executables)/steward", "alerts", "watch", "--run", command,
                "--run-from", "warning",
            ], environment: office.system.environment())
        try eventually("it watches") { watch.err.contains("watching") }
        let title = "$(touch \(mark)) `touch \(mark)`; touch \(mark) '"

        try raise("calm", .info, title: "not this")
        try raise("a", .warning, title: title)
        var id = ""
        try eventually("the alert is there") {
            let alerts = try office.ask(ListAlerts(), for: Alerts.self).alerts
            id = alerts.first { $0.raised?.key == "a" }?.id ?? ""
            return !id.isEmpty
        }
        _ = try office.ask(AcknowledgeAlert(id: id), for: AlertAcknowledged.self)

        var lines: [Substring] = []
        try eventually("the command was run twice") {
            let text = FileManager.default.contents(atPath: heard) ?? Data()
            lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
            return lines.count == 2
        }
        #expect(lines == ["warning raised \(title)", "warning closed \(title)"])
        #expect(!FileManager.default.fileExists(atPath: mark))
        watch.signal(SIGINT)
        #expect(try watch.waitForEnd() == .exited(0))
    }

    /// Begins `steward alerts watch --desktop`, with the programs of a folder before others.
    private func watchDesktop(_ folder: String) throws -> Program {
        try office.system.spawn(
            [
                "\(System.executables)/steward", "alerts", "watch", "--desktop", "--desktop-from",
                "warning",
            ], environment: office.system.environment(adding: ["PATH": folder]))
    }

    @Test func `alerts are shown on the desktop by notify-send, with their texts as arguments`()
        throws
    {
        let (folder, shown) = (office.system.path("bin"), office.system.path("shown"))
        try office.system.makeFolder("bin")
        let program = """
            #!/bin/sh
            printf '%s\\n' "$@" . >> '\(shown)'

            """
        try program.write(toFile: folder + "/notify-send", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: folder + "/notify-send")
        let watch = try watchDesktop(folder + ":/usr/bin:/bin")
        try eventually("it watches") { watch.err.contains("watching") }

        try raise("calm", .info, title: "not this")
        try raise("a", .warning, title: "--help $(exit)")
        try raise("b", .urgent, title: "Fire")

        var lines: [Substring] = []
        try eventually("both are shown") {
            let text = FileManager.default.contents(atPath: shown) ?? Data()
            lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
            return lines.count == 12
        }
        #expect(
            lines == [
                "--app-name=Steward", "--urgency=normal", "--", "--help $(exit)", "Nå", ".",
                "--app-name=Steward", "--urgency=critical", "--", "Fire", "Nå", ".",
            ])
        watch.signal(SIGINT)
        #expect(try watch.waitForEnd() == .exited(0))
    }

    @Test func `a desktop without notify-send is an error that says what to install`() throws {
        try office.system.makeFolder("empty")

        let watch = try watchDesktop(office.system.path("empty"))

        #expect(try watch.waitForEnd() == .exited(70))
        #expect(watch.err.contains("install the package libnotify-bin"))
    }
}
