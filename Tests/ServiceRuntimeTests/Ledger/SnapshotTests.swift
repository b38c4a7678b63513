import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ServiceRuntime
@testable import ToyMessages

/// The limits of a snapshot.
struct SnapshotLimitTests {
    private let part = [UInt8](repeating: 1, count: 1 << 20)

    @Test func `a snapshot isn't made larger than a follower accepts`() throws {
        let path = NSTemporaryDirectory() + "steward-\(UUID().uuidString).snapshot"
        var writer = try SnapshotWriter(path: path)
        for _ in 0..<Snapshot.mostBytes >> 20 { try writer.add(part) }

        #expect(throws: SnapshotWriter.TooLarge.self) { try writer.add([1]) }
        writer.discard()
    }

    @Test func `a follower stores no more of a snapshot than a producer may make`() throws {
        var assembly = SnapshotAssembly()
        let parts = UInt32(Snapshot.mostBytes >> 20) + 1
        func page(_ part: UInt32) -> ReplayPage {
            ReplayPage(
                epoch: 1, head: 9, events: [self.part], snapshot: true, snapshotSequence: 9,
                part: part, parts: parts)
        }
        for number in 0..<parts - 1 { #expect(try assembly.add(page(number)) == nil) }

        #expect(throws: SnapshotAssembly.TooLarge.self) { try assembly.add(page(parts - 1)) }
        #expect(assembly.next == 0)
    }

    @Test func `parts of two snapshots at the same sequence are not put together`() throws {
        var assembly = SnapshotAssembly()
        // A new process sent less, so that its second part begins with a later event.
        #expect(try assembly.add(told(["a", "b"], in: 0, by: 1)) == nil)

        #expect(try assembly.add(told(["d"], in: 1, by: 2)) == nil)

        #expect(assembly.next == 0)
        #expect(try assembly.add(told(["b", "c"], in: 0, by: 2)) == nil)
        let whole = try assembly.add(told(["d"], in: 1, by: 2))
        let subjects = try whole?.events.map { try Envelope(stored: $0).subject }
        #expect(subjects == ["b", "c", "d"])
    }

    /// A part of a snapshot at sequence 9, whose events name what made it as their cause.
    private func told(_ subjects: [String], in part: UInt32, by process: UInt8) -> ReplayPage {
        let events = subjects.map {
            Envelope(type: "x.Y", subject: $0, sequence: 9, causationId: [process]).packed()
        }
        return ReplayPage(
            epoch: 1, head: 9, events: events, snapshot: true, snapshotSequence: 9, part: part,
            parts: 2)
    }
}

extension Processes {
    /// Snapshots of large states.
    @Suite(.serialized) struct SnapshotsOfMuch {
        @Test func `a snapshot is put together piece by piece`() throws {
            let toys = try Toys()
            let first = try toys.startService()
            try toys.deposit(1)
            first.kill()
            try toys.system.edit(
                .transitAlert,
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250000)
                INSERT INTO account SELECT 'account number ' || i, i FROM n;
                UPDATE outbox SET sequence = 8;
                """)
            let service = try toys.startService()
            let before = try service.residentMemory()

            let page = try toys.client.replay(Replay(epoch: 1, after: 1 << 40, limit: 500))

            // All events at once would take twice as much memory.
            #expect(page.parts > 50)
            #expect(try service.residentMemory() < before + 20 << 20)
        }
    }

    /// Snapshots of states that don't fit into an event.
    @Suite(.serialized) struct SnapshotsOfTooMuch {
        private let toys: Toys
        private let question = Replay(epoch: 1, after: 1 << 40, limit: 500)

        /// A service that has no snapshot for a follower whose events are gone.
        init() throws {
            toys = try Toys()
            let first = try toys.startService()
            try toys.deposit(1)
            first.kill()
            try toys.system.edit(
                .transitAlert,
                """
                INSERT INTO account VALUES (printf('%.*c', 1000000, 'x'), 1);
                UPDATE outbox SET sequence = 8;
                """)
        }

        @Test func `a state that doesn't fit in an event is reported to the operator`() throws {
            let service = try toys.startService()

            try toys.startFollower()

            try eventually("it is in the log") { service.err.contains("event=no snapshot") }
            #expect(service.err.contains("an event has at most"))
            try toys.deposit(1)
        }

        @Test func `followers are told why there is no snapshot`() throws {
            try toys.startService()

            try eventually("the reason is in the refusal") {
                let refusal = try toys.refusal(of: question)
                return refusal.code == .conflict && refusal.message.contains("an event has at most")
            }
        }

        @Test func `a producer that has refused for ten minutes is reported to people`() throws {
            try toys.setClock("0")
            try toys.startShifted("toy-service")
            try toys.startShifted("toy-follower")
            try eventually("the follower was refused a few times") {
                let status = try toys.client.ask(ReadStatus(), for: ServiceStatus.self)
                return status.counters["queries.refused", default: 0] > 2
            }
            #expect(try reports() == [])

            // However late it learns of the first refusal, ten minutes pass after that.
            var clock = 0
            try eventually("it is reported") {
                clock += 700
                try toys.setClock("\(clock)")
                return try !reports().isEmpty
            }
            #expect(try reports().count == 1)
            #expect(try reports()[0].reason.contains("an event has at most"))
        }

        private func reports() throws -> [SetAside] {
            try toys.system.published(by: .notifier)
                .filter { $0.type == SetAside.protobufName }
                .map { try SetAside(unpacking: $0.data) }
        }
    }
}

extension Processes {
    /// Snapshots for followers whose events are gone.
    @Suite(.serialized) struct Snapshots {
        private let toys: Toys

        /// The number of accounts, which fill several parts of a snapshot.
        private static let accounts = 20_000

        /// A service with many accounts whose events are gone.
        init() throws {
            toys = try Toys()
            let first = try toys.startService()
            try toys.deposit(1)
            first.kill()
            try toys.system.edit(
                .transitAlert,
                """
                WITH RECURSIVE n (i) AS (
                    SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.accounts))
                INSERT INTO account SELECT 'account number ' || i, i FROM n;
                UPDATE outbox SET sequence = 8;
                """)
            try toys.startService()
        }

        @Test func `followers that ask in turn while commands arrive each get a snapshot`() throws {
            var readers = try ["notifier", "checklist-service", "plan-service"].map {
                Reader(follower: $0, client: try toys.system.client())
            }

            try eventually("all have all parts, not \(readers.map(\.next))") {
                for index in readers.indices {
                    try readers[index].ask()
                    try toys.deposit(1)
                }
                return readers.allSatisfy(\.isDone)
            }

            #expect(Set(readers.map(\.sequence)).count == 1)
            for reader in readers { #expect(reader.events >= Self.accounts) }
        }

        @Test func `a follower that starts again gets the same snapshot`() throws {
            var first = Reader(follower: "notifier", client: try toys.system.client())
            try eventually("it has begun") {
                try first.ask()
                return first.next >= 5
            }
            for _ in 0..<5 { try toys.deposit(1) }
            var again = Reader(follower: "notifier", client: try toys.system.client())

            try eventually("it is done") {
                try again.ask()
                return again.isDone
            }

            #expect(again.sequence == first.sequence)
            #expect(again.restarts == 0)
        }

        @Test func `commands are answered while a snapshot is put together`() throws {
            let barrier = toys.system.path("data/telling")
            try Data().write(to: URL(filePath: barrier))
            try toys.startFollower()
            let counter = "queries.refused"
            try eventually("the follower has asked without success") {
                let status = try toys.client.ask(ReadStatus(), for: ServiceStatus.self)
                return status.counters[counter, default: 0] > 0
            }

            for _ in 0..<10 { try toys.deposit(1) }
            try FileManager.default.removeItem(atPath: barrier)

            try toys.expectSameBalances()
            try toys.deposit(5)
            try toys.expectSameBalances()
        }

        @Test func `a follower that is killed while it waits for a snapshot reads it in the end`()
            throws
        {
            let first = try toys.startFollower()
            try eventually("the follower has asked") {
                let status = try toys.client.ask(ReadStatus(), for: ServiceStatus.self)
                return status.counters["queries.refused", default: 0] > 0
            }
            first.kill()
            try toys.startFollower()

            try toys.expectSameBalances()
        }
    }
}

/// Fetches a snapshot part by part, as a follower does.
private struct Reader {
    let follower: String
    let client: Client
    private(set) var next: UInt32 = 0
    private(set) var sequence: UInt64 = 0
    private(set) var events = 0
    private(set) var isDone = false
    /// The number of times that it had to start over.
    private(set) var restarts = 0

    init(follower: String, client: Client) { (self.follower, self.client) = (follower, client) }

    mutating func ask() throws {
        guard !isDone else { return }
        let question = Replay(
            follower: follower, limit: 500, snapshotSequence: sequence, part: next)
        let page: ReplayPage
        do { page = try client.ask(question, for: ReplayPage.self) } catch let error as ClientError
        {
            guard case .refused(let refusal) = error, refusal.code == .conflict else { throw error }
            return
        }
        guard page.snapshot else { throw Complaint("this isn't a snapshot") }
        if page.part == 0, next > 0 { restarts += 1 }
        if page.part == 0 { (events, sequence) = (0, page.snapshotSequence) }
        next = page.part + 1
        events += page.events.count
        isDone = next >= page.parts
    }
}
