import Bus
import GRDB
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// Whose deliveries are made next, while servers are slow.
struct DeliveryTurnTests {
    private static let now: Int64 = 1_800_000_000_000

    private let notifier: MemoryStore

    init() throws { notifier = try MemoryStore.ofNotifier() }

    private func add(_ name: String, for recipient: String) throws {
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: name, kind: .webhook, address: "https://example.org/hook", from: .info)
            let feed = AlertFeedAddress(organisation: "", recipient: recipient)
            try KeptChannel(feed: feed, channel, secret: "").save(transaction.db)
        }
    }

    private func raise(
        _ severity: Severity = .urgent, for recipient: String, times: Int = 1, at now: Int64
    ) throws {
        try notifier.run(at: now) { transaction in
            for _ in 0..<times {
                let id = transaction.makeID()
                let raised = AlertRaised(
                    key: "\(id)", kind: "test", severity: severity, title: "Get off",
                    recipient: recipient)
                try AlertHandling.raise(
                    raised, from: ServiceName.transitAlert.rawValue, id: id, in: transaction)
            }
        }
    }

    /// Begins deliveries, by channels that work or by the others, until no other may begin.
    private func begin(failing: Bool = false, at now: Int64) throws -> [ErrandHandler.Errand] {
        let handler = Deliveries.errands[failing ? 1 : 0]
        var begun: [ErrandHandler.Errand] = []
        while begun.count < handler.atOnce,
            let errand = try notifier.run(at: now, { try handler.take($0) })
        {
            begun.append(errand)
        }
        return begun
    }

    private func accept(_ errand: ErrandHandler.Errand, at now: Int64) throws {
        try notifier.run(at: now) { try errand.finish(DeliveryOutcome.accepted, $0) }
    }

    /// The feeds of the deliveries under way.
    private func feeds() throws -> [String] {
        try notifier.run(at: Self.now) { transaction in
            try String.fetchAll(
                transaction.db, sql: "SELECT feed FROM delivery WHERE state = 2 ORDER BY feed")
        }
    }

    @Test func `one person's servers occupy at most half of the threads`() throws {
        for number in 0..<10 { try add("c\(number)", for: "ann") }
        try add("phone", for: "bob")
        try raise(for: "ann", at: Self.now + 1)
        try raise(for: "bob", at: Self.now + 2)

        let begun = try begin(at: Self.now + 3)
        let (ann, bob) = ("alert.local.ann.", "alert.local.bob.")
        #expect(try feeds() == [ann, ann, ann, bob])

        // One that was accepted makes room for the next.
        try accept(begun[0], at: Self.now + 4)
        #expect(try begin(at: Self.now + 5).count == 1)
        #expect(try feeds() == [ann, ann, ann, bob])
    }

    @Test func `no minute has more than thirty deliveries, whenever it begins`() throws {
        func delivered(at now: Int64) throws -> Int {
            var count = 0
            while let errand = try begin(at: now).first {
                try accept(errand, at: now)
                count += 1
            }
            return count
        }
        try add("phone", for: "ann")
        try raise(.warning, for: "ann", at: Self.now)
        #expect(try delivered(at: Self.now) == 1)
        try raise(.warning, for: "ann", times: 70, at: Self.now + 59_000)

        #expect(try delivered(at: Self.now + 59_000) == 29)
        #expect(try delivered(at: Self.now + 60_000) == 1)
        #expect(try delivered(at: Self.now + 118_999) == 0)
        #expect(try delivered(at: Self.now + 119_000) == 29)
    }

    @Test func `a channel whose server accepts slowly waits with those that fail`() throws {
        try add("phone", for: "ann")
        try raise(for: "ann", at: Self.now + 1)
        let slow = try begin(at: Self.now + 2)
        #expect(slow.count == 1)
        try accept(slow[0], at: Self.now + 19_000)

        try raise(for: "ann", at: Self.now + 20_000)
        #expect(try begin(at: Self.now + 20_001).isEmpty)
        let quick = try begin(failing: true, at: Self.now + 20_001)
        #expect(quick.count == 1)
        try accept(quick[0], at: Self.now + 20_100)

        try raise(for: "ann", at: Self.now + 21_000)
        #expect(try begin(at: Self.now + 21_001).count == 1)
    }
}
