import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

@testable import Notifier

/// Absurd numbers: neither a message nor an event stops the notifier.
@Suite(.serialized, .waiting) struct ExtremeTests {
    private static let alert = AlertRaised(
        key: "k", severity: .info, title: "The door is open", recipient: "ann",
        needsAcknowledgement: true, repeatEvery: 60_000, expiresAt: 4_000_000_000_000)

    @Test func `no number in a message to the notifier stops it`() throws {
        let office = try PostOffice(hasServer: false)
        try office.raise(Self.alert)
        try eventually("it is kept") { try Self.count(office) == 1 }
        let notifier = try #require(office.notifier)
        let messages: [any ProtobufMessage] = [
            OpenFeed(recipient: "ann"), ReadFeed(recipient: "ann", after: 1, limit: 1),
            ListAlerts(recipient: "ann", limit: 1), AcknowledgeAlert(id: "none"),
            PreferAlerts(mail: "ann@example.org", from: .urgent), ReadAlertPreference(),
            ListMails(limit: 1), ReadMail(id: "none"), RetryMail(id: "none"),
            SendTestMail(to: "ann@example.org"), Replay(epoch: 1, after: 1, limit: 1),
        ]

        let wrong = try office.system.client(of: .notifier).answersToExtremes(
            of: messages, from: { notifier })

        #expect(wrong == [])
    }

    @Test func `alerts that are very long are listed as far as they fit`() throws {
        let office = try PostOffice(hasServer: false)
        for number in 0..<40 {
            var long = Self.alert
            long.key = "k\(number)"
            long.body = String(repeating: "a b ", count: 16_000)
            try office.raise(long)
        }
        try eventually("all of them are kept") { try Self.count(office) == 40 }

        let listed = try office.ask(ListAlerts(recipient: "ann"), for: Alerts.self).alerts
        let page = try office.ask(ReadFeed(recipient: "ann"), for: FeedPage.self)

        #expect((2..<40).contains(listed.count))
        #expect(listed.first?.raised?.key == "k39")
        #expect((2..<40).contains(page.notices.count))
    }

    @Test func `no number in an event stops the notifier, and later events are applied`() throws {
        let office = try PostOffice(hasServer: false)
        let alerts = try Self.readable(Extremes.variants(of: Self.alert).map(\.1))
        for (number, var alert) in alerts.enumerated() {
            alert.key = "k\(number)"
            try office.raise(alert)
        }
        let mail = MailRequested(
            key: "m", to: ["ann@example.org"], subject: "Hello", text: "Hello.\n",
            attachments: [MailAttachment(name: "a.txt", contentType: "text/plain", data: [1])])
        for (number, var mail) in try Self.readable(
            Extremes.variants(of: mail).map(\.1)
        ).enumerated() {
            mail.key = "m\(number)"
            try office.request(mail, unchecked: true)
        }
        var last = Self.alert
        last.key = "last"
        try office.raise(last)

        // The notifier raises one itself too, because mails that can't be sent were put aside.
        try eventually("all of them are kept") {
            let kept = "SELECT count(*) FROM alert WHERE key GLOB 'k[0-9]*' OR key = 'last'"
            return try office.system.query(.notifier, kept) == [["\(alerts.count + 1)"]]
        }
        #expect(office.notifier?.isRunning == true)
        // Each of them is due once more, and again after a kill.
        try office.setClock(40 * 24 * 3600)
        try eventually("they were repeated, or have expired") {
            let late = "SELECT count(*) FROM timer WHERE due < 1000 * (unixepoch() + 3455940)"
            return try office.system.query(.notifier, late) == [["0"]]
        }
        office.killNotifier()
        try office.startNotifier()
        #expect(office.notifier?.isRunning == true)
    }

    @Test func `a closed alert is kept for a month, and an open one until it ends`() throws {
        let office = try PostOffice(hasServer: false)
        for key in ["open", "closed"] {
            var alert = Self.alert
            (alert.key, alert.repeatEvery) = (key, 0)
            try office.raise(alert)
        }
        try eventually("they are kept") { try Self.count(office) == 2 }
        let closed = try #require(
            try office.ask(ListAlerts(recipient: "ann"), for: Alerts.self).alerts
                .first { $0.raised?.key == "closed" })
        _ = try office.ask(AcknowledgeAlert(id: closed.id), for: AlertAcknowledged.self)

        try office.setClock(29 * 24 * 3600)
        try eventually("the notifier looked for old rows") { try Self.pruned(office) > 28 }
        #expect(try Self.count(office) == 2)
        try office.setClock(31 * 24 * 3600)
        try eventually("the notifier looked for old rows") { try Self.pruned(office) > 30 }
        // The clock has leapt forward, and may be set back.
        #expect(try Self.count(office) == 2)
        try office.passDay(from: 31 * 24 * 3600)

        try eventually("the closed one is gone") { try Self.count(office) == 1 }
        let left = try office.system.query(.notifier, "SELECT key FROM alert")
        #expect(left == [["open"]])
    }

    /// The messages that a service can publish: values beyond a field's limits are refused.
    private static func readable<M: ProtobufMessage>(_ messages: [M]) throws -> [M] {
        let readable = messages.filter { (try? M(unpacking: $0.packed())) != nil }
        try #require(readable.count > 10)
        return readable
    }

    private static func count(_ office: PostOffice) throws -> Int {
        Int(try office.system.query(.notifier, "SELECT count(*) FROM alert")[0][0]) ?? -1
    }

    /// The number of days until the notifier next deletes old rows.
    private static func pruned(_ office: PostOffice) throws -> Double {
        let due = try office.system.query(
            .notifier, "SELECT due FROM timer WHERE kind = 'prune'")[0][0]
        return ((Double(due) ?? 0) - Double(WallClock.milliseconds())) / 86_400_000
    }
}
