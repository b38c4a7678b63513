import GRDB

/// The timers that settle the alerts of projects.
enum IssueReviewStore {
    /// Settles the alerts of all projects once. An earlier version stopped reviewing a project
    /// whose issues were all overdue, so the alerts about them have expired.
    static func reviewAll(_ db: Database) throws {
        guard try db.tableExists("timer") else { return }
        try db.execute(
            sql: "INSERT OR IGNORE INTO timer (kind, subject, due) SELECT ?, id, 1 FROM project",
            arguments: [IssueWatch.review])
    }
}
