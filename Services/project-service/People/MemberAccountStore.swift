import GRDB
import Messages
import ServiceRuntime

/// Which members of projects have which account.
enum MemberAccount {
    static func makeTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE memberAccount (
                    project TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
                    number INTEGER NOT NULL, account TEXT NOT NULL, PRIMARY KEY (project, number)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX memberAccountByAccount ON memberAccount (account, project);
                """)
        let rows = try Row.fetchCursor(
            db, sql: "SELECT project, number, item FROM item WHERE kind = ?",
            arguments: [ItemStore.number(of: .member)])
        while let row = try rows.next() {
            guard case .member(let member)? = ProjectThing.readable(row["item"])?.thing else {
                continue
            }
            try save(member.account, of: row["number"], in: row["project"], db)
        }
    }

    /// Records which account a member of a project has; empty for none.
    static func save(
        _ account: String, of member: Int, in project: String, _ db: Database
    ) throws {
        guard !account.isEmpty else {
            try db.cachedStatement(
                sql: "DELETE FROM memberAccount WHERE project = ? AND number = ?"
            ).execute(arguments: [project, member])
            return
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO memberAccount (project, number, account) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET account = excluded.account
                """
        ).execute(arguments: [project, member, account])
    }

    /// Returns the projects in which an account is that of a member.
    static func projects(of account: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT project FROM memberAccount WHERE account = ? ORDER BY project
                    """), arguments: [account])
    }
}
