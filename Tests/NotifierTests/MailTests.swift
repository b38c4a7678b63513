import Transfers
import GRDB
import Messages
import ServiceRuntime
import Testing

@testable import Notifier

/// The rules of a mail's life.
@Suite struct MailTests {
    @Test func `a sent mail has a Message-ID in its sender's domain`() {
        var mail = Mail.pending()
        mail.begin(from: "steward@example.org", at: 1000)

        #expect(mail.state == .sending)
        #expect(mail.attempts == 1)
        #expect(mail.messageId == "\(mail.id)@example.org")
        let isNews = mail.end(.sent, at: 2000)
        #expect(isNews)
        #expect(mail.state == .sent)
        #expect(mail.changed == 2000)
    }

    @Test func `a mail keeps its Message-ID, however often and from wherever it is sent`() {
        var mail = Mail.pending()
        mail.begin(from: "steward@example.org", at: 1000)
        let id = mail.messageId
        mail.recover(at: 2000)
        mail.begin(from: "other@example.com", at: 3000)

        #expect(mail.messageId == id)
        #expect(mail.attempts == 2)
    }

    @Test func `each failure doubles the wait, up to an hour`() {
        var mail = Mail.pending()
        var waits: [Int64] = []
        for _ in 0..<10 {
            mail.begin(from: "s@example.org", at: mail.due)
            let now = mail.changed
            _ = mail.end(.delayed("busy"), at: now)
            #expect(mail.state == .retry)
            waits.append((mail.due - now) / 1000)
        }

        #expect(waits == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    }

    @Test func `a mail that is refused for good is given up immediately`() {
        var mail = Mail.pending()
        mail.begin(from: "s@example.org", at: 1000)

        let isNews = mail.end(.refused("no such mailbox"), at: 2000)
        #expect(isNews)
        #expect(mail.state == .dead)
        #expect(mail.error == "no such mailbox")
    }

    @Test func `a mail that can't be sent is given up five days after the first attempt`() {
        #expect(Mail.patience == 5 * 86_400_000)
        var mail = Mail.pending()
        let first: Int64 = 100 * Mail.patience
        for _ in 1..<Mail.leastAttempts {
            mail.begin(from: "s@example.org", at: first)
            _ = mail.end(.delayed("busy"), at: first + Mail.patience - 1)
            #expect(mail.state == .retry)
        }

        mail.begin(from: "s@example.org", at: mail.due)
        _ = mail.end(.delayed("busy"), at: first + Mail.patience)
        #expect(mail.state == .dead)
    }

    @Test func `no mail is given up because the clock is set forward`() {
        var mail = Mail.pending()
        mail.begin(from: "s@example.org", at: 1000)
        _ = mail.end(.delayed("busy"), at: 1000)
        mail.begin(from: "s@example.org", at: 10 * Mail.patience)
        _ = mail.end(.delayed("busy"), at: 10 * Mail.patience)
        #expect(mail.state == .retry)
    }

    @Test func `a mail that was put off ahead of time goes out although another waits for later`()
        throws
    {
        let store = try DatabaseQueue()
        try NotifierStore.migrator.migrate(store)
        try store.write { db in
            #expect(try MailRequested.some.keep(from: "s", db))
            var ids = MessageID.Generator()
            let mails: [(to: String, requested: Int64, due: Int64)] = [
                ("later@example.org", 1_000, 9_000_000),
                ("ahead@example.org", 5_000_000, 5_060_000),
            ]
            for (to, requested, due) in mails {
                var mail = Mail(
                    id: ids.next(at: 1), source: "s", MailRequested.some, to: to, at: requested)
                mail.due = due
                try mail.save(db)
            }

            let first = try #require(try Mail.due(urgent: false, most: 1, at: 2_000, db))
            #expect(try Mail.ofID(first, db)?.to == "ahead@example.org")
            #expect(try Mail.due(urgent: false, most: 1, at: 5_000_000, db) == nil)
        }
    }

    @Test func `mails of alerts are deleted like alerts, but not while theirs is open`() throws {
        let store = try DatabaseQueue()
        try NotifierStore.migrator.migrate(store)
        try store.write { db in
            for state in [AlertState.open, .withdrawn] {
                try Alert(
                    id: "\(state)", source: "s",
                    raised: AlertRaised(key: "\(state)", recipient: "ann"), state: state
                ).save(db)
            }
            let keys = [
                "alert/open/7/info", "alert/withdrawn/info", "alert/gone/info", "test/1",
            ]
            for key in keys {
                #expect(try MailRequested(key: key).keep(from: "notifier", db))
                try Mail(
                    id: key, source: "notifier", key: key, organisation: "o", state: .sent,
                    changed: 100
                ).save(db)
            }
            func kept() throws -> [[String]] {
                try ["mail", "mailRequest"].map {
                    try String.fetchAll(db, sql: "SELECT key FROM \($0) ORDER BY key")
                }
            }

            try Mail.prune(before: 50, ofAlertsBefore: 100, db)
            #expect(try kept() == [keys.sorted(), keys.sorted()])
            try Mail.prune(before: 50, ofAlertsBefore: 101, db)
            let rest = ["alert/open/7/info", "test/1"]
            #expect(try kept() == [rest, rest])
            try Mail.prune(before: 101, ofAlertsBefore: 50, db)
            #expect(try kept() == [[rest[0]], [rest[0]]])
        }
    }

    @Test func `the same reason again is no news`() {
        var mail = Mail.pending()
        mail.begin(from: "s@example.org", at: 1000)

        let news = [
            mail.end(.delayed("busy"), at: 1000), mail.end(.delayed("busy"), at: 2000),
            mail.end(.delayed("hangs"), at: 3000),
        ]
        #expect(news == [true, false, true])
    }

    @Test func `retrying a mail that was given up grants its full time again`() throws {
        var mail = Mail.pending()
        mail.begin(from: "s@example.org", at: 1000)
        _ = mail.end(.refused("no"), at: 1000)
        try mail.retry(at: 2 * Mail.patience)
        #expect(mail.state == .pending)
        #expect(mail.due == 2 * Mail.patience)

        mail.begin(from: "s@example.org", at: 2 * Mail.patience)
        _ = mail.end(.delayed("busy"), at: 2 * Mail.patience)
        #expect(mail.state == .retry)
    }

    @Test(arguments: [MailState.sent, .sending])
    func `a mail that was sent, or is being sent, isn't sent again`(state: MailState) {
        var mail = Mail.pending()
        mail.state = state

        #expect(throws: Refusal.self) { try mail.retry(at: 2000) }
    }
}

/// The requesting service refuses what can't become a mail.
@Suite struct MailRequestTests {
    @Test func `a legitimate request is accepted`() throws {
        try MailRequested.some.validate()
    }

