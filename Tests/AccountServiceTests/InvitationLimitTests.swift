import GRDB
import Messages
import Testing

@testable import AccountService

/// How many invitations may be valid, and which are deleted.
struct InvitationLimitTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try AccountStore.migrator.migrate(store)
    }

    /// Adds invitations as if an account had made them.
    private func add(
        _ count: Int, by maker: String, to organisation: String, expires: Int64, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                INSERT INTO invitation (code, organisation, invite, expires, maker)
                SELECT randomblob(16), ?, x'', ?, ? FROM n
                """, arguments: [count, organisation, expires, maker])
    }

    private func isRefused(
        by maker: String, to organisation: String, _ db: Database
    ) throws -> Bool {
        do {
            let code = [UInt8](maker.utf8) + [UInt8](organisation.utf8)
            try Codes.keepInvitation(
                code, Invite(organisation: organisation), by: maker, at: 10, db)
            return false
        } catch let refusal as Refusal { return refusal.isBecause(.invitationLimit) }
    }

    @Test func `a person has at most 1,000 valid invitations`() throws {
        #expect(Codes.mostOfMaker == 1_000)
        try store.write { db in
            try add(Codes.mostOfMaker, by: "ann", to: "o", expires: 10, db)
            try add(Codes.mostOfMaker - 1, by: "ann", to: "o", expires: 11, db)

            #expect(try !isRefused(by: "ann", to: "o", db))
            #expect(try isRefused(by: "ann", to: "o", db))
            #expect(try !isRefused(by: "bob", to: "o", db))
        }
    }

    @Test func `an organisation has at most 10,000 valid invitations`() throws {
        #expect(Codes.mostOfOrganisation == 10_000)
        try store.write { db in
            try add(Codes.mostOfOrganisation, by: "ann", to: "o", expires: 11, db)

            #expect(try isRefused(by: "bob", to: "o", db))
            #expect(try !isRefused(by: "bob", to: "p", db))
        }
    }

    @Test func `removing an area ends the invitations to it in its own organisation only`() throws {
        let grant = Grant(role: .crew, site: "s", area: "bar")
        try store.write { db in
            for organisation in ["o", "p"] {
                try Codes.keepInvitation(
                    [UInt8](organisation.utf8), Invite(organisation: organisation, grants: [grant]),
                    by: "ann", at: 10, db)
            }

            try Codes.forgetInvitations(to: ["bar"], of: Site(id: "s"), in: "o", db)

            #expect(try String.fetchAll(db, sql: "SELECT organisation FROM invitation") == ["p"])
        }
    }
}
