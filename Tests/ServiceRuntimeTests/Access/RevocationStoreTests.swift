import GRDB
import Messages
import TestStore
import TestSupport
import Testing

@testable import ServiceRuntime

/// The table of revocations, which every store has.
struct RevocationStoreTests {
    private let store: DatabaseQueue

    init() throws {
        var migrator = DatabaseMigrator()
        Ledger.register(in: &migrator, now: 0)
        AccessKeys.register(in: &migrator)
        store = try DatabaseQueue()
        try migrator.migrate(store)
    }

    @Test func `only ends of sessions are deleted, and none while a token of it may live`() throws {
        // A token lives ten minutes, and clocks differ.
        #expect(AccessKeys.sessionMemory >= 3_600_000)
        let left = try store.write { db in
            try db.execute(
                sql: """
                    INSERT INTO accessRevocation (account, session, authEpoch, time)
                    VALUES ('ann', 'old', 0, 1), ('ann', 'new', 0, 9), ('bob', '', 2, 1)
                    """)
            try db.execute(sql: AccessKeys.forgetting, arguments: [5])
            return try String.fetchAll(
                db, sql: "SELECT account || session FROM accessRevocation ORDER BY account")
        }
        #expect(left == ["annnew", "bob"])
    }

    @Test func `a revocation doesn't look at all that came before it`() throws {
        let steps = try store.read { db in try db.steps(of: AccessKeys.forgetting, [0]) }
        let step = try #require(steps.first)
        #expect(steps.count == 1 && step.hasPrefix("SEARCH"), "\(steps)")
        #expect(step.contains("accessRevocationByTime"), "\(steps)")
    }

    private func event(_ revoked: AccessRevoked) -> Envelope {
        Envelope(
            type: AccessRevoked.protobufName, subject: revoked.account, time: 1,
            data: revoked.packed())
    }

    private func apply(
        _ events: [Envelope], by keys: AccessKeys, _ transaction: Transaction
    ) throws {
        let handler = try #require(
            keys.handlers.first { $0.type == AccessRevoked.protobufName })
        for event in events { try handler.handle(event, transaction) }
    }

    @Test func `new tokens are accepted if the issuer's count has gone back with its store`() throws
    {
        let store = try MemoryStore(of: .plan)
        let keys = AccessKeys()
        try store.run { transaction in
            func isRevoked(_ name: String, _ count: UInt64, _ id: String = "new") throws -> Bool {
                let claims = Claims(account: name, authEpoch: count, session: id)
                return try keys.isRevoked(claims, transaction.db)
            }
            // The issuer's clock was far ahead when it chose these.
            let before = ["ann", "bob", "eve"].map { AccessRevoked(account: $0, authEpoch: 900) }
            let ended = AccessRevoked(account: "ann", session: "old")
            try apply((before + [ended]).map(event), by: keys, transaction)
            let present = [
                AccessRevoked(account: "ann", authEpoch: 500),
                AccessRevoked(account: "bob", authEpoch: 900),
            ].map(event)

            try keys.forget(except: present, transaction.db)
            try apply(present, by: keys, transaction)

            #expect(try !isRevoked("ann", 500))
            #expect(try isRevoked("ann", 499))
            #expect(try isRevoked("ann", 500, "old"))
            #expect(try isRevoked("bob", 899))
            // The issuer doesn't know this account, so it gets no new tokens.
            #expect(try isRevoked("eve", 899))
        }
    }

    @Test func `a snapshot with the same counts writes nothing`() throws {
        let store = try MemoryStore(of: .plan)
        let keys = AccessKeys()
        try store.run { transaction in
            let events = (1...50).map {
                event(AccessRevoked(account: "person \($0)", authEpoch: 3))
            }
            try apply(events, by: keys, transaction)
            let before = transaction.db.totalChangesCount

            try keys.forget(except: events, transaction.db)
            try apply(events, by: keys, transaction)

            #expect(transaction.db.totalChangesCount == before)
        }
    }
}
