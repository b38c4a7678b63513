import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The tables of account-service, and its accounts.
enum AccountStore {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("account: accounts and sessions") { try $0.execute(sql: schema) }
        migrator.registerMigration("account: denials are counted") { db in
            try db.execute(
                sql: """
                    ALTER TABLE audit ADD COLUMN count INTEGER NOT NULL DEFAULT 1;
                    CREATE INDEX denialBySubject ON audit (who, detail, number)
                    WHERE action = 'denied';
                    CREATE INDEX denialByNumber ON audit (number) WHERE action = 'denied';
                    """)
        }
        migrator.registerMigration("account: e-mail") { db in
            try db.execute(
                sql: """
                    ALTER TABLE account ADD COLUMN email TEXT NOT NULL DEFAULT '';
                    CREATE UNIQUE INDEX accountByEmail ON account (email) WHERE email <> '';
                    """)
        }
        migrator.registerMigration("account: a row for each site") { db in
            try db.execute(
                sql: """
                    CREATE TABLE site (
                        organisation TEXT NOT NULL REFERENCES organisation (id), id TEXT NOT NULL,
                        site BLOB NOT NULL, PRIMARY KEY (organisation, id)
                    ) WITHOUT ROWID, STRICT;
                    """)
            try Organisation.divide(db)
        }
        migrator.registerMigration("account: codes to log in with") { db in
            try db.execute(
                sql: """
                    CREATE TABLE logInCode (
                        account TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
                        code BLOB NOT NULL, expires INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        migrator.registerMigration("account: who made a code") { db in
            try db.execute(
                sql: """
                    ALTER TABLE invitation ADD COLUMN maker TEXT NOT NULL DEFAULT '';
                    ALTER TABLE resetCode ADD COLUMN maker TEXT NOT NULL DEFAULT '';
                    """)
        }
        migrator.registerMigration("account: when a refresh token was used") { db in
            try db.execute(
                sql: """
                    ALTER TABLE formerToken ADD COLUMN time INTEGER NOT NULL DEFAULT 0;
                    UPDATE formerToken SET time = session.used FROM session
                        WHERE session.id = formerToken.session;
                    DROP INDEX formerTokenBySession;
                    CREATE INDEX formerTokenBySession ON formerToken (session, time);
                    """)
        }
        migrator.registerMigration(
            "account: valid codes, and the audit by time", migrate: indexCodes)
        migrator.registerMigration(
            "account: what anyone may do, by account", migrate: AuditTrail.makeIndex)
        migrator.registerMigration(
            "account: failures by time and by number", migrate: indexFailures)
        RefreshAllowance.table.register(in: &migrator)
        return migrator
    }

    private static func indexCodes(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE INDEX invitationByMaker ON invitation (maker, expires);
                CREATE INDEX invitationByOrganisation ON invitation (organisation, expires);
                CREATE INDEX auditByTime ON audit (time);
                CREATE INDEX failedLogInByNumber ON audit (number)
                WHERE action = 'log-in failed';
                """)
    }

