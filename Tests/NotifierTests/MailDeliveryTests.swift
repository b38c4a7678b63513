import Bus
import Foundation
import Messages
import ServiceRuntime
import TestSupport
import TestThreads
import Testing

@testable import Notifier

/// Mails on their way from a service's request to a real mail server.
@Suite(.serialized, .waiting) struct MailDeliveryTests {
    @Test func `each recipient gets a mail of their own, and the service is told`() throws {
        let office = try PostOffice()
        var request = MailRequested.some
        request.to = ["ann@example.org", "refused@example.org"]
        request.html = "<p>hei</p>"

        try office.request(request)
        try eventually("both have ended") {
            try office.mails().map(\.state) == [.sent, .dead]
        }

        let mails = try #require(office.server).mails()
        let mail = try ParsedMail(try #require(mails.first).bytes)
        #expect(mails.map(\.to) == ["ann@example.org"])
        #expect(mail.headers["Subject"] == "Rapport for Åse")
        #expect(mail.headers["From"] == "Steward <steward@example.org>")
        #expect(mail.parts.map(\.text).prefix(2) == ["hei", "<p>hei</p>"])
        #expect(mail.parts.last?.name == "rapport på.pdf")
        #expect([UInt8](mail.parts.last?.bytes ?? Data()) == [1, 2, 3])
        let delivered = try office.told(MailDelivered.self)
        #expect(delivered.map(\.to) == ["ann@example.org"])
        #expect(delivered.map(\.key) == ["report/1"])
        #expect(mail.headers["Message-ID"] == "<\(delivered[0].messageId)>")
        let failed = try office.told(MailFailed.self)
        #expect(failed.map(\.to) == ["refused@example.org"])
        #expect(failed.map(\.final) == [true])
    }

    @Test func `a repeated key is the same mail`() throws {
        let office = try PostOffice()

        try office.request(.some)
        try office.waitForMail(.sent)
        try office.request(.some)
        var other = MailRequested.some
        other.key = "report/2"
        try office.request(other)
        try eventually("the other is sent") {
            try office.mails().map(\.key) == ["report/1", "report/2"]
                && office.mails().allSatisfy { $0.state == .sent }
        }

        #expect(try office.server?.mails().count == 2)
    }

    @Test func `what waited for the end of a maintenance isn't mailed in quiet hours`() throws {
        let office = try PostOffice()
        let now = WallClock.milliseconds()
        let (minutes, end) = (UInt32(now / 60_000 % 1_440), now + 3_600_000)
        _ = try office.ask(
            PreferAlerts(mail: "ann@example.org", from: .info), for: AlertPreference.self)
        _ = try office.ask(
            SetQuietHours(
                hours: QuietHours(
                    from: (minutes + 30) % 1_440, until: (minutes + 150) % 1_440,
                    timeZone: "Etc/UTC")), for: QuietHours.self)
        _ = try office.ask(
            BeginMaintenance(window: MaintenanceWindow(kind: "test", until: end)),
            for: MaintenanceWindow.self)
        try office.raiseByAccounts(
            AlertRaised(
                key: "a", kind: "test", severity: .warning, title: "Late",
                recipient: Principal.machineOwner.account, needsAcknowledgement: true))
        try eventually("its mail waits") { try office.mails().map(\.due) == [end] }

        try office.setClock(3_700)
        try eventually("it waits for the end of the quiet hours") {
            try office.mails().contains { $0.due > end }
        }
        #expect(try office.mails().map(\.state) == [.pending])
        try office.setClock(9_100)
        try office.waitForMail(.sent)
    }

    @Test func `the mail of an alert that can't be read is sent all the same`() throws {
        let office = try PostOffice()
        _ = try office.ask(
            PreferAlerts(mail: "ann@example.org", from: .info), for: AlertPreference.self)
        office.stopServer()
        try office.raise(
            AlertRaised(
                key: "a", kind: "test", severity: .warning, title: "Late",
                recipient: Principal.machineOwner.account))
        try eventually("it can't be sent") { try office.mails().map(\.state) == [.retry] }
        office.killNotifier()
        try office.system.edit(
            .notifier, "UPDATE mail SET due = 0; UPDATE alert SET alert = x'FF'")

        try office.startServer()
        try office.startNotifier()

        try office.waitForMail(.sent)
    }

    @Test func `a mail that can't be read is given up, and the others are sent`() throws {
        let office = try PostOffice()
        office.stopServer()
        func request(_ number: Int) throws {
            var request = MailRequested.some
            request.key = "report/\(number)"
            try office.request(request)
        }
        for number in 1...3 { try request(number) }
        try eventually("none can be sent") {
            try office.mails().map(\.state) == [.retry, .retry, .retry]
        }
        office.killNotifier()
        try office.system.edit(
            .notifier,
            """
            UPDATE mail SET due = 0;
            UPDATE mail SET mail = x'FF' WHERE key = 'report/1';
            UPDATE mail SET mail = x'FF', state = \(MailState.sending.rawValue)
            WHERE key = 'report/2';
            UPDATE mailRequest SET request = x'FF' WHERE key = 'report/3'
            """)

        try office.startServer()
        try office.startNotifier()
        try request(4)
        try eventually("the last is sent") {
            let sent = "SELECT key FROM mail WHERE state = \(MailState.sent.rawValue)"
            return try office.system.query(.notifier, sent) == [["report/4"]]
        }

        let mails = try office.mails()
        #expect(mails.map(\.state) == [.dead, .dead, .dead, .sent])
        #expect(mails.prefix(3).allSatisfy { $0.error.contains("can't be read") })
        let failed = try office.told(MailFailed.self).filter(\.final)
        #expect(Set(failed.map(\.key)) == ["report/1", "report/2", "report/3"])
    }

    @Test func `a server that is down or busy is tried again after a wait`() throws {
        let office = try PostOffice()
        var request = MailRequested.some
        request.to = ["later@example.org"]

        try office.request(request)
        let waiting = try office.waitForMail(.retry)
        #expect(waiting.error == "the mail server says: 451 4.3.0 come back later")
        #expect(try office.told(MailFailed.self).map(\.final) == [false])

        office.stopServer()
        try office.setClock(31)
        try eventually("it was tried again") { try office.mails().first?.attempts == 2 }
        try office.waitForMail(.retry)
        try office.startServer()
        try office.setClock(31 + 61)
        // The server was restarted, so it answers “later” once more.
        try eventually("it was tried a third time") { try office.mails().first?.attempts == 3 }
        try office.waitForMail(.retry)
        try office.setClock(31 + 61 + 121)
        let sent = try office.waitForMail(.sent)

        #expect(sent.attempts == 4)
        #expect(sent.messageId == waiting.messageId)
        #expect(try office.arrived() == ["later@example.org": ["<\(sent.messageId)>"]])
    }

    @Test func `a mail put off while the clock was ahead is sent once the clock is set back`()
        throws
    {
        let office = try PostOffice()
        try office.setClock(7_200)
        var request = MailRequested.some
        request.to = ["later@example.org"]
        try office.request(request)
        try office.waitForMail(.retry)

        try office.setClock(0)
        #expect(try office.waitForMail(.sent).attempts == 2)
    }

    @Test func `a lost answer repeats the mail under the same Message-ID`() throws {
        let office = try PostOffice()
        var request = MailRequested.some
        request.to = ["cut@example.org"]

        try office.request(request)
        try office.waitForMail(.retry)
        try office.setClock(31)
        let sent = try office.waitForMail(.sent)

        let id = "<\(sent.messageId)>"
        #expect(try office.arrived() == ["cut@example.org": [id, id]])
    }

    @Test func `kill -9 loses no mail, and those in flight repeat their Message-ID`() throws {
        let office = try PostOffice()
        let recipients = (0..<40).map { "ann\($0)@example.org" }
        for (index, recipient) in recipients.enumerated() {
            var request = MailRequested.some
            (request.key, request.to) = ("report/\(index)", [recipient])
            try office.request(request)
        }

        let kills = 4
        for kill in 1...kills {
            try eventually("some have arrived") {
                try office.arrived().count >= min(kill * 8, recipients.count)
            }
            office.killNotifier()
            try office.startNotifier()
        }
        try eventually("all are sent") {
            let mails = try office.mails()
            return mails.count == recipients.count && mails.allSatisfy { $0.state == .sent }
        }

        let arrived = try office.arrived()
        #expect(Set(arrived.keys) == Set(recipients))
        for (to, ids) in arrived { #expect(Set(ids).count == 1, "\(to) got \(ids)") }
        let extra = arrived.values.reduce(0) { $0 + $1.count - 1 }
        #expect(extra <= kills * MailHandling.mailsAtOnce)
        #expect(try Set(office.told(MailDelivered.self).map(\.to)) == Set(recipients))
        #expect(try office.told(MailDelivered.self).count == recipients.count)
    }

    @Test func `a mail that was handed to a server that hangs is sent after a kill`() throws {
        let office = try PostOffice()
        var request = MailRequested.some
        request.to = ["hang@example.org"]
        try office.request(request)
        let sending = try office.waitForMail(.sending)

        office.killNotifier()
        try office.startNotifier()
        try eventually("it is handed over again") { try office.mails().first?.attempts == 2 }

        #expect(try office.mails().first?.messageId == sending.messageId)
        #expect(try office.ask(ListAlerts(), for: Alerts.self).alerts.isEmpty)
    }

    @Test func `giving up a mail alerts the administrator until it is tried again`()
        throws
    {
        let office = try PostOffice()
        for name in ["refused", "spam"] {
            var request = MailRequested.some
            (request.key, request.to) = (name, ["\(name)@example.org"])
            try office.request(request)
        }

        try eventually("the alert names both") {
            try office.ask(ListAlerts(openOnly: true), for: Alerts.self).alerts
                .map { $0.raised?.title } == ["2 mails could not be delivered"]
        }
        #expect(try office.mails().map(\.state) == [.dead, .dead])

        office.stopServer()
        for mail in try office.mails() {
            _ = try office.ask(RetryMail(id: mail.id), for: Mail.self)
        }
        #expect(try office.ask(ListAlerts(openOnly: true), for: Alerts.self).alerts.isEmpty)
        try eventually("they are tried again") {
            try office.mails().allSatisfy { $0.state == .retry && $0.attempts == 1 }
        }
    }

    @Test func `without a server mails wait, and the reason is shown`() throws {
        let office = try PostOffice(hasServer: false)
        try office.request(.some)
        try office.waitForMail(.pending)

        let list = try office.system.run("steward", "mail", "list")
        #expect(list.out.contains("pending"))
        #expect(
            list.err.contains(
                "no mail server is set; set STEWARD_SMTP and STEWARD_SMTP_FROM and start the "
                    + "notifier again"))

        try office.startServer()
        office.killNotifier()
        try office.startNotifier()
        try office.waitForMail(.sent)
    }

    @Test func `a request that can't become a mail is refused or put aside`() throws {
        let office = try PostOffice()
        var request = MailRequested.some
        request.subject = "hei\r\nBcc: eve@example.org"

        let refusal = #expect(throws: ClientError.self) { try office.request(request) }
        guard case .refused(let reason) = refusal else { throw Complaint("it was not refused") }
        #expect(reason.code == .invalid && reason.message.contains("subject"))
        try office.request(request, unchecked: true)

        try eventually("it is put aside") {
            try office.system.query(.notifier, "SELECT type FROM deadLetter")
                == [[MailRequested.protobufName]]
        }
        #expect(try office.mails().isEmpty)
    }

    @Test func `the content of a mail is deleted when everyone has received it`() throws {
        let office = try PostOffice()
        try office.request(.some)
        try office.waitForMail(.sent)

        #expect(
            try office.system.query(.notifier, "SELECT length(request) FROM mailRequest") == [["0"]]
        )
        try office.setClock(31 * 24 * 3600)
        try office.passDay(from: 31 * 24 * 3600)
        try eventually("the mail is forgotten") { try office.mails().isEmpty }
        #expect(try office.system.query(.notifier, "SELECT * FROM mailRequest").isEmpty)
    }

