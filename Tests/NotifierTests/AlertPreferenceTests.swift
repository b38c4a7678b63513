import Bus
import Messages
import Phrases
import ServiceRuntime
import TestSupport
import TestThreads
import Testing

@testable import Notifier

/// Alerts that are also mailed.
@Suite(.serialized, .waiting) struct AlertPreferenceTests {
    @Test(arguments: [
        (Severity.info, [true, true, true]), (.warning, [false, true, true]),
        (.urgent, [false, false, true]), (.unspecified, [false, false, true]),
    ])
    func `alerts as loud as the person wishes are mailed`(from: Severity, mailed: [Bool]) throws {
        let preference = try AlertPreference(PreferAlerts(mail: "ann@example.org", from: from))

        #expect(Alert.severities.map(preference.wants) == mailed)
        #expect(!AlertPreference(from: from).wants(.urgent))
    }

    @Test func `whatever a source writes becomes a mail that can be sent`() throws {
        let raised = AlertRaised(
            key: "k",
            title: "a\r\nBcc: eve@example.org\u{0}"
                + String(repeating: "\u{1F469}\u{200D}\u{1F467}", count: 200),
            body: String(repeating: "line\r\n.\r\n", count: 100_000), recipient: "ann")
        let alert = Alert(
            id: "01a1febf-d7f7-7257-ac4e-073784f1a18c", raised: raised, severity: .urgent)

        let mail = alert.mail(to: "ann@example.org")

        try mail.validate()
        #expect(mail.subject.hasPrefix("urgent: a  Bcc: eve@example.org "))
    }

    @Test(arguments: ["a", "\u{301}"])
    func `an alert of any length becomes a mail that can be sent`(mark: String) throws {
        // One letter may have any number of accents.
        let long = "a" + String(repeating: mark, count: 460_000)
        let raised = AlertRaised(key: "k", title: long, body: long, recipient: "ann")
        let alert = Alert(id: "1", raised: raised, severity: .urgent)

        let mail = alert.mail(to: "ann@example.org")

        try mail.validate()
        #expect(mail.subject.utf8.count > 190)
        #expect(mail.text.utf8.count > 50_000)
    }

    @Test func `an alert is in the language that its recipient prefers`() throws {
        let office = try PostOffice()
        let prefer = try office.system.run(
            "steward", "alerts", "prefer", "--mail", "ann@example.org", "--from", "warning")
        #expect(prefer.end == .exited(0))
        let language = try office.system.run("steward", "alerts", "prefer", "--language", "nb")
        #expect(
            language.out == "alerts from warning on are mailed to ann@example.org\n"
                + "alerts are in the language nb\n")
        var alert = AlertRaised(
            key: "k", severity: .warning, recipient: Principal.machineOwner.account,
            needsAcknowledgement: true)
        alert.say(Said(.travelPath, ["clock": .text("10:15")]))
        try office.raise(alert)
        try eventually("it is mailed in Norwegian") {
            try office.mails().map(\.subject) == ["advarsel: Gå runden kl. 10:15"]
        }
        #expect(try office.system.run("steward", "alerts", "list").out.contains("Gå runden"))
        let feed = try office.ask(ReadFeed(), for: FeedPage.self)
        let told = try #require(feed.notices.first?.alert)
        #expect(told.raised?.title == "Gå runden kl. 10:15" && told.language == "nb")

