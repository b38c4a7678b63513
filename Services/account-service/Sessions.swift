import Credentials
import Messages
import ServiceRuntime

/// The sessions of a person.
enum SessionHandling: AuditedHandlers {
    static var handlers: [MessageHandler] {
        [
            .command(audited(logOut), .account), .secret(audited(makeLogInCode), .account),
            .query(audited(listSessions), .account),
        ]
    }

    static func listSessions(
        _ query: ListSessions, in transaction: Transaction
    ) throws -> Sessions {
        let asker = try asker(transaction)
        return Sessions(
            sessions: try LiveSession.all(of: asker.account.id, transaction.db)
                .prefix(LiveSession.mostLive).map { $0.shown(to: asker) })
    }

    static func logOut(_ command: LogOut, in transaction: Transaction) throws -> LoggedOut {
        let asker = try asker(transaction, allowsCode: true)
        var account = asker.account
        if command.everywhere {
            let count = try LiveSession.endAll(
                of: account.id, at: transaction.now, transaction.db)
            try revoke(&account, in: transaction)
            try note(.loggedOutEverywhere, by: account, on: account, in: transaction)
            return LoggedOut(sessions: UInt32(clamping: count))
        }
        let wanted = command.session.isEmpty ? asker.session : command.session
        guard !wanted.isEmpty else { throw Refusal.invalid("you are not logged in") }
        let typed = try TypedID(wanted, of: "session")
        var session = try typed.only(
            LiveSession.all(of: account.id, transaction.db).filter { typed.matches($0.id) })
        try end(&session, in: transaction)
        try note(.loggedOut, by: account, on: account, detail: session.device, in: transaction)
        return LoggedOut(sessions: 1)
    }

    static func makeLogInCode(
        _ command: MakeLogInCode, in transaction: Transaction
    ) throws -> LogInCode {
        let account = try asker(transaction).account
        let code = Secret.code(letters: Secret.shortCode)
        let expires = transaction.now + Codes.logInLife
        try Codes.keep(
            .logIn, Secret.hash(code: code, letters: Secret.shortCode) ?? [], for: account.id,
            expires: expires, transaction.db)
        try note(.codeMade, by: account, on: account, in: transaction)
        return LogInCode(name: account.name, code: code, expires: expires)
    }

    /// Ends the least recently used sessions of an account to make room for one more. An earlier
    /// version may have left many; only some of them end each time.
    static func makeRoom(for account: Account, in transaction: Transaction) throws {
        let others = try LiveSession.all(of: account.id, transaction.db)
            .dropFirst(LiveSession.mostLive - 1)
        for var session in others.suffix(100) {
            try end(&session, in: transaction)
            try note(
                .loggedOutForAnother, by: account, on: account, detail: session.device,
                in: transaction)
        }
        let oldest = transaction.retentionTime - LiveSession.tokenLife - IssuingKey.grace
        try LiveSession.forgetEnded(of: account.id, before: oldest, transaction.db)
    }

    /// Ends a session and the access tokens that belong to it, and the code that it may have made.
    ///
    /// If the clock was ahead when the session got tokens, these become valid once more when that
    /// time comes, and nobody remembers the end of a single session for that long. So all tokens of
    /// the account are revoked, which is remembered for good; its other sessions get new ones.
    static func end(_ session: inout LiveSession, in transaction: Transaction) throws {
        try Codes.forget(.logIn, of: session.account, transaction.db)
        if try session.hasTokens(after: transaction.now, transaction.db) {
            var account = try Account.required(id: session.account, transaction.db)
            try revoke(&account, in: transaction)
        }
        try session.end(at: transaction.now, transaction.db)
        try transaction.publish(
            AccessRevoked(account: session.account, session: session.id), subject: session.account)
    }
}
