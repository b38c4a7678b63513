import Credentials
import Messages
import ServiceRuntime

/// Roles, carers and invitations.
enum Roles: AuditedHandlers {
    static var handlers: [MessageHandler] {
        [
            .command(audited(grantRole), .account), .command(audited(revokeRole), .account),
            .command(audited(addCarer), .account), .command(audited(removeCarer), .account),
            .secret(audited(invite), .account),
        ]
    }

    static func grantRole(_ command: GrantRole, in transaction: Transaction) throws -> Account {
        let asker = try asker(transaction)
        try asker.requireGranter()
        var account = try Account.required(command.account, for: asker, transaction.db)
        let grant = try checkedGrant(command.grant, of: account.organisation, in: transaction)
        try asker.requireGrant(grant, in: account.organisation)
        guard try account.add(grant) else { return asker.view(of: account) }
        try changed(account, in: transaction)
        try note(
            .roleGranted, by: asker.account, on: account, detail: grant.words, in: transaction)
        return asker.view(of: account)
    }

    static func revokeRole(_ command: RevokeRole, in transaction: Transaction) throws -> Account {
        let asker = try asker(transaction)
        try asker.requireGranter()
        let before = try Account.required(command.account, for: asker, transaction.db)
        let grant = try checkedGrant(command.grant, of: before.organisation, in: transaction)
        try asker.requireGrant(grant, in: before.organisation)
        var account = before
        try account.remove(grant)
        try AccountHandling.checkSuccession(of: account, from: before, in: transaction)
        try revoke(&account, in: transaction)
        try note(
            .roleRevoked, by: asker.account, on: account, detail: grant.words, in: transaction)
        return asker.view(of: account)
    }

    private static func checkedGrant(
        _ grant: Grant, of organisation: String, in transaction: Transaction
    ) throws -> Grant {
        guard let organisation = try Organisation.find(organisation, transaction.db) else {
            throw Refusal.noOrganisation(organisation)
        }
        return try organisation.checked(grant)
    }

    // MARK: Carers

    static func addCarer(_ command: AddCarer, in transaction: Transaction) throws -> Account {
        let (asker, db) = (try asker(transaction), transaction.db)
        var account = try caredFor(command.account, asker, in: transaction)
        guard var carer = try Account.find(command.carer, db),
            carer.organisation == account.organisation
        else { throw Refusal.noAccount(command.carer) }
        guard carer.id != account.id else {
            throw Refusal.invalid("people already act for themselves").because(.carerSelf)
        }
        let (accountBefore, carerBefore) = (account, carer)
        let consent = try consent(of: account, to: asker, in: transaction)
        try account.gain(carer: &carer, consent)
        guard account != accountBefore || carer != carerBefore else { return asker.view(of: carer) }
        if account != accountBefore { try changed(account, in: transaction) }
        if carer != carerBefore { try changed(carer, in: transaction) }
        let action: AuditAction =
            switch consent {
            case .given: .carerAdded
            case .awaited: .carerProposed
            case .impossible: .carerAssigned
            }
        try note(action, by: asker.account, on: account, detail: carer.id, in: transaction)
        return asker.view(of: carer)
    }

    /// Whether a person consents to a carer whom the asker names. Nobody can ask a person whose
    /// account is disabled and who hasn't been logged in for as long as sessions are kept. An
    /// administrator who disables an account to become its carer has to wait that long.
    private static func consent(
        of account: Account, to asker: Asker, in transaction: Transaction
    ) throws -> Account.Consent {
        if account.id == asker.account.id { return .given }
        let canLogIn =
            try !account.isDisabled || LiveSession.isAnyKept(of: account.id, transaction.db)
        return canLogIn ? .awaited : .impossible
    }

    /// Asks a person who can log in again about each carer named while nobody could. Until the
    /// person agrees, those carers no longer care for the person.
    static func askAboutCarers(
        of account: Account, by asker: Asker, in transaction: Transaction
    ) throws {
        for id in account.proposedCarers {
            guard var carer = try Account.find(id, transaction.db),
                carer.caresFor.contains(account.id)
            else { continue }
            carer.caresFor.removeAll { $0 == account.id }
            try revoke(&carer, in: transaction)
            try note(
                .carerProposed, by: asker.account, on: account, detail: carer.id, in: transaction)
        }
    }

    static func removeCarer(_ command: RemoveCarer, in transaction: Transaction) throws -> Account {
        let asker = try asker(transaction)
        guard var carer = try Account.find(command.carer, transaction.db),
            var account = try Account.find(command.account, transaction.db),
            carer.caresFor.contains(account.id) || account.proposedCarers.contains(carer.id),
            asker.account.id == carer.id || asker.account.id == account.id
                || asker.administers(account.organisation)
        else {
            throw Refusal.notFound("there is no such carer; see the carers with steward whoami")
                .because(.carerMissing)
        }
        if account.proposedCarers.contains(carer.id) {
            account.proposedCarers.removeAll { $0 == carer.id }
            try changed(account, in: transaction)
        }
        if carer.caresFor.contains(account.id) {
            carer.caresFor.removeAll { $0 == account.id }
            try revoke(&carer, in: transaction)
        }
        try note(
            .carerRemoved, by: asker.account, on: account, detail: carer.id, in: transaction)
        return asker.view(of: carer)
    }

    /// The account for which a carer is named: the asker's own, or for an administrator any that
    /// may do no more. A carer may do in the other services what the person may do.
    private static func caredFor(
        _ named: String, _ asker: Asker, in transaction: Transaction
    ) throws -> Account {
        let own = asker.account
        if named == own.id || Account.folded(named) == Account.folded(own.name) { return own }
        try asker.requireAdministrator()
        let account = try Account.required(named, for: asker, transaction.db)
        try asker.requirePower(over: account)
        return account
    }

    // MARK: Invitations

    static func invite(_ command: Invite, in transaction: Transaction) throws -> Invitation {
        let asker = try asker(transaction)
        try asker.requireGranter()
        let organisation = try Organisation.required(
            command.organisation, for: asker, transaction.db)
        var invite = Invite(organisation: organisation.id)
        guard command.grants.count <= Account.mostGrants else { throw Account.tooManyGrants }
        for grant in command.grants {
            let checked = try organisation.checked(grant)
            try asker.requireGrant(checked, in: organisation.id)
            if !invite.grants.contains(checked) { invite.grants.append(checked) }
        }
        let code = Secret.code()
        let expires = try Codes.keepInvitation(
            Secret.hash(code: code) ?? [], invite, by: asker.account.id, at: transaction.now,
            transaction.db)
        try note(
            .invited, by: asker.account,
            detail: invite.grants.map(\.words).joined(separator: ", "), in: transaction)
        return Invitation(code: code, expires: expires)
    }
}

extension Grant {
    /// The grant in words, for the audit.
    var words: String {
        [role.words, site, area].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