        let none = try office.system.run("steward", "alerts", "prefer", "--no-language")
        #expect(none.out == "alerts from warning on are mailed to ann@example.org\n")
        for (language, title) in [("sv_SE.UTF-8", "Gå rundan kl. 10:15"), ("C", "Walk the")] {
            let environment = office.system.environment(adding: ["STEWARD_LANG": language])
            let list = try office.system.spawn(
                ["\(System.executables)/steward", "alerts", "list"], environment: environment)
            _ = try list.waitForEnd()
            #expect(list.out.contains(title))
        }
    }

    @Test func `whoever wants mail is told that there is no mail server`() throws {
        let office = try PostOffice(hasServer: false)

        let prefer = try office.system.run(
            "steward", "alerts", "prefer", "--mail", "ann@example.org")
        try office.raise(
            AlertRaised(
                key: "k", severity: .urgent, title: "Smoke",
                recipient: Principal.machineOwner.account))
        var waiting: Alert?
        try eventually("the alert is raised") {
            waiting = try office.ask(ListAlerts(), for: Alerts.self).alerts.first
            return waiting != nil
        }
        let trace = try office.system.run("steward", "alerts", "show", waiting?.id ?? "")
        let none = try office.system.run("steward", "alerts", "prefer", "--no-mail")

        #expect(prefer.err.contains("nothing is mailed for now"), "\(prefer.err)")
        #expect(trace.out.contains("no mail server is set"), "\(trace.out)")
        #expect(!none.err.contains("nothing is mailed for now"), "\(none.err)")
    }

    @Test func `an unsupported language is refused with a list of the supported ones`() throws {
        #expect(
            throws: Refusal.invalid(
                "there are no texts in the language “de”; there are some in en, nb, sv"
            ).because(.languageUnknown, of: "de", ["known": "en, nb, sv"])
        ) { _ = try AlertPreference(PreferAlerts(language: "de")) }
        let before = AlertPreference(language: "sv")
        #expect(try AlertPreference(PreferAlerts(), before: before).language == "sv")
        #expect(try AlertPreference(PreferAlerts(language: ""), before: before).language == "")
    }

    @Test func `changing only the language changes nothing about mails`() throws {
        let before = AlertPreference(mail: "ann@example.org", from: .info, language: "sv")
        let wish = PreferAlerts(mail: "?", from: .warning, language: "nb", keepsMail: true)
        #expect(
            try AlertPreference(wish, before: before)
                == AlertPreference(mail: "ann@example.org", from: .info, language: "nb"))
    }

    @Test func `an address that is changed just before the language is kept`() throws {
        let office = try PostOffice(hasServer: false)
        // As the command does, with the address that it has read.
        let read = try office.ask(ReadAlertPreference(), for: AlertPreference.self)
        let mail = "ann@example.org"
        _ = try office.ask(PreferAlerts(mail: mail, from: .info), for: AlertPreference.self)

        let wish = PreferAlerts(mail: read.mail, from: read.from, language: "nb", keepsMail: true)
        let kept = try office.ask(wish, for: AlertPreference.self)

        #expect(
            kept == AlertPreference(mail: mail, from: .info, language: "nb", mailWaits: true))
        #expect(try office.ask(ReadAlertPreference(), for: AlertPreference.self) == kept)
    }

    @Test func `preferences that were changed since they were read are not replaced`() throws {
        let office = try PostOffice(hasServer: false)
        // Two forms are made from what is kept: one changes the address, the other the language.
        let seen = try office.ask(ReadAlertPreference(), for: AlertPreference.self)
        let first = PreferAlerts(mail: "ann@example.org", from: .info, expected: seen)
        let kept = try office.ask(first, for: AlertPreference.self)
        let second = PreferAlerts(mail: "", from: .urgent, language: "nb", expected: seen)

        #expect(
            throws: ClientError.refused(
                .conflict(
                    "the preferences were changed elsewhere since you read them; read them again"
                ).because(.preferenceChanged))
        ) { _ = try office.ask(second, for: AlertPreference.self) }
        #expect(try office.ask(ReadAlertPreference(), for: AlertPreference.self) == kept)
        // Pressing a button twice, which sends the same in another command, undoes nothing.
        #expect(try office.ask(first, for: AlertPreference.self) == kept)
        let again = PreferAlerts(mail: kept.mail, from: .info, language: "nb", expected: kept)
        #expect(
            try office.ask(again, for: AlertPreference.self)
                == AlertPreference(
                    mail: kept.mail, from: .info, language: "nb", mailWaits: true))
    }

    @Test func `quiet hours that were changed since they were read are not replaced`() throws {
        let office = try PostOffice(hasServer: false)
        func hours(from: UInt32, until: UInt32) -> QuietHours {
            QuietHours(from: from, until: until, timeZone: "Etc/UTC")
        }
        let seen = try office.ask(ReadQuietHours(), for: QuietHours.self)
        let first = SetQuietHours(hours: hours(from: 1_320, until: 420), expected: seen)
        let kept = try office.ask(first, for: QuietHours.self)
        let second = SetQuietHours(hours: hours(from: 1_200, until: 360), expected: seen)

        #expect(
            throws: ClientError.refused(
                .conflict(
                    "the quiet hours were changed elsewhere since you read them; read them again"
                ).because(.preferenceChanged))
        ) { _ = try office.ask(second, for: QuietHours.self) }
        #expect(try office.ask(ReadQuietHours(), for: QuietHours.self) == kept)
        #expect(try office.ask(first, for: QuietHours.self) == kept)
        let none = SetQuietHours(hours: QuietHours(), expected: kept)
        #expect(try office.ask(none, for: QuietHours.self) == QuietHours())
        // Without what was seen, nothing is compared.
        let blind = SetQuietHours(hours: second.hours)
        #expect(try office.ask(blind, for: QuietHours.self) == second.hours)
    }

    @Test func `an alert is mailed once, when it has become loud enough`() throws {
        let office = try PostOffice()
        let prefer = try office.system.run(
            "steward", "alerts", "prefer", "--mail", "ann@example.org", "--from", "warning")
        #expect(prefer.out == "alerts from warning on are mailed to ann@example.org\n")
        var alert = AlertRaised(
            key: "k", severity: .info, title: "Døra er åpen", body: "i kjelleren",
            recipient: Principal.machineOwner.account, needsAcknowledgement: true,
            repeatEvery: 60_000)
        try office.raise(alert)

        for repetition in 0...4 {
            try office.setClock(61 * repetition)
            try eventually("it was repeated \(repetition) times") {
                try office.system.query(.notifier, "SELECT max(sequence) FROM notice")
                    == [["\(repetition + 1)"]]
            }
        }
        try office.waitForMail(.sent)
        #expect(try office.mails().count == 1)
        alert.severity = .urgent
        try office.raise(alert)
        try eventually("it is mailed as urgent too") {
            try office.mails().map(\.subject) == ["warning: Døra er åpen", "urgent: Døra er åpen"]
        }
        try office.setClock(0)
        let none = try office.system.run("steward", "alerts", "prefer", "--no-mail")
        #expect(none.out == "no alerts are mailed\n")
    }
}
