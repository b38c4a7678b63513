import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    @Suite(.serialized) struct Commands {
        @Test func `a repeated command happens once and gets the same reply`() throws {
            let toys = try Toys()
            try toys.startService()
            let id = toys.client.makeID()

            let first = try toys.answer(to: Deposit(account: "a", amount: 5), id: id)
            let second = try toys.answer(to: Deposit(account: "a", amount: 5), id: id)

            #expect(first == second)
            #expect(try toys.entries() == [["a", "5"]])
        }

        @Test func `a repeated command gets the same reply after kill -9`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            let id = toys.client.makeID()
            let first = try toys.answer(to: Deposit(account: "a", amount: 5), id: id)

            service.kill()
            try toys.startService()

            #expect(try toys.answer(to: Deposit(account: "a", amount: 5), id: id) == first)
            #expect(try toys.entries() == [["a", "5"]])
        }

        @Test func `a refusal changes nothing and is stored`() throws {
            let toys = try Toys()
            try toys.startService()
            let id = toys.client.makeID()

            let first = try toys.answer(to: Withdraw(account: "a", amount: 5), id: id)
            try toys.deposit(10)
            let second = try toys.answer(to: Withdraw(account: "a", amount: 5), id: id)

            let refusal = try Refusal(unpacking: first.data)
            #expect(refusal == Refusal(code: .conflict, message: "a does not hold that much"))
            #expect(second == first)
            #expect(try toys.entries() == [["a", "10"]])
            #expect(try toys.published().count == 1)
        }

        @Test func `a defect changes nothing, and the command works once it is fixed`() throws {
            let toys = try Toys()
            try toys.startService()
            let id = toys.client.makeID()

            let failed = try toys.refusal(of: Break(account: "a"), id: id)
            let entries = try toys.entries()
            try Data().write(to: URL(filePath: toys.system.path("data/mended")))
            let mended = try toys.answer(to: Break(account: "a"), id: id)

            #expect(failed.code == .internal)
            #expect(failed.message.contains("\(id)"))
            #expect(entries == [])
            #expect(mended.type == Deposited.protobufName)
            #expect(try toys.entries() == [["a", "1"]])
        }

        @Test func `all copies of a command get one answer, whatever is mended meanwhile`() throws {
            let toys = try Toys()
            try toys.startService()
            let socket = try toys.system.connection().connect(.dealer, to: .transitAlert, .commands)
            let id = toys.client.makeID()
            let ask = { (deadline: Int64) throws -> Envelope in
                let command = Envelope(
                    id: id.bytes, type: Break.protobufName, source: "test", deadline: deadline,
                    data: Break(account: "a").packed())
                try eventually("it is sent") { try socket.send([command.packed()]) }
                return try Envelope(unpacking: receive(from: socket))
            }

            let failed = try ask(1000)
            try Data().write(to: URL(filePath: toys.system.path("data/mended")))
            let copy = try ask(1000)
            let entries = try toys.entries()
            // Another attempt. A copy of the first that comes later gets the answer of this one.
            let mended = try ask(2000)
            let late = try ask(1000)

            #expect(failed.type == Refusal.protobufName)
            #expect(failed.deadline == 1000)
            #expect(copy == failed)
            #expect(entries == [])
            #expect(mended.type == Deposited.protobufName)
            #expect(mended.deadline == 0)
            #expect(late == mended)
            #expect(try toys.entries() == [["a", "1"]])
        }

        @Test func `a message of an unknown type is refused`() throws {
            let toys = try Toys()
            try toys.startService()

            let refusal = try toys.refusal(of: FinishJourney(journeyId: "x"))

            #expect(
                refusal
                    == Refusal(
                        code: .unknownType,
                        message: "transit-alert-service does not answer transit.FinishJourney"))
        }

        @Test func `a client does not send a message over 1 MiB`() throws {
            let toys = try Toys()
            let large = Deposit(
                account: "a", amount: 1, note: [UInt8](repeating: 0, count: 1 << 20))

            #expect(throws: ClientError.self) { try toys.client.send(large) }
        }

        @Test func `a message over 1 MiB is refused immediately, with its size`() throws {
            let toys = try Toys()
            try toys.startService()
            let socket = try toys.system.connection().connect(.dealer, to: .transitAlert, .commands)
            let ask = {
                try eventually("it is sent") {
                    try socket.send([[UInt8](repeating: 0, count: (1 << 20) + 1)])
                }
                return try receive(from: socket)
            }

            let refusal = try Refusal(unpacking: Envelope(unpacking: ask()).data)

            #expect(refusal.code == .tooLarge)
            #expect(refusal.message == "the message has 1048577 bytes; at most 1048576 may be sent")
            // If replies waited for heartbeats, one of two consecutive replies would take that
            // long.
            let time = try shortestTime(under: .milliseconds(700)) {
                try ContinuousClock().measure { _ = try ask() }
            }
            #expect(time < .milliseconds(700))
        }

        @Test func `a query long past its deadline is refused and a command is not`() throws {
            let toys = try Toys()
            try toys.startService()
            let socket = try toys.system.connection().connect(.dealer, to: .transitAlert, .commands)
            let late = { (message: any ProtobufMessage, deadline: Int64) in
                Envelope(
                    id: toys.client.makeID().bytes, type: type(of: message).protobufName,
                    source: "test", deadline: deadline, data: message.packed()
                ).packed()
            }

            let words = [
                1: "s after its deadline, by the clock here",
                Int64.min: "bus.Envelope.deadline is -9223372036854775808",
            ]
            for (deadline, words) in words {
                try eventually("it is sent") {
                    try socket.send([late(ReadBalance(account: "a"), deadline)])
                }
                let reply = try Envelope(unpacking: receive(from: socket))
                let refusal = try Refusal(unpacking: reply.data)
                #expect(refusal.code == .invalid)
                #expect(refusal.message.contains(words))
            }
            try socket.send([late(Deposit(account: "a", amount: 3), 1)])
            let reply = try receive(from: socket)

            #expect(try Envelope(unpacking: reply).type == Deposited.protobufName)
            #expect(try socket.receive() == nil)
        }

        @Test func `an answer over 1 MiB is refused`() throws {
            let toys = try Toys()
            try toys.startService()

            let refusal = try toys.refusal(of: ReadBalance(account: "a", ballast: 2 << 20))

            #expect(refusal.code == .tooLarge)
        }

        @Test func `messages that arrive together are committed together`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            try toys.deposit(1)
            var before = [1, 1]
            // On a busy machine some of them may not have arrived when the service goes on.
            try eventually("200 are committed in at most nine transactions", within: .seconds(300))
            {
                service.signal(SIGSTOP)
                for _ in 0..<200 {
                    try toys.client.send(Deposit(account: "a", amount: 1), deadline: .seconds(60))
                }
                _ = try toys.client.receive(within: .milliseconds(100))
                service.signal(SIGCONT)
                while toys.client.inFlight > 0 {
                    _ = try toys.client.receive(within: .seconds(60))
                }
                // A transaction has only one time.
                let counts = try toys.system.query(
                    .transitAlert, "SELECT count(*), count(DISTINCT time) FROM inbox")
                let after = try counts[0].map { try #require(Int($0)) }
                defer { before = after }
                #expect(after[0] - before[0] == 200)
                return after[1] - before[1] <= 9
            }
        }

        @Test func `messages that arrive together each have their own line in the log`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            service.signal(SIGSTOP)
            for _ in 0..<200 {
                try toys.client.send(Deposit(account: "a", amount: 1), deadline: .seconds(60))
            }
            _ = try toys.client.receive(within: .milliseconds(100))

            service.signal(SIGCONT)
            while toys.client.inFlight > 0 { _ = try toys.client.receive(within: .seconds(60)) }

            let line =
                #/level=info service=\S+ event=handled message=\S+ id=\S{36} outcome=accepted/#
            try eventually("each has its line") {
                service.err.split(separator: "\n").count { $0.wholeMatch(of: line) != nil } == 200
            }
        }

        @Test func `a query is answered before the messages behind it`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            try toys.deposit(5)
            let barrier = URL(filePath: toys.system.path("data/reading"))
            try Data().write(to: barrier)
            service.signal(SIGSTOP)
            let first = try toys.client.send(ReadBalance(account: "a"), deadline: .seconds(60))
            try toys.client.send(ReadBalance(account: "slow"), deadline: .seconds(60))
            service.signal(SIGCONT)

            var answers: [Client.Answer] = []
            try eventually("the first is answered") {
                answers += try toys.client.receive(within: .milliseconds(100))
                return !answers.isEmpty
            }
            #expect(answers.map(\.id) == [first])

            try FileManager.default.removeItem(at: barrier)
            #expect(try toys.client.receive(within: .seconds(60)).count == 1)
        }

        @Test func `nothing is answered before it is committed`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            _ = try toys.balance()
            let barrier = URL(filePath: toys.system.path("data/reading"))
            try Data().write(to: barrier)
            service.signal(SIGSTOP)
            // A query sees what the previous command in the same turn has done.
            for _ in 0..<20 {
                try toys.client.send(Deposit(account: "a", amount: 1), deadline: .seconds(60))
                try toys.client.send(ReadBalance(account: "a"), deadline: .seconds(60))
            }
            try toys.client.send(ReadBalance(account: "slow"), deadline: .seconds(60))
            service.signal(SIGCONT)
            // Perhaps no answer comes, so don't wait for one.
            var seen: [Int64] = []
            for _ in 0..<5 {
                for answer in try toys.client.receive(within: .milliseconds(100)) {
                    let envelope = try answer.result.get()
                    let isBalance = envelope.type == Balance.protobufName
                    seen.append(
                        isBalance
                            ? try Balance(unpacking: envelope.data).balance
                            : try Deposited(unpacking: envelope.data).balance)
                }
            }
            let kept = try toys.entries().count

            #expect(seen.allSatisfy { $0 <= kept }, "\(seen) was told of \(kept)")
            try FileManager.default.removeItem(at: barrier)
            while toys.client.inFlight > 0 { _ = try toys.client.receive(within: .seconds(60)) }
            #expect(try toys.balance() == 20)
        }

        private func receive(from socket: Socket) throws -> [UInt8] {
            var reply: [UInt8]?
            try eventually("there is a reply") {
                reply = try socket.receive()?.first?.bytes
                return reply != nil
            }
            return try #require(reply)
        }
    }
}
