import Bus
import GRDB
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// Whose mail is sent next, while the server is slow.
struct MailTurnTests {
    private static let now: Int64 = 1_800_000_000_000

    private let notifier: MemoryStore

    init() throws {
        var store = try MemoryStore.ofNotifier()
        store.settings = [
            "STEWARD_SMTP": "smtp://127.0.0.1:2525", "STEWARD_SMTP_FROM": "steward@example.org",
        ]
        notifier = store
        for recipient in ["ann", "bob"] {
            try notifier.run(at: Self.now) { transaction in
                try AlertPreference(
                    mail: "\(recipient)@example.org", from: .warning, language: "en"
                ).save(Self.feed(recipient), transaction.db)
            }
        }
    }

    private static func feed(_ recipient: String) -> AlertFeedAddress {
        AlertFeedAddress(organisation: "", recipient: recipient)
    }

    private func raise(
        _ severity: Severity, for recipient: String = "ann", times: Int = 1, at now: Int64
    ) throws {
        try notifier.run(at: now) { transaction in
            for _ in 0..<times {
                let id = transaction.makeID()
                let raised = AlertRaised(
                    key: "\(id)", kind: "test", severity: severity, title: "Look",
                    recipient: recipient)
                try AlertHandling.raise(
                    raised, from: ServiceName.checklist.rawValue, id: id, in: transaction)
            }
        }
    }

    /// Begins mails until no other may begin.
    private func begin(at now: Int64) throws -> [ErrandHandler.Errand] {
        var all: [ErrandHandler.Errand] = []
        for handler in Notifier.errands where handler.kind.lowercased().hasSuffix("mail") {
            var begun: [ErrandHandler.Errand] = []
            while begun.count < handler.atOnce,
                let errand = try notifier.run(at: now, { try handler.take($0) })
            {
                begun.append(errand)
            }
            all += begun
        }
        return all
    }

    /// The recipients of the mails being sent, and how severe the mails are.
    private func sending() throws -> [String] {
        try notifier.run(at: Self.now) { transaction in
            try Mail.underWay(transaction.db).compactMap { try Mail.ofID($0, transaction.db) }
                .map { "\(AlertDelivery($0).severity) to \($0.to)" }.sorted()
        }
    }

    @Test func `an urgent alert is mailed at once in the middle of a storm of warnings`() throws {
        try raise(.warning, times: 500, at: Self.now)
        #expect(try begin(at: Self.now + 1).count == 1)
        #expect(try sending() == ["warning to ann@example.org"])

        try raise(.urgent, at: Self.now + 2)
        #expect(try begin(at: Self.now + 3).count == 1)

        #expect(try sending() == ["urgent to ann@example.org", "warning to ann@example.org"])
    }

