import Dates
import Messages
import ProjectLanguage
import ProjectRecord
import ServiceRuntime

/// What somebody has to do in all projects, and what happened to it since they last looked.
enum MyIssueLists {
    static var handlers: [MessageHandler] { [.command(look, .member)] }

    /// The maximum number of issues in each list of the answer.
    private static let most = 200
    /// The maximum number of issues that are examined for moves.
    private static let mostSearched = 5_000

    static func look(
        _ command: LookAtMyIssues, in transaction: Transaction
    ) throws -> MyIssues {
        try lists(for: command, mostIssues: IssueSearch.mostIssues, in: transaction)
    }

    /// The lists of the sender.
    ///
    /// - Parameters:
    ///   - command: what is asked.
    ///   - mostIssues: the maximum number of issues searched.
    ///   - transaction: the transaction in which they are read.
    static func lists(
        for command: LookAtMyIssues, mostIssues: Int, in transaction: Transaction
    ) throws -> MyIssues {
        let account = transaction.principal.account
        let search = try IssueSearch(
            ListIssues(state: .open, assignee: "me", order: .due, today: command.today),
            transaction, mostIssues: mostIssues)
        let mine = Array(search.hits)
        let today = try CivilDate.read(command.today, "today")
        let days = command.dueWithin == 0 ? 7 : command.dueWithin
        let last = Int(days) + (today?.daysSince1970 ?? Int(transaction.now / 86_400_000))
        let due = mine.filter { $0.issue.span.due.map { $0.daysSince1970 <= last } ?? false }
        var waiting: [String: Set<Int>] = [:]
        for hit in mine where waiting[hit.project.id] == nil {
            waiting[hit.project.id] = hit.record.waiting
        }
        let blocked = mine.filter { waiting[$0.project.id]?.contains($0.issue.id) ?? false }
        var moved: [IssueSearch.Hit] = []
        let before = try LookRow.of(account, transaction.db)
        if let before {
            moved = try mine.prefix(mostSearched).filter {
                try JournalStore.hasMoved(
                    $0.issue.id, in: $0.project.id, since: before.entry,
                    but: transaction.principal.name, transaction.db)
            }
        }
        // What wasn't searched may have moved, too, and would never be reported.
        if search.leftOut == 0 {
            try LookRow(
                account: account, entry: try JournalStore.newest(transaction.db),
                time: transaction.now
            ).save(transaction.db)
        }
        return MyIssues(
            due: told(due), blocked: told(blocked), moved: told(moved),
            counts: [due, blocked, moved].map { UInt32(clamping: $0.count) },
            open: UInt32(clamping: search.count), looked: before?.time ?? 0,
            leftOut: UInt32(clamping: search.leftOut))
    }

    /// A third of an answer.
    private static func told(_ hits: [IssueSearch.Hit]) -> [ListedIssue] {
        IssueSearch.told(hits.prefix(most), within: 2 * Projects.partBytes / 3)
    }
}
