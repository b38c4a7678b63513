import GRDB
import Messages
import ProjectRecord
import ServiceRuntime

/// The fields that the sides disagree about.
enum ConflictStore {
    static func all(of project: String, _ db: Database) throws -> [MirrorConflict] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT issue, field, ours, theirs, reason, decision FROM mirrorConflict
                    WHERE project = ? ORDER BY issue, field
                    """), arguments: [project]
        ).map {
            MirrorConflict(
                issue: $0["issue"], field: $0["field"], ours: $0["ours"], theirs: $0["theirs"],
                reason: $0["reason"], decision: .init(rawValue: $0["decision"]))
        }
    }

    static func save(_ conflicts: [MirrorConflict], of project: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM mirrorConflict WHERE project = ?", arguments: [project])
        let put = try db.cachedStatement(
            sql: """
                INSERT INTO mirrorConflict
                    (project, issue, field, ours, theirs, reason, decision)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET ours = excluded.ours, theirs = excluded.theirs,
                    reason = excluded.reason, decision = excluded.decision
                """)
        for one in conflicts {
            try put.execute(arguments: [
                project, one.issue, one.field, one.ours, one.theirs, one.reason,
                one.decision?.rawValue ?? "",
            ])
        }
    }
}

extension MirroredStore {
    /// Refuses changes that restore an issue that was removed here because it is private at the
    /// server: everyone could read it here, and it would be made there again for everyone.
    static func requireVisible(
        _ changes: [ProjectChange], of project: String, _ db: Database
    ) throws {
        let hidden = Set(
            try Int.fetchAll(
                db.cachedStatement(
                    sql: "SELECT number FROM mirrored WHERE project = ? AND kind = ? AND remote < 0"
                ), arguments: [project, MirrorLinks.Kind.issue.rawValue]))
        guard !hidden.isEmpty else { return }
        for change in changes where change.before == nil {
            guard case .issue(let issue)? = change.after, hidden.contains(issue.id) else {
                continue
            }
            throw Refusal.conflict(
                "#\(issue.id) has become private at the Redmine server, and here everyone could "
                    + "read it; so its removal can't be undone")
        }
    }
}
