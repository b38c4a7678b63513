import Foundation
import GRDB
import Messages

extension PersonalPicture {
    /// A person's picture; nil when there is none with that checksum.
    static func of(
        _ checksum: [UInt8], _ person: String, _ db: Database
    ) throws -> PersonalPicture? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT file, licence FROM picture WHERE person = ? AND checksum = ?"),
            arguments: [person, Data(checksum)]
        ).map {
            PersonalPicture(
                checksum: checksum, file: [UInt8]($0["file"] as Data), licence: $0["licence"])
        }
    }

    /// True when a person has a picture with that checksum.
    static func isKept(_ checksum: [UInt8], _ person: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM picture WHERE person = ? AND checksum = ?)"),
            arguments: [person, Data(checksum)]) ?? false
    }

    /// How many pictures a person has.
    static func count(of person: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM picture WHERE person = ?"),
            arguments: [person]) ?? 0
    }

    /// The pictures of a person that were added before a time.
    static func checksums(
        of person: String, before time: Int64, _ db: Database
    ) throws -> [[UInt8]] {
        try Data.fetchAll(
            db.cachedStatement(sql: "SELECT checksum FROM picture WHERE person = ? AND added < ?"),
            arguments: [person, time]
        ).map { [UInt8]($0) }
    }

    /// Saves the picture.
    func save(of person: String, at time: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO picture (person, checksum, added, licence, file) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET added = excluded.added, licence = excluded.licence
                """, arguments: [person, Data(checksum), time, licence, Data(file)])
    }

    /// Deletes a picture.
    static func delete(_ checksum: [UInt8], of person: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM picture WHERE person = ? AND checksum = ?",
            arguments: [person, Data(checksum)])
    }
}
