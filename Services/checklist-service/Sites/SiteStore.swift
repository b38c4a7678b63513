import Foundation
import GRDB
import Messages
import ServiceRuntime
import ShiftLog
import Texts

/// A site and the organisation that it belongs to.
struct SiteRow {
    let organisation: String
    let site: Site

    /// The areas of the site, sorted.
    var areas: [String] { ChecklistRules.standardAreas.union(site.areas).sorted() }
    /// The name by which it is found.
    var foldedName: String { FoldedText.name(site.name) }

    /// The sites of an organisation, or of all, ordered by name.
    static func all(of scope: OrganisationScope, _ db: Database) throws -> [SiteRow] {
        try fetch(
            db, "WHERE \(OrganisationScope.condition) ORDER BY name, id", scope.arguments)
    }

    /// The site with an id.
    static func ofID(_ id: String, _ db: Database) throws -> SiteRow? {
        try fetch(db, "WHERE id = ?", [id]).first
    }

    func save(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO site (id, organisation, name, site) VALUES (?, ?, ?, ?)",
            arguments: [site.id, organisation, foldedName, Data(site.packed())])
    }

    /// Deletes all sites, except those with one of these ids or of an organisation with one.
    static func forgetAll(except kept: Set<String>, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM site WHERE id NOT IN (SELECT value FROM json_each(?1))
                AND organisation NOT IN (SELECT value FROM json_each(?1))
                """, arguments: [String(decoding: try JSONEncoder().encode(kept), as: UTF8.self)])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [SiteRow] {
        let statement = try db.cachedStatement(
            sql: "SELECT organisation, site FROM site \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map {
            SiteRow(
                organisation: $0["organisation"],
                site: try Site(stored: [UInt8]($0["site"] as Data)))
        }
    }
}

/// Someone who works for an organisation.
struct Person {
    let account: Account
    /// True if the row can't be read, so that not all roles are known, nor whether the person can
    /// log in.
    var isSalvaged = false

    /// The name that people use.
    var displayName: String { account.displayName.isEmpty ? account.name : account.displayName }

    /// True if the person can log in and holds a role at a site or in an area of it.
    func holdsRole(at site: String) -> Bool {
        let principal = Principal.account(
            account.id, organisation: account.organisation, grants: account.grants)
        return !account.isDisabled
            && account.grants.contains { principal.holds(.display, at: site, area: $0.area) }
    }

    /// True for the owner of the machine, who may do everything and needs no account. Where others
    /// reach the bus, nobody is that without a log-in, so what the account of this name may do
    /// follows from its roles.
    ///
    /// - Parameters:
    ///   - account: an account id.
    ///   - person: the person with it; nil if account-service has named none.
    ///   - transaction: the transaction.
    static func isUnbound(
        _ account: String, _ person: Person?, in transaction: Transaction
    ) -> Bool {
        account == Principal.machineOwner.account && (person == nil || !transaction.isBusShared)
    }

    /// The person with an account id.
    ///
    /// - Parameters:
    ///   - id: the account id.
    ///   - db: the store.
    ///   - transaction: where it is reported if the row can't be read; nil if it isn't, because
    ///     nobody misses anything then.
    static func ofID(
        _ id: String, _ db: Database, reportedIn transaction: Transaction? = nil
    ) throws -> Person? {
        try fetch(db, "WHERE id = ?", [id], reportedIn: transaction).first
    }

    /// The person with an account name.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - organisation: the organisation of the person.
    ///   - db: the store.
    ///   - transaction: as for ``ofID(_:_:reportedIn:)``.
    static func named(
        _ name: String, of organisation: String, _ db: Database,
        reportedIn transaction: Transaction? = nil
    ) throws -> Person? {
        try fetch(
            db, "WHERE organisation = ? AND name = ?", [organisation, FoldedText.name(name)],
            reportedIn: transaction
        ).first
    }

    /// The roles whose holders at a site are looked up.
    static let leading: [Role] = [.supervisor, .siteManager]
    /// The maximum number of people that are found with a role.
    static let mostLeaders = 100

    /// The people who hold exactly this role, one of those in ``leading``, at a site and can log
    /// in, ordered by name; at most ``mostLeaders``.
    ///
    /// - Parameters:
    ///   - role: the role.
    ///   - site: the site.
    ///   - organisation: the organisation of the site.
    ///   - db: the store.
    ///   - transaction: as for ``ofID(_:_:reportedIn:)``.
    static func holding(
        _ role: Role, at site: String, of organisation: String, _ db: Database,
        reportedIn transaction: Transaction? = nil
    ) throws -> [Person] {
        let some = """
            SELECT person FROM leader WHERE organisation = :organisation AND role = :role
            """
        return try fetch(
            db,
            """
            WHERE id IN (
                SELECT * FROM (\(some) AND site = '' ORDER BY name, person LIMIT :most)
                UNION ALL
                SELECT * FROM (\(some) AND site = :site ORDER BY name, person LIMIT :most))
            ORDER BY name, id LIMIT :most
            """,
            [
                "organisation": organisation, "role": Int(role.rawValue), "site": site,
                "most": mostLeaders,
            ], reportedIn: transaction)
    }

    /// Makes the index of names, and the table of those who hold a role in ``leading``: alerts look
    /// them up, and an organisation may have 100,000 people.
    static func makeTableOfLeaders(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE INDEX personByName ON person (organisation, name);
                CREATE TABLE leader (
                    organisation TEXT NOT NULL, role INTEGER NOT NULL, site TEXT NOT NULL,
                    name TEXT NOT NULL, person TEXT NOT NULL,
                    PRIMARY KEY (organisation, role, site, name, person)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX leaderByPerson ON leader (person);
                """)
        let people = try Data.fetchAll(db, sql: "SELECT account FROM person")
        for account in people.compactMap(Account.readable) {
            try Person(account: account).saveRoles(db)
        }
    }

    /// Inserts or replaces its row.
    ///
    /// - Returns: false if the row was the same already; then nothing is written.
    @discardableResult
    func save(_ db: Database) throws -> Bool {
        let packed = Data(account.packed())
        let kept = try Data.fetchOne(
            db.cachedStatement(sql: "SELECT account FROM person WHERE id = ?"),
            arguments: [account.id])
        guard kept != packed else { return false }
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO person (id, organisation, name, account)
                VALUES (?, ?, ?, ?)
                """
        ).execute(arguments: [
            account.id, account.organisation, FoldedText.name(account.name), packed,
        ])
        try db.cachedStatement(sql: "DELETE FROM leader WHERE person = ?")
            .execute(arguments: [account.id])
        try saveRoles(db)
        return true
    }

    private func saveRoles(_ db: Database) throws {
        for grant in account.isDisabled ? [] : account.grants
        where Self.leading.contains(grant.role) {
            try db.cachedStatement(
                sql: """
                    INSERT INTO leader (organisation, role, site, name, person)
                    VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [
                account.organisation, Int(grant.role.rawValue), grant.site,
                FoldedText.name(account.name), account.id,
            ])
        }
    }

    /// Deletes all people, except those with one of these account ids.
    ///
    /// - Returns: the organisations of those that were deleted.
    @discardableResult
    static func forgetAll(except kept: Set<String>, _ db: Database) throws -> Set<String> {
        let organisations = try String.fetchAll(
            db,
            sql: """
                DELETE FROM person WHERE id NOT IN (SELECT value FROM json_each(?))
                RETURNING organisation
                """, arguments: [String(decoding: try JSONEncoder().encode(kept), as: UTF8.self)])
        try db.execute(sql: "DELETE FROM leader WHERE person NOT IN (SELECT id FROM person)")
        return Set(organisations)
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments,
        reportedIn transaction: Transaction? = nil
    ) throws -> [Person] {
        let statement = try db.cachedStatement(
            sql: "SELECT id, organisation, name, account FROM person \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map { row in
            let known = try account(in: row, reportedIn: transaction)
            return Person(account: try known ?? salvaged(row, db), isSalvaged: known == nil)
        }
    }

    /// The account in a row; nil if it can't be read.
    private static func account(
        in row: Row, reportedIn transaction: Transaction?
    ) throws -> Account? {
        guard let transaction else { return Account.readable(row["account"]) }
        return try transaction.readable("account") {
            try Account(stored: [UInt8](row["account"] as Data))
        }
    }

    /// What is known of someone whose row can't be read, so that the alerts of a shift still reach
    /// others, and this person too: the roles that get alerts are in a table of their own.
    private static func salvaged(_ row: Row, _ db: Database) throws -> Account {
        let id: String = row["id"]
        let grants = try Row.fetchAll(
            db, sql: "SELECT role, site FROM leader WHERE person = ?", arguments: [id]
        ).map { Grant(role: Role(rawValue: $0["role"]), site: $0["site"]) }
        return Account(
            id: id, name: row["name"], organisation: row["organisation"], grants: grants)
    }
}
