import Messages
import ServiceRuntime

/// Organisations, their sites, and their audit.
enum OrganisationHandling: AuditedHandlers {
    static var handlers: [MessageHandler] {
        [
            .command(audited(createOrganisation), .account),
            .command(audited(createSite), .account), .command(audited(changeSite), .account),
            .command(audited(setSignUp), .account),
            .query(audited(listOrganisations), .account), .query(audited(readAudit), .account),
        ]
    }

    static func createOrganisation(
        _ command: CreateOrganisation, in transaction: Transaction
    ) throws -> Organisation {
        let asker = try asker(transaction)
        try asker.requireOwner()
        let name = try Organisation.checkedName(command.name, of: "an organisation")
        guard try !Organisation.isTaken(name, transaction.db) else {
            throw Refusal.conflict("there is an organisation “\(name)” already")
        }
        let organisation = try changed(
            Organisation(id: "\(transaction.id)", name: name), in: transaction)
        try note(
            .organisationCreated, by: asker.account, detail: organisation.id, in: transaction)
        return organisation
    }

    static func listOrganisations(
        _ query: ListOrganisations, in transaction: Transaction
    ) throws -> Organisations {
        let asker = try asker(transaction)
        guard asker.account.isOwner else {
            let own = try Organisation.required("", for: asker, transaction.db)
            let isAfter = Account.folded(own.name) > Account.folded(query.after)
            return Organisations(organisations: isAfter ? [own] : [])
        }
        return try Organisation.page(
            after: query.after, limit: pageLimit(query.limit, usual: 500, most: 500),
            transaction.db)
    }

    static func setSignUp(_ command: SetSignUp, in transaction: Transaction) throws -> Organisation
    {
        let asker = try asker(transaction)
        try asker.requireAdministrator()
        var organisation = try Organisation.required(
            command.organisation, for: asker, transaction.db)
        guard organisation.signUpOpen != command.isOpen else { return organisation.telling() }
        organisation.signUpOpen = command.isOpen
        let told = try changed(organisation, in: transaction)
        try note(
            command.isOpen ? .signUpOpened : .signUpClosed, by: asker.account,
            detail: organisation.id, in: transaction)
        return told
    }

    static func createSite(_ command: CreateSite, in transaction: Transaction) throws
        -> Organisation
    {
        let asker = try asker(transaction)
        try asker.requireAdministrator()
        var organisation = try Organisation.required(
            command.organisation, for: asker, transaction.db)
        let site = try organisation.add(command, id: transaction.id)
        let told = try changed(organisation, site, in: transaction)
        try note(.siteCreated, by: asker.account, detail: site.id, in: transaction)
        return told
    }

    static func changeSite(_ command: ChangeSite, in transaction: Transaction) throws
        -> Organisation
    {
        let asker = try asker(transaction)
        try asker.requireAdministrator()
        var organisation = try Organisation.required(
            command.organisation, for: asker, transaction.db)
        let before = organisation
        // Only an area that is being removed has to be free of roles.
        let grants =
            command.removedAreas.isEmpty
            ? [] : try Account.all(of: .one(organisation.id), transaction.db).flatMap(\.grants)
        let site = try organisation.change(command, grants: grants)
        guard organisation != before else { return organisation.telling(site) }
        let gone = Set(before.site(site.id)?.areas ?? []).subtracting(site.areas)
        if !gone.isEmpty {
            try Codes.forgetInvitations(
                to: gone, of: site, in: organisation.id, transaction.db)
        }
        let told = try changed(organisation, site, in: transaction)
        try note(.siteChanged, by: asker.account, detail: site.id, in: transaction)
        return told
    }

    static func readAudit(_ query: ReadAudit, in transaction: Transaction) throws -> Audit {
        let asker = try asker(transaction)
        try asker.requireAdministrator()
        let limit = pageLimit(query.limit, usual: 50, most: 500)
        let entries = try AuditTrail.read(
            before: query.before, limit: limit + 1,
            of: asker.account.isOwner ? .all : .one(asker.account.organisation), transaction.db)
        let page = Page.first(of: entries, limit: limit)
        let isMore = page.count < entries.count
        return Audit(entries: page, next: isMore ? page.last?.number ?? 0 : 0)
    }
}
