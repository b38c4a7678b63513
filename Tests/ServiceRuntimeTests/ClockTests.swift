import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// The clock is changed while the processes run.
    @Suite(.serialized) struct Clocks {
        @Test(arguments: ["-3600", "3600"])
        func `a follower continues when the clock is set`(shift: String) throws {
            let toys = try Toys()
            try toys.startShifted("toy-service")
            try toys.startShifted("toy-follower")
            try toys.deposit(1)
            try toys.expectFollowed()

            try toys.setClock(shift)
            try toys.deposit(2)
            try toys.expectFollowed()
        }

        @Test(arguments: ["15", "-15", "50"])
        func `a query is answered although the clocks differ`(shift: String) throws {
            let toys = try Toys()
            try toys.startShifted("toy-service")
            try toys.setClock(shift)
            toys.client.clock = WallClock.milliseconds

            // A query on a busy machine may take longer than its deadline.
            try eventually("it is answered") {
                do {
                    return try toys.client.ask(
                        ReadBalance(account: "a"), for: Balance.self, deadline: .seconds(2)
                    ).balance == 0
                } catch ClientError.noAnswer {
                    return false
                }
            }
        }

        @Test func `a query that comes far too late is told that a clock is wrong`() throws {
            let toys = try Toys()
            try toys.startShifted("toy-service")
            try toys.setClock("900")
            toys.client.clock = WallClock.milliseconds

            let refused = #expect(throws: ClientError.self) {
                try toys.client.ask(ReadBalance(account: "a"), for: Balance.self)
            }

            guard case .refused(let refusal) = refused else {
                throw Complaint("it was not refused: \(String(describing: refused))")
            }
            #expect(refusal.message.contains("after its deadline, by the clock here"))
            #expect(refusal.reason == RefusalReason.queryLate.rawValue)
        }

        @Test func `after sleeping, a machine carries out the commands that it gets then`()
            throws
        {
            let toys = try Toys()
            let service = try toys.startShifted("toy-service")
            // It is chance where in its turn the service stops, but often enough it is in a turn.
            for round in 1...40 {
                var waiting = try Set(
                    (0..<(round % 8 + 1) * 10).map { _ in
                        try toys.client.send(Deposit(account: "a", amount: 1))
                    })
                service.signal(SIGSTOP)
                // Further than the clock of a client may be ahead.
                try toys.setClock("\(round * 1200)")
                waiting.insert(try toys.client.send(Deposit(account: "a", amount: 1)))
                service.signal(SIGCONT)

                try eventually("every command is answered") {
                    for answer in try toys.client.receive(within: .milliseconds(100)) {
                        let envelope = try answer.result.get()
                        let text = String(decoding: envelope.data, as: UTF8.self)
                        #expect(envelope.type != Refusal.protobufName, "\(round): \(text)")
                        waiting.remove(answer.id)
                    }
                    return waiting.isEmpty
                }
            }
        }

        @Test func `a command is carried out once although the clock was days ahead meanwhile`()
            throws
        {
            let toys = try Toys()
            try toys.startShifted("toy-service")
            let events = try toys.system.connection().connect(
                .subscriber, to: .transitAlert, .events, subscribing: [Heartbeat.topic])
            try eventually("there is a heartbeat") { try events.receive() != nil }
            let id = toys.client.makeID()
            let first = try toys.deposit(1, id: id)

            try toys.setClock("\(3 * 24 * 3600)")
            // Old replies are deleted after a heartbeat, and before the next one.
            for _ in 0..<2 {
                try eventually("there is a heartbeat") {
                    guard let frames = try events.receive() else { return false }
                    let time = try Envelope(unpacking: frames[1].bytes).time
                    return time > WallClock.milliseconds() + 24 * 3_600_000
                }
            }
            try toys.setClock("0")

            #expect(try toys.deposit(1, id: id) == first)
            #expect(try toys.entries().count == 1)
        }

        @Test
        func `a command whose reply was deleted is not carried out again by a clock set back`()
            throws
        {
            let toys = try Toys()
            let service = try toys.startShifted("toy-service")
            let id = toys.client.makeID()
            try toys.deposit(1, id: id)
            // In steps that are believed at once.
            for hours in stride(from: 5, through: 30, by: 5) {
                try toys.setClock("\(hours * 3600)")
                try eventually("the service has seen that clock") {
                    let seen = try toys.system.query(.transitAlert, "SELECT time FROM clockSeen")
                    let time = seen.first.flatMap { Int64($0[0]) } ?? 0
                    return time > toys.client.clock() - 1_800_000
                }
            }
            try eventually("the reply is deleted") {
                try toys.system.query(.transitAlert, "SELECT count(*) FROM inbox") == [["0"]]
            }

            // Now the id is 22 hours old.
            try toys.setClock("\(22 * 3600)")
            let refusal = try toys.refusal(of: Deposit(account: "a", amount: 1), id: id)
            service.kill()
            try toys.startShifted("toy-service")
            let again = try toys.refusal(of: Deposit(account: "a", amount: 1), id: id)

            #expect(refusal.reason == RefusalReason.answerDeleted.rawValue)
            #expect(again.reason == RefusalReason.answerDeleted.rawValue)
            #expect(try toys.entries().count == 1)
            try toys.deposit(2)
            #expect(try toys.entries().count == 2)
        }

        @Test func `heartbeats go on when the clock is set back`() throws {
            let toys = try Toys()
            try toys.startShifted("toy-service")
            let events = try toys.system.connection().connect(
                .subscriber, to: .transitAlert, .events, subscribing: [Heartbeat.topic])
            try eventually("there is a heartbeat") { try events.receive() != nil }

            try toys.setClock("-3600")

            for _ in 0..<2 {
                try eventually("there is a heartbeat") {
                    guard let frames = try events.receive() else { return false }
                    let time = try Envelope(unpacking: frames[1].bytes).time
                    return time < WallClock.milliseconds() - 1_800_000
                }
            }
        }
    }
}

extension Toys {
    /// Starts a process whose time of day ``setClock(_:)`` shifts.
    @discardableResult
    func startShifted(_ name: String) throws -> Program {
        let program = try system.launch(
            name,
            adding: [
                "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
                "SHIFTED_CLOCK": system.path("clock"),
            ])
        try program.waitUntilReady()
        return program
    }

    /// Shifts the time of day by a number of seconds, for the client too.
    func setClock(_ seconds: String) throws {
        let shift = (Int64(seconds) ?? 0) * 1000
        client.clock = { WallClock.milliseconds() + shift }
        try Data(seconds.utf8).write(to: URL(filePath: system.path("clock")), options: .atomic)
    }
}
