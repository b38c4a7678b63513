import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// What happens to a follower when its producer's history has changed.
    @Suite(.serialized) struct Histories {
        @Test func `a follower behind the restored backup continues where it was`() throws {
            let toys = try Toys()
            var service = try toys.startService()
            let follower = try toys.startFollower()
            for _ in 0..<3 { try toys.deposit(1) }
            try toys.expectFollowed()
            follower.kill()
            for _ in 0..<3 { try toys.deposit(1) }
            try toys.system.backUp(.transitAlert, to: "backup.sqlite")
            for _ in 0..<3 { try toys.deposit(1) }
            service.kill()

            try toys.system.restore(.transitAlert, from: "backup.sqlite")
            service = try toys.startService("--restored")
            for _ in 0..<2 { try toys.deposit(10) }
            try toys.startFollower()

            try toys.expectFollowed()
            try toys.expectSameBalances()
            #expect(try toys.balance() == 26)
            #expect(try toys.seen().count == 8)
            #expect(service.isRunning)
        }

        @Test func `a follower ahead of the restored backup ends up equal to its producer`() throws
        {
            let toys = try Toys()
            let service = try toys.startService()
            try toys.startFollower()
            for _ in 0..<3 { try toys.deposit(1) }
            try toys.system.backUp(.transitAlert, to: "backup.sqlite")
            for _ in 0..<5 { try toys.deposit(1, "b") }
            try toys.expectFollowed()
            service.kill()

            try toys.system.restore(.transitAlert, from: "backup.sqlite")
            try toys.startService("--restored")
            for _ in 0..<7 { try toys.deposit(10, "c") }

            try toys.expectSameBalances()
            #expect(try toys.balance("b") == 0)
        }

        @Test func `a follower ahead of a quiet restored backup ends up equal to its producer`()
            throws
        {
            let toys = try Toys()
            let service = try toys.startService()
            try toys.startFollower()
            try toys.deposit(1)
            try toys.system.backUp(.transitAlert, to: "backup.sqlite")
            try toys.deposit(1, "b")
            try toys.expectFollowed()
            service.kill()

            try toys.system.restore(.transitAlert, from: "backup.sqlite")
            try toys.startService("--restored")

            try toys.expectSameBalances()
        }

        @Test func `a follower that misses nothing adopts a quiet new history`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            try toys.startFollower()
            try toys.deposit(1)
            try toys.expectFollowed()
            try toys.system.backUp(.transitAlert, to: "backup.sqlite")
            service.kill()

            try toys.system.restore(.transitAlert, from: "backup.sqlite")
            try toys.startService("--restored")

            let now = try toys.system.query(.transitAlert, "SELECT max(epoch) FROM epoch")
            try eventually("the follower counts in the new history") {
                try toys.system.query(.notifier, "SELECT epoch FROM cursor") == now
            }
            #expect(try toys.seen() == toys.published())
        }

        @Test func `a follower whose position was pruned gets a snapshot and continues`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            let follower = try toys.startFollower()
            try toys.deposit(1)
            try toys.expectFollowed()
            follower.kill()
            for _ in 0..<10 { try toys.deposit(1) }
            service.kill()
            try toys.system.edit(.transitAlert, "DELETE FROM outbox WHERE sequence < 8")

            try toys.startService()
            try toys.startFollower()
            try toys.expectSameBalances()
            try toys.deposit(5)

            try toys.expectSameBalances()
            #expect(try toys.balance() == 16)
        }

        @Test(arguments: [1, 2, 3])
        func `an event that can no longer be read holds up no follower`(damaged: Int) throws {
            let toys = try Toys()
            let first = try toys.startService()
            for amount in 1...3 { try toys.deposit(Int64(amount)) }
            first.kill()
            try toys.system.edit(
                .transitAlert, "UPDATE outbox SET envelope = x'FF' WHERE sequence = \(damaged)")

            let second = try toys.startService()
            try toys.startFollower()

            try toys.expectSameBalances()
            #expect(try toys.balance() == 6)
            #expect(second.err.contains("event can't be read"))
            try toys.deposit(5)
            try toys.expectSameBalances()
        }

        @Test func `a snapshot larger than a message is sent in parts`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            try toys.deposit(1)
            service.kill()
            // Far more accounts than fit into one message; their events are deleted.
            try toys.system.edit(
                .transitAlert,
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO account SELECT 'account number ' || i, i FROM n;
                UPDATE outbox SET sequence = 8;
                """)

            try toys.startService()
            try toys.startFollower()
            try toys.deposit(5)

            try toys.expectSameBalances()
        }

        @Test func `a follower notices that a producer's store was set back`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            try toys.startFollower()
            for _ in 0..<8 { try toys.deposit(1) }
            try toys.system.backUp(.transitAlert, to: "backup.sqlite")
            for _ in 0..<4 { try toys.deposit(1, "b") }
            try toys.expectFollowed()
            service.kill()

            try toys.system.restore(.transitAlert, from: "backup.sqlite")
            try toys.startService()

            try toys.expectSameBalances()
            #expect(try toys.balance("b") == 0)
            try toys.expectPositionsFit()
        }

        @Test func `a follower notices it even if the producer has published as much again`() throws
        {
            let toys = try Toys()
            var service = try toys.startService()
            let follower = try toys.startFollower()
            for _ in 0..<8 { try toys.deposit(1) }
            try toys.system.backUp(.transitAlert, to: "backup.sqlite")
            for _ in 0..<4 { try toys.deposit(1, "b") }
            try toys.expectFollowed()
            service.kill()
            follower.kill()

            try toys.system.restore(.transitAlert, from: "backup.sqlite")
            service = try toys.startService()
            for _ in 0..<7 { try toys.deposit(10, "c") }
            try toys.startFollower()

            try toys.expectSameBalances()
            try toys.deposit(10, "d")
            try toys.expectSameBalances()
            try toys.expectPositionsFit()
            #expect(service.isRunning)
        }

        @Test func `a follower notices it even if the producer has deleted the differing event`()
            throws
        {
            let toys = try Toys()
            var service = try toys.startService()
            let follower = try toys.startFollower()
            for _ in 0..<8 { try toys.deposit(1) }
            try toys.system.backUp(.transitAlert, to: "backup.sqlite")
            for _ in 0..<4 { try toys.deposit(1, "b") }
            try toys.expectFollowed()
            service.kill()
            follower.kill()

            try toys.system.restore(.transitAlert, from: "backup.sqlite")
            service = try toys.startService()
            for _ in 0..<7 { try toys.deposit(10, "c") }
            service.kill()
            // The follower is at event 12. Only event 13, which names it, is still there.
            try toys.system.edit(.transitAlert, "DELETE FROM outbox WHERE sequence <= 12")
            service = try toys.startService()
            try toys.startFollower()

            try toys.expectSameBalances()
            #expect(try toys.balance("b") == 0)
            try toys.expectPositionsFit()
            #expect(service.isRunning)
        }

        @Test func `without keys a producer whose store was set back is followed as it is now`()
            throws
        {
            let toys = try Toys()
            let service = try toys.startService()
            let follower = try toys.startFollower()
            for _ in 0..<5 { try toys.deposit(1) }
            try toys.system.backUp(.transitAlert, to: "backup.sqlite")
            for _ in 0..<4 { try toys.deposit(1, "b") }
            try toys.expectFollowed()
            service.kill()
            follower.kill()
            try toys.system.restore(.transitAlert, from: "backup.sqlite")
            let epochs = try toys.system.query(.transitAlert, "SELECT epoch FROM epoch")

            let bus = "tcp://127.0.0.1:\(Loopback.port())"
            try toys.system.start("toy-service", bus: bus)
            try toys.system.start("toy-follower", bus: bus)

            try toys.expectSameBalances()
            #expect(try toys.system.query(.transitAlert, "SELECT epoch FROM epoch") == epochs)
        }

        @Test func `without keys nobody can make a producer begin a new history`() throws {
            let toys = try Toys()
            let first = try toys.startService()
            try toys.deposit(1)
            first.kill()
            // A new history begins at least some seconds after the previous one.
            try toys.system.edit(.transitAlert, "UPDATE epoch SET epoch = epoch - 60000")
            let bus = "tcp://127.0.0.1:\(Loopback.port())"
            try toys.system.start("toy-service", bus: bus)
            let client = try toys.system.client(bus: bus)
            let before = try client.ask(ReadStatus(), for: ServiceStatus.self)

            for after in [before.head + 1, 1000, UInt64(Int64.max)] {
                let question = Replay(
                    follower: "notifier", epoch: before.epoch, after: after, afterId: [1])
                let page = try client.ask(question, for: ReplayPage.self)
                #expect(page.epoch == before.epoch)
            }

            let status = try client.ask(ReadStatus(), for: ServiceStatus.self)
            #expect(status.epoch == before.epoch)
            #expect(status.followers.isEmpty)
        }

        @Test func `a follower that can't delete what it has applied reports that, and stays up`()
            throws
        {
            let toys = try Toys()
            let service = try toys.startService()
            let first = try toys.startFollower()
            try toys.deposit(1)
            try toys.system.backUp(.transitAlert, to: "backup.sqlite")
            try toys.deposit(1, "b")
            try toys.expectFollowed()
            service.kill()
            first.kill()
            try toys.system.restore(.transitAlert, from: "backup.sqlite")
            try toys.system.edit(
                .notifier,
                """
                CREATE TRIGGER stubborn BEFORE DELETE ON account
                BEGIN SELECT RAISE(ABORT, 'this row is stubborn'); END
                """)

            try toys.startService("--restored")
            let second = try toys.startFollower()

            try eventually("it is reported\n\(second.lastWords)") {
                try toys.system.published(by: .notifier)
                    .filter { $0.type == SetAside.protobufName }
                    .contains {
                        try SetAside(unpacking: $0.data).reason.contains("this row is stubborn")
                    }
            }
            let desk = try toys.system.client(of: .notifier)
            _ = try desk.ask(ReadStatus(), for: ServiceStatus.self)
            #expect(second.isRunning)
            #expect(try toys.seen().count == 2)
            second.kill()

            // The next start doesn't wait for the minute to pass.
            try toys.system.edit(.notifier, "DROP TRIGGER stubborn")
            try toys.startFollower()
            try toys.expectSameBalances()
        }

        @Test func `a follower whose own store was set back continues from there`() throws {
            let toys = try Toys()
            try toys.startService()
            let follower = try toys.startFollower()
            for _ in 0..<3 { try toys.deposit(1) }
            try toys.expectFollowed()
            try toys.system.backUp(.notifier, to: "backup.sqlite")
            for _ in 0..<3 { try toys.deposit(1) }
            try toys.expectFollowed()
            let epochs = try toys.system.query(.transitAlert, "SELECT epoch FROM epoch")
            follower.kill()

            try toys.system.restore(.notifier, from: "backup.sqlite")
            try toys.startFollower()

            try toys.expectFollowed()
            #expect(try toys.system.query(.transitAlert, "SELECT epoch FROM epoch") == epochs)
        }
    }
}

extension Toys {
    /// Waits until both report that the follower has exactly what the service has published.
    fileprivate func expectPositionsFit() throws {
        try eventually("the follower has caught up with the service") {
            let service = try client.ask(ReadStatus(), for: ServiceStatus.self)
            let follower = try system.client(of: .notifier)
                .ask(ReadStatus(), for: ServiceStatus.self)
            let cursor = follower.cursors.first { $0.producer == service.service }
            return cursor?.sequence == service.head
                && service.followers.map(\.sequence) == [service.head]
        }
    }
}
