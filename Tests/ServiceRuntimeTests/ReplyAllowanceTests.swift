import Bus
import Foundation
import GRDB
import Messages
import TestSupport
import Testing

@testable import ServiceRuntime
@testable import ToyMessages

/// How much is kept for an account in case its commands come again.
@Suite struct `The allowance of kept replies` {
    private static let now: Int64 = 1_795_000_000_000
    private static let limit = AllowanceTable.replies.limit
    private static let half = Int(limit.most / 2)

    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        var migrator = DatabaseMigrator()
        AllowanceTable.replies.register(in: &migrator)
        try migrator.migrate(store)
    }

    @Test func `lasts for 512 MiB at once, and grows again with time`() throws {
        #expect(Self.limit.most == 512 << 20)
        try store.write { db in
            var allowances = ReplyAllowances()
            for _ in 0..<2 {
                let none = try allowances.wait(of: "ann", at: Self.now, db)
                #expect(none == 0)
                try allowances.count(Self.half, for: "ann", at: Self.now, db)
            }

            let first = try allowances.wait(of: "ann", at: Self.now, db)
            #expect((1...1000).contains(first))
            let later = Self.now + first
            let gone = try allowances.wait(of: "ann", at: later, db)
            #expect(gone == 0)
            // Ten of the largest replies.
            try allowances.count(10 << 20, for: "ann", at: later, db)
            let share = Self.limit.period * 10 / 512
            let second = try allowances.wait(of: "ann", at: later, db)
            #expect((share...share + 1000).contains(second))
            let over = try allowances.wait(of: "ann", at: later + share + 1000, db)
            #expect(over == 0)
            // However much is kept at once, the account is refused, but not for long.
            try allowances.count(Self.half, for: "ann", at: later, db)
            let third = try allowances.wait(of: "ann", at: later, db)
            #expect(third == 3600 * 1000)
        }
    }

    @Test func `is whole when the clock was set back by more than a day`() throws {
        try store.write { db in
            var allowances = ReplyAllowances()
            let ahead = Self.now + Self.limit.period * 3 / 2
            for _ in 0..<3 { try allowances.count(Self.half, for: "ann", at: ahead, db) }
            let before = try allowances.wait(of: "ann", at: ahead, db)
            #expect(before > 0)
            let none = try allowances.wait(of: "ann", at: Self.now, db)
            #expect(none == 0)

            // What is used from then on is known after a kill, too.
            for _ in 0..<3 { try allowances.count(Self.half, for: "ann", at: Self.now, db) }
            var later = ReplyAllowances()
            let again = try later.wait(of: "ann", at: Self.now, db)
            #expect(again > 0)
        }
    }

    @Test func `is known after a kill, but for a MiB, and is each account's own`() throws {
        try store.write { db in
            var allowances = ReplyAllowances()
            for _ in 0..<2 {
                try allowances.count(Self.half, for: "ann", at: Self.now, db)
                try allowances.count(1000, for: "bob", at: Self.now, db)
            }
            // Ten of these take a MiB, with what a row takes besides.
            for _ in 0..<55 { try allowances.count(104_757, for: "ann", at: Self.now, db) }
            let wait = try allowances.wait(of: "ann", at: Self.now, db)
            #expect(wait > 5 * ReplyAllowances.lag)
            let bobs = try allowances.wait(of: "bob", at: Self.now, db)
            #expect(bobs == 0)

            var later = ReplyAllowances()
            let again = try later.wait(of: "ann", at: Self.now, db)
            #expect((wait - ReplyAllowances.lag...wait).contains(again))
            let rows = try String.fetchAll(db, sql: "SELECT account FROM replyAllowance")
            #expect(rows == ["ann"])
        }
    }
}

extension Processes {
    /// The allowance of kept replies, in a real process.
    @Suite(.serialized) struct ReplyAllowanceUse {
        @Test func `an account for which too much is kept changes nothing more, others do`() throws
        {
            let authority = Authority()
            let toys = try Toys()
            let service = try toys.startService()
            _ = try toys.startAccounts(authority)
            let id = toys.client.makeID()
            toys.client.token = authority.token()
            let kept = try toys.answer(to: Deposit(account: "a", amount: 1), id: id)
            toys.client.token = []
            service.kill()
            let full = WallClock.milliseconds() + AllowanceTable.replies.limit.period + 600_000
            try toys.system.edit(
                .transitAlert, "INSERT INTO replyAllowance VALUES ('ann', \(full))")
            try toys.startService()

            let refusal = try #require(try toys.refusal(with: authority.token()))
            #expect(refusal.code == .conflict)
            #expect(refusal.isBecause(.answersLimit))
            let seconds = try #require(refusal.arguments["seconds"].flatMap { Int($0) })
            #expect((1...600).contains(seconds))
            // What was done before is answered as before, and not done again.
            toys.client.token = authority.token()
            #expect(try toys.answer(to: Deposit(account: "a", amount: 1), id: id) == kept)
            toys.client.token = []
            #expect(try toys.refusal(with: authority.token("bob")) == nil)
            #expect(try toys.refusal(with: []) == nil)
        }
    }
}
