import GRDB
import Messages
import Testing

@testable import ProjectService

/// How many mirrors there may be.
struct MirrorLimitTests {
    private let store: DatabaseQueue

    init() throws {
        // The log-ins and projects of mirrors have more than is needed here.
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        store = try DatabaseQueue(configuration: configuration)
        try ProjectStore.migrator.migrate(store)
    }

    /// Adds mirrors with the log-in of an account, and their projects.
    private func add(
        _ count: Int, of account: String, in organisation: String, _ db: Database
    ) throws {
        try RedmineLogInRow(
            logIn: RedmineLogIn(id: account, account: account), organisation: organisation,
            user: 1, sealed: []
        ).save(db)
        for number in 0..<count {
            let id = "\(account) \(number)"
            try db.execute(
                sql: "INSERT OR IGNORE INTO project VALUES (?, ?, ?, '', '', 0, 0, '', 0, x'')",
                arguments: [id, organisation, id])
            try MirrorRow(
                project: id, logIn: account, remote: number, identifier: id, due: 0
            ).save(db)
        }
    }

    private func isRefused(
        _ account: String, in organisation: String, _ db: Database
    ) throws -> Bool {
        do {
            try MirrorRow.requireRoom(of: account, in: organisation, db)
            return false
        } catch is Refusal { return true }
    }

    @Test func `an account has at most 100 mirrors, and an organisation 1,000`() throws {
        try store.write { db in
            try add(MirrorRow.mostOfAccount - 1, of: "ann", in: "o", db)
            #expect(try !isRefused("ann", in: "o", db))
            try add(MirrorRow.mostOfAccount, of: "ann", in: "o", db)
            #expect(try isRefused("ann", in: "o", db))

            try add(MirrorRow.mostOfOrganisation - 101, of: "bob", in: "o", db)
            #expect(try !isRefused("eve", in: "o", db))
            try add(MirrorRow.mostOfOrganisation - 100, of: "bob", in: "o", db)
            #expect(try isRefused("eve", in: "o", db))
            #expect(try !isRefused("eve", in: "p", db))
        }
    }
}
