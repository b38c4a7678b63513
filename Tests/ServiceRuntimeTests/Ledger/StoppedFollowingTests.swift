import Bus
import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    /// A follower that can't delete what it has applied in favour of a snapshot.
    @Suite(.serialized) struct StoppedFollowings {
        private let toys: Toys

        init() throws {
            toys = try Toys()
            try toys.setClock("0")
        }

        private func reports() throws -> [SetAside] {
            try toys.system.published(by: .notifier)
                .filter { $0.type == SetAside.protobufName }
                .map { try SetAside(unpacking: $0.data) }
        }

        /// Makes the follower fail when it deletes an account, of which it has at least one.
        private func makeStubborn() throws {
            try toys.system.edit(
                .notifier,
                """
                INSERT OR IGNORE INTO account VALUES ('stubborn', 1);
                CREATE TRIGGER stubborn BEFORE DELETE ON account
                BEGIN SELECT RAISE(ABORT, 'this row is stubborn'); END
                """)
        }

        /// Starts the producer again, without the events before one and without accounts.
        private func startEmpty(_ service: Program, from sequence: Int) throws -> Program {
            service.kill()
            try toys.system.edit(
                .transitAlert, "DELETE FROM account; UPDATE outbox SET sequence = \(sequence)")
            return try toys.startShifted("toy-service")
        }

        @Test func `it is reported again after a snapshot without events was applied`() throws {
            let first = try toys.startShifted("toy-service")
            let follower = try toys.startShifted("toy-follower")
            try toys.deposit(1)
            try toys.expectFollowed()
            try makeStubborn()
            let second = try startEmpty(first, from: 8)
            try eventually("it is reported\n\(follower.lastWords)") { try reports().count == 1 }

            try toys.system.edit(.notifier, "DROP TRIGGER stubborn")
            try toys.setClock("70")
            try eventually("the snapshot is applied\n\(follower.lastWords)") {
                try toys.system.query(.notifier, "SELECT sequence FROM cursor") == [["8"]]
            }
            try makeStubborn()
            _ = try startEmpty(second, from: 18)

            try eventually("it is reported again\n\(follower.lastWords)") {
                try reports().count == 2
            }
            #expect(try reports().allSatisfy { $0.reason.contains("this row is stubborn") })
        }

        @Test func `if it ends the process three times, it is given up until the next day`() throws
        {
            let first = try toys.startService()
            let healthy = try toys.startFollower()
            try toys.deposit(1)
            try toys.expectFollowed()
            first.kill()
            healthy.kill()
            try toys.system.edit(.transitAlert, "UPDATE outbox SET sequence = 8")
            let trap = try toys.barrier("unforgettable")
            let second = try toys.startService()

            var (deaths, isReported) = (0, false)
            var follower = try toys.system.launch("toy-follower")
            while !isReported, deaths < 10 {
                try eventually("it has ended, or reported that") {
                    isReported = try !reports().isEmpty
                    return isReported || !follower.isRunning
                }
                guard !isReported else { break }
                deaths += 1
                follower = try toys.system.launch("toy-follower")
            }

            #expect(deaths == 3)
            #expect(follower.isRunning)
            #expect(try reports().map(\.reason).allSatisfy { $0.contains("failed 3 times") })
            #expect(try toys.seen().count == 1)
            follower.kill()
            second.kill()
            try FileManager.default.removeItem(at: trap)
            try toys.setClock("86400")
            _ = try toys.startShifted("toy-service")
            _ = try toys.startShifted("toy-follower")
            try toys.deposit(5)
            try toys.expectSameBalances()
        }
    }
}
