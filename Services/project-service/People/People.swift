import Messages
import ServiceRuntime

/// The people of organisations, as account-service publishes them: what follows for projects when
/// somebody leaves or comes back.
enum People {
    static var events: [EventHandler] { [.init(accountChanged)] }

    /// Records whether an account may still use projects. If not, its log-ins at Redmine servers
    /// are deleted, and its alerts are withdrawn. If it may again, it gets alerts again.
    static func accountChanged(
        _ event: AccountChanged, _: Envelope, in transaction: Transaction
    ) throws {
        let account = event.account
        let isFormer = hasLeft(account)
        if isFormer { try logOut(account.id, in: transaction) }
        let isNews = try FormerAccount.note(
            account.id, of: account.organisation, isFormer: isFormer, transaction.db)
        guard isNews else { return }
        for project in try MemberAccount.projects(of: account.id, transaction.db) {
            try IssueWatch.reviewSoon(project, in: transaction)
        }
    }

    /// Whether an account is disabled, or has no role with which it could open a project.
    private static func hasLeft(_ account: Account) -> Bool {
        let principal = Principal.account(
            account.id, organisation: account.organisation, grants: account.grants)
        return account.isDisabled || !Access.member.allows(principal)
    }

    /// Deletes an account's log-ins at Redmine servers, so that nothing is done with its keys any
    /// more. The mirrors that use them have a round soon, in which they stop; their alerts go to
    /// the administrators.
    private static func logOut(_ account: String, in transaction: Transaction) throws {
        guard
            let mirrors = try FormerAccount.deleteLogIns(
                of: account, at: transaction.now, transaction.db)
        else { return }
        for project in mirrors { try MirrorAlerts.renewSoon(project, in: transaction) }
        // Neither the store nor its write-ahead log contains the keys any more.
        transaction.erase()
    }
}
