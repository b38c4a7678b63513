import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The people of all organisations, as account-service has published them.
enum Member {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: members of organisations") { db in
            // They were published long ago, so everything is requested again.
            try db.execute(
                sql: """
                    CREATE TABLE member (
                        account TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL,
                        member BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX memberByOrganisation ON member (organisation, account);
                    CREATE TABLE memberGrant (
                        organisation TEXT NOT NULL, role INTEGER NOT NULL, account TEXT NOT NULL,
                        site TEXT NOT NULL, area TEXT NOT NULL,
                        PRIMARY KEY (organisation, role, account, site, area)
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX grantByAccount ON memberGrant (account);
                    DROP TABLE administrator;
                    """)
            try requestAgain(db)
        }
        migrator.registerMigration("notifier: who cares for whom") { db in
            try db.execute(
                sql: """
                    CREATE TABLE memberCare (
                        organisation TEXT NOT NULL, person TEXT NOT NULL, account TEXT NOT NULL,
                        PRIMARY KEY (organisation, person, account)
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX careByAccount ON memberCare (account);
                    """)
            try requestAgain(db)
        }
    }

    /// Requests the present state of account-service, by naming a position in a history that it
    /// never had. Its old events, applied once more, would tell former members of open calls.
    private static func requestAgain(_ db: Database) throws {
        guard try db.tableExists("cursor") else { return }
        try db.execute(sql: "UPDATE cursor SET epoch = 1 WHERE producer = 'account-service'")
    }

    /// Keeps the relevant data of an account.
    ///
    /// - Returns: what was known about it before; nil if nothing was.
    static func save(_ account: Account, _ db: Database) throws -> Account? {
        let before = try known(account.id, db)
        let kept = Account(
            id: account.id, displayName: account.displayName, organisation: account.organisation,
            grants: account.grants, isDisabled: account.isDisabled, caresFor: account.caresFor)
        guard kept != before else { return before }
        try db.cachedStatement(
            sql: """
                INSERT INTO member (account, organisation, member) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET organisation = excluded.organisation,
                    member = excluded.member
                """
        ).execute(arguments: [kept.id, kept.organisation, Data(kept.packed())])
        try db.execute(sql: "DELETE FROM memberGrant WHERE account = ?", arguments: [kept.id])
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO memberGrant (organisation, role, account, site, area)
                VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """)
        for grant in kept.isDisabled ? [] : kept.grants {
            try insertion.execute(arguments: [
                kept.organisation, Int(grant.role.rawValue), kept.id, grant.site, grant.area,
            ])
        }
        try db.execute(sql: "DELETE FROM memberCare WHERE account = ?", arguments: [kept.id])
        let care = try db.cachedStatement(
            sql: """
                INSERT INTO memberCare (organisation, person, account) VALUES (?, ?, ?)
                ON CONFLICT DO NOTHING
                """)
        for person in kept.isDisabled ? [] : kept.caresFor {
            try care.execute(arguments: [kept.organisation, person, kept.id])
        }
        return before
    }

    /// An account that is known; nil for none.
    static func known(_ account: String, _ db: Database) throws -> Account? {
        try fetch(db, "WHERE account = ?", [account]).first
    }

    /// People who may belong to an audience, in order of their accounts. Nobody who does is left
    /// out.
    ///
    /// - Parameters:
    ///   - audience: the audience.
    ///   - organisation: its organisation.
    ///   - account: only those after this account.
    ///   - limit: the maximum number.
    ///   - db: the store.
    static func candidates(
        for audience: Audience, of organisation: String, after account: String, limit: Int,
        _ db: Database
    ) throws -> [Account] {
        guard audience.account.isEmpty else {
            return try fetch(
                db, "WHERE account = ? AND organisation = ? AND account > ?",
                [audience.account, organisation, account])
        }
        guard audience.role != .unspecified else {
            return try fetch(
                db, "WHERE organisation = ? AND account > ? ORDER BY account LIMIT ?",
                [organisation, account, limit])
        }
        return try fetch(
            db,
            """
            WHERE account IN (
                SELECT DISTINCT account FROM memberGrant
                WHERE organisation = :organisation AND role = :role AND account > :account
                AND (:site = '' OR site IN ('', :site)) AND (:area = '' OR area IN ('', :area))
                ORDER BY account LIMIT :limit)
            AND organisation = :organisation ORDER BY account
            """,
            [
                "organisation": organisation, "role": Int(audience.role.rawValue),
                "account": account, "site": audience.site, "area": audience.area, "limit": limit,
            ])
    }

    /// True if an audience of an organisation includes anyone that account-service knows.
    static func isAnyone(
        in audience: Audience, of organisation: String, _ db: Database
    ) throws -> Bool {
        let most = 250
        var last = ""
        while true {
            let page = try candidates(
                for: audience, of: organisation, after: last, limit: most, db)
            guard !page.contains(where: audience.includes) else { return true }
            guard page.count == most, let end = page.last?.id else { return false }
            last = end
        }
    }

    /// The feeds of an organisation's administrators.
    static func administrators(of organisation: String, _ db: Database) throws -> [AlertFeedAddress]
    {
        try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT account FROM memberGrant
                    WHERE organisation = ? AND role IN (?, ?) AND site = '' ORDER BY account
                    """),
            arguments: [
                organisation, Int(Role.administrator.rawValue), Int(Role.owner.rawValue),
            ]
        ).map { AlertFeedAddress(organisation: organisation, recipient: $0) }
    }

    /// The feeds of those in someone's organisation who care for that person.
    static func carers(of feed: AlertFeedAddress, _ db: Database) throws -> [AlertFeedAddress] {
        try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT account FROM memberCare WHERE organisation = ? AND person = ?
                    ORDER BY account
                    """),
            arguments: [feed.organisation, feed.recipient]
        ).map { AlertFeedAddress(organisation: feed.organisation, recipient: $0) }
    }

    /// Deletes those that account-service doesn't publish again.
    ///
    /// - Returns: their feeds.
    static func forget(
        except present: Set<String>, _ db: Database
    ) throws -> [AlertFeedAddress] {
        let known = try Row.fetchAll(db, sql: "SELECT account, organisation FROM member")
        var forgotten: [AlertFeedAddress] = []
        for row in known {
            let feed = AlertFeedAddress(
                organisation: row["organisation"], recipient: row["account"])
            guard !present.contains(feed.recipient) else { continue }
            for table in ["member", "memberGrant", "memberCare"] {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE account = ?", arguments: [feed.recipient])
            }
            forgotten.append(feed)
        }
        return forgotten
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Account] {
        let statement = try db.cachedStatement(
            sql: "SELECT account, organisation, member FROM member \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map {
            try Account.readable($0["member"]) ?? salvaged($0, db)
        }
    }

    /// What is known of someone whose row can't be read, so that calls still reach others: the
    /// roles are in a table of their own.
    private static func salvaged(_ row: Row, _ db: Database) throws -> Account {
        let id: String = row["account"]
        let grants = try Row.fetchAll(
            db, sql: "SELECT role, site, area FROM memberGrant WHERE account = ?", arguments: [id]
        ).map { row in
            Grant(role: Role(rawValue: row["role"]), site: row["site"], area: row["area"])
        }
        return Account(id: id, organisation: row["organisation"], grants: grants)
    }
}
