import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// Commands whose reply is a secret, and commands whose work runs outside the loop.
    @Suite(.serialized) struct SlowCommands {
        @Test func `a secret is sent once and isn't stored`() throws {
            let toys = try Toys()
            try toys.startService()
            let id = toys.client.makeID()

            let first = try toys.answer(to: Whisper(account: "a"), id: id)
            let again = try toys.refusal(of: Whisper(account: "a"), id: id)

            let secret = try Whispered(unpacking: first.data).secret
            #expect(secret.hasPrefix("secret "))
            #expect(
                again
                    == Refusal(
                        code: .conflict,
                        message: "this command was answered already, and its answer is not kept; "
                            + "begin again"
                    ).because(.answerGone))
            #expect(try toys.entries() == [["a", "1"]])
            let replies = try toys.system.query(.transitAlert, "SELECT reply FROM inbox")
            let hex = secret.utf8.map { String($0, radix: 16) }.joined()
            #expect(replies.count == 1)
            #expect(!replies[0][0].contains(hex))
        }

        @Test func `a refusal instead of a secret is stored`() throws {
            let toys = try Toys()
            try toys.startService()
            let id = toys.client.makeID()

            let first = try toys.answer(to: Whisper(), id: id)

            #expect(try Refusal(unpacking: first.data).message == "whose secret?")
            #expect(try toys.answer(to: Whisper(), id: id) == first)
        }

        @Test func `other commands are answered while a slow one works`() throws {
            let toys = try Toys()
            try toys.startService()
            let other = try toys.system.client()
            _ = try toys.balance()
            let barrier = try toys.barrier("pondering")
            let id = try toys.client.send(
                Ponder(account: "a", amount: 5), deadline: .seconds(300))
            try eventually("it was prepared") { try toys.entries() == [["a", "0"]] }

            let balance = try other.ask(
                ReadBalance(account: "a"), for: Balance.self, deadline: .seconds(60))
            try FileManager.default.removeItem(at: barrier)
            let answers = try toys.client.receive(within: .seconds(60))

            #expect(balance.balance == 0)
            #expect(answers.map(\.id) == [id])
            let reply = try Client.unpack(answers[0].result.get(), as: Deposited.self)
            #expect(reply.balance == 5)
        }

        @Test func `a slow command that is sent again runs once and gets the same answer`() throws {
            let toys = try Toys()
            try toys.startService()
            let id = toys.client.makeID()

            // It is sent again after 250 and 750 ms.
            let first = try toys.answer(
                to: Ponder(account: "a", amount: 5, pause: 1000), id: id)
            let again = try toys.answer(
                to: Ponder(account: "a", amount: 5, pause: 1000), id: id)

            #expect(first == again)
            #expect(try toys.entries() == [["a", "0"], ["a", "5"]])
        }

        @Test func `the reply goes to whoever sent the command last, if it is the same command`()
            throws
        {
            let toys = try Toys()
            try toys.startService()
            let id = toys.client.makeID()
            let (second, stranger) = (try toys.system.client(), try toys.system.client())
            let command = Ponder(account: "a", amount: 5, pause: 3000)
            _ = try toys.balance()
            let barrier = try toys.barrier("pondering")
            try toys.client.send(command, id: id, deadline: .milliseconds(200))
            try eventually("it was prepared") { try !toys.entries().isEmpty }
            _ = try toys.client.receive(within: .milliseconds(300))

            let guess = #expect(throws: ClientError.self) {
                try stranger.ask(
                    Ponder(account: "a"), for: Deposited.self, id: id, deadline: .seconds(60))
            }
            try FileManager.default.removeItem(at: barrier)
            let reply = try second.ask(
                command, for: Deposited.self, id: id, deadline: .seconds(60))

            #expect(
                guess
                    == .refused(
                        Refusal(
                            code: .conflict, message: "another command under way has this id"
                        ).because(.idTaken)))
            #expect(reply.balance == 5)
        }

        @Test func `no other command is carried out under the id of one that works`() throws {
            let toys = try Toys()
            try toys.startService()
            let id = toys.client.makeID()
            let other = try toys.system.client()
            _ = try toys.balance()
            let barrier = try toys.barrier("pondering")
            try toys.client.send(
                Ponder(account: "a", amount: 5), id: id, deadline: .seconds(300))
            try eventually("it was prepared") { try !toys.entries().isEmpty }

            let refused = #expect(throws: ClientError.self) {
                try other.ask(
                    Deposit(account: "b", amount: 1), for: Deposited.self, id: id,
                    deadline: .seconds(60))
            }
            try FileManager.default.removeItem(at: barrier)
            let answers = try toys.client.receive(within: .seconds(60))

            #expect(
                refused
                    == .refused(
                        Refusal(
                            code: .conflict, message: "another command under way has this id"
                        ).because(.idTaken)))
            let answer = try #require(answers.first)
            let reply = try Client.unpack(answer.result.get(), as: Deposited.self)
            #expect(reply.balance == 5)
            #expect(try toys.entries() == [["a", "0"], ["a", "5"]])
        }

        @Test(arguments: [
            ("prepare", []), ("work", [["a", "0"]]), ("finish", [["a", "0"]]),
            ("noted", [["a", "0"], ["a", "5"]]),
        ])
        func `a refusal keeps what was committed before it`(
            refusal: String, entries: [[String]]
        ) throws {
            let toys = try Toys()
            try toys.startService()
            let id = toys.client.makeID()
            let command = Ponder(account: "a", amount: 5, refusal: refusal)

            let first = try toys.answer(to: command, id: id)

            #expect(try Refusal(unpacking: first.data) == .init(code: .conflict, message: refusal))
            #expect(try toys.answer(to: command, id: id) == first)
            #expect(try toys.entries() == entries)
        }

        @Test func `at most two work at once, and too many are refused immediately`() throws {
            let toys = try Toys()
            try toys.startService()
            _ = try toys.balance()
            let barrier = try toys.barrier("pondering")
            // Two run, 48 of senders without an account wait, and four are too many: all arrive
            // before the first has ended.
            for number in 0..<54 {
                try toys.client.send(
                    Ponder(account: "a", amount: 1, pause: number < 4 ? 2500 : 1),
                    deadline: .seconds(300))
                if number == 1 {
                    try eventually("two were begun") { try toys.entries().count == 2 }
                }
            }

            var refused: [Refusal] = []
            var start: ContinuousClock.Instant?
            while toys.client.inFlight > 0 {
                for answer in try toys.client.receive(within: .seconds(60)) {
                    let envelope = try answer.result.get()
                    if envelope.type == Refusal.protobufName {
                        refused.append(try Refusal(unpacking: envelope.data))
                    }
                }
                if start == nil, refused.count == 4 {
                    start = ContinuousClock.now
                    try FileManager.default.removeItem(at: barrier)
                }
            }

            let begun = try #require(start)
            #expect(ContinuousClock.now - begun >= .milliseconds(5000))
            let busy = Refusal.conflict("too busy, try again").because(.serviceBusy)
            #expect(refused == Array(repeating: busy, count: 4))
            #expect(try toys.balance() == 50)
        }

        @Test func `a kill in the middle loses nothing, because the sender asks again`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            _ = try toys.balance()
            let barrier = try toys.barrier("pondering")
            let id = try toys.client.send(
                Ponder(account: "a", amount: 5), deadline: .seconds(300))
            try eventually("it was prepared") { try toys.entries().count == 1 }

            service.kill()
            try FileManager.default.removeItem(at: barrier)
            try toys.startService()
            var answers: [Client.Answer] = []
            while answers.isEmpty { answers = try toys.client.receive(within: .seconds(60)) }

            #expect(answers[0].id == id)
            #expect(
                try Client.unpack(answers[0].result.get(), as: Deposited.self).balance == 5)
            #expect(try toys.entries() == [["a", "0"], ["a", "0"], ["a", "5"]])
        }
    }
}
