import Bus
import Foundation
import Messages
import Synchronization
import TestSupport
import Testing

@testable import ToyMessages

/// The suites that start processes. They run one after the other, so that they don't starve each
/// other.
@Suite(.serialized) struct Faults {}

/// Several rounds of harm to one set of stores.
struct Campaign: Sendable, CustomTestStringConvertible {
    let rounds: Int
    let follower: String
    let seed: Seed

    var testDescription: String { "\(rounds) rounds with \(follower), \(seed)" }

    /// The campaigns: `FAULT_ROUNDS` or `ROUNDS` rounds, 200 by default, ten to a set of stores,
    /// or fewer, so that there are two sets: the toy and the real notifier take turns as the
    /// follower. The decisions are those of the same seeds each time, or of those that begin with
    /// `SEED`.
    static let all: [Campaign] = {
        let environment = ProcessInfo.processInfo.environment
        let number = environment["FAULT_ROUNDS"] ?? environment["ROUNDS"]
        let rounds = number.flatMap { Int($0) } ?? 200
        let first = environment["SEED"].flatMap { UInt64($0) } ?? 1
        print("SEED=\(first) FAULT_ROUNDS=\(rounds)")
        let most = max(1, min(10, (rounds + 1) / 2))
        return stride(from: 0, to: rounds, by: most).enumerated().map { number, begin in
            Campaign(
                rounds: min(most, rounds - begin),
                follower: number.isMultiple(of: 2) ? "toy-follower" : "notifier",
                seed: Seed(first &+ UInt64(number)))
        }
    }()
}

extension Faults {
    @Suite(.serialized) struct Kills {
        static let total = Mutex((tally: Crowd.Tally(), rounds: 0, acknowledged: 0))

        @Test(arguments: Campaign.all)
        func `nothing is lost and nothing happens twice, whichever process is killed`(
            campaign: Campaign
        ) throws {
            var seed = campaign.seed
            let isNotifier = campaign.follower == "notifier"
            let crowd = try Crowd(
                follower: campaign.follower, alerts: isNotifier ? 50 : 10, seed: seed)
            let reader = try AlertFeedReader(
                crowd.system.connection(bus: "home"), recipient: "someone")
            let read = { if isNotifier { try reader.turn() } }
            for _ in 0..<campaign.rounds {
                try crowd.begin(commands: 150, rate: 5 + seed.below(30))
                try crowd.harm(for: .milliseconds(900), meanwhile: read)
                try crowd.calm(meanwhile: read)

                let oracle = Oracle(system: crowd.system)
                try oracle.expectCommandsOnce(journals: [crowd.journal(0), crowd.journal(1)])
                if isNotifier {
                    try oracle.expectAlertsDelivered(to: reader, meanwhile: read)
                } else {
                    try oracle.expectFollowed()
                }
            }
            crowd.stopAll()
            // Without harm nothing is shown.
            #expect(campaign.rounds < 3 || crowd.tally.kills.values.reduce(0, +) > 0)
            report(crowd, rounds: campaign.rounds)
        }

        private func report(_ crowd: Crowd, rounds: Int) {
            Self.total.withLock { total in
                total.tally = total.tally + crowd.tally
                total.rounds += rounds
                total.acknowledged += 2 * crowd.commands
                let tally = total.tally
                let kills = tally.kills.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                print(
                    """
                    \(total.rounds) rounds: \(total.acknowledged) commands acknowledged; \
                    kills: \(kills.joined(separator: ", ")); \(tally.pauses) times stopped for a \
                    while; messages: \(tally.passed) passed, \(tally.dropped) dropped, \
                    \(tally.doubled) doubled, \(tally.delayed) delayed
                    """)
            }
        }
    }
}

/// Compares what clients were told with the contents of the stores.
struct Oracle {
    let system: System

    /// Expects that every acknowledged command is in the store once, and that no refused one is.
    func expectCommandsOnce(journals: [String]) throws {
        var deposited: Set<String> = []
        var refused: Set<String> = []
        for path in journals {
            let journal = try Journal(path: path)
            #expect(try journal.unfinished() == [])
            for entry in try journal.entries(.acknowledged) {
                if entry.text.hasPrefix("deposited") { deposited.insert("\(entry.id)") }
                if entry.text.hasPrefix("refused") { refused.insert("\(entry.id)") }
            }
        }
        let kept = try system.query(.transitAlert, "SELECT command FROM entry").map { $0[0] }
        #expect(kept.count == Set(kept).count, "a command was carried out twice")
        #expect(Set(kept) == deposited, "a command was lost, or was carried out unasked")
        #expect(refused.isDisjoint(with: deposited))
        let wrong = try system.query(
            .transitAlert,
            """
            SELECT name FROM account WHERE balance !=
            (SELECT sum(amount) FROM entry WHERE account = name)
            """)
        #expect(wrong == [])
        let gaps = try system.query(
            .transitAlert, "SELECT count(*) - max(sequence), min(sequence) FROM outbox")
        #expect(gaps == [["0", "1"]])
    }

    /// Expects that every event reached the follower's store once and in order.
    func expectFollowed() throws {
        let published = try system.published(by: .transitAlert).compactMap {
            MessageID(bytes: $0.id)?.description
        }
        let seen = { () throws -> [String] in
            guard FileManager.default.fileExists(atPath: system.store(.notifier)) else { return [] }
            return try system.query(.notifier, "SELECT event FROM seen ORDER BY position")
                .map { $0[0] }
        }
        try eventually("the follower has seen everything") {
            try seen().count >= published.count
        }
        #expect(try seen() == published)
        let sql = "SELECT name, balance FROM account ORDER BY name"
        #expect(try system.query(.notifier, sql) == system.query(.transitAlert, sql))
        #expect(try system.query(.notifier, "SELECT * FROM deadLetter") == [])
    }

    /// Expects that every alert is in the notifier's store once, and reached the person under one
    /// id.
    func expectAlertsDelivered(to reader: AlertFeedReader, meanwhile: () throws -> Void) throws {
        let raised = try system.published(by: .transitAlert)
            .filter { $0.type == AlertRaised.protobufName }
        let alerts = { () throws -> [[String]] in
            guard FileManager.default.fileExists(atPath: system.store(.notifier)) else { return [] }
            return try system.query(.notifier, "SELECT key, id FROM alert ORDER BY id")
        }
        try eventually("the notifier keeps all of \(raised.count) alerts") {
            try meanwhile()
            return try alerts().count >= raised.count
        }
        try eventually("all of \(raised.count) alerts were delivered, as far as \(reader)") {
            try meanwhile()
            return reader.ids.count >= raised.count
        }
        let kept = try alerts()
        #expect(kept.map { $0[1] } == raised.compactMap { MessageID(bytes: $0.id)?.description })
        #expect(Set(kept.map { $0[0] }).count == kept.count)
        for row in kept { #expect(reader.ids[row[0]] == [row[1]]) }
        let notices = try system.query(
            .notifier, "SELECT count(*), min(sequence), max(sequence) FROM notice")
        #expect(notices == [["\(raised.count)", "1", "\(raised.count)"]])
        #expect(try system.query(.notifier, "SELECT * FROM deadLetter") == [])
    }
}
