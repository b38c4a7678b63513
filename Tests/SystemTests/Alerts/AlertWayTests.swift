import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests every way by which an alert can reach a person.
@Suite(.serialized, .waiting) struct AlertWayTests {
    private let system: System
    private let mails: SMTPServer
    private let server: WebServer
    private let broker: MQTTBroker
    private let user: CommandLineUser
    /// What `notify-send` was asked to show.
    private let shown: String

    init() throws {
        system = try System()
        mails = try SMTPServer(in: system)
        server = try WebServer(in: system)
        broker = try MQTTBroker(in: system)
        shown = system.path("shown")
        try system.start("account-service")
        let notifier = try system.launch(
            "notifier",
            adding: [
                "STEWARD_SMTP": "smtp://127.0.0.1:\(mails.port)",
                "STEWARD_SMTP_FROM": "steward@example.org",
            ])
        try notifier.waitUntilReady()
        try system.makeFolder("bin")
        let (folder, key) = (system.path("bin"), system.path("key"))
        try "#!/bin/sh\nprintf '%s\\n' \"$@\" >> '\(shown)'\n"
            .write(toFile: folder + "/notify-send", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: folder + "/notify-send")
        try "the-key\n".write(toFile: key, atomically: true, encoding: .utf8)
        user = CommandLineUser(
            of: system, device: "desk", adding: ["PATH": folder + ":/usr/bin:/bin"])
        for line in [
            "channel add hook --webhook \(server.url("/hook")) --secret-file '\(key)'",
            "channel add phone --ntfy \(server.url("/my-alerts"))",
            "channel add lamp --mqtt \(broker.url("kitchen/lamp"))",
            "prefer --mail ann@example.org --from info",
        ] { try user.run("alerts \(line)") }
    }

    private func isMailed(_ words: String) throws -> Bool {
        try mails.mails().contains {
            $0.to.contains("ann@example.org")
                && String(decoding: $0.bytes, as: UTF8.self).contains(words)
        }
    }

    @Test func `N3 one alert comes by terminal, desktop, mail, signed webhook, ntfy and MQTT`()
        throws
    {
        let watch = try user.begin("alerts watch --desktop")
        try eventually("it watches") { watch.err.contains("watching") }

        try user.run("alerts call raise everyone 'Fire in the kitchen' --severity urgent --answer")

        let words = "Fire in the kitchen"
        try eventually("the terminal shows it") { watch.out.contains(words) }
        try eventually("the desktop shows it") {
            let text = FileManager.default.contents(atPath: shown) ?? Data()
            return String(decoding: text, as: UTF8.self).contains(words)
        }
        try eventually("it is mailed") { try isMailed(words) }
        try eventually("the webhook and ntfy have it") {
            try server.requests().count { $0.body.contains(words) } == 2
        }
        let signed = try #require(try server.requests().first { $0.path == "/hook" })
        #expect(try signed.isSigned(by: "the-key", in: system))
        try eventually("the lamp has it") {
            broker.messages().contains { $0.topic == "kitchen/lamp" && $0.text.contains(words) }
        }
        watch.signal(SIGINT)
        #expect(try watch.waitForEnd() == .exited(0))
    }

    @Test func `a new address gets mails of the same severities as the one before`() throws {
        let preference = "alerts from info on are mailed to bob@example.org\n"

        #expect(try user.run("alerts prefer --mail bob@example.org") == preference)
        #expect(try user.run("alerts prefer") == preference)
        try user.run("alerts prefer --no-mail")
        #expect(try user.run("alerts prefer --mail bob@example.org") == preference)
    }

    @Test func `N9 every kind of channel can be tested, and mail`() throws {
        for name in ["hook", "phone", "lamp", "mail"] {
            #expect(
                try user.run("alerts channel test \(name)")
                    == "the server has accepted the test\n")
        }

        #expect(try server.requests().count == 2)
        #expect(try mails.mails().count == 1)
        try eventually("the lamp has it") { broker.messages().count == 1 }
    }

    @Test func `N9 each step of an alert is shown: sent, failed or skipped, and why`() throws {
        for line in [
            "broken --webhook \(server.url("/broken"))",
            "siren --webhook \(server.url("/siren")) --from urgent",
        ] { try user.run("alerts channel add \(line)") }

        try user.run("alerts call raise everyone Tea")
        let history = "alerts list --all --words Tea"
        try eventually("it is in the history") { try user.rows(history).count == 1 }
        let id = try #require(try user.answer(history)["id"] as? String)

        var steps: [String: String] = [:]
        try eventually("all have been tried") {
            let deliveries = try user.answer("alerts show \(id)")["deliveries"]
            for one in deliveries as? [[String: Any]] ?? [] {
                let words = ["state", "note"].map { one[$0] as? String ?? "" }
                steps[one["channel"] as? String ?? ""] = words.joined(separator: " ")
            }
            let sent = ["hook", "phone", "lamp", "mail"]
            // The next attempt may be under way, with the note of the last one.
            return sent.allSatisfy { steps[$0]?.hasPrefix("sent") == true }
                && steps["broken"]?.hasPrefix("waiting ") == true
                && steps["broken"]?.contains("status 500") == true
        }
        #expect(steps["siren"] == "skipped not for alerts of this severity")
        let table = try user.run("alerts show \(id)")
        for words in ["status 500", "not for alerts of this severity", "sent"] {
            #expect(table.contains(words), "\(table)")
        }
    }
}
