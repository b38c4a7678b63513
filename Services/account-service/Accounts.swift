import Credentials
import Messages
import ServiceRuntime

/// Accounts: signing up, listing, disabling and changing passwords.
enum AccountHandling: AuditedHandlers {
    static var handlers: [MessageHandler] {
        [
            .slow(prepare: beginSignUp, work: { try $0.hash() }, finish: signUp, .anyone),
            .slow(
                prepare: beginPasswordChange, work: { try $0.check() }, finish: changePassword,
                .account),
            .secret(audited(resetPassword), .account), .command(audited(setDisabled), .account),
            .query(audited(whoAmI), .account), .query(audited(listAccounts), .account),
        ]
    }

    static func whoAmI(_ query: WhoAmI, in transaction: Transaction) throws -> Account {
        try asker(transaction, allowsCode: true).account
    }

    static func listAccounts(_ query: ListAccounts, in transaction: Transaction) throws -> Accounts
    {
        let asker = try asker(transaction)
        let organisation = try Organisation.required(
            query.organisation, for: asker, transaction.db)
        let site = organisation.site(query.site)?.id ?? query.site
        return try Account.page(
            of: organisation.id, after: query.after,
            limit: pageLimit(query.limit, usual: 500, most: 500), transaction.db
        ) { account in
            let isThere = site.isEmpty || account.grants.contains { $0.site == site }
            return isThere && asker.sees(account) ? asker.view(of: account) : nil
        }
    }

    static func setDisabled(
        _ command: SetAccountDisabled, in transaction: Transaction
    ) throws -> Account {
        let asker = try asker(transaction)
        try asker.requireAdministrator()
        let before = try Account.required(command.account, for: asker, transaction.db)
        try asker.requirePower(over: before)
        guard before.isDisabled != command.isDisabled else { return before }
        var account = before
        account.isDisabled = command.isDisabled
        try checkSuccession(of: account, from: before, in: transaction)
        try LiveSession.endAll(of: account.id, at: transaction.now, transaction.db)
        try Codes.forget(.reset, of: account.id, transaction.db)
        try revoke(&account, in: transaction)
        try note(
            command.isDisabled ? .accountDisabled : .accountEnabled, by: asker.account,
            on: account, in: transaction)
        if !account.isDisabled { try Roles.askAboutCarers(of: account, by: asker, in: transaction) }
        return account
    }

    static func checkSuccession(
        of account: Account, from before: Account, in transaction: Transaction
    ) throws {
        let (heads, owners) = try account.successors(transaction.db)
        try account.checkSuccession(from: before, otherHeads: heads, otherOwners: owners)
    }

    // MARK: Passwords

    static func resetPassword(
        _ command: ResetPassword, in transaction: Transaction
    ) throws -> ResetCode {
        let asker = try asker(transaction)
        try asker.requireAdministrator()
        var account = try Account.required(command.account, for: asker, transaction.db)
        try asker.requirePower(over: account)
        guard !account.isDisabled else {
            throw Refusal.conflict("the account is disabled; enable it first")
                .because(.accountDisabled)
        }
        let code = Secret.code()
        let expires = transaction.now + Codes.resetLife
        try Codes.keepReset(
            Secret.hash(code: code) ?? [], for: account.id, by: asker.account.id, expires: expires,
            transaction.db)
        // Someone who knows the old password may be the reason for the reset.
        try account.setPassword("", transaction.db)
        try LiveSession.endAll(of: account.id, at: transaction.now, transaction.db)
        try revoke(&account, in: transaction)
        try Throttle.forgive(account: account, transaction.db)
        try note(.passwordReset, by: asker.account, on: account, in: transaction)
        return ResetCode(code: code, expires: expires)
    }

    static func beginPasswordChange(
        _ command: ChangePassword, in transaction: Transaction
    ) throws -> PasswordTrial {
        let account = try asker(transaction, allowsCode: true).account
        try Account.validatePassword(command.new, name: account.name)
        let subject = PasswordTrial.subject(account.name, in: transaction)
        try Throttle.account.count(subject, at: transaction.now, transaction.db)
        return PasswordTrial(
            account: account.id, stored: try account.password(transaction.db),
            typed: String(command.present.prefix(Account.longestPassword)),
            replacement: command.new, device: "", subject: subject)
    }

    static func changePassword(
        _ command: ChangePassword, _ outcome: PasswordTrial.Outcome, in transaction: Transaction
    ) throws -> Account {
        let (asker, db) = (try asker(transaction, allowsCode: true), transaction.db)
        var account = asker.account
        let stored = try account.password(db)
        let session = try LiveSession.find(asker.session, db)
        let isUnchanged = stored == outcome.trial.stored && account.id == outcome.trial.account
        // The session that began with the code may set a password with it.
        let hasCode =
            session.map { $0.mustChangePassword && Secret.hash(code: command.present) == $0.code }
            ?? false
        // Only the machine's owner gets this far without a session.
        let isFirst = stored.isEmpty && asker.isMachineOwner
        guard isUnchanged, outcome.isRight || hasCode || isFirst, let hash = outcome.hash else {
            try LogInHandling.noteFailure(outcome.trial, in: transaction)
            throw NotedRefusal(
                Refusal.forbidden("the present password is wrong").because(.passwordWrong))
        }
        try Throttle.account.forgive(outcome.trial.subject, at: transaction.now, db)
        try account.setPassword(hash, db)
        try Codes.forget(.reset, of: account.id, db)
        try LiveSession.endAll(of: account.id, except: asker.session, at: transaction.now, db)
        if var session {
            session.code = []
            try session.save(db)
        }
        try revoke(&account, in: transaction)
        try note(.passwordChanged, by: account, on: account, in: transaction)
        return account
    }