    @Test func `one person's storm leaves room for the mails of others`() throws {
        for severity in [Severity.warning, .urgent] {
            try raise(severity, times: 10, at: Self.now)
            try raise(severity, for: "bob", at: Self.now + 1)
        }

        _ = try begin(at: Self.now + 2)

        #expect(
            try sending() == [
                "urgent to ann@example.org", "urgent to bob@example.org",
                "warning to ann@example.org", "warning to bob@example.org",
            ])
    }

    @Test func `mails that aren't alerts have room during a storm of a person's alerts`() throws {
        try raise(.warning, times: 10, at: Self.now)
        _ = try begin(at: Self.now + 1)
        try notifier.run(at: Self.now + 2) { transaction in
            _ = try MailRequests.request(
                MailRequested(
                    key: "code/1", to: ["cleo@example.org"], subject: "Code", text: "1234"),
                from: ServiceName.account.rawValue, in: transaction)
        }

        _ = try begin(at: Self.now + 3)

        #expect(try sending().contains("info to cleo@example.org"))
    }

    /// Sends what may be sent, and returns how many mails that are.
    private func sent(at now: Int64) throws -> Int {
        var count = 0
        while let errand = try begin(at: now).first {
            try notifier.run(at: now) { try errand.finish(MailOutcome.sent, $0) }
            count += 1
        }
        return count
    }

    @Test func `no minute has more than thirty mails, whenever it begins`() throws {
        try raise(.warning, at: Self.now)
        #expect(try sent(at: Self.now) == 1)
        try raise(.warning, times: 70, at: Self.now + 59_000)

        #expect(try sent(at: Self.now + 59_000) == 29)
        #expect(try sent(at: Self.now + 60_000) == 1)
        #expect(try sent(at: Self.now + 118_999) == 0)
        #expect(try sent(at: Self.now + 119_000) == 29)
    }

    @Test func `a person gets thirty mails of alerts a minute, and urgent ones besides`() throws {
        try raise(.warning, times: 70, at: Self.now)

        #expect(try sent(at: Self.now + 1) == 30)
        try raise(.urgent, times: 40, at: Self.now + 2)
        #expect(try sent(at: Self.now + 3) == 40)
        #expect(try sent(at: Self.now + 60_000) == 0)
        #expect(try sent(at: Self.now + 60_001) == 30)
        #expect(try sent(at: Self.now + 120_001) == 10)
    }

    /// Withdraws all alerts of Ann.
    private func withdraw(at now: Int64) throws {
        for alert in try notifier.alerts(of: "ann") {
            try notifier.run(at: now) {
                try AlertHandling.withdraw(
                    alert.key, from: ServiceName.checklist.rawValue, in: $0)
            }
        }
    }

    /// What became of Ann's alert.
    private func trace() throws -> [String] {
        let alert = try #require(try notifier.alerts(of: "ann").first)
        return try notifier.run { try AlertDelivery.everything(of: alert, $0.db) }
            .map { "\($0.channel) \($0.state) \($0.note)" }
    }

    /// The subjects of the mails being sent.
    private func subjects() throws -> [String] {
        try notifier.run(at: Self.now) { transaction in
            try Mail.underWay(transaction.db).compactMap { try Mail.ofID($0, transaction.db) }
                .map(\.subject)
        }
    }

    @Test func `an alert that ended before its mail was tried isn't mailed, and its trace says so`()
        throws
    {
        try raise(.warning, at: Self.now)
        try withdraw(at: Self.now + 1)

        #expect(try begin(at: Self.now + 2).isEmpty)
        #expect(try trace() == ["mail skipped it is over"])
    }

    @Test func `an urgent alert that ended before its mail was tried is mailed as over`()
        throws
    {
        try raise(.urgent, at: Self.now)
        try withdraw(at: Self.now + 1)

        #expect(try begin(at: Self.now + 2).count == 1)
        #expect(try subjects() == ["urgent (over): Look"])
        let alert = try #require(try notifier.alerts(of: "ann").first)
        #expect(
            alert.mail(to: "ann@example.org", isOver: true).text
                == "Look\n\nIt was over before this mail could be sent.\n")
    }

    @Test func `an urgent alert that was acknowledged before its mail was tried isn't mailed`()
        throws
    {
        try raise(.urgent, at: Self.now)
        let alert = try #require(try notifier.alerts(of: "ann").first)
        try notifier.run(at: Self.now + 1) {
            _ = try AlertHandling.acknowledge(AcknowledgeAlert(id: alert.id), in: $0)
        }

        #expect(try begin(at: Self.now + 2).isEmpty)
        #expect(try trace() == ["mail skipped it is over"])
    }

    @Test func `a mail that was tried while its alert was open is sent, and says that it is over`()
        throws
    {
        try raise(.warning, at: Self.now)
        let first = try #require(try begin(at: Self.now + 1).first)
        try notifier.run(at: Self.now + 2) {
            try first.finish(MailOutcome.delayed("452 4.2.2 mailbox full"), $0)
        }
        try withdraw(at: Self.now + 3)

        #expect(try begin(at: Self.now + 60_000).count == 1)
        #expect(try subjects() == ["warning (over): Look"])
    }

    @Test func `a mail that was given up is sent if somebody asks for it after its alert`() throws {
        try raise(.warning, at: Self.now)
        let first = try #require(try begin(at: Self.now + 1).first)
        let id = try #require(try notifier.run { try Mail.underWay($0.db).first })
        try notifier.run(at: Self.now + 2) {
            try first.finish(MailOutcome.refused("550 5.1.1 no such mailbox"), $0)
        }
        try withdraw(at: Self.now + 3)

        try notifier.run(at: Self.now + 4) {
            _ = try MailHandling.retryMail(RetryMail(id: id), in: $0)
        }

        #expect(try begin(at: Self.now + 5).count == 1)
        #expect(try subjects() == ["warning (over): Look"])
    }

    @Test func `the mail of an alert that is no longer kept isn't sent, unless it is urgent`()
        throws
    {
        for severity in [Severity.warning, .urgent] { try raise(severity, at: Self.now) }
        try withdraw(at: Self.now + 1)
        try notifier.run(at: Self.now + 2) { try $0.db.execute(sql: "DELETE FROM alert") }

        #expect(try begin(at: Self.now + 3).count == 1)

        #expect(try sending() == ["urgent to ann@example.org"])
        let mails = try notifier.run { try Int.fetchOne($0.db, sql: "SELECT count(*) FROM mail") }
        #expect(mails == 1)
    }

    @Test func `the mails of a former store take their turns, too`() throws {
        let store = try DatabaseQueue()
        let migrator = NotifierStore.migrator
        try migrator.migrate(store, upTo: "notifier: when alerts were opened")
        try store.write { db in
            try db.execute(
                sql: """
                    INSERT INTO alert (id, source, key, feed, state, time, alert)
                    VALUES ('a', 's', 'k', 'alert.local.ann.', 1, 1, x'');
                    INSERT INTO mailRequest (source, key, request)
                    VALUES ('notifier', 'alert/a/3/urgent', x''), ('notifier', 'alert/a/info', x''),
                        ('notifier', 'alert/gone/info', x''), ('account-service', 'code', x'');
                    INSERT INTO mail (id, source, key, organisation, state, due, changed, mail)
                    SELECT key, source, key, 'local', 1, 1, 1, x'' FROM mailRequest;
                    """)
        }

        try migrator.migrate(store)

        let turns = try store.read { db in
            try Row.fetchAll(db, sql: "SELECT id, feed, isUrgent FROM mail ORDER BY id").map {
                "\($0["id"] as String): \($0["feed"] as String) \($0["isUrgent"] as Bool)"
            }
        }
        #expect(
            turns == [
                "alert/a/3/urgent: alert.local.ann. true", "alert/a/info: alert.local.ann. false",
                "alert/gone/info:  false", "code:  false",
            ])
    }

    @Test(arguments: [true, false])
    func `spare channels deliver an urgent alert whose mail isn't sent in 20 seconds`(
        isSent: Bool
    ) throws {
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: "spare", kind: .webhook, address: "https://example.org/hook", from: .info,
                spare: true)
            try KeptChannel(feed: Self.feed("ann"), channel, secret: "").save(transaction.db)
        }
        try raise(.urgent, at: Self.now)
        let errand = try #require(try begin(at: Self.now + 1).first)
        if isSent {
            try notifier.run(at: Self.now + 2) { try errand.finish(MailOutcome.sent, $0) }
        }
        let alert = try #require(try notifier.alerts(of: "ann").first)

        let planned = try notifier.run(at: Self.now + 20_000) { transaction in
            let due = try transaction.timerDue(AlertMails.lateMail, subject: alert.id)
            #expect(due == Self.now + AlertMails.mailPatience)
            try MailHandling.replaceLateMail(alert.id, due: due ?? 0, in: transaction)
            return try AlertDelivery.all(of: alert.id, transaction.db).map(\.channel)
        }
        #expect(planned == (isSent ? [] : ["spare"]))
    }
}
