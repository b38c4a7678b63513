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

    @Test func `an account that can't be read doesn't stop a service that was restored`() throws {
        var store = try MemoryStore(of: .account, AccountStore.migrator)
        store.settings = ["STEWARD_BUS": "tcp://127.0.0.1:5000"]
        var reported: [String] = []
        store.asideNoted = { reported.append($0.type) }
        try store.run { transaction in
            let db = transaction.db
            try Organisation(id: "p", name: "p").save(db)
            for id in ["ann", "bob"] {
                try Account(id: id, name: id, organisation: "p", email: "\(id)@example.org")
                    .insert(password: "", db)
                try LiveSession(
                    id: id, account: id, device: "", began: 1, used: 1, ended: 0,
                    token: Array(id.utf8), code: []
                ).insert(db)
            }
            try Fact.owner.remember("ann", db)
            try db.execute(sql: "UPDATE account SET account = x'FF' WHERE id = 'ann'")

            try AccountService.historyReplaced(transaction)

            let live = "SELECT id FROM session WHERE ended = 0"
            #expect(try String.fetchAll(db, sql: live) == [])
            #expect(try Account.required(id: "bob", db).authEpoch > 0)
            #expect(try String.fetchAll(db, sql: "SELECT account FROM resetCode") == ["ann"])
        }
        #expect(reported == ["account"])
    }
}
