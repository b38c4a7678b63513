import GRDB
import ServiceRuntime

/// The landmarks of sets that were removed or replaced, and of imports that were begun again. They
/// are no longer found, and are deleted in stretches, because a set may have 200,000.
enum GoneLandmarks {
    /// The maximum number of rows that are deleted in a stretch, and of bytes; one row may be
    /// larger.
    static let mostRows = 2_000
    static let mostBytes = 2 << 20
    private static let sweeping = "landmarks"
    /// How long the deletion rests between two stretches, so that others have their turns: 50 ms.
    private static let pause: Int64 = 50

    /// The timer that deletes what was given up.
    static var timer: TimerHandler {
        TimerHandler(sweeping) { _, _, transaction in try sweep(in: transaction) }
    }

    /// Makes the table of the versions that are given up, and the column for the version of an
    /// import under way.
    static func makeTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE goneLandmark (
                    name TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (name, version)
                ) WITHOUT ROWID, STRICT;
                ALTER TABLE landmarkSet ADD COLUMN next INTEGER NOT NULL DEFAULT 0;
                UPDATE landmarkSet SET next = version + 1;
                """)
    }

    /// Gives up a version of a set.
    static func add(_ name: String, version: Int64, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO goneLandmark (name, version) VALUES (?, ?)",
            arguments: [name, version])
    }

    /// Gives up all landmarks of a set: those in use, and those of an import under way.
    static func add(all name: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO goneLandmark (name, version)
                SELECT name, version FROM landmarkSet WHERE name = ?1
                UNION SELECT name, next FROM landmarkSet WHERE name = ?1
                """, arguments: [name])
    }

    /// Gives up what has arrived of a set that isn't in use yet.
    ///
    /// - Returns: a version that no landmark of that name has, for those that arrive from now on.
    static func giveUp(incoming name: String, _ db: Database) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO goneLandmark (name, version)
                SELECT name, next FROM landmarkSet WHERE name = ? AND parts > 0
                """, arguments: [name])
        let last = try Int64.fetchOne(
            db,
            sql: """
                SELECT max(version) FROM (
                    SELECT version FROM landmarkSet WHERE name = ?1
                    UNION ALL SELECT version FROM goneLandmark WHERE name = ?1)
                """, arguments: [name])
        return (last ?? 0) + 1
    }

    /// Deletes the next of the landmarks that were given up, and sets the timer if there are more.
    static func sweep(in transaction: Transaction) throws {
        guard try sweep(transaction.db) else { return }
        try transaction.setTimer(sweeping, subject: "", due: transaction.now + pause)
    }

    /// Deletes the next of the landmarks that were given up.
    ///
    /// - Returns: true when more are left.
    static func sweep(_ db: Database) throws -> Bool {
        var (rowsLeft, bytesLeft) = (mostRows, mostBytes)
        while let gone = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT name, version FROM goneLandmark LIMIT 1"))
        {
            let name: String = gone["name"]
            let version: Int64 = gone["version"]
            let count = try count(name, version, rows: &rowsLeft, bytes: &bytesLeft, db)
            try db.cachedStatement(
                sql: """
                    DELETE FROM landmark WHERE number IN (
                        SELECT number FROM landmark WHERE name = ? AND version = ?
                        ORDER BY type, number LIMIT ?)
                    """
            ).execute(arguments: [name, version, count])
            guard rowsLeft > 0, bytesLeft > 0 else { return true }
            // A version without landmarks costs something, too.
            rowsLeft -= 1
            try db.cachedStatement(sql: "DELETE FROM goneLandmark WHERE name = ? AND version = ?")
                .execute(arguments: [name, version])
        }
        return false
    }

    /// How many landmarks of a version are deleted in this stretch.
    private static func count(
        _ name: String, _ version: Int64, rows rowsLeft: inout Int, bytes bytesLeft: inout Int,
        _ db: Database
    ) throws -> Int {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT length(landmark) FROM landmark WHERE name = ? AND version = ?
                ORDER BY type, number LIMIT ?
                """, arguments: [name, version, rowsLeft])
        var count = 0
        while rowsLeft > 0, bytesLeft > 0, let row = try rows.next() {
            count += 1
            rowsLeft -= 1
            bytesLeft -= row[0] as Int
        }
        return count
    }
}