    @Test(arguments: ["\r\nBcc: eve@example.org", "\n", "\r", "\u{0}", "\u{85}", "\u{2028}"])
    func `no line break gets into a header`(text: String) {
        for field in 0..<5 {
            var request = MailRequested.some
            switch field {
            case 0: request.key += text
            case 1: request.to[0] += text
            case 2: request.subject += text
            case 3: request.attachments[0].name += text
            default: request.attachments[0].contentType += text
            }

            #expect(throws: Refusal.self) { try request.validate() }
        }
    }

    @Test(arguments: [
        "", "ann", "ann@", "@example.org", "ann@@example.org", "ann@example.org,bob@example.org",
        "Ann <ann@example.org>", "ann@example.org>", "an n@example.org", "ann.@example.org",
        "ånn@example.org", "ann@exämple.org", "ann@example..org", "ann@-example.org",
        "\"a b\"@example.org", String(repeating: "a", count: 65) + "@example.org",
    ])
    func `a recipient is one plain address`(address: String) {
        #expect(throws: Refusal.self) { try MailRequested.validate(address: address) }
    }

    @Test(arguments: [
        "ann@example.org", "o'neil+tag@sub.example.org", "a@b", "a@xn--exmple-cua.no",
    ])
    func `any plain address is accepted`(address: String) throws {
        try MailRequested.validate(address: address)
    }

    @Test func `a mail that is too large to publish is refused`() {
        var request = MailRequested.some
        request.attachments[0].data = Array(repeating: 0, count: MailRequested.largestSize)

        #expect { try request.validate() } throws: { ($0 as? Refusal)?.code == .tooLarge }
    }

    @Test(arguments: ["application", "a/b/c", "text/html; charset=x", "multipart/mixed", "a b/c"])
    func `an attachment has a simple media type`(type: String) {
        var request = MailRequested.some
        request.attachments[0].contentType = type

        #expect(throws: Refusal.self) { try request.validate() }
    }

    @Test func `a mail has a text, a subject, and one to a hundred recipients`() {
        for field in 0..<4 {
            var request = MailRequested.some
            switch field {
            case 0: request.text = ""
            case 1: request.subject = ""
            case 2: request.to = []
            default: request.to = (0...100).map { "ann\($0)@example.org" }
            }
            #expect(throws: Refusal.self) { try request.validate() }
        }
    }
}

extension Mail {
    fileprivate static func pending() -> Mail {
        var ids = MessageID.Generator()
        return Mail(
            id: ids.next(at: 1), source: "s", MailRequested.some, to: "ann@example.org", at: 1000)
    }
}

extension MailRequested {
    static var some: MailRequested {
        MailRequested(
            key: "report/1", to: ["ann@example.org"], subject: "Rapport for Åse", text: "hei",
            attachments: [
                MailAttachment(
                    name: "rapport på.pdf", contentType: "application/pdf", data: [1, 2, 3])
            ])
    }
}
