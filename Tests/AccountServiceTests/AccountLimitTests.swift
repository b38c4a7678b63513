import GRDB
import Messages
import Testing

@testable import AccountService

/// How many accounts an organisation may have.
struct AccountLimitTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
        try store.write {
            try $0.execute(
                sql: "INSERT INTO organisation VALUES ('o', 'o', x''), ('p', 'p', x'')")
        }
    }

    /// Adds accounts of “o” until it has this many.
    private func add(_ last: Int, _ db: Database) throws {
        try db.execute(
            sql: """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                INSERT OR IGNORE INTO account
                    (id, name, organisation, password, isHead, isOwner, account)
                SELECT 'o' || i, 'o' || i, 'o', '', 0, 0, x'' FROM n
                """, arguments: [last])
    }

    private func isRefused(
        in organisation: String, isInvited: Bool, _ db: Database
    ) throws -> Bool {
        do {
            try Account.requireRoom(in: organisation, isInvited: isInvited, db)
            return false
        } catch let refusal as Refusal { return refusal.isBecause(.accountLimit) }
    }

    @Test func `strangers sign up until there are 50,000 accounts, others until 100,000`() throws {
        #expect((Account.mostUninvited, Account.most) == (50_000, 100_000))
        try store.write { db in
            try add(Account.mostUninvited - 1, db)
            #expect(try !isRefused(in: "o", isInvited: false, db))
            try add(Account.mostUninvited, db)
            #expect(try isRefused(in: "o", isInvited: false, db))
            #expect(try !isRefused(in: "o", isInvited: true, db))

            try add(Account.most, db)
            #expect(try isRefused(in: "o", isInvited: true, db))
            #expect(try !isRefused(in: "p", isInvited: true, db))
            #expect(try !isRefused(in: "p", isInvited: false, db))
        }
    }
}
