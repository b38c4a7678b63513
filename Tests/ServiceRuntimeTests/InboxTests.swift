import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// Which replies are kept, and for how long.
    @Suite(.serialized) struct Inboxes {
        @Test func `a reply is deleted a day after it was made, whatever its id claims`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            let id = toys.client.makeID()
            let kept = try toys.answer(to: Deposit(account: "a", amount: 5), id: id)
            service.kill()
            // Ids from the far future and ids without a valid time, received long ago.
            try toys.system.edit(
                .transitAlert,
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 7000)
                INSERT INTO inbox (id, time, reply, asker)
                SELECT CAST(X'FFFF' || randomblob(14) AS BLOB), 1, X'00', '' FROM n;
                """)

            try toys.startService()

            try eventually("the old replies are gone") {
                try toys.system.query(.transitAlert, "SELECT count(*) FROM inbox") == [["1"]]
            }
            #expect(try toys.answer(to: Deposit(account: "a", amount: 5), id: id) == kept)
        }

        @Test func `a reply is found again after commands with later ids, and after a kill`() throws
        {
            let toys = try Toys()
            let service = try toys.startService()
            let ids = [toys.client.makeID(), toys.client.makeID(), toys.client.makeID()]
            let deposit = { try toys.answer(to: Deposit(account: "a", amount: 5), id: ids[$0]) }
            // The second id is used last: it is less than the greatest id that has a reply.
            let (first, third) = (try deposit(0), try deposit(2))
            let second = try deposit(1)

            #expect(try deposit(0) == first)
            service.kill()
            try toys.startService()

            #expect(try [deposit(2), deposit(1), deposit(0)] == [third, second, first])
            #expect(try toys.system.query(.transitAlert, "SELECT count(*) FROM inbox") == [["3"]])
        }

        @Test func `of a reply kept in part nothing else is stored, and it is made again`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            let id = toys.client.makeID()
            let glance = {
                try Balance(unpacking: toys.answer(to: Glance(account: "a"), id: id).data)
            }
            let kept = {
                try toys.system.replies(keptBy: .transitAlert)
                    .filter { $0.type == Balance.protobufName }
                    .map { try Balance(unpacking: $0.data) }
            }
            try toys.deposit(7)

            #expect(try glance() == Balance(account: "a", balance: 8))
            #expect(try kept() == [Balance(account: "a")])
            service.kill()
            try toys.startService()
            try toys.deposit(10)

            #expect(try glance() == Balance(account: "a", balance: 18))
            #expect(try kept() == [Balance(account: "a")])
            #expect(try toys.entries() == [["a", "7"], ["a", "1"], ["a", "10"]])
        }

        @Test func `what was kept is the reply if it can't be made again, and nothing is redone`()
            throws
        {
            let toys = try Toys()
            try toys.startService()
            let id = toys.client.makeID()
            let glance = { try toys.answer(to: Glance(account: "broken"), id: id) }

            #expect(try Balance(unpacking: glance().data).balance == 1)
            #expect(try Balance(unpacking: glance().data) == Balance(account: "broken"))
            #expect(try toys.entries() == [["broken", "1"]])
            let other = toys.client.makeID()
            let refused = try toys.answer(to: Glance(), id: other)
            #expect(try Refusal(unpacking: refused.data).message == "at what?")
            #expect(try toys.answer(to: Glance(), id: other) == refused)
        }

        @Test func `refusals to strangers aren't written to the store`() throws {
            let system = try System()
            let bus = "tcp://127.0.0.1:\(Loopback.port())"
            let service = try system.launch("account-service", bus: bus)
            try service.waitUntilReady()
            let client = try system.client(of: .account, bus: bus)
            let id = client.makeID()
            let ask = { (id: MessageID?) in
                try client.send(
                    RefreshAccess(refreshToken: [UInt8](repeating: 7, count: 40)), id: id,
                    deadline: .seconds(60))
                while true {
                    for answer in try client.receive(within: .seconds(60)) {
                        return try answer.result.get()
                    }
                }
            }

            let first = try ask(id)
            for _ in 0..<500 { _ = try ask(nil) }

            #expect(first.type == Refusal.protobufName)
            #expect(try system.query(.account, "SELECT count(*) FROM inbox") == [["0"]])
            // Asking again gets the same reply.
            #expect(try ask(id) == first)
        }
    }
}
