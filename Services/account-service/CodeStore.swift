import Credentials
import Foundation
import GRDB
import Messages

/// Codes that are good once: invitations, and what stands in place of a forgotten password. Only
/// their hashes are kept.
enum Codes {
    /// An invitation is good for a week: milliseconds.
    static let invitationLife: Int64 = 7 * 24 * 3_600_000
    /// A reset code is good for an hour: milliseconds.
    static let resetLife: Int64 = 3_600_000

    static func keepInvitation(
        _ code: [UInt8], _ invite: Invite, expires: Int64, _ db: Database
    ) throws {
        try db.execute(
            sql: "INSERT INTO invitation (code, organisation, invite, expires) VALUES (?, ?, ?, ?)",
            arguments: [Data(code), invite.organisation, Data(invite.packed()), expires])
    }

    /// What an invitation offers; nil when it is not good.
    static func invitation(_ code: [UInt8], at now: Int64, _ db: Database) throws -> Invite? {
        try Data.fetchOne(
            db, sql: "SELECT invite FROM invitation WHERE code = ? AND expires > ?",
            arguments: [Data(code), now]
        ).map { try Invite(stored: [UInt8]($0)) }
    }

    /// Forgets the invitations to a role in an area of a site, which is no more.
    static func forgetInvitations(to areas: Set<String>, of site: Site, _ db: Database) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT code, invite FROM invitation")
        for row in rows {
            let grants = try Invite(stored: [UInt8](row["invite"] as Data)).grants
            if grants.contains(where: { $0.site == site.id && areas.contains($0.area) }) {
                _ = try takeInvitation([UInt8](row["code"] as Data), db)
            }
        }
    }

    /// Uses an invitation up.
    ///
    /// - Returns: false when it was used already.
    static func takeInvitation(_ code: [UInt8], _ db: Database) throws -> Bool {
        try db.execute(sql: "DELETE FROM invitation WHERE code = ?", arguments: [Data(code)])
        return db.changesCount > 0
    }

    /// Keeps the code of an account; an earlier one is no good any more.
    static func keepReset(
        _ code: [UInt8], for account: String, expires: Int64, _ db: Database
    ) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO resetCode (account, code, expires) VALUES (?, ?, ?)",
            arguments: [account, Data(code), expires])
    }

    /// Uses the code of an account up.
    ///
    /// - Returns: false when it is not that code, or no longer.
    static func takeReset(
        _ code: [UInt8], of account: String, at now: Int64, _ db: Database
    ) throws -> Bool {
        try db.execute(
            sql: "DELETE FROM resetCode WHERE account = ? AND code = ? AND expires > ?",
            arguments: [account, Data(code), now])
        return db.changesCount > 0
    }

    /// Forgets the code of an account.
    static func forgetReset(of account: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM resetCode WHERE account = ?", arguments: [account])
    }

    /// Forgets all codes: a backup has brought back those that were used since.
    static func forgetAll(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM invitation; DELETE FROM resetCode")
    }

    /// Forgets those that have expired.
    static func prune(at now: Int64, _ db: Database) throws {
        for table in ["invitation", "resetCode"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE expires <= ?", arguments: [now])
        }
    }
}

extension Throttle {
    /// Counts an attempt as failed; ``forgive(_:at:_:)`` takes that back.
    func count(_ subject: String, at now: Int64, _ db: Database) throws {
        // Strangers whom no one can tell apart must not be able to shut each other out.
        guard !subject.isEmpty else { return }
        let counted = try attempt(failures(of: subject, db), at: now)
        try keep(counted, of: subject, db)
    }

    /// The attempt was a success.
    func forgive(_ subject: String, at now: Int64, _ db: Database) throws {
        guard self == .source else { return try keep(Failures(), of: subject, db) }
        let failures = try failures(of: subject, db)
        try keep(Failures(count: max(0, failures.count - 1), last: failures.last), of: subject, db)
    }

    /// Forgives all attempts at an account, from wherever they came.
    static func forgive(account: Account, _ db: Database) throws {
        for typed in [account.name, account.email] where !typed.isEmpty {
            let name = Secret.fingerprint(Account.folded(typed))
            try db.execute(
                sql: """
                    DELETE FROM failure WHERE kind = ? AND (subject = ? OR subject LIKE ? || ' %')
                    """,
                arguments: [Throttle.account.rawValue, name, name])
        }
    }

    /// Forgets what no longer counts.
    static func prune(at now: Int64, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM failure WHERE last < ? OR count = 0", arguments: [now - memory])
    }

    private func failures(of subject: String, _ db: Database) throws -> Failures {
        let row = try Row.fetchOne(
            db, sql: "SELECT count, last FROM failure WHERE kind = ? AND subject = ?",
            arguments: [rawValue, subject])
        return row.map { Failures(count: $0["count"], last: $0["last"]) } ?? Failures()
    }

    private func keep(_ failures: Failures, of subject: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO failure (kind, subject, count, last) VALUES (?, ?, ?, ?)",
            arguments: [rawValue, subject, failures.count, failures.last])
    }
}
