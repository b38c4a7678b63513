import Foundation
import GRDB
import Messages
import ProjectRecord
import RedmineMirror
import ServiceRuntime

/// A person's log-in at a Redmine server. The key is sealed.
struct RedmineLogInRow {
    var logIn: RedmineLogIn
    let organisation: String
    /// The number of the user there.
    let user: Int
    let sealed: [UInt8]

    func save(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO redmineLogIn
                    (id, organisation, account, server, user, sealed, logIn)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            logIn.id, organisation, logIn.account, logIn.server, user, Data(sealed),
            Data(logIn.packed()),
        ])
    }

    func delete(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM redmineLogIn WHERE id = ?", arguments: [logIn.id])
    }

    static func ofID(_ id: String, _ db: Database) throws -> RedmineLogInRow? {
        try fetch("id = ?", [id], db).first
    }

    /// The log-in with an id; nil if there is none, or it can't be read.
    static func readable(_ id: String, _ db: Database) throws -> RedmineLogIn? {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT logIn FROM redmineLogIn WHERE id = ?"),
            arguments: [id]
        ).flatMap(RedmineLogIn.readable)
    }

    /// The log-ins of an account, newest first.
    static func all(
        of account: String, in organisation: String, _ db: Database
    ) throws -> [RedmineLogInRow] {
        try fetch(
            "account = ? AND organisation = ? ORDER BY rowid DESC LIMIT 100",
            [account, organisation], db)
    }

    private static func fetch(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [RedmineLogInRow] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT organisation, user, sealed, logIn FROM redmineLogIn WHERE \(condition)
                    """),
            arguments: arguments
        ).map {
            RedmineLogInRow(
                logIn: try RedmineLogIn(stored: [UInt8]($0["logIn"] as Data)),
                organisation: $0["organisation"], user: $0["user"],
                sealed: [UInt8]($0["sealed"] as Data))
        }
    }
}

/// A project that mirrors one of a Redmine server.
struct MirrorRow: Hashable, Sendable {
    let project: String
    var logIn: String
    /// The number of the project there.
    let remote: Int
    let identifier: String
    /// When the next round begins, in milliseconds since 1970.
    var due: Int64
    var isUnderWay = false
    var phase = Phase.read
    /// The time of change up to which everything has been read, in seconds since 1970.
    var cursor: Int64 = 0
    /// Counts the sweeps, which read everything.
    var sweep = 1
    /// How much this sweep has read; nil if there is no sweep.
    var sweepOffset: Int? = 0
    /// The number of the issue that comes last before ``sweepOffset``.
    var sweepLast = 0
    /// When everything was last read, in milliseconds since 1970.
    var swept: Int64 = 0
    /// When both sides were last known to be the same except for conflicts, in milliseconds since
    /// 1970.
    var synced: Int64 = 0
    /// When somebody last asked for a round, and when the present one began, in milliseconds since
    /// 1970.
    var asked: Int64 = 0
    var began: Int64 = 0
    /// How many times in a row it has failed, and why it last failed.
    var failures = 0
    var failure = ""
    /// The issues there that can't be kept here, and why.
    var skipped: [String] = []
    /// The maximum number of them that are kept.
    static let mostSkipped = 50
    /// The maximum number of bytes of each reason.
    static let longestSkipped = 1_000
    /// Counts the readings of all time entries.
    var timeSweep = 0
    /// How many of them are read; nil if not all are to be read.
    var timeOffset: Int? = 0
    /// The number of the entry that comes last before ``timeOffset``.
    var timeLast = 0
    /// How many time entries at the server can't be kept here.
    var timeSkipped = 0
    /// The address of the server; empty if an earlier version made the mirror, and its log-in was
    /// gone before this was kept.
    var server = ""

    /// What the next round does.
    enum Phase: String, Sendable {
        case read
        case lookAfter
        case times
        case lookAfterTimes
        case notes
        case write
    }

    func save(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO redmineMirror (project, logIn, remote, identifier, due,
                    underWay, phase, cursor, sweep, sweepOffset, sweepLast, swept, synced, asked,
                    began, failures, failure, skipped, timeSweep, timeOffset, timeLast, timeSkipped,
                    server)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            project, logIn, remote, identifier, due, isUnderWay, phase.rawValue, cursor, sweep,
            sweepOffset, sweepLast, swept, synced, asked, began, failures, failure,
            skipped.prefix(Self.mostSkipped).joined(separator: "\n"), timeSweep, timeOffset,
            timeLast, timeSkipped, server,
        ])
    }

    static func of(_ project: String, _ db: Database) throws -> MirrorRow? {
        try fetch("project = ?", [project], db).first
    }

    /// Whether no mirror of the same server is under way. One without a log-in has no server.
    private static let isOfFreeServer = """
        coalesce(
            (SELECT own.server FROM redmineLogIn AS own WHERE own.id = redmineMirror.logIn), ''
        ) NOT IN (
            SELECT own.server FROM redmineMirror AS busy
            JOIN redmineLogIn AS own ON own.id = busy.logIn WHERE busy.underWay = 1)
        """

    /// The mirror whose round should begin next. There are two workers, and a round may take ten
    /// minutes at a slow server. So a server has one worker while mirrors of other servers have
    /// rounds, and the other worker waits for these.
    static func due(at now: Int64, _ db: Database) throws -> MirrorRow? {
        guard let first = try firstDue(at: now, db) else { return nil }
        let isBusy = try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT * FROM redmineMirror WHERE underWay = 1)"))
        guard isBusy == true else { return first }
        if let free = try fetch(
            "due <= ? AND underWay = 0 AND \(isOfFreeServer) ORDER BY due LIMIT 1", [now], db
        ).first {
            return free
        }
        let hasOthers = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT * FROM redmineMirror
                        WHERE due < ? AND underWay = 0 AND \(isOfFreeServer))
                    """), arguments: [Int64.max])
        return hasOthers == true ? nil : first
    }

    private static func firstDue(at now: Int64, _ db: Database) throws -> MirrorRow? {
        if let first = try fetch(
            "due <= ? AND underWay = 0 ORDER BY due LIMIT 1", [now], db
        ).first {
            return first
        }
        // A mirror that waits longer than a server may ask for, but not for ever, was put off
        // before the clock was set back.
        return try fetch(
            "due > ? AND due < ? AND underWay = 0 ORDER BY due LIMIT 1",
            [now + 3_600_000, Int64.max], db
        ).first
    }

    static func with(_ logIn: String, _ db: Database) throws -> [MirrorRow] {
        try fetch("logIn = ?", [logIn], db)
    }

    static func all(_ db: Database) throws -> [MirrorRow] { try fetch("1 = 1", [], db) }

    /// The mirrors of an organisation, or of all, in order of their projects: at most `most` of
    /// those after a project.
    static func all(
        of scope: OrganisationScope, after project: String, most: Int, _ db: Database
    ) throws -> [MirrorRow] {
        try fetch(
            """
            project > :after AND EXISTS (
                SELECT 1 FROM project AS ours
                WHERE ours.id = redmineMirror.project AND \(OrganisationScope.condition))
            ORDER BY project LIMIT :most
            """, ["after": project, "most": most] + scope.arguments, db)
    }

    /// The maximum number of mirrors with the log-ins of one account.
    static let mostOfAccount = 100
    /// The maximum number of mirrors of an organisation.
    static let mostOfOrganisation = 1_000

    /// Refuses another mirror of an account, which is new or was somebody else's, when there are
    /// too many.
    static func requireRoom(
        of account: String, in organisation: String, isNew: Bool = true, _ db: Database
    ) throws {
        let own = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM redmineLogIn AS own JOIN redmineMirror AS mirror
                ON mirror.logIn = own.id WHERE own.account = ? AND own.organisation = ?
                """, arguments: [account, organisation])
        guard own ?? 0 < mostOfAccount else {
            throw Refusal.conflict(
                "\(mostOfAccount) projects mirror others with your log-ins; unlink some: steward "
                    + "redmine unlink")
        }
        guard isNew else { return }
        let all = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM redmineMirror AS mirror JOIN project AS ours
                ON ours.id = mirror.project WHERE ours.organisation = ?
                """, arguments: [organisation])
        guard all ?? 0 < mostOfOrganisation else {
            throw Refusal.conflict(
                "\(mostOfOrganisation) projects of the organisation mirror others; unlink some: "
                    + "steward redmine unlink")
        }
    }

    /// How long to wait before writing an edit to the server, so that several are written together.
    static let patience: Int64 = 300

    /// Begins a round soon, because somebody has edited the project.
    static func hurry(_ project: String, to due: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE redmineMirror SET due = min(due, ?) WHERE project = ? AND failures = 0
                """
        ).execute(arguments: [due, project])
    }

    /// Begins again whatever a kill interrupted.
    static func recover(_ db: Database) throws {
        try db.execute(sql: "UPDATE redmineMirror SET underWay = 0 WHERE underWay = 1")
    }

    static func delete(_ project: String, _ db: Database) throws {
        for table in ["redmineMirror", "mirrored", "mirrorMark", "mirrorTerm", "mirrorConflict"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE project = ?", arguments: [project])
        }
    }

    private static func fetch(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [MirrorRow] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM redmineMirror WHERE \(condition)"),
            arguments: arguments
        ).map { row in
            var mirror = MirrorRow(
                project: row["project"], logIn: row["logIn"], remote: row["remote"],
                identifier: row["identifier"], due: row["due"])
            mirror.isUnderWay = row["underWay"]
            mirror.phase = Phase(rawValue: row["phase"]) ?? .read
            (mirror.cursor, mirror.sweep) = (row["cursor"], row["sweep"])
            (mirror.sweepOffset, mirror.sweepLast) = (row["sweepOffset"], row["sweepLast"])
            (mirror.swept, mirror.synced) = (row["swept"], row["synced"])
            (mirror.asked, mirror.began) = (row["asked"], row["began"])
            (mirror.failures, mirror.failure) = (row["failures"], row["failure"])
            mirror.skipped = (row["skipped"] as String).split(separator: "\n").map(String.init)
            (mirror.timeSweep, mirror.timeOffset) = (row["timeSweep"], row["timeOffset"])
            (mirror.timeLast, mirror.timeSkipped) = (row["timeLast"], row["timeSkipped"])
            mirror.server = row["server"]
            return mirror
        }
    }
}

/// The items that are the same on both sides.
enum MirroredStore {
    /// The mark that was drawn when the links of a project were last written; 0 for none.
    static func mark(of project: String, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT mark FROM mirrorMark WHERE project = ?"),
            arguments: [project]) ?? 0
    }

    @discardableResult
    private static func drawMark(of project: String, _ db: Database) throws -> Int64 {
        let mark = Int64.random(in: 1...Int64.max)
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO mirrorMark (project, mark) VALUES (?, ?)"
        ).execute(arguments: [project, mark])
        return mark
    }

    static func links(of project: String, _ db: Database) throws -> MirrorLinks {
        let mark = try mark(of: project, db)
        if mark != 0, let links = OpenMirrors.shared.links(of: project, mark: mark) {
            return links
        }
        let links = try read(project, db)
        if mark != 0 { OpenMirrors.shared.put(links, of: project, mark: mark) }
        return links
    }

    private static func read(_ project: String, _ db: Database) throws -> MirrorLinks {
        var links = MirrorLinks()
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT kind, number, remote, base, attempted, seen, noted, notedAt FROM mirrored
                    WHERE project = ?
                    """), arguments: [project])
        while let row = try rows.next() {
            guard let kind = MirrorLinks.Kind(rawValue: row["kind"]) else { continue }
            links.put(
                MirrorLinks.Link(
                    kind: kind, number: row["number"], remote: row["remote"],
                    base: [UInt8](row["base"] as Data), attempted: row["attempted"],
                    seen: row["seen"], noted: row["noted"], notedAt: row["notedAt"]))
        }
        return links
    }

    /// Has a note sent to the server if the project is a mirror.
    static func awaitNote(_ entry: Int64, of project: String, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO mirrored
                    (project, kind, number, remote, base, attempted, seen)
                SELECT project, ?, ?, 0, x'', 0, 0 FROM redmineMirror WHERE project = ?
                """
        ).execute(arguments: [MirrorLinks.Kind.note.rawValue, entry, project])
        guard db.changesCount > 0 else { return }
        try drawMark(of: project, db)
    }

    /// Has the notes of all issues read again.
    static func readNotesAgain(of project: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE mirrored SET noted = 0, notedAt = 0 WHERE project = ? AND kind = ?",
            arguments: [project, MirrorLinks.Kind.issue.rawValue])
        try drawMark(of: project, db)
    }

    /// Writes the links that have changed.
    static func save(_ links: MirrorLinks, of project: String, _ db: Database) throws {
        guard !links.changed.isEmpty else { return }
        let delete = try db.cachedStatement(
            sql: "DELETE FROM mirrored WHERE project = ? AND kind = ? AND number = ?")
        let put = try db.cachedStatement(
            sql: """
                INSERT INTO mirrored
                    (project, kind, number, remote, base, attempted, seen, noted, notedAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for key in links.changed {
            try delete.execute(arguments: [project, key.kind.rawValue, key.number])
        }
        for key in links.changed {
            guard let link = links[key.kind, key.number] else { continue }
            try put.execute(arguments: [
                project, link.kind.rawValue, link.number, link.remote, Data(link.base),
                link.attempted, link.seen, link.noted, link.notedAt,
            ])
        }
        OpenMirrors.shared.put(links, of: project, mark: try drawMark(of: project, db))
    }
}
