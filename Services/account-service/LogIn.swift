import Bus
import Credentials
import Messages
import ServiceRuntime

/// Logging in, and exchanging refresh tokens.
enum LogInHandling: AuditedHandlers {
    static var handlers: [MessageHandler] {
        [
            .slow(
                isSecret: true, prepare: beginLogIn, work: { try $0.check() }, finish: logIn,
                .anyone),
            .secret(refresh, .anyone),
        ]
    }

    static func beginLogIn(_ command: LogIn, in transaction: Transaction) throws -> PasswordTrial {
        let name = Account.folded(String(command.name.prefix(400)))
        let subject = PasswordTrial.subject(
            name, at: told(command.source, transaction), in: transaction)
        guard command.password.utf8.count <= Account.longestPassword else {
            throw Refusal.wrongLogIn
        }
        // Counted before it is tried, so that sending many at the same time gains nothing.
        try Throttle.source.count(
            source(transaction, at: command.source), at: transaction.now, transaction.db)
        try Throttle.account.count(subject, at: transaction.now, transaction.db)
        let account = try Account.find(logIn: name, transaction.db)
        return PasswordTrial(
            account: account?.id ?? "", stored: try account?.password(transaction.db) ?? "",
            typed: command.password, device: LiveSession.deviceName(command.device),
            subject: subject, place: command.source)
    }

    static func logIn(
        _ command: LogIn, _ outcome: PasswordTrial.Outcome, in transaction: Transaction
    ) throws -> LoggedIn {
        let (trial, db) = (outcome.trial, transaction.db)
        guard
            let account = try Account.find(
                logIn: Account.folded(String(command.name.prefix(400))), db),
            account.id == trial.account, !account.isDisabled,
            let code = try accept(outcome, for: account, in: transaction)
        else {
            try noteFailure(trial, in: transaction)
            throw NotedRefusal(.wrongLogIn)
        }
        try forgive(trial, in: transaction)
        if code.isEmpty, let hash = outcome.hash { try account.setPassword(hash, db) }
        try SessionHandling.makeRoom(for: account, in: transaction)
        let token = Secret.token()
        let session = LiveSession(
            id: "\(transaction.id)", account: account.id, device: trial.device,
            began: transaction.now, used: transaction.now, ended: 0, token: Secret.hash(token),
            code: code)
        try session.insert(db)
        try note(.loggedIn, by: account, on: account, detail: trial.device, in: transaction)
        return LoggedIn(
            account: account, session: session.id, refreshToken: token,
            mustChangePassword: session.mustChangePassword)
    }

    /// Accepts a password if it is still the one that was compared, or else a code of the account.
    ///
    /// - Returns: the hash of the code of a reset that was used up; empty for a password, and for a
    ///   code that the person made; nil for none of these.
    private static func accept(
        _ outcome: PasswordTrial.Outcome, for account: Account, in transaction: Transaction
    ) throws -> [UInt8]? {
        let isUnchanged = try account.password(transaction.db) == outcome.trial.stored
        if outcome.isRight, isUnchanged { return [] }
        let short = Secret.hash(code: outcome.trial.typed, letters: Secret.shortCode)
        if let short,
            try Codes.use(.logIn, short, of: account.id, at: transaction.now, transaction.db)
        {
            return []
        }
        let maker = try AccountHandling.maker(
            Codes.resetMaker(of: account.id, transaction.db), in: transaction)
        guard maker?.mayReset(account) ?? true,
            let code = Secret.hash(code: outcome.trial.typed),
            try Codes.use(.reset, code, of: account.id, at: transaction.now, transaction.db)
        else { return nil }
        return code
    }

    /// Removes a successful attempt from the counts.
    static func forgive(_ trial: PasswordTrial, in transaction: Transaction) throws {
        try Throttle.account.forgive(trial.subject, at: transaction.now, transaction.db)
        try Throttle.source.forgive(
            source(transaction, at: trial.place), at: transaction.now, transaction.db)
    }

    /// Records a failed log-in.
    static func noteFailure(_ trial: PasswordTrial, in transaction: Transaction) throws {
        guard let account = try Account.find(trial.account, transaction.db) else {
            return try AuditTrail.note(
                .logInFailed, by: "", LogInFailure.noSuchName.rawValue, organisation: "",
                at: transaction.now, transaction.db)
        }
        let failure: LogInFailure = account.isDisabled ? .disabled : .wrongPassword
        try AuditTrail.note(
            .logInFailed, by: "", on: account.id, failure.rawValue,
            organisation: account.organisation, at: transaction.now, transaction.db)
    }

    static func refresh(
        _ command: RefreshAccess, in transaction: Transaction
    ) throws -> AccessGranted {
        let audiences = Set(command.audiences)
        guard audiences.allSatisfy({ ServiceName(rawValue: $0) != nil }) else {
            throw Refusal.invalid("there is no such service; steward status lists the services")
        }
        let hash = Secret.hash(command.refreshToken)
        guard var session = try LiveSession.find(token: hash, transaction.db) else {
            throw Refusal.sessionOver
        }
        let account = try Account.required(id: session.account, transaction.db)
        let next = command.nextRefreshToken.isEmpty ? Secret.token() : command.nextRefreshToken
        let nextHash = Secret.hash(next)
        let believed = transaction.retentionTime
        switch session.judge(hash, proposing: nextHash, believed: believed) {
        case .over: throw Refusal.sessionOver
        case .reused:
            // Either the person or a thief has the newer one, and there is no way to tell which.
            try SessionHandling.end(&session, in: transaction)
            try note(
                .tokenReused, by: account, on: account, detail: session.device,
                in: transaction)
            throw NotedRefusal(.sessionOver)
        case .repeated:
            try RefreshAllowance.use(account.id, at: transaction.now, transaction.db)
            try LiveSession.noteRepeated(hash, at: transaction.now, transaction.db)
        case .good:
            guard next.count == Secret.tokenSize,
                try LiveSession.isNew(token: nextHash, transaction.db)
            else { throw Refusal.invalid("the next refresh token is 32 new random bytes") }
            guard try !session.isWornOut(believed: believed, transaction.db) else {
                try SessionHandling.end(&session, in: transaction)
                try note(
                    .refreshedTooOften, by: account, on: account, detail: session.device,
                    in: transaction)
                throw NotedRefusal(.sessionOver)
            }
            try RefreshAllowance.use(account.id, at: transaction.now, transaction.db)
            try session.exchange(
                for: nextHash, at: transaction.now, believed: believed, transaction.db)
        }
        let allowed =
            session.mustChangePassword
            ? audiences.intersection([ServiceName.account.rawValue]) : audiences
        return AccessGranted(
            refreshToken: next,
            tokens: try Keys.tokens(
                for: account, session, audiences: allowed.sorted(), in: transaction),
            expires: transaction.now + LiveSession.tokenLife)
    }
}
