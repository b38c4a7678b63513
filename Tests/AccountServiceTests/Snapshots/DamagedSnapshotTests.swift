import GRDB
import Messages
import TestStore
import Testing

@testable import AccountService

/// Snapshots of a store in which some rows can't be read.
struct DamagedSnapshotTests {
    @Test func `an account or a site that can't be read keeps no other out of a snapshot`() throws {
        let store = try MemoryStore(of: .account, AccountStore.migrator)
        let told = try store.run { transaction -> [String] in
            let db = transaction.db
            for id in ["o", "p"] { try Organisation(id: id, name: id).save(db) }
            for id in ["s", "t"] { try Site(id: id, name: id).save(of: "p", db) }
            for id in ["ann", "bob"] {
                try Account(id: id, name: id, organisation: "p", email: "\(id)@example.org")
                    .insert(password: "", db)
            }
            try db.execute(
                sql: """
                    UPDATE organisation SET organisation = x'FF' WHERE id = 'o';
                    UPDATE site SET site = x'FF' WHERE id = 's';
                    UPDATE account SET account = x'FF' WHERE id = 'ann'
                    """)
            var told: [String] = []
            try AccountService.pass(transaction) { event, subject in
                if let event = event as? OrganisationChanged {
                    told.append("\(subject) \(event.organisation.sites.map(\.id))")
                }
                if event is AccountChanged { told.append(subject) }
            }
            return told
        }
        #expect(told == ["p []", "p [\"t\"]", "bob"])
    }
}
