import Foundation
import GRDB
import Messages
import TestSupport
import Testing

@testable import ServiceRuntime
@testable import ToyMessages

/// How many dead letters are kept.
struct DeadLetterTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try Store.migrate(store, "memory", DatabaseMigrator(), 1)
    }

    @Test func `letters are counted by producer as they are kept and deleted`() throws {
        try store.write { db in
            for producer in ["a", "a", "b"] {
                try DeadLetter.keep(
                    Envelope(type: "x.Y"), from: producer, reason: "r", at: 1, db)
            }
            #expect(try DeadLetter.count(db) == 3)
            try db.execute(sql: "DELETE FROM deadLetter WHERE id = 1")
            #expect(try DeadLetter.count(db) == 2)
            try db.execute(sql: "DELETE FROM deadLetter")
            #expect(try DeadLetter.count(db) == 0)
        }
    }

    @Test(arguments: [
        (DeadLetter.most - 1, DeadLetter.mostBytes - 1, false), (DeadLetter.most, 0, true),
        (1, DeadLetter.mostBytes, true),
    ])
    func `a producer has room for a number and a size of letters`(
        count: Int, bytes: Int, isFull: Bool
    ) throws {
        try store.write { db in
            try db.execute(
                sql: "INSERT INTO deadLetterCount VALUES (?, ?, ?)",
                arguments: ["a", count, bytes])
            #expect(try DeadLetter.isFull(from: "a", db) == isFull)
            #expect(try !DeadLetter.isFull(from: "b", db))
        }
    }
}

extension Processes {
    /// A producer of whose events too many were put aside.
    @Suite(.serialized) struct FullLetters {
        @Test func `an event that can't be applied waits while too many are put aside`() throws {
            let toys = try Toys()
            try toys.startService()
            let first = try toys.startFollower()
            try toys.deposit(1)
            try toys.expectFollowed()
            first.kill()
            let set = "INSERT INTO deadLetterCount VALUES ('transit-alert-service', 100000, 0)"
            try toys.system.edit(.notifier, set)
            _ = try toys.answer(to: Muddle(account: "a"))
            try toys.deposit(2)

            let second = try toys.startFollower()
            try eventually("it has stopped") { second.err.contains("following stopped") }
            try eventually("that is reported") { try reports(toys) == 1 }
            let all = try toys.published()
            #expect(try toys.seen() == [all[0]])
            #expect(try toys.system.query(.notifier, "SELECT id FROM deadLetter") == [])
            second.kill()

            // As if letters had been dropped. The next start doesn't wait for the minute to pass.
            try toys.system.edit(.notifier, "UPDATE deadLetterCount SET count = 99999")
            try toys.startFollower()
            try eventually("it goes on") { try toys.seen() == [all[0], all[2]] }
            #expect(
                try toys.system.query(.notifier, "SELECT sequence FROM deadLetter") == [["2"]])
        }

        @Test func `waiting events are reported again each day while they wait`() throws {
            let toys = try Toys()
            try toys.setClock("0")
            try toys.startShifted("toy-service")
            let first = try toys.startShifted("toy-follower")
            try toys.deposit(1)
            try toys.expectFollowed()
            first.kill()
            let set = "INSERT INTO deadLetterCount VALUES ('transit-alert-service', 100000, 0)"
            try toys.system.edit(.notifier, set)
            _ = try toys.answer(to: Muddle(account: "a"))
            try toys.startShifted("toy-follower")
            try eventually("it is reported") { try reports(toys) == 1 }

            try toys.setClock("90000")

            try eventually("it is reported again") { try reports(toys) == 2 }
        }

        /// How often it was reported that no more events are applied.
        private func reports(_ toys: Toys) throws -> Int {
            try toys.system.published(by: .notifier)
                .filter { event in
                    guard event.type == SetAside.protobufName else { return false }
                    return try SetAside(unpacking: event.data).reason
                        .contains("no more are applied")
                }.count
        }
    }
}