    @Test func `a person tests whether alerts reach them by mail, whatever else they prefer`()
        throws
    {
        let office = try PostOffice()
        let test = { try office.system.run("steward", "alerts", "channel", "test", "mail") }
        let unset = try test()
        #expect(unset.end != .exited(0))
        #expect(unset.err.contains("your alerts aren't mailed"))

        let minutes = UInt32(WallClock.milliseconds() / 60_000 % 1_440)
        _ = try office.ask(
            SetQuietHours(
                hours: QuietHours(
                    from: (minutes + 1_435) % 1_440, until: (minutes + 60) % 1_440,
                    timeZone: "Etc/UTC")), for: QuietHours.self)
        for (name, output) in [("ann", "the server has accepted the test\n"), ("refused", "")] {
            _ = try office.ask(
                PreferAlerts(mail: "\(name)@example.org", from: .urgent),
                for: AlertPreference.self)
            #expect(try test().out == output)
        }

        #expect(try office.mails().map(\.state) == [.sent, .dead])
        #expect(try office.arrived().keys.sorted() == ["ann@example.org"])
    }

    @Test func `a person can send a test, and list and retry mails`() throws {
        let office = try PostOffice()

        let sent = try office.system.run("steward", "mail", "test", "ann@example.org")
        let refused = try office.system.run("steward", "mail", "test", "refused@example.org")
        #expect(sent.end == .exited(0))
        #expect(sent.out == "the mail server has accepted it\n")
        #expect(refused.end == .exited(1))
        #expect(refused.err.contains("550 5.1.1 no such mailbox"))

        let dead = try #require(try office.mails().last)
        let list = try office.system.run("steward", "mail", "list", "--unsent")
        #expect(list.out.contains("given up"))
        #expect(!list.out.contains("ann@example.org"))
        let shown = try office.system.run("steward", "mail", "show", dead.id)
        #expect(shown.out.contains("message-id: \(dead.messageId)\n"))
        let retried = try office.system.run("steward", "mail", "retry", dead.id)
        #expect(retried.out == "the mail to refused@example.org is tried again now\n")
    }
}
