import Bus
import GRDB
import Messages
import TestStore
import Testing

@testable import Notifier
@testable import ServiceRuntime

/// How many alerts are mailed to a person.
struct MailAllowanceTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let day: Int64 = 86_400_000

    private let notifier: MemoryStore

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        try notifier.run(at: Self.now) { transaction in
            for recipient in ["ann", "bob"] {
                try AlertPreference(
                    mail: "victim@example.org", from: .info, language: "en"
                ).save(AlertFeedAddress(organisation: "", recipient: recipient), transaction.db)
            }
            let channel = AlertChannel(
                name: "spare", kind: .webhook, address: "https://example.org/hook", from: .info,
                spare: true)
            let feed = AlertFeedAddress(organisation: "", recipient: "ann")
            try KeptChannel(feed: feed, channel, secret: "").save(transaction.db)
        }
    }

    /// Raises alerts, and returns the last one.
    @discardableResult
    private func raise(
        _ severity: Severity, for recipient: String = "ann", times: Int = 1, at now: Int64
    ) throws -> Alert {
        try notifier.run(at: now) { transaction in
            var id = transaction.makeID()
            for _ in 0..<times {
                id = transaction.makeID()
                let raised = AlertRaised(
                    key: "\(id)", kind: "test", severity: severity, title: "Look",
                    recipient: recipient)
                try AlertHandling.raise(
                    raised, from: ServiceName.transitAlert.rawValue, id: id, in: transaction)
            }
            return try Alert.required("\(id)", transaction.db)
        }
    }

    private func mails() throws -> Int {
        try notifier.run { transaction in
            try Int.fetchOne(transaction.db, sql: "SELECT count(*) FROM mail") ?? 0
        }
    }

    private func trace(_ alert: Alert) throws -> [AlertDelivery] {
        try notifier.run { try AlertDelivery.everything(of: alert, $0.db) }
    }

    @Test(arguments: [(Severity.info, 200), (.warning, 200), (.urgent, 1_000)])
    func `a day's alerts are mailed up to the allowance, and the trace says why no more are`(
        severity: Severity, most: Int
    ) throws {
        let last = try raise(severity, times: most, at: Self.now)
        #expect(try mails() == most)
        #expect(try trace(last).map(\.state) == [.waiting])

        let next = try raise(severity, times: 20, at: Self.now + 1)
        #expect(try mails() == most)
        let skipped = try trace(next).filter { $0.state == .skipped }
        #expect(skipped.map(\.channel) == ["mail"])
        #expect(skipped[0].note.hasSuffix("were mailed in the last 24 hours"))
        // The spare channel delivers it.
        #expect(try trace(next).contains { $0.channel == "spare" && $0.state == .waiting })

        try raise(severity, for: "bob", at: Self.now + 2)
        try raise(severity, at: Self.now + Self.day)
        #expect(try mails() == most + 2)
    }

    @Test func `urgent alerts are still mailed when others have used up their allowance`() throws {
        try raise(.warning, times: 201, at: Self.now)
        let urgent = try raise(.urgent, at: Self.now + 1)

        #expect(try trace(urgent).map(\.channel) == ["mail"])
        #expect(try mails() == 201)
    }

    @Test func `the reason is recorded once, however often the alert changes`() throws {
        try raise(.warning, times: 200, at: Self.now)
        let alert = try raise(.warning, at: Self.now + 1)
        for number in 1...Int64(2) {
            try notifier.run(at: Self.now + 1 + number) { transaction in
                var changed = try #require(alert.raised)
                changed.title = "Look \(number)"
                try AlertHandling.raise(
                    changed, from: ServiceName.transitAlert.rawValue, id: transaction.id,
                    in: transaction)
            }
        }

        #expect(try trace(alert).filter { $0.channel == "mail" }.map(\.state) == [.skipped])
    }
}
