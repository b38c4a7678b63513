import Foundation
import GRDB
import Messages
import ShiftLog

/// The versions of the templates. The newest and every 32nd version of a template are stored whole;
/// the others only as changes of the next version, because an edit usually affects one task.
struct VersionStore {
    /// The interval of versions stored whole: reading a version takes at most as many steps.
    static let wholeEach: UInt32 = 32

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("checklist: versions as changes of the next one") { db in
            try db.execute(
                sql: "ALTER TABLE templateVersion ADD COLUMN base INTEGER NOT NULL DEFAULT 0")
            let templates = try String.fetchAll(db, sql: "SELECT id FROM template")
            for template in templates {
                let store = VersionStore(template: template)
                let versions = try UInt32.fetchAll(
                    db,
                    sql: "SELECT version FROM templateVersion WHERE template = ? ORDER BY version",
                    arguments: [template])
                for (earlier, later) in zip(versions, versions.dropFirst()) {
                    guard let next = try store.row(later, db)?.body else { continue }
                    try store.shrink(earlier, before: later, next, db)
                }
            }
        }
    }

    /// The template's id.
    let template: String

    /// The original bytes of a version; nil when there is no such version.
    ///
    /// - Throws: when they don't match their digest.
    func body(_ version: UInt32, _ db: Database) throws -> [UInt8]? {
        guard let wanted = try row(version, db) else { return nil }
        var deltas: [[UInt8]] = []
        var row = wanted
        while row.base > 0 {
            deltas.append(row.body)
            guard let next = try self.row(row.base, db), deltas.count <= Int(Self.wholeEach) else {
                throw DamagedVersion(template: template, version: version)
            }
            row = next
        }
        var bytes = row.body
        for delta in deltas.reversed() {
            guard let made = ByteDelta.apply(delta, to: bytes, most: 2 * TemplateRow.mostBytes)
            else { throw DamagedVersion(template: template, version: version) }
            bytes = made
        }
        guard ArchiveChain.digest(bytes) == wanted.digest else {
            throw DamagedVersion(template: template, version: version)
        }
        return bytes
    }

    /// Adds a version. The previous one is from now on stored as a change of this one.
    func add(_ version: UInt32, _ body: [UInt8], _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO templateVersion (template, version, digest, body) VALUES (?, ?, ?, ?)
                """,
            arguments: [template, Int64(version), Data(ArchiveChain.digest(body)), Data(body)])
        guard version > 1 else { return }
        try shrink(version - 1, before: version, body, db)
    }

    /// Stores a version as a change of the next one, if that is smaller.
    private func shrink(
        _ version: UInt32, before next: UInt32, _ body: [UInt8], _ db: Database
    ) throws {
        guard version % Self.wholeEach != 0, let row = try row(version, db), row.base == 0 else {
            return
        }
        let delta = ByteDelta.make(from: body, to: row.body)
        guard delta.count < row.body.count,
            ByteDelta.apply(delta, to: body, most: row.body.count) == row.body
        else { return }
        try db.execute(
            sql: "UPDATE templateVersion SET body = ?, base = ? WHERE template = ? AND version = ?",
            arguments: [Data(delta), Int64(next), template, Int64(version)])
    }

    private func row(
        _ version: UInt32, _ db: Database
    ) throws -> (body: [UInt8], base: UInt32, digest: [UInt8])? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT body, base, digest FROM templateVersion
                    WHERE template = ? AND version = ?
                    """), arguments: [template, Int64(version)]
        ).map {
            (
                [UInt8]($0["body"] as Data), UInt32(clamping: $0["base"] as Int64),
                [UInt8]($0["digest"] as Data)
            )
        }
    }
}

/// A version whose stored bytes are damaged.
struct DamagedVersion: Error, CustomStringConvertible {
    let template: String
    let version: UInt32

    var description: String {
        "version \(version) of the template \(template) is damaged; restore the store from a "
            + "backup"
    }
}
