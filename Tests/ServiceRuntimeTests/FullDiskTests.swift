import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// A full disk: the service ends and says so, and everything that it has acknowledged is kept.
    @Suite(.serialized) struct FullDisks {
        static let lack: Comment = "a full disk needs the right to mount one"

        @Test(.enabled(if: SmallDisk.isAllowed, lack), arguments: [10_000, 200_000, 900_000])
        func `a full disk loses and duplicates nothing`(ballast: Int) throws {
            let toys = try Toys()
            let data = toys.system.path("data")
            let disk = try #require(try SmallDisk(at: data, bytes: 6 << 20))
            let service = try toys.startService()

            let acknowledged = try depositUntilEnd(of: service, ballast, toys)

            #expect(try service.waitForEnd() == .exited(74))
            #expect(service.lastWords.contains("the disk that holds"))
            #expect(service.lastWords.contains(toys.system.store(.transitAlert)))
            try disk.enlarge(to: 64 << 20)
            try toys.startService()
            try expectEverythingOnce(acknowledged, toys)
            try toys.deposit(1)
        }

        @Test(.enabled(if: SmallDisk.isAllowed, lack), arguments: 5...12)
        func `a disk that fills up during a turn loses and duplicates nothing`(
            megabytes: Int
        ) throws {
            let toys = try Toys()
            let data = toys.system.path("data")
            let disk = try #require(try SmallDisk(at: data, bytes: megabytes << 20))
            let service = try toys.startService()
            try toys.deposit(1)
            service.signal(SIGSTOP)
            let note = [UInt8](repeating: 9, count: 1_000_000)
            for _ in 0..<16 {
                try toys.client.send(
                    Deposit(account: "a", amount: 1, note: note), deadline: .seconds(120))
            }
            _ = try toys.client.receive(within: .milliseconds(300))
            service.signal(SIGCONT)

            let end = try service.waitForEnd()

            #expect(end == .exited(74), "\(service.lastWords)")
            try disk.enlarge(to: 64 << 20)
            try toys.startService()
            while toys.client.inFlight > 0 { _ = try toys.client.receive(within: .seconds(120)) }
            let kept = try toys.system.query(
                .transitAlert, "SELECT count(*), count(DISTINCT command) FROM entry")
            #expect(kept == [["17", "17"]])
        }

        @Test(arguments: [10_000, 900_000])
        func `a limit on the size of files loses and duplicates nothing`(ballast: Int) throws {
            let toys = try Toys()
            let service = try toys.system.launch(
                "toy-service", through: Surroundings.limitingFiles(to: 6 << 20))
            try service.waitUntilReady()

            let acknowledged = try depositUntilEnd(of: service, ballast, toys)

            #expect(try service.waitForEnd() == .exited(74), "\(service.lastWords)")
            #expect(service.lastWords.contains(toys.system.store(.transitAlert)))
            try toys.startService()
            try expectEverythingOnce(acknowledged, toys)
            try toys.deposit(1)
        }

        /// Sends many deposits at once, until the service can't go on.
        ///
        /// - Returns: the ids of those that were acknowledged. The client keeps sending the rest.
        private func depositUntilEnd(
            of service: Program, _ ballast: Int, _ toys: Toys
        ) throws -> Set<String> {
            let note = [UInt8](repeating: 9, count: ballast)
            // Send one separately: the rest may be too much for the service in its first turn.
            let first = toys.client.makeID()
            _ = try toys.client.ask(
                Deposit(account: "a", amount: 1, note: note), for: Deposited.self, id: first,
                deadline: .seconds(120))
            var acknowledged: Set<String> = ["\(first)"]
            while service.isRunning {
                while toys.client.inFlight < 16 {
                    try toys.client.send(
                        Deposit(account: "a", amount: 1, note: note), deadline: .seconds(120))
                }
                for answer in try toys.client.receive(within: .milliseconds(20)) {
                    #expect(try answer.result.get().type == Deposited.protobufName)
                    acknowledged.insert("\(answer.id)")
                }
            }
            return acknowledged
        }

        private func expectEverythingOnce(_ acknowledged: Set<String>, _ toys: Toys) throws {
            var acknowledged = acknowledged
            while toys.client.inFlight > 0 {
                for answer in try toys.client.receive(within: .seconds(120)) {
                    #expect(try answer.result.get().type == Deposited.protobufName)
                    acknowledged.insert("\(answer.id)")
                }
            }
            let kept = try toys.system.query(.transitAlert, "SELECT command FROM entry").map {
                $0[0]
            }
            #expect(kept.count == acknowledged.count)
            #expect(Set(kept) == acknowledged)
            #expect(try toys.system.query(.transitAlert, "PRAGMA integrity_check") == [["ok"]])
        }
    }
}
