import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    @Suite(.serialized) struct Followers {
        @Test func `events reach a follower once and in order`() throws {
            let toys = try Toys()
            try toys.startService()
            try toys.startFollower()

            for amount in 1...50 { try toys.deposit(Int64(amount)) }

            try toys.expectFollowed()
            try toys.expectSameBalances()
        }

        @Test func `an event without a handler is passed without a record of it`() throws {
            let toys = try Toys()
            try toys.startService()
            try toys.startFollower()
            let record = toys.system.path("data/notifier.crash")
            func expectPassed(_ sequence: Int, isRecorded: Bool) throws {
                try eventually("the follower is at event \(sequence)") {
                    try toys.system.query(.notifier, "SELECT sequence FROM cursor")
                        == [["\(sequence)"]]
                }
                let acts = String(
                    decoding: FileManager.default.contents(atPath: record) ?? Data(),
                    as: UTF8.self)
                #expect(acts.contains("event transit-alert-service") == isRecorded)
            }

            _ = try toys.answer(to: Say(withdrawn: "k"))
            try expectPassed(1, isRecorded: false)
            try toys.deposit(1)
            try expectPassed(2, isRecorded: true)
        }

        @Test func `the order in which processes start does not matter`() throws {
            let toys = try Toys()
            try toys.startFollower()
            try toys.client.send(Deposit(account: "a", amount: 1), deadline: .seconds(60))
            try toys.startService()

            while toys.client.inFlight > 0 { _ = try toys.client.receive(within: .seconds(60)) }

            try toys.expectFollowed()
            #expect(try toys.entries() == [["a", "1"]])
        }

        @Test func `a follower that was down gets the events it missed`() throws {
            let toys = try Toys()
            try toys.startService()
            let follower = try toys.startFollower()
            try toys.deposit(1)
            try toys.expectFollowed()

            follower.kill()
            // More than one page of a replay.
            for _ in 0..<1200 {
                try toys.client.send(Deposit(account: "b", amount: 1), deadline: .seconds(60))
            }
            while toys.client.inFlight > 0 { _ = try toys.client.receive(within: .seconds(60)) }
            try toys.startFollower()

            try toys.expectFollowed()
            try toys.expectSameBalances()
        }

        @Test func `a heartbeat reveals events published while nobody listened`() throws {
            let toys = try Toys()
            try toys.startService()
            try toys.deposit(1)
            try toys.deposit(2)

            // The follower has missed both events, and no other will come.
            try toys.startFollower()

            try toys.expectFollowed()
        }

        @Test func `an event that can't be applied becomes a dead letter and holds nothing up`()
            throws
        {
            let toys = try Toys()
            let service = try toys.startService()
            try toys.startFollower()
            try toys.deposit(1)
            _ = try toys.answer(to: Muddle(account: "a"))
            try toys.deposit(2)
            let all = try toys.published()

            try eventually("the follower has seen the two others") { try toys.seen().count == 2 }

            #expect(try toys.seen() == [all[0], all[2]])
            let desk = try toys.system.client(of: .notifier)
            let letter = try #require(try letters(desk).first)
            #expect(letter.producer == "transit-alert-service")
            #expect(letter.sequence == 2)
            #expect(letter.type == "toy.Muddled")
            #expect(letter.reason.contains("this event is a muddle"))
            #expect(service.isRunning)
        }

        @Test func `a dead letter is applied once its cause is fixed`() throws {
            let toys = try Toys()
            try toys.startService()
            try toys.startFollower()
            _ = try toys.answer(to: Muddle(account: "a"))
            let desk = try toys.system.client(of: .notifier)
            try eventually("there is a dead letter") { try !letters(desk).isEmpty }

            #expect(throws: ClientError.self) {
                try desk.ask(RetryDeadLetter(id: 1), for: DeadLetterRetried.self)
            }
            #expect(try letters(desk).count == 1)
            #expect(try toys.seen() == [])
            try Data().write(to: URL(filePath: toys.system.path("data/mended")))
            _ = try desk.ask(RetryDeadLetter(id: 1), for: DeadLetterRetried.self)

            #expect(try letters(desk) == [])
            #expect(try toys.seen() == toys.published())
        }

        @Test func `a dead letter that can't be read is refused, and can be dropped`() throws {
            let toys = try Toys()
            try toys.startService()
            try toys.startFollower()
            _ = try toys.answer(to: Muddle(account: "a"))
            let desk = try toys.system.client(of: .notifier)
            try eventually("there is a dead letter") { try !letters(desk).isEmpty }
            try toys.system.edit(.notifier, "UPDATE deadLetter SET envelope = x'FF'")

            let error = #expect(throws: ClientError.self) {
                try desk.ask(RetryDeadLetter(id: 1), for: DeadLetterRetried.self)
            }
            let reason = error.map { "\($0)" } ?? ""
            #expect(reason.contains("can't be read any more; drop it"))
            _ = try desk.ask(DropDeadLetter(id: 1), for: DeadLetterDropped.self)

            #expect(try letters(desk) == [])
        }

        @Test func `a dead letter isn't applied over newer events, unless requested`() throws {
            let toys = try Toys()
            try toys.startService()
            try toys.startFollower()
            _ = try toys.answer(to: Muddle(account: "a"))
            _ = try toys.answer(to: Muddle(account: "b"))
            try toys.deposit(1, "a")
            let desk = try toys.system.client(of: .notifier)
            try eventually("the newer event is applied") { try toys.seen().count == 1 }
            try Data().write(to: URL(filePath: toys.system.path("data/mended")))

            #expect(try letters(desk).map(\.newer) == [3, 0])
            #expect(throws: ClientError.self) {
                try desk.ask(RetryDeadLetter(id: 1), for: DeadLetterRetried.self)
            }
            _ = try desk.ask(RetryDeadLetter(id: 2), for: DeadLetterRetried.self)
            _ = try desk.ask(
                RetryDeadLetter(id: 1, evenIfOlder: true), for: DeadLetterRetried.self)

            #expect(try letters(desk) == [])
            #expect(try toys.seen() == toys.published().reversed())
        }

        @Test func `a follower that is held applies nothing, and catches up afterwards`() throws {
            let toys = try Toys()
            try toys.startService()
            try toys.startFollower()
            try toys.deposit(1)
            try toys.expectFollowed()
            let desk = try toys.system.client(of: .notifier)

            _ = try desk.ask(HoldFollowing(milliseconds: 10_000), for: FollowingHeld.self)
            try toys.deposit(2)
            try eventually("the follower has heard of it") {
                // This may take longer than it can be held at once.
                _ = try desk.ask(HoldFollowing(milliseconds: 10_000), for: FollowingHeld.self)
                let status = try desk.ask(ReadStatus(), for: ServiceStatus.self)
                return status.cursors.first { $0.producer == "transit-alert-service" }?.head == 2
            }
            #expect(try toys.seen().count == 1)
            _ = try desk.ask(HoldFollowing(), for: FollowingHeld.self)

            try toys.expectFollowed()
            #expect(throws: ClientError.self) {
                try desk.ask(HoldFollowing(milliseconds: 10_001), for: FollowingHeld.self)
            }
        }

        @Test func `a follower that stays where it is costs its producer no write`() throws {
            let toys = try Toys()
            try toys.startService()
            try toys.deposit(1)
            let epoch = try toys.client.ask(ReadStatus(), for: ServiceStatus.self).epoch
            func report(_ sequence: UInt64) throws -> Int64 {
                let report = Replay(follower: "notifier", epoch: epoch, after: sequence)
                _ = try toys.client.ask(report, for: ReplayPage.self)
                let status = try toys.client.ask(ReadStatus(), for: ServiceStatus.self)
                return try #require(status.followers.first).reported
            }
            func kept() throws -> [[String]] {
                try toys.system.query(.transitAlert, "SELECT sequence, reported FROM follower")
            }
            let first = try report(0)
            let rows = try kept()

            try eventually("a later report is in the status") { try report(0) > first }
            #expect(rows.count == 1)
            #expect(try kept() == rows)

            _ = try report(1)
            #expect(try kept().map { $0[0] } == ["1"])
        }

        @Test func `a follower that is gone for good can be forgotten`() throws {
            let toys = try Toys()
            try toys.startService()
            let follower = try toys.startFollower()
            try toys.deposit(1)
            let followers = "SELECT name FROM follower"
            try eventually("the follower is known") {
                try toys.system.query(.transitAlert, followers) == [["notifier"]]
            }
            follower.kill()

            let gone = ForgetFollower(name: "notifier")
            _ = try toys.client.ask(gone, for: FollowerForgotten.self)
            let known = try toys.system.query(.transitAlert, followers)
            #expect(try toys.refusal(of: gone).code == .notFound)
            try toys.deposit(2)
            try toys.startFollower()

            #expect(known == [])
            try toys.expectFollowed()
        }

        @Test func `without keys subscribers that have very many topics together are disconnected`()
            throws
        {
            let toys = try Toys()
            let first = try toys.startService()
            try toys.deposit(1)
            first.kill()
            let bus = "tcp://127.0.0.1:\(Loopback.port())"
            let service = try toys.system.start("toy-service", bus: bus)
            // One may have as many. ZeroMQ keeps them for each, though they are the same.
            let topics = (0..<50).map { "\($0)" + String(repeating: "x", count: 900) }

            do {
                let ears = try (0..<2).map { _ in
                    try toys.system.connection(bus: bus)
                        .connect(.subscriber, to: .transitAlert, .events, subscribing: topics)
                }
                try eventually("they are cut off\n\(service.lastWords)") {
                    for ear in ears { while try ear.receive() != nil {} }
                    return service.err.contains("peers cut off")
                }
            }

            // Followers subscribe as before.
            try toys.system.start("toy-follower", bus: bus)
            try toys.expectFollowed()
        }

        @Test func `a dead letter can be dropped`() throws {
            let toys = try Toys()
            try toys.startService()
            try toys.startFollower()
            _ = try toys.answer(to: Muddle(account: "a"))
            let desk = try toys.system.client(of: .notifier)
            try eventually("there is a dead letter") { try !letters(desk).isEmpty }

            _ = try desk.ask(DropDeadLetter(id: 1), for: DeadLetterDropped.self)

            #expect(try letters(desk) == [])
            #expect(throws: ClientError.self) {
                try desk.ask(DropDeadLetter(id: 1), for: DeadLetterDropped.self)
            }
        }

        private func letters(_ desk: Client) throws -> [DeadLetters.Letter] {
            try desk.ask(ListDeadLetters(), for: DeadLetters.self).letters
        }
    }
}
