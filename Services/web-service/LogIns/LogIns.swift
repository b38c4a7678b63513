import Messages
import ServiceRuntime

/// The log-ins of browsers, for the thread of this process that serves them and for no one else.
enum LogIns {
    static var handlers: [MessageHandler] {
        [.command(keep, .worker), .command(end, .worker), .query(read, .worker)]
    }
    static var timers: [TimerHandler] { [.init(pruning, prune)] }
    static let pruning = "prune"
    private static let pruningInterval: Int64 = 3_600_000

    /// Sets the first timer.
    static func prepare(_ transaction: Transaction) throws {
        try transaction.setTimer(pruning, subject: "", due: transaction.now)
    }

    static func keep(_ command: KeepLogIn, in transaction: Transaction) throws -> LogInKept {
        guard command.logIn.cookie.count == 32, !command.logIn.session.isEmpty else {
            throw Refusal.invalid("a log-in has the SHA-256 of a cookie and a session")
        }
        if command.renews,
            try BrowserLogIn.find(cookie: command.logIn.cookie, transaction.db) == nil
        {
            throw Refusal.notFound("there is no such log-in")
        }
        if !command.replaced.isEmpty {
            try BrowserLogIn.delete(cookie: command.replaced, transaction.db)
        }
        try command.logIn.save(transaction.db)
        return LogInKept()
    }

    static func end(_ command: EndLogIn, in transaction: Transaction) throws -> LogInEnded {
        try BrowserLogIn.delete(cookie: command.cookie, transaction.db)
        return LogInEnded()
    }

    static func read(_ query: ReadLogIn, in transaction: Transaction) throws -> BrowserLogIn {
        guard let logIn = try BrowserLogIn.find(cookie: query.cookie, transaction.db),
            logIn.ends > transaction.now
        else { throw Refusal.notFound("there is no such log-in") }
        return logIn
    }

    /// Deletes the log-ins of a session that was ended anywhere.
    static func revoked(
        _ event: AccessRevoked, _: Envelope, in transaction: Transaction
    ) throws {
        if !event.session.isEmpty {
            try BrowserLogIn.delete(session: event.session, transaction.db)
        }
        let (account, session) = (event.account, event.session)
        transaction.afterCommit {
            DeskWork.inbox.put { $0.people.revoked(account: account, session: session) }
        }
    }

    /// Lets open pages know at once that an account may do more or less than before.
    static func changed(
        _ event: AccountChanged, _: Envelope, in transaction: Transaction
    ) throws {
        let account = event.account.id
        transaction.afterCommit {
            DeskWork.inbox.put { $0.people.accountChanged(account) }
        }
    }

    /// Deletes some of the log-ins that are over.
    static func prune(_: String, due: Int64, in transaction: Transaction) throws {
        let isMore = try BrowserLogIn.prune(at: transaction.retentionTime, transaction.db)
        try transaction.setTimer(
            pruning, subject: "", due: transaction.now + (isMore ? 1000 : pruningInterval))
    }
}
