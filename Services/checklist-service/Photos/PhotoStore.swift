import Foundation
import GRDB
import Messages
import Pictures
import ShiftLog

/// The photos of answers and to-dos. The file of a photo is kept once, however many shifts name it.
///
/// A holder is the id of a shift, or of a site for what is not yet in the log of a shift.
enum PhotoStore {
    /// Why a holder has a photo.
    enum State: Int64 {
        /// It was sent, and nothing names it yet.
        case sent = 0
        /// It was sent, and an operation or a to-do names it.
        case named = 1
        /// A to-do brought it from somewhere else.
        case brought = 2
    }

    /// The tables.
    static let schema = """
        CREATE TABLE photoFile (
            id INTEGER NOT NULL PRIMARY KEY, checksum BLOB NOT NULL UNIQUE,
            width INTEGER NOT NULL, height INTEGER NOT NULL, file BLOB NOT NULL
        ) STRICT;
        CREATE TABLE photo (
            holder TEXT NOT NULL, checksum BLOB NOT NULL REFERENCES photoFile (checksum),
            site TEXT NOT NULL, added INTEGER NOT NULL,
            state INTEGER NOT NULL CHECK (state IN (0, 1, 2)), PRIMARY KEY (holder, checksum)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX photoByChecksum ON photo (checksum);
        CREATE INDEX sentPhoto ON photo (added) WHERE state = 0;
        """

    /// The photo of a holder with a checksum; nil when it has none.
    static func photo(
        _ checksum: [UInt8], of holder: String, _ db: Database
    ) throws -> Photo? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT length(file) AS size, width, height FROM photo
                    JOIN photoFile USING (checksum) WHERE holder = ? AND checksum = ?
                    """), arguments: [holder, Data(checksum)]
        ).map {
            Photo(
                checksum: checksum, size: $0["size"], width: $0["width"], height: $0["height"])
        }
    }

    /// The file of such a photo.
    static func file(_ checksum: [UInt8], of holder: String, _ db: Database) throws -> [UInt8]? {
        try Data.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT file FROM photo JOIN photoFile USING (checksum)
                    WHERE holder = ? AND checksum = ?
                    """), arguments: [holder, Data(checksum)]
        ).map { [UInt8]($0) }
    }

    /// The photos of a holder, in the order of their checksums, each with the size of its file.
    static func all(of holder: String, _ db: Database) throws -> [Photo] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT photo.checksum, ifnull(length(file), 0) AS size FROM photo
                    LEFT JOIN photoFile USING (checksum) WHERE holder = ? ORDER BY photo.checksum
                    """), arguments: [holder])
        var photos: [Photo] = []
        while let row = try rows.next() {
            photos.append(Photo(checksum: [UInt8](row["checksum"] as Data), size: row["size"]))
        }
        return photos
    }

    /// How many photos were sent for a holder.
    static func count(sentFor holder: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT count(*) FROM photo WHERE holder = ? AND state < ?"),
            arguments: [holder, State.brought.rawValue]) ?? 0
    }

    /// How many photos that nothing names yet were sent at a site.
    static func count(unnamedAt site: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM photo WHERE state = 0 AND site = ?"),
            arguments: [site]) ?? 0
    }

    /// Keeps a photo that was sent.
    static func keep(
        _ picture: Picture, for holder: String, at site: String, time: Int64, _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO photoFile (checksum, width, height, file) VALUES (?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """
        ).execute(
            arguments: [
                Data(picture.checksum), picture.width, picture.height, Data(picture.bytes),
            ])
        // Sending a photo again restarts the time after which it is deleted.
        try db.cachedStatement(
            sql: """
                INSERT INTO photo (holder, checksum, site, added, state) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET added = max(added, excluded.added)
                """
        ).execute(
            arguments: [holder, Data(picture.checksum), site, time, State.sent.rawValue])
    }

    /// Records that an operation or a to-do of a holder names photos. Those that weren't sent for
    /// it came with a to-do; one whose file is missing stays unknown.
    static func name(
        _ photos: [Photo], for holder: String, at site: String, time: Int64, _ db: Database
    ) throws {
        for photo in photos {
            try db.cachedStatement(
                sql: """
                    INSERT INTO photo (holder, checksum, site, added, state)
                    SELECT ?1, checksum, ?2, ?3, ?4 FROM photoFile WHERE checksum = ?5
                    ON CONFLICT DO UPDATE SET state = 1 WHERE photo.state = 0
                    """
            ).execute(
                arguments: [
                    holder, site, time, State.brought.rawValue, Data(photo.checksum),
                ])
        }
    }

    // MARK: Deleting

    /// How many files are deleted at once: about 15 MB, which are overwritten.
    static let mostForgotten = 50

    /// Deletes the photos of an ended shift whose records are gone.
    static func forget(_ holder: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM photo WHERE holder = ?", arguments: [holder])
    }

    /// Deletes some of the photos that were sent before a time and never named, those of former
    /// to-dos between shifts, and the files that no holder has.
    ///
    /// - Returns: the number of deleted files.
    static func forgetUnneeded(sentBefore time: Int64, _ db: Database) throws -> Int {
        try db.execute(
            sql: "DELETE FROM photo WHERE state = 0 AND added < ?", arguments: [time])
        for site in try String.fetchAll(
            db, sql: "SELECT DISTINCT holder FROM photo WHERE holder IN (SELECT id FROM site)")
        {
            let needed = Set(
                try StandingTodo.all(at: site, db).flatMap(\.photos).map(\.checksum))
            for photo in try all(of: site, db) where !needed.contains(photo.checksum) {
                try db.execute(
                    sql: "DELETE FROM photo WHERE holder = ? AND checksum = ? AND state > 0",
                    arguments: [site, Data(photo.checksum)])
            }
        }
        try db.execute(
            sql: """
                DELETE FROM photoFile WHERE id IN (
                    SELECT id FROM photoFile WHERE NOT EXISTS (
                        SELECT 1 FROM photo WHERE photo.checksum = photoFile.checksum
                    ) LIMIT ?
                )
                """, arguments: [mostForgotten])
        return db.changesCount
    }
}