    // MARK: Sign-up

    static func beginSignUp(_ command: SignUp, in transaction: Transaction) throws -> Newcomer {
        // Someone without an invitation must learn nothing about names.
        let (code, organisation) = try checkInvitation(command, in: transaction)
        let name = try Account.checkedName(command.name)
        try Account.validatePassword(command.password, name: name)
        let email = try Account.checkedEmail(command.email)
        let displayName = try Organisation.checkedName(
            command.displayName.isEmpty ? name : command.displayName, of: "a person",
            field: "personName")
        // This comes last, so that learning whether a name is taken uses up an attempt.
        do { try checkFree(name: name, email: email, in: transaction) } catch let taken as Refusal {
            throw NotedRefusal(taken)
        }
        return Newcomer(
            name: name, email: email, displayName: displayName, password: command.password,
            invitation: code, organisation: organisation)
    }

    /// Refuses a name or an address with which someone else logs in.
    private static func checkFree(
        name: String, email: String, in transaction: Transaction
    ) throws {
        for typed in [name, email] where !typed.isEmpty {
            guard try Account.find(logIn: Account.folded(typed), transaction.db) == nil else {
                throw Refusal.conflict("the name “\(typed)” is taken; choose another")
                    .because(.nameTaken, of: typed)
            }
        }
    }

    /// - Returns: the hash of the code and no organisation, or no code and the open organisation.
    private static func checkInvitation(
        _ command: SignUp, in transaction: Transaction
    ) throws -> (code: [UInt8], organisation: String) {
        let place = source(transaction, at: command.source)
        guard !command.invitation.isEmpty else {
            let wanted =
                command.organisation.isEmpty
                ? Principal.localOrganisation : command.organisation
            guard let open = try Organisation.find(idOrName: wanted, transaction.db),
                open.signUpOpen
            else {
                throw Refusal.forbidden("signing up needs the code of an invitation; ask for one")
                    .because(.invitationNeeded)
            }
            try Account.requireRoom(in: open.id, isInvited: false, transaction.db)
            try Throttle.newcomer.count(place, at: transaction.now, transaction.db)
            try Throttle.openSignUp.count(open.id, at: transaction.now, transaction.db)
            return ([], open.id)
        }
        try Throttle.source.count(place, at: transaction.now, transaction.db)
        guard let code = Secret.hash(code: command.invitation),
            try offer(of: code, in: transaction) != nil
        else { throw NotedRefusal(.invitationOver) }
        try Throttle.source.forgive(place, at: transaction.now, transaction.db)
        return (code, "")
    }

    /// What an invitation gives; nil when it is not valid, or whoever made it may no longer give
    /// that.
    private static func offer(of code: [UInt8], in transaction: Transaction) throws -> Invite? {
        guard let kept = try Codes.invitation(code, at: transaction.now, transaction.db) else {
            return nil
        }
        let maker = try maker(kept.maker, in: transaction)
        return maker?.mayGive(kept.invite) ?? true ? kept.invite : nil
    }

    /// Whoever made a code, with their present rights; nil if that isn't known.
    static func maker(_ account: String, in transaction: Transaction) throws -> Asker? {
        guard !account.isEmpty else { return nil }
        return Asker(account: try Account.required(id: account, transaction.db), session: "")
    }

    static func signUp(
        _ command: SignUp, _ newcomer: Newcomer, in transaction: Transaction
    ) throws -> Account {
        let (db, now) = (transaction.db, transaction.now)
        var invite = Invite(organisation: newcomer.organisation)
        if !newcomer.invitation.isEmpty {
            guard let offered = try offer(of: newcomer.invitation, in: transaction),
                try Codes.redeemInvitation(newcomer.invitation, db)
            else { throw Refusal.invitationOver }
            invite = offered
        }
        try Account.requireRoom(
            in: invite.organisation, isInvited: !newcomer.invitation.isEmpty, db)
        try checkFree(name: newcomer.name, email: newcomer.email, in: transaction)
        let account = Account(
            // Not the command's id: anyone who knows it may ask for the reply, and everyone sees
            // the id of an account.
            id: "\(transaction.makeID())", name: newcomer.name, displayName: newcomer.displayName,
            organisation: invite.organisation, grants: invite.grants, created: now,
            email: newcomer.email)
        try account.insert(password: newcomer.passwordHash, db)
        try transaction.publish(AccountChanged(account: account), subject: account.id)
        try note(
            .signedUp, by: account, on: account,
            detail: account.grants.map(\.words).joined(separator: ", "), in: transaction)
        return account
    }
}

extension Refusal {
    /// The code was never issued, was used or has expired: the refusal is the same.
    static let invitationOver = Refusal.forbidden(
        "this invitation is not valid, or no longer valid"
    ).because(.invitationOver)
}
