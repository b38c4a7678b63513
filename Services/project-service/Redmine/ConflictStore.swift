import GRDB
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