    private static func indexFailures(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE INDEX failureByTime ON failure (last);
                CREATE INDEX failureByCount ON failure (count, last);
                """)
        try AuditTrail.makeIndexOfDeletions(db)
    }

    /// See `Service.belongings`.
    ///
    /// Log-ins, codes and keys end with the move. The installation gets an owner of its own, unless
    /// it is the owner's organisation that moves.
    static let belongings: [Belonging] = [
        .none(of: "formerToken"), .none(of: "session"), .none(of: "invitation"),
        .none(of: "resetCode"), .none(of: "logInCode"), .none(of: "failure"),
        .none(of: "signingKey"), .none(of: "refreshAllowance"), .rows(of: "audit"),
        .rows(of: "site"), .rows(of: "account"),
        .rows(of: "fact", where: "name <> 'owner' OR value IN (SELECT id FROM account)"),
        .row(of: "organisation", where: "id = :organisation"),
    ]

    private static let schema = """
        CREATE TABLE organisation (
            id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE, organisation BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE account (
            id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE,
            organisation TEXT NOT NULL REFERENCES organisation (id), password TEXT NOT NULL,
            isHead INTEGER NOT NULL, isOwner INTEGER NOT NULL, account BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX accountByOrganisation ON account (organisation, name);
        CREATE TABLE session (
            id TEXT NOT NULL PRIMARY KEY, account TEXT NOT NULL REFERENCES account (id),
            device TEXT NOT NULL, began INTEGER NOT NULL, used INTEGER NOT NULL,
            ended INTEGER NOT NULL, token BLOB NOT NULL UNIQUE, code BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX sessionByAccount ON session (account, ended);
        CREATE TABLE formerToken (
            token BLOB NOT NULL PRIMARY KEY,
            session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX formerTokenBySession ON formerToken (session);
        CREATE TABLE invitation (
            code BLOB NOT NULL PRIMARY KEY, organisation TEXT NOT NULL, invite BLOB NOT NULL,
            expires INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE resetCode (
            account TEXT NOT NULL PRIMARY KEY REFERENCES account (id), code BLOB NOT NULL,
            expires INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE failure (
            kind TEXT NOT NULL, subject TEXT NOT NULL, count INTEGER NOT NULL,
            last INTEGER NOT NULL, PRIMARY KEY (kind, subject)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE audit (
            number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL,
            organisation TEXT NOT NULL, who TEXT NOT NULL, action TEXT NOT NULL,
            subject TEXT NOT NULL, detail TEXT NOT NULL
        ) STRICT;
        CREATE INDEX auditByOrganisation ON audit (organisation, number);
        CREATE TABLE signingKey (
            publicKey BLOB NOT NULL PRIMARY KEY, seed BLOB NOT NULL, begins INTEGER NOT NULL,
            ends INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE fact (
            name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL
        ) WITHOUT ROWID, STRICT;
        """

    /// Lets only the owner read the files of the store, because it contains keys, even where others
    /// may enter its directory.
    static func closeFile(in directory: String) {
        let path = "\(directory)/\(ServiceName.account.rawValue).sqlite"
        for suffix in ["", "-wal", "-shm"] { chmod(path + suffix, 0o600) }
    }

    /// The history of the outbox: a new one begins when a backup is restored.
    static func epoch(_ db: Database) throws -> String {
        try String.fetchOne(db, sql: "SELECT CAST(max(epoch) AS TEXT) FROM epoch") ?? ""
    }
}

/// A value that the service keeps for itself.
enum Fact: String {
    /// The id of the account of the machine's owner.
    case owner
    /// The history of the outbox at the last start.
    case epoch

    func read(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM fact WHERE name = ?", arguments: [rawValue])
    }

    func remember(_ value: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO fact (name, value) VALUES (?, ?)",
            arguments: [rawValue, value])
    }
}

extension Account {
    /// The account with an id or a name.
    static func find(_ idOrName: String, _ db: Database) throws -> Account? {
        try fetch(
            db, "WHERE id = ?1 OR name = ?2 ORDER BY id = ?1 DESC LIMIT 1",
            [idOrName, folded(idOrName)]
        ).first
    }

    /// The condition on accounts that one logs in with a name or an e-mail address. Its last part
    /// lets SQLite use the index of addresses, which has no empty ones: without it each attempt to
    /// log in would examine all accounts.
    static let logInCondition = "WHERE name = ?1 OR (email = ?1 AND email <> '') LIMIT 1"

    /// The account that logs in with a folded name or e-mail address. No two accounts share one.
    static func find(logIn: String, _ db: Database) throws -> Account? {
        guard !logIn.isEmpty else { return nil }
        return try fetch(db, logInCondition, [logIn]).first
    }

    /// The account with an id.
    static func required(id: String, _ db: Database) throws -> Account {
        guard let account = try fetch(db, "WHERE id = ?", [id]).first else {
            throw Refusal.noAccount(id)
        }
        return account
    }

    /// The account that someone names, if that person may know of it.
    static func required(
        _ idOrName: String, for asker: Asker, _ db: Database
    ) throws -> Account {
        guard let account = try find(idOrName, db), asker.sees(account) else {
            throw Refusal.noAccount(idOrName)
        }
        return account
    }

    /// The accounts of an organisation, or all, ordered by name.
    static func all(of scope: OrganisationScope, _ db: Database) throws -> [Account] {
        try fetch(db, "WHERE \(OrganisationScope.condition) ORDER BY name", scope.arguments)
    }

    /// The maximum number of accounts of an organisation, and the number from which nobody can sign
    /// up there without an invitation, so that strangers leave room for people who are invited.
    static let (most, mostUninvited) = (100_000, 50_000)

    /// Refuses a new account when its organisation has too many.
    static func requireRoom(in organisation: String, isInvited: Bool, _ db: Database) throws {
        let most = isInvited ? most : mostUninvited
        let count = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM account WHERE organisation = ?"),
            arguments: [organisation])
        guard count ?? 0 < most else {
            throw Refusal.conflict(
                "the organisation has \(count ?? 0) accounts, and no more are possible "
                    + (isInvited
                        ? "in one; make another organisation for the others"
                        : "without an invitation; ask for one")
            ).because(.accountLimit, ["most": "\(most)"])
        }
    }

    /// How many accounts are examined for one page: a few milliseconds.
    private static let mostLookedAt = 2_000

    /// The accounts of an organisation after a name, in order of their name, as many as fit in an
    /// answer.
    ///
    /// - Parameter view: what is shown of an account; nil when it is left out.
    static func page(
        of organisation: String, after name: String, limit: Int, _ db: Database,
        view: (Account) -> Account?
    ) throws -> Accounts {
        let rows = try Data.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT account FROM account WHERE organisation = ? AND name > ? ORDER BY name
                    """), arguments: [organisation, folded(name)])
        var page = Page<Account>(limit: limit)
        var last = ""
        var count = 0
        while let row = try rows.next() {
            let account = try Account(stored: [UInt8](row))
            let shown = view(account)
            guard count < mostLookedAt,
                shown.map({ page.add($0, bytes: $0.packed().count) }) ?? true
            else { return Accounts(accounts: page.rows, next: last) }
            count += 1
            last = account.name
        }
        return Accounts(accounts: page.rows)
    }

    /// Calls `body` with each account, ordered by name. One that can't be read is reported and left
    /// out.
    static func each(in transaction: Transaction, _ body: (Account) throws -> Void) throws {
        try eachRow("account", "SELECT account, id FROM account ORDER BY name", in: transaction) {
            account, _ in try body(account)
        }
    }

    /// The number of other accounts that could replace this one.
    func successors(_ db: Database) throws -> (heads: Int, owners: Int) {
        let heads = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM account WHERE organisation = ? AND isHead AND id <> ?",
            arguments: [organisation, id])
        let owners = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM account WHERE isOwner AND id <> ?", arguments: [id])
        return (heads ?? 0, owners ?? 0)
    }

    /// Inserts a new account with the hash of its password, which is empty if it can't log in yet.
    func insert(password: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO account
                    (id, name, organisation, password, isHead, isOwner, account, email)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, Self.folded(name), organisation, password, isHead && !isDisabled,
                isOwner && !isDisabled, Data(packed()), Self.folded(email),
            ])
    }

    /// Updates its row.
    func save(_ db: Database) throws {
        try db.execute(
            sql: "UPDATE account SET isHead = ?, isOwner = ?, account = ? WHERE id = ?",
            arguments: [isHead && !isDisabled, isOwner && !isDisabled, Data(packed()), id])
    }

    /// The hash of its password; empty when it has none.
    func password(_ db: Database) throws -> String { try Self.password(of: id, db) }

    /// The hash of the password of an account, even of one that can't be read; empty when it has
    /// none.
    static func password(of id: String, _ db: Database) throws -> String {
        try String.fetchOne(db, sql: "SELECT password FROM account WHERE id = ?", arguments: [id])
            ?? ""
    }

    /// Replaces the hash of its password.
    func setPassword(_ hash: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE account SET password = ? WHERE id = ?", arguments: [hash, id])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Account] {
        let statement = try db.cachedStatement(sql: "SELECT account FROM account \(condition)")
        return try Data.fetchAll(statement, arguments: arguments)
            .map { try Account(stored: [UInt8]($0)) }
    }
}
