import GRDB

/// The landmarks of sets that were removed or replaced, and of imports that were begun again. They
/// are no longer found, and are deleted in stretches, because a set may have 200,000.
enum GoneLandmarks {
    /// Their rows.
    static let rows = GoneRows(
        of: "landmark", by: "name, version", key: "type, number", contents: "landmark",
        goneIn: "goneLandmark", timer: "landmarks")

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
}
