import Credentials
import Foundation
import GRDB
import Messages

/// Single-use codes: invitations, substitutes for a forgotten password, and codes for a person's
/// second device. Only their hashes are kept.
enum Codes {
    /// How long an invitation is valid: a week in milliseconds.
    static let invitationLife: Int64 = 7 * 24 * 3_600_000
    /// How long a reset code is valid: an hour in milliseconds.
    static let resetLife: Int64 = 3_600_000
    /// How long a code to log in with is valid: two minutes in milliseconds.
    static let logInLife: Int64 = 120_000

    /// How much longer than its whole life a code may still have, because the clock may be set back
    /// a little: a minute in milliseconds. A code that has longer was made while the clock was
    /// ahead. Nobody knows how old it is, so it isn't valid.
    static let tolerance: Int64 = 60_000

    /// The maximum number of valid invitations that one account has made.
    static let mostOfMaker = 1000
    /// The maximum number of valid invitations to an organisation.
    static let mostOfOrganisation = 10_000

    /// - Returns: when it ends, in milliseconds since 1970.
    /// - Throws: a `Refusal` when too many are valid already.
    @discardableResult
    static func keepInvitation(
        _ code: [UInt8], _ invite: Invite, by maker: String, at now: Int64, _ db: Database
    ) throws -> Int64 {
        let bounds: [(column: String, value: String, most: Int)] = [
            ("maker", maker, mostOfMaker),
            ("organisation", invite.organisation, mostOfOrganisation),
        ]
        for (column, value, most) in bounds {
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM invitation WHERE \(column) = ? AND expires > ?",
                arguments: [value, now])
            guard count ?? 0 < most else {
                throw Refusal.conflict(
                    "\(most) invitations are valid already; each ends when it is used, or after a "
                        + "week"
                ).because(.invitationLimit, ["most": "\(most)"])
            }
        }
        let expires = now + invitationLife
        try db.execute(
            sql: """
                INSERT INTO invitation (code, organisation, invite, expires, maker)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                Data(code), invite.organisation, Data(invite.packed()), expires, maker,
            ])
        return expires
    }

    /// The contents of an invitation, and the account that made it, which is empty if an earlier
    /// version did not keep it; nil when it is not valid.
    static func invitation(
        _ code: [UInt8], at now: Int64, _ db: Database
    ) throws -> (invite: Invite, maker: String)? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT invite, maker FROM invitation
                WHERE code = ? AND expires > ? AND expires <= ?
                """,
            arguments: [Data(code), now, now + invitationLife + tolerance]
        ).map { (try Invite(stored: [UInt8]($0["invite"] as Data)), $0["maker"]) }
    }

    /// Deletes the invitations to a role in areas that a site no longer has.
    static func forgetInvitations(
        to areas: Set<String>, of site: Site, in organisation: String, _ db: Database
    ) throws {
        let rows = try Row.fetchAll(
            db, sql: "SELECT code, invite FROM invitation WHERE organisation = ?",
            arguments: [organisation])
        for row in rows {
            let grants = try Invite(stored: [UInt8](row["invite"] as Data)).grants
            if grants.contains(where: { $0.site == site.id && areas.contains($0.area) }) {
                _ = try redeemInvitation([UInt8](row["code"] as Data), db)
            }
        }
    }

    /// Uses up an invitation.
    ///
    /// - Returns: false when it was already used.
    static func redeemInvitation(_ code: [UInt8], _ db: Database) throws -> Bool {
        try db.execute(sql: "DELETE FROM invitation WHERE code = ?", arguments: [Data(code)])
        return db.changesCount > 0
    }

    /// A kind of code of which an account has at most one at a time, by the name of its table.
    enum Kind: String {
        /// Instead of a forgotten password.
        case reset = "resetCode"
        /// To log in on another device.
        case logIn = "logInCode"

        /// How long a code is valid, in milliseconds.
        var life: Int64 {
            switch self {
            case .reset: Codes.resetLife
            case .logIn: Codes.logInLife
            }
        }
    }

    /// Keeps the code of an account; an earlier one of that kind becomes invalid.
    static func keep(
        _ kind: Kind, _ code: [UInt8], for account: String, expires: Int64, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO \(kind.rawValue) (account, code, expires) VALUES (?, ?, ?)
                """, arguments: [account, Data(code), expires])
    }

    /// Keeps the code that resets the password of an account, and the account that made it.
    static func keepReset(
        _ code: [UInt8], for account: String, by maker: String, expires: Int64, _ db: Database
    ) throws {
        try keep(.reset, code, for: account, expires: expires, db)
        try db.execute(
            sql: "UPDATE resetCode SET maker = ? WHERE account = ?", arguments: [maker, account])
    }

    /// Who made the code that resets the password of an account; empty for the service itself or
    /// an earlier version, and when there is none.
    static func resetMaker(of account: String, _ db: Database) throws -> String {
        try String.fetchOne(
            db, sql: "SELECT maker FROM resetCode WHERE account = ?", arguments: [account]) ?? ""
    }

    /// Uses up the code of an account.
    ///
    /// - Returns: false when it is another code, or no longer valid.
    static func use(
        _ kind: Kind, _ code: [UInt8], of account: String, at now: Int64, _ db: Database
    ) throws -> Bool {
        try db.execute(
            sql: """
                DELETE FROM \(kind.rawValue)
                WHERE account = ? AND code = ? AND expires > ? AND expires <= ?
                """,
            arguments: [account, Data(code), now, now + kind.life + tolerance])
        return db.changesCount > 0
    }

    /// Deletes the code of an account.
    static func forget(_ kind: Kind, of account: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM \(kind.rawValue) WHERE account = ?", arguments: [account])
    }

    /// Deletes all codes, because a backup has restored those that were used since.
    static func forgetAll(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM invitation; DELETE FROM resetCode; DELETE FROM logInCode")
    }

    /// Deletes the expired codes.
    static func prune(at now: Int64, _ db: Database) throws {
        for table in ["invitation", "resetCode", "logInCode"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE expires <= ?", arguments: [now])
        }
    }
}

extension Throttle {
    /// Counts an attempt as failed; ``forgive(_:at:_:)`` undoes that.
    func count(_ subject: String, at now: Int64, _ db: Database) throws {
        // Unidentified strangers must not be able to lock each other out.
        guard !subject.isEmpty else { return }
        let counted = try attempt(failures(of: subject, db), at: now)
        try keep(counted, of: subject, db)
    }

    /// Removes a successful attempt from the count.
    func forgive(_ subject: String, at now: Int64, _ db: Database) throws {
        guard self == .source else { return try keep(Failures(), of: subject, db) }
        let failures = try failures(of: subject, db)
        try keep(Failures(count: max(0, failures.count - 1), last: failures.last), of: subject, db)
    }

    /// Forgives all attempts at an account, from any source.
    static func forgive(account: Account, _ db: Database) throws {
        for typed in [account.name, account.email] where !typed.isEmpty {
            let name = Secret.fingerprint(Account.folded(typed))
            try db.execute(sql: forgiving, arguments: [Throttle.account.rawValue, name])
        }
    }

    /// Deletes the counts of a name: its own, and those with a source after a space. In the order
    /// of subjects, “!” comes right after the space.
    static let forgiving = """
        DELETE FROM failure WHERE kind = ?1 AND subject >= ?2 AND subject < ?2 || '!'
        """

    /// The maximum number of counts that are kept: the highest and, of equal ones, the newest.
    /// Strangers on a bus without keys could otherwise fill the store with names. To push out the
    /// count of one name, they would have to fail as often with each of that many others.
    static let mostKept = 100_000
    /// The maximum number of counts deleted at once.
    static let portion = 1000

    /// Deletes some of the counts that are too old.
    static let expiry = """
        DELETE FROM failure WHERE (kind, subject) IN (
            SELECT kind, subject FROM failure WHERE last < ? LIMIT \(portion))
        """

    /// Deletes some of the lowest counts, beyond those that are kept.
    static let displacement = """
        DELETE FROM failure WHERE (kind, subject) IN (
            SELECT kind, subject FROM failure ORDER BY count DESC, last DESC
            LIMIT \(portion) OFFSET ?)
        """

    /// Deletes some of the counts that no longer matter, and some of those beyond the limit. The
    /// audit records how many of the latter.
    ///
    /// - Returns: true when there may be more of them.
    @discardableResult
    static func prune(at now: Int64, keeping most: Int = mostKept, _ db: Database) throws -> Bool {
        try db.execute(sql: expiry, arguments: [now - memory])
        let expired = db.changesCount
        try db.execute(sql: displacement, arguments: [most])
        let displaced = db.changesCount
        if displaced > 0 { try AuditTrail.noteDeleted(attempts: displaced, at: now, db) }
        return max(expired, displaced) == portion
    }

    private func failures(of subject: String, _ db: Database) throws -> Failures {
        let row = try Row.fetchOne(
            db, sql: "SELECT count, last FROM failure WHERE kind = ? AND subject = ?",
            arguments: [rawValue, subject])
        return row.map { Failures(count: $0["count"], last: $0["last"]) } ?? Failures()
    }

    private func keep(_ failures: Failures, of subject: String, _ db: Database) throws {
        guard failures.count > 0 else {
            return try db.execute(
                sql: "DELETE FROM failure WHERE kind = ? AND subject = ?",
                arguments: [rawValue, subject])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO failure (kind, subject, count, last) VALUES (?, ?, ?, ?)",
            arguments: [rawValue, subject, failures.count, failures.last])
    }
}
