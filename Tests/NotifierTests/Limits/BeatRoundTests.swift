import GRDB
import Testing

@testable import Notifier

/// Which feeds get beats.
struct BeatRoundTests {
    private static let now: Int64 = 1_800_000_000_000

    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try NotifierStore.migrator.migrate(store)
    }

    /// Makes feeds that had news some milliseconds ago.
    private func make(_ recipients: Range<Int>, ago: Int64) throws {
        try store.write { db in
            for number in recipients {
                let address = AlertFeedAddress(organisation: "o", recipient: "\(number)")
                try db.execute(
                    sql: """
                        INSERT INTO feed (topic, organisation, recipient, head, changed)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        address.topic, address.organisation, address.recipient, number,
                        Self.now - ago,
                    ])
            }
        }
    }

    @Test func `of very many feeds with news each gets a beat in its turn, 1,000 at a time`() throws
    {
        try make(0..<1_700, ago: 1_000)
        try make(1_700..<2_500, ago: 10)
        try make(2_500..<2_600, ago: 3_600_000)
        var round = BeatRound()
        for _ in 1...2 {
            let turns = try (1...3).map { _ in
                try store.read { try round.next(at: Self.now, $0) }
            }

            #expect(turns.map(\.count) == [1_000, 1_000, 500])
            let recipients = turns.joined().map(\.address.recipient)
            #expect(Set(recipients) == Set((0..<2_500).map(String.init)))
            #expect(turns.joined().allSatisfy { String($0.head) == $0.address.recipient })
        }
    }

    @Test func `a feed that gets news during a round gets its beat in that round`() throws {
        try make(0..<1_500, ago: 1_000)
        var round = BeatRound()
        _ = try store.read { try round.next(at: Self.now, $0) }
        try store.write {
            try $0.execute(
                sql: "UPDATE feed SET changed = ? WHERE recipient IN ('0', '1499')",
                arguments: [Self.now - 1])
        }

        let next = try store.read { try round.next(at: Self.now, $0) }.map(\.address.recipient)

        #expect(next.suffix(2) == ["0", "1499"])
    }

    @Test func `few feeds get a beat each time, found by their last news`() throws {
        try make(0..<3, ago: 0)
        var round = BeatRound()
        for _ in 1...3 {
            let feeds = try store.read { try round.next(at: Self.now, $0) }
            #expect(feeds.map(\.head) == [0, 1, 2])
        }
        let plan = try store.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN \(BeatRound.selection)", arguments: [1, 2, "", 10]
            ).map { $0["detail"] as String }
        }
        #expect(plan.count == 1 && plan[0].contains("feedByChange"))
    }
}
