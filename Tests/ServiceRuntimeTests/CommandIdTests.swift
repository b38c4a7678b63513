import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ServiceRuntime
@testable import ToyMessages

/// The id of a command says when it was made, and a service accepts only plausible times.
@Suite struct `The id of a command` {
    private static let now: Int64 = 1_795_000_000_000

    private func made(_ hours: Double) -> MessageID {
        var ids = MessageID.Generator()
        return ids.next(at: Self.now + Int64(hours * 3_600_000))
    }

    @Test func `is good within a day before, and a little after, the clock`() {
        for hours in [0, -1, -22.99, 0.249] {
            #expect(CommandDesk.refusal(of: made(hours), at: Self.now) == nil)
        }
    }

    @Test func `is refused with its reason when it is of another time or kind`() throws {
        let random = try #require(MessageID("0f8fad5b-d9cb-469f-a165-70867728950e"))

        #expect(CommandDesk.refusal(of: made(-23.01), at: Self.now)?.reason == "id.old")
        #expect(CommandDesk.refusal(of: made(0.251), at: Self.now)?.reason == "id.ahead")
        #expect(CommandDesk.refusal(of: made(1e6), at: Self.now)?.reason == "id.ahead")
        #expect(CommandDesk.refusal(of: random, at: Self.now)?.reason == "id.version")
    }
}

extension Processes {
    /// What a running service does with such ids.
    @Suite(.serialized) struct CommandIds {
        @Test func `of another time or kind are refused, and change and keep nothing`() throws {
            let toys = try Toys()
            try toys.startService()
            var ids = MessageID.Generator()
            let now = WallClock.milliseconds()
            let random = try #require(MessageID("0f8fad5b-d9cb-469f-a165-70867728950e"))
            let bad = [
                ("id.ahead", ids.next(at: now + 3_600_000)), ("id.version", random),
                ("id.old", try #require(MessageID("00000000-0001-7000-8000-000000000001"))),
            ]
            for (reason, id) in bad {
                for message: any ProtobufMessage in [
                    Deposit(account: "a", amount: 1), Ponder(account: "a", amount: 1),
                ] {
                    let refusal = try toys.refusal(of: message, id: id)

                    #expect(refusal.code == .invalid)
                    #expect(refusal.reason == reason)
                    #expect(refusal.subject == "\(id)")
                }
            }
            #expect(try toys.entries() == [])
            #expect(try toys.system.query(.transitAlert, "SELECT id FROM inbox") == [])
        }

        @Test func `may be old if the command was carried out: it gets its reply again`() throws {
            let toys = try Toys()
            try toys.startShifted("toy-service")
            let id = toys.client.makeID()
            let first = try toys.deposit(1, id: id)

            try toys.setClock("\(23 * 3600 + 1800)")

            #expect(try toys.deposit(1, id: id) == first)
            #expect(try toys.entries().count == 1)
            #expect(
                try toys.refusal(
                    of: Deposit(account: "a", amount: 1),
                    id: MessageID(bytes: id.bytes.dropLast() + [id.bytes[15] ^ 1])
                ).reason == "id.old")
        }
    }
}
