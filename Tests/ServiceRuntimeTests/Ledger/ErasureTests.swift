import Bus
import Foundation
import GRDB
import Messages
import TestSupport
import Testing

@testable import ServiceRuntime

/// What an erasure reaches when the clock was set.
@Suite struct ErasureTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let hour: Int64 = 3_600_000
    private static let journey = "01a20724-d52d-7112-ad88-3525653e35da"

    private let system: System
    private let queue: DatabaseQueue

    init() throws {
        system = try System()
        queue = try DatabaseQueue()
        try Store.migrate(queue, "memory", DatabaseMigrator(), 1)
    }

    private func run<R>(at now: Int64, _ body: (Transaction) throws -> R) throws -> R {
        let configuration = try Bus.Configuration(environment: system.environment())
        return try queue.write { db in
            let turn = Turn(
                service: .transitAlert, ledger: try Ledger(db), timers: Timers(),
                configuration: configuration)
            let id = turn.ids.next(at: now)
            return try body(
                Transaction(
                    db: db, now: now, principal: .machineOwner, id: id, correlation: id,
                    turn: turn))
        }
    }

    /// Publishes an event about the journey, and answers its owner.
    private func write(at now: Int64) throws {
        try run(at: now) { transaction in
            try transaction.publish(SetAside(reason: "a trial"), subject: Self.journey)
            let reply = Envelope(type: SetAside.protobufName, data: SetAside().packed())
            try transaction.turn.ledger.keep(
                reply.packed(), to: transaction.id, of: transaction.principal.asker,
                at: transaction.now)
        }
    }

    /// Whether each row, in order, is erased.
    private func erased(_ column: String, of table: String, by order: String) throws -> [Bool] {
        try queue.read { db in
            try Data.fetchAll(db, sql: "SELECT \(column) FROM \(table) ORDER BY \(order)")
                .map { try Envelope(stored: [UInt8]($0)).type != SetAside.protobufName }
        }
    }

    @Test func `what was written while the clock was ahead is erased, and what came later stays`()
        throws
    {
        try write(at: Self.now - Self.hour)
        try write(at: Self.now + Self.hour)
        var erasure = try run(at: Self.now) { Erasure(of: [Self.journey], wantedIn: $0) }
        try write(at: Self.now + 1)

        let isMore = try run(at: Self.now + 2) { try erasure.advance($0) }

        #expect(!isMore)
        #expect(try erased("envelope", of: "outbox", by: "sequence") == [true, true, false])
        #expect(try erased("reply", of: "inbox", by: "time") == [true, false, true])
    }

    @Test func `an event that came later stays although the clock was set back before it`() throws {
        try write(at: Self.now)
        var erasure = try run(at: Self.now) { Erasure(of: [Self.journey], in: $0) }
        try write(at: Self.now - Self.hour)

        _ = try run(at: Self.now - Self.hour) { try erasure.advance($0) }

        #expect(try erased("envelope", of: "outbox", by: "sequence") == [true, false])
    }

    @Test func `what is large is erased a few rows at a time, until nothing is left`() throws {
        let data = [UInt8](repeating: 0, count: 1_000_000)
        let large = Envelope(type: SetAside.protobufName, subject: Self.journey, data: data)
        for number in 0..<6 as Range<Int64> {
            try run(at: Self.now + number) { transaction in
                try transaction.turn.ledger.keep(
                    large.packed(), to: transaction.id, of: transaction.principal.asker,
                    at: transaction.now)
                try DeadLetter.keep(large, from: "a", reason: "r", at: Self.now, transaction.db)
            }
        }
        func left() throws -> [Int] {
            let letters = try queue.read { try DeadLetter.count($0) }
            return [Int(letters), try erased("reply", of: "inbox", by: "id").count { !$0 }]
        }
        var erasure = try run(at: Self.now + 10) { Erasure(of: [Self.journey], wantedIn: $0) }

        let isMore = try run(at: Self.now + 11) { try erasure.advance($0) }
        #expect(isMore)
        #expect(try left() == [1, 1])

        let isMoreYet = try run(at: Self.now + 12) { try erasure.advance($0) }
        #expect(!isMoreYet)
        #expect(try left() == [0, 0])
    }

    @Test func `an erasure that an earlier version began goes on`() throws {
        for time in [Self.now, Self.now + Self.hour, Self.now + 1] { try write(at: time) }
        let kept = """
            {"subjects":["\(Self.journey)"],"time":\(Self.now),"event":0,"reply":[]}
            """
        var erasure = try JSONDecoder().decode(Erasure.self, from: Data(kept.utf8))

        _ = try run(at: Self.now + 2) { try erasure.advance($0) }

        #expect(try erased("envelope", of: "outbox", by: "sequence") == [true, true, false])
    }

    /// Makes the table of erasures, and one that has the size of each text that is inserted.
    private func makeTable() throws {
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE erasure (
                        id TEXT NOT NULL PRIMARY KEY, erasure TEXT NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE written (bytes INTEGER NOT NULL) STRICT;
                    CREATE TRIGGER noteWritten AFTER INSERT ON erasure BEGIN
                        INSERT INTO written VALUES (length(NEW.erasure));
                    END;
                    """)
        }
    }

    /// Keeps large replies to the owner, which take several stretches.
    private func keepReplies() throws {
        let data = [UInt8](repeating: 0, count: 1_000_000)
        let large = Envelope(type: SetAside.protobufName, subject: Self.journey, data: data)
        for number in 0..<6 as Range<Int64> {
            try run(at: Self.now + number) { transaction in
                try transaction.turn.ledger.keep(
                    large.packed(), to: transaction.id, of: transaction.principal.asker,
                    at: transaction.now)
            }
        }
    }

    /// Carries out stretches until none is due.
    ///
    /// - Returns: how many there were.
    private func work() throws -> Int {
        var stretches = 0
        while stretches < 20 {
            let isDone = try run(at: Self.now + 100) { transaction in
                guard try transaction.timerDue("erase", subject: "ann") != nil else { return true }
                try transaction.cancelTimer("erase", subject: "ann")
                try Erasure.timer().handle("ann", Self.now + 100, transaction)
                return false
            }
            if isDone { return stretches }
            stretches += 1
        }
        return stretches
    }

    @Test func `the ids are written once, and not after each stretch`() throws {
        try makeTable()
        try keepReplies()
        let ids = Set((0..<1_000).map { "id \($0)" })
        try run(at: Self.now + 10) { try Erasure(of: ids, wantedIn: $0).begin("ann", in: $0) }
        // Another one waits for its end.
        try write(at: Self.now + 11)
        try run(at: Self.now + 12) {
            try Erasure(of: [Self.journey], wantedIn: $0).begin("ann", in: $0)
        }
        let before = try queue.write { db in
            let most = try Int.fetchOne(db, sql: "SELECT max(bytes) FROM written") ?? 0
            try db.execute(sql: "DELETE FROM written")
            return most
        }
        #expect(before > 5_000)

        let stretches = try work()

        #expect((3..<20).contains(stretches))
        let (most, left) = try queue.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT max(bytes) FROM written") ?? 0,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM erasure") ?? 0
            )
        }
        #expect((1..<1_000).contains(most))
        #expect(left == 0)
        #expect(try erased("envelope", of: "outbox", by: "sequence") == [true])
        #expect(try erased("reply", of: "inbox", by: "id").allSatisfy { $0 })
    }

    @Test func `an erasure that an earlier version began goes on in stretches`() throws {
        try makeTable()
        try write(at: Self.now)
        try keepReplies()
        try run(at: Self.now + 10) { transaction in
            try transaction.db.execute(
                sql: "INSERT INTO erasure (id, erasure) VALUES ('ann', ?)",
                arguments: [
                    """
                    {"subjects":["\(Self.journey)"],"time":\(Self.now + 10),"event":0,"reply":[],\
                    "asker":"\(transaction.principal.asker)"}
                    """
                ])
            try transaction.setTimer("erase", subject: "ann", due: transaction.now)
        }

        let stretches = try work()

        #expect((2..<20).contains(stretches))
        #expect(try erased("envelope", of: "outbox", by: "sequence") == [true])
        #expect(try erased("reply", of: "inbox", by: "id").allSatisfy { $0 })
        let left = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM erasure") }
        #expect(left == 0)
    }
}
