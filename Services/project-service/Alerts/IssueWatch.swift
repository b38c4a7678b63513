import Messages
import ProjectRecord
import ServiceRuntime

/// Alerts people to changes of their issues: when somebody edits a project, and every morning.
enum IssueWatch {
    static var timers: [TimerHandler] {
        [.init(morning, atAnyTime: wake), .init(review, atAnyTime: settleAll)]
    }
    static var events: [EventHandler] { [.acknowledgements()] }

    /// The timer kind for the next morning of anybody in a project.
    static let morning = "morning"
    /// The timer kind for settling the alerts of all people in a project.
    static let review = "review"

    /// Raises and withdraws the alerts that follow from an edit of a project, whose record is the
    /// one after the edit. Alerts about issues that moved along name the issue that caused it;
    /// others name who made the edit.
    static func follow(
        _ changes: [ProjectChange], of row: ProjectRow, _ record: ProjectRecord,
        because: [Int: UInt32], by name: String, in transaction: Transaction
    ) throws {
        let people = try alerted(in: record, transaction)
        guard !people.isEmpty || changes.contains(where: \.wasAlerted) else { return }
        var before: [Int: ProjectIssue?] = [:]
        var others: Set<Int> = []
        for change in changes {
            switch change.after ?? change.before {
            case .issue(let issue):
                if case .issue(let earlier)? = change.before {
                    before[issue.id] = .some(earlier)
                } else {
                    before[issue.id] = .some(nil)
                }
            case .member(let member):
                others.formUnion(
                    record.issues.values.lazy.filter { $0.assignee == member.id }
                        .map(\.id))
            case .details:
                others.formUnion(record.issues.values.lazy.filter { $0.assignee != nil }.map(\.id))
            default: break
            }
        }
        for id in Set(before.keys).union(others).sorted() {
            let edit = before[id].map { earlier in
                IssueAlerts.Edit(
                    before: earlier, account: transaction.principal.account, name: name,
                    time: transaction.now,
                    because: because[id].flatMap { record.issues[Int($0)] })
            }
            try settle(id, of: row.project, record, people, after: edit, in: transaction)
        }
        try setTimer(row.project, record, people, in: transaction)
    }

    /// Withdraws every alert of a project, even those about issues that can't be read.
    static func forget(_ project: Project, in transaction: Transaction) throws {
        for issue in try ItemStore.numbers(of: .issue, in: project.id, transaction.db) {
            try transaction.withdrawAlerts(of: IssueAlerts.subject(issue, of: project))
        }
        for kind in [morning, review] { try transaction.cancelTimer(kind, subject: project.id) }
    }

    /// Settles the alerts of a project in one of the next turns, because somebody in it has left
    /// the organisation or has come back.
    static func reviewSoon(_ project: String, in transaction: Transaction) throws {
        try transaction.setTimer(review, subject: project, due: transaction.now)
    }

    static func settleAll(_ subject: String, due: Int64, in transaction: Transaction) throws {
        guard let row = try ProjectRow.ofID(subject, transaction.db) else { return }
        let (record, isWhole) = try row.salvaged(transaction)
        let people = try alerted(in: record, transaction)
        for issue in issuesOfAccounts(in: record) {
            try settle(issue.id, of: row.project, record, people, in: transaction)
        }
        try setTimer(row.project, record, people, isWhole: isWhole, in: transaction)
    }

    static func wake(_ subject: String, due: Int64, in transaction: Transaction) throws {
        guard let row = try ProjectRow.ofID(subject, transaction.db) else { return }
        let (record, isWhole) = try row.salvaged(transaction)
        let people = try alerted(in: record, transaction)
        let soon = people.mapValues {
            IssueAlerts.soon(for: $0, on: IssueAlerts.day(of: $0, at: transaction.now))
        }
        for issue in record.issues.values.sorted(by: { $0.id < $1.id }) {
            guard let due = issue.span.due, let person = issue.assignee, let last = soon[person],
                due <= last
            else { continue }
            try settle(issue.id, of: row.project, record, people, in: transaction)
        }
        try setTimer(row.project, record, people, isWhole: isWhole, in: transaction)
    }

    /// The members who have an account and haven't left, with the days on which they work for the
    /// project.
    private static func alerted(
        in record: ProjectRecord, _ transaction: Transaction
    ) throws -> [Int: Member] {
        try record.members.filter { _, member in
            guard !member.account.isEmpty else { return false }
            return try !FormerAccount.includes(member.account, transaction.db)
        }.mapValues { member in
            var alerted = member
            alerted.calendar = record.calendar(of: member.id)
            return alerted
        }
    }

    /// The issues of members who have an account, including those who have left, in order.
    private static func issuesOfAccounts(in record: ProjectRecord) -> [ProjectIssue] {
        record.issues.values.filter { issue in
            issue.assignee.flatMap { record.members[$0] }.map { !$0.account.isEmpty } ?? false
        }.sorted { $0.id < $1.id }
    }

    private static func settle(
        _ id: Int, of project: Project, _ record: ProjectRecord, _ people: [Int: Member],
        after edit: IssueAlerts.Edit? = nil, in transaction: Transaction
    ) throws {
        let subject = IssueAlerts.subject(id, of: project)
        guard let issue = record.issues[id], !record.isClosed(issue),
            let member = issue.assignee.flatMap({ people[$0] })
        else { return try transaction.withdrawAlerts(of: subject) }
        let present = Dictionary(
            try transaction.standingAlerts(of: subject).map { ($0.key, $0) },
            uniquingKeysWith: { first, _ in first })
        let alerts = IssueAlerts(
            project: project, issue: issue, member: member, present: present)
        try transaction.settle(alerts.wanted(at: transaction.now, after: edit), of: subject)
    }

    /// Wakes on the next morning of anybody who has an open issue with a due date. An alert about
    /// one that is overdue is renewed then, before it expires. A project that can't be read as a
    /// whole is looked at each day, so that it is reported again, and alerts about the rest of it
    /// begin once it is repaired.
    private static func setTimer(
        _ project: Project, _ record: ProjectRecord, _ people: [Int: Member],
        isWhole: Bool = true, in transaction: Transaction
    ) throws {
        let now = transaction.now
        var waiting: Set<Int> = []
        for issue in record.issues.values {
            guard let person = issue.assignee, people[person] != nil, issue.span.due != nil,
                !waiting.contains(person), !record.isClosed(issue)
            else { continue }
            waiting.insert(person)
        }
        var mornings = waiting.compactMap { people[$0] }
            .map { IssueAlerts.nextMorning(of: $0, after: now) }
        if !isWhole { mornings.append(now + 86_400_000) }
        guard let next = mornings.min() else {
            return try transaction.cancelTimer(morning, subject: project.id)
        }
        try transaction.setTimer(morning, subject: project.id, due: next)
    }
}

extension ProjectChange {
    /// Whether it belongs to a member who had an account.
    fileprivate var wasAlerted: Bool {
        guard case .member(let member)? = before else { return false }
        return !member.account.isEmpty
    }
}
