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
    private static let half = Int(ReplyAllowance.most / 2)

    @Test func `lasts for 512 MiB at once, and grows again with time`() {
        var allowance = ReplyAllowance(full: 0)
        for _ in 0..<2 {
            #expect(allowance.wait(at: Self.now) == 0)
            allowance.take(Self.half, at: Self.now)
        }

        let wait = allowance.wait(at: Self.now)
        #expect((1...1000).contains(wait))
        #expect(allowance.wait(at: Self.now + wait) == 0)
        // Ten of the largest replies.
        allowance.take(10 << 20, at: Self.now + wait)
        let share = ReplyAllowance.period * 10 / 512
        #expect((share...share + 1000).contains(allowance.wait(at: Self.now + wait)))
        #expect(allowance.wait(at: Self.now + wait + share + 1000) == 0)
        // However much is kept at once, the account is refused, but not for long.
        allowance.take(Self.half, at: Self.now + wait)
        #expect(allowance.wait(at: Self.now + wait) == 3600 * 1000)
    }

    @Test func `is whole when the clock was set back by more than a day`() {
        let allowance = ReplyAllowance(full: Self.now + 2 * ReplyAllowance.period + 1)
        #expect(allowance.wait(at: Self.now) == 0)
        #expect(ReplyAllowance(full: .max).wait(at: Self.now) == 0)

        var used = ReplyAllowance(full: 0)
        used.take(1_000, at: Self.now + ReplyAllowance.period * 3 / 2)
        #expect(used.wait(at: Self.now) == 0)
    }

    @Test func `is known after a kill, but for a MiB, and is each account's own`() throws {
        var migrator = DatabaseMigrator()
        ReplyAllowances.register(in: &migrator)
        let store = try DatabaseQueue()
        try migrator.migrate(store)
        try store.inDatabase { db in
            var allowances = ReplyAllowances()
            for _ in 0..<3 {
                try allowances.count(Self.half, for: "ann", at: Self.now, db)
                try allowances.count(1000, for: "bob", at: Self.now, db)
            }
            let wait = try allowances.wait(of: "ann", at: Self.now, db)
            #expect(wait > 0)
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
            let full = WallClock.milliseconds() + ReplyAllowance.period + 600_000
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
