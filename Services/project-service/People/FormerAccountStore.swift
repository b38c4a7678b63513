import GRDB

/// The accounts that may no longer use projects.
enum FormerAccount {
    static func makeTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE formerAccount (
                    account TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL
                ) WITHOUT ROWID, STRICT;
                """)
        // Those who left earlier were published long ago, so the present state is requested, with a
        // position in a history that account-service never had. Its old events, applied once more,
        // would delete the log-ins of those who have come back.
        guard try db.tableExists("cursor") else { return }
        try db.execute(sql: "UPDATE cursor SET epoch = 1 WHERE producer = 'account-service'")
    }

    /// Whether an account is one of them. One that account-service doesn't know isn't.
    static func includes(_ account: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM formerAccount WHERE account = ?)"),
            arguments: [account]) ?? false
    }

    /// Records whether an account is one of them.
    ///
    /// - Returns: whether that is news.
    static func note(
        _ account: String, of organisation: String, isFormer: Bool, _ db: Database
    ) throws -> Bool {
        if isFormer {
            try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO formerAccount (account, organisation) VALUES (?, ?)"
            ).execute(arguments: [account, organisation])
        } else {
            try db.cachedStatement(sql: "DELETE FROM formerAccount WHERE account = ?")
                .execute(arguments: [account])
        }
        return db.changesCount > 0
    }

    /// Deletes the log-ins of an account at Redmine servers, and has the mirrors that use them
    /// begin a round, unless they have stopped already.
    ///
    /// - Returns: the projects of these mirrors; nil if there was no log-in.
    static func deleteLogIns(
        of account: String, at now: Int64, _ db: Database
    ) throws -> [String]? {
        let isTheirs = "logIn IN (SELECT id FROM redmineLogIn WHERE account = ?)"
        let projects = try String.fetchAll(
            db, sql: "SELECT project FROM redmineMirror WHERE \(isTheirs) ORDER BY project",
            arguments: [account])
        try db.execute(
            sql: "UPDATE redmineMirror SET due = ? WHERE \(isTheirs) AND due > ? AND due < ?",
            arguments: [now, account, now, Int64.max])
        try db.execute(sql: "DELETE FROM redmineLogIn WHERE account = ?", arguments: [account])
        return db.changesCount > 0 ? projects : nil
    }
}
