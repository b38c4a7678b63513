import GRDB
import RedmineMirror
import ServiceRuntime

/// The names for a Redmine server's numbers: trackers, statuses and priorities.
enum TermStore {
    static func save(_ names: MirrorNames, of project: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM mirrorTerm WHERE project = ?", arguments: [project])
        let insert = try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO mirrorTerm (project, kind, remote, position, name)
                VALUES (?, ?, ?, ?, ?)
                """)
        for (kind, list) in [
            ("tracker", names.trackers), ("status", names.statuses), ("priority", names.priorities),
            ("activity", names.activities),
        ] {
            for (position, name) in list.enumerated() {
                try insert.execute(arguments: [project, kind, name.id, position, name.name])
            }
        }
    }

    static func names(of project: String, _ db: Database) throws -> MirrorNames {
        var names = MirrorNames()
        for row in try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT kind, remote, name FROM mirrorTerm WHERE project = ? ORDER BY position
                    """), arguments: [project])
        {
            let name = RemoteName(id: row["remote"], name: row["name"])
            switch row["kind"] as String {
            case "tracker": names.trackers.append(name)
            case "status": names.statuses.append(name)
            case "activity": names.activities.append(name)
            default: names.priorities.append(name)
            }
        }
        return names
    }
}
