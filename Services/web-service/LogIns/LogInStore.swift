import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The only table: the log-ins of browsers. A row is of no use without the cookie of its browser.
enum LogInStore {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("web: log-ins") { db in
            try db.execute(
                sql: """
                    CREATE TABLE logIn (
                        cookie BLOB NOT NULL PRIMARY KEY, session TEXT NOT NULL,
                        ends INTEGER NOT NULL, logIn BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX logInBySession ON logIn (session);
                    CREATE INDEX logInByEnd ON logIn (ends);
                    """)
        }
        migrator.registerMigration("web: when log-ins of displays are deleted") { db in
            try BrowserLogIn.limitRest(db)
        }
        return migrator
    }

    /// See `Service.belongings`.
    static let belongings: [Belonging] = [.none(of: "logIn")]
}

extension BrowserLogIn {
    /// True for one that opens the pages, and doesn't serve a single purpose.
    var isForPages: Bool { pictureSite.isEmpty && !tellsPlace }

    /// How long one without a limit is kept without use: 100 days in milliseconds.
    /// Account-service ends its session after 90.
    private static let longestRest: Int64 = 100 * 24 * 3_600_000

    /// When it is over unless it is used, milliseconds since 1970. One without a limit lasts as
    /// long as account-service keeps its session.
    var ends: Int64 { lasts == 0 ? .max : end(after: lasts) }

    /// When it is deleted unless it is used, milliseconds since 1970.
    private var keptUntil: Int64 { end(after: lasts == 0 ? Self.longestRest : lasts) }

    private func end(after rest: Int64) -> Int64 {
        let (end, isTooLate) = used.addingReportingOverflow(rest)
        return isTooLate ? .max : end
    }

    /// The log-in of a cookie; nil when there is none.
    static func find(cookie: [UInt8], _ db: Database) throws -> BrowserLogIn? {
        try Data.fetchOne(
            db, sql: "SELECT logIn FROM logIn WHERE cookie = ?", arguments: [Data(cookie)]
        ).map { try BrowserLogIn(stored: [UInt8]($0)) }
    }

    /// Saves it in place of what was kept under its cookie.
    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO logIn (cookie, session, ends, logIn) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET session = excluded.session, ends = excluded.ends,
                    logIn = excluded.logIn
                """, arguments: [Data(cookie), session, keptUntil, Data(packed())])
    }

    /// Saves when those without a limit are deleted. An earlier version never deleted them.
    fileprivate static func limitRest(_ db: Database) throws {
        let stored = try Data.fetchAll(
            db, sql: "SELECT logIn FROM logIn WHERE ends = ?", arguments: [Int64.max])
        for logIn in stored.compactMap(BrowserLogIn.readable) { try logIn.save(db) }
    }

    /// Deletes the log-in of a cookie.
    static func delete(cookie: [UInt8], _ db: Database) throws {
        try db.execute(sql: "DELETE FROM logIn WHERE cookie = ?", arguments: [Data(cookie)])
    }

    /// Deletes the log-ins of a session.
    static func delete(session: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM logIn WHERE session = ?", arguments: [session])
    }

    /// Deletes some of what is over.
    ///
    /// - Returns: true when there may be more.
    static func prune(at now: Int64, _ db: Database) throws -> Bool {
        let most = 1000
        try db.execute(
            sql: """
                DELETE FROM logIn WHERE cookie IN
                    (SELECT cookie FROM logIn WHERE ends <= ? LIMIT ?)
                """, arguments: [now, most])
        return db.changesCount == most
    }
}
