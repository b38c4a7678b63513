import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier
@testable import ServiceRuntime

/// The erasure of very many alerts of one person.
struct LongErasureTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let (ride, other) = (ServiceName.transitAlert, ServiceName.checklist)

    private let notifier: MemoryStore
    private let feed = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    init() throws { notifier = try MemoryStore.ofNotifier() }

    private func raise(
        _ keys: some Sequence<String>, from source: ServiceName, isOver: Bool = true,
        at now: Int64 = Self.now
    ) throws {
        try notifier.run(at: now) { transaction in
            for key in keys {
                let raised = AlertRaised(
                    key: key, kind: "test", severity: .info, title: key, subject: key,
                    recipient: feed.recipient)
                try AlertHandling.raise(
                    raised, from: source.rawValue, id: transaction.makeID(), in: transaction)
                guard isOver else { continue }
                try AlertHandling.withdraw(key, from: source.rawValue, in: transaction)
            }
        }
    }

    private func erase(at now: Int64) throws {
        try notifier.run(at: now) { transaction in
            try Erasures.travelErased(
                TravelErased(owner: feed.recipient), Envelope(source: Self.ride.rawValue),
                in: transaction)
        }
    }

    /// Carries out the next stretch.
    ///
    /// - Returns: false if none is due any more.
    private func advance(at now: Int64) throws -> Bool {
        let isDue = try notifier.run(at: now) { transaction in
            try Bool.fetchOne(
                transaction.db,
                sql: "SELECT EXISTS (SELECT 1 FROM timer WHERE kind = 'erase alerts')") ?? false
        }
        guard isDue else { return false }
        try notifier.run(at: now) { transaction in
            try transaction.cancelTimer("erase alerts", subject: feed.topic)
            try AlertErasure.timer.handle(feed.topic, now, transaction)
        }
        return true
    }

    private func count(_ rows: String) throws -> Int {
        try notifier.run { transaction in
            try Int.fetchOne(transaction.db, sql: "SELECT count(*) FROM \(rows)") ?? 0
        }
    }

    /// How many notices say nothing any more.
    private func erasedNotices() throws -> Int {
        try notifier.run { transaction in
            let notices = try Data.fetchAll(transaction.db, sql: "SELECT notice FROM notice")
            return try notices.filter { try AlertNotice(stored: [UInt8]($0)).isErased }.count
        }
    }

    @Test func `the alerts of someone's journeys are erased in stretches, and no others`() throws {
        let journeys = 2 * AlertErasure.mostDeleted + 50
        try raise((0..<journeys).map { "ride/\($0)" }, from: Self.ride)
        try raise((0..<100).map { "shift/\($0)" }, from: Self.other)
        try raise(["open"], from: Self.other, isOver: false)
        let notices = try count("notice")

        try erase(at: Self.now + 1)
        try raise(["ride/later"], from: Self.ride, at: Self.now + 2)

        var deleted = [journeys + 101 - (try count("alert") - 1)]
        var stretches = 0
        while try advance(at: Self.now + 3) {
            stretches += 1
            deleted.append(journeys + 101 - (try count("alert") - 1))
            try #require(stretches < 100)
        }
        let steps = zip(deleted, deleted.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 <= AlertErasure.mostDeleted })
        #expect(deleted.first == AlertErasure.mostDeleted && deleted.last == journeys)
        #expect(try count("alert WHERE source = '\(Self.other.rawValue)'") == 101)
        #expect(try count("alert WHERE key = 'ride/later'") == 1)
        // Every notice keeps its place, and those of the erased alerts say nothing any more.
        #expect(try count("notice") == notices + 2)
        #expect(try erasedNotices() == 2 * journeys)
        // That of the events, with its ids, is still under way.
        #expect(try count("alertErasure") == 0 && count("erasure") == 2)
    }

    @Test func `very many notices are examined in stretches`() throws {
        let notices = 3 * AlertErasure.mostExamined - 500
        try raise(["ride/1"], from: Self.ride)
        try notifier.run { transaction in
            let known = try Notice.all(feed, after: 0, limit: 1, transaction.db)
            for number in 3...notices {
                let notice = AlertNotice(
                    feedSequence: UInt64(number), reason: .repeated, alert: known[0].alert)
                try transaction.db.execute(
                    sql: "INSERT INTO notice (feed, sequence, time, notice) VALUES (?, ?, 0, ?)",
                    arguments: [feed.topic, number, Data(notice.packed())])
            }
            try transaction.db.execute(
                sql: "UPDATE feed SET head = ?", arguments: [notices])
        }
        try erase(at: Self.now + 1)

        var counts = [try erasedNotices()]
        while try advance(at: Self.now + 2) { counts.append(try erasedNotices()) }
        #expect(counts == [AlertErasure.mostExamined, 2 * AlertErasure.mostExamined, notices])
    }

    @Test func `what is yet to be erased can't be read, and all else can`() throws {
        let journeys = AlertErasure.mostDeleted + 50
        try raise(["shift/1"], from: Self.other)
        try raise((1...journeys).map { "ride/\($0)" }, from: Self.ride)
        try erase(at: Self.now + 1)
        try raise(["ride/later"], from: Self.ride, at: Self.now + 2)
        #expect(try count("alert") == 52)

        try notifier.run(at: Self.now + 3) { transaction in
            let db = transaction.db
            let found = try AlertHandling.list(ListAlerts(limit: 500), in: transaction)
            #expect(found.alerts.map(\.key) == ["ride/later", "shift/1"])
            var notices: [AlertNotice] = []
            while true {
                let page = try AlertFeeds.readFeed(
                    ReadFeed(after: UInt64(notices.count), limit: 500), in: transaction)
                guard !page.notices.isEmpty else { break }
                notices += page.notices
            }
            #expect(notices.map(\.feedSequence) == (1...UInt64(2 * journeys + 4)).map { $0 })
            let legible = notices.filter { !$0.isErased }.compactMap(\.alert?.key)
            #expect(legible == ["shift/1", "shift/1", "ride/later", "ride/later"])
            // A delivery that is still to switch off a siren has no text.
            #expect(try Notice.at(3, of: feed, db)?.isErased == true)
            #expect(try Notice.at(1, of: feed, db)?.isErased == false)
            for (key, isFound) in [("ride/\(journeys)", false), ("shift/1", true)] {
                let id = try String.fetchOne(
                    db, sql: "SELECT id FROM alert WHERE key = ? ORDER BY id DESC",
                    arguments: [key])
                let alert = try? Alert.required(try #require(id), of: .machineOwner, db)
                #expect((alert != nil) == isFound)
            }
        }
    }

    @Test func `an erasure goes on in a store that was restored for one organisation`() throws {
        let journeys = AlertErasure.mostDeleted + 50
        try raise((1...journeys).map { "ride/\($0)" }, from: Self.ride)
        try erase(at: Self.now + 1)

        try Separation(of: Principal.localOrganisation, NotifierStore.belongings)
            .separate(notifier.queue)
        while try advance(at: Self.now + 2) {}

        #expect(try count("alert") == 0 && count("alertErasure") == 0)
        #expect(try count("erasedAlert") == 0 && erasedNotices() == 2 * journeys)
    }

    @Test func `erasing again meanwhile covers what was raised since`() throws {
        let journeys = AlertErasure.mostDeleted + 10
        try raise((0..<journeys).map { "ride/\($0)" }, from: Self.ride)
        try erase(at: Self.now + 1)
        try raise(["ride/later"], from: Self.ride, at: Self.now + 2)

        try erase(at: Self.now + 3)
        while try advance(at: Self.now + 4) {}

        #expect(try count("alert") == 0)
        #expect(try erasedNotices() == 2 * (journeys + 1))
    }
}
