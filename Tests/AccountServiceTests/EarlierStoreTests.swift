import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    /// A store left by an earlier version, kept as SQL text in `Fixtures`.
    @Suite struct EarlierStoreTests {
        /// The refresh token that the person's program kept.
        private static let refreshToken = "eJXKdARE9upS4MdOOBhbyQXIwmSN566HweWVCI3N+6c="

        private func office() throws -> Office {
            let path = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "Fixtures/store-1.sql")
            let text = try String(contentsOf: path, encoding: .utf8)
            return try Office { system in
                try system.makeFolder("data")
                try system.edit(.account, "PRAGMA journal_mode = WAL")
                // The text is a transaction of its own.
                try system.edit(
                    .account,
                    text.replacing("BEGIN TRANSACTION;", with: "").replacing("COMMIT;", with: "")
                        .replacing("PRAGMA foreign_keys=OFF;", with: ""))
                // A session ends after 90 days without use; this one was used a moment ago.
                try system.edit(
                    .account, "UPDATE session SET used = unixepoch() * 1000 WHERE ended = 0")
                // What was done is remembered for two years.
                try system.edit(.account, "UPDATE audit SET time = unixepoch() * 1000")
            }
        }

        @Test func `a store of the first version is migrated with everything in it`() throws {
            let office = try office()

            let ann = try office.logIn("ann")
            let account = try #require(ann.account)
            #expect(account.displayName == "Ann")
            #expect(account.grants.map(\.role) == [.crew])
            #expect(account.grants.map(\.area) == ["Kitchen"])
            #expect(account.email == "")
            let boss = try #require(try office.logIn("BOSS").account)
            #expect(account.caresFor == [boss.id])
            #expect(try office.audit().contains { $0.action == "carer added" })
            let sites = try office.ask(ListOrganisations(), for: Organisations.self)
                .organisations.flatMap(\.sites)
            #expect(sites.map(\.name) == ["Harbour"])
        }

        @Test func `an old session continues, and reusing its token still ends it`() throws {
            let office = try office()
            let token = [UInt8](try #require(Data(base64Encoded: Self.refreshToken)))

            let granted = try office.refresh(token)

            #expect(granted.tokens["notifier"]?.isEmpty == false)
            #expect(try office.refusal(of: RefreshAccess(refreshToken: token)) == .over)
        }

        @Test func `features added since then work in it`() throws {
            let office = try office()
            let invitation = try office.ask(Invite(), for: Invitation.self)

            _ = try office.ask(
                SignUp(
                    name: "bob", password: Office.password, invitation: invitation.code,
                    email: "Bob@example.org"), for: Account.self)

            #expect(try office.logIn("bob@example.org").account?.name == "bob")
        }

        @Test func `its schema equals that of a new store`() throws {
            let sql = """
                SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'
                ORDER BY type, name
                """
            let columns = """
                SELECT m.name, c.name, c.type, c."notnull" FROM sqlite_master AS m,
                pragma_table_info(m.name) AS c WHERE m.type = 'table' ORDER BY m.name, c.name
                """
            let (old, new) = (try office(), try Office())

            for query in [sql, columns] {
                #expect(
                    try old.system.query(.account, query) == new.system.query(.account, query))
            }
        }
    }
}
