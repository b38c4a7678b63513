import Messages
import ServiceRuntime
import Texts

/// The sites and the people of every organisation, as account-service publishes them, and who may
/// do what at a site.
enum Sites {
    static var events: [EventHandler] { [.init(changed), .init(personChanged)] }

    static func changed(
        _ event: OrganisationChanged, _ envelope: Envelope, in transaction: Transaction
    ) throws {
        for site in event.organisation.sites {
            try SiteRow(organisation: event.organisation.id, site: site).save(transaction.db)
            // Its time zone, by which shifts begin, or its name, which alerts contain, may have
            // changed.
            guard try isScheduled(site, in: transaction) else { continue }
            try ScheduleTimer.wake(site.id, in: transaction)
        }
    }

    /// True if shifts are scheduled at a site, or an alert stands to one that did not begin.
    private static func isScheduled(_ site: Site, in transaction: Transaction) throws -> Bool {
        let shifts = try ScheduleRow.all(at: site.id, transaction.db)
        return try !shifts.isEmpty || !transaction.standingAlerts(of: site.id).isEmpty
    }

    static func personChanged(
        _ event: AccountChanged, _ envelope: Envelope, in transaction: Transaction
    ) throws {
        guard try Person(account: event.account).save(transaction.db) else { return }
        try Reminders.wakeAlertedSoon(of: event.account.organisation, in: transaction)
    }

    /// Deletes the sites, because account-service publishes them again, and the people whom it
    /// doesn't publish again, of whom there may be very many. What it can't read stays.
    ///
    /// - Parameters:
    ///   - present: what it publishes again.
    ///   - transaction: the transaction.
    static func forget(except present: [Envelope], _ transaction: Transaction) throws {
        let leftOut = present.leftOut
        try SiteRow.forgetAll(except: leftOut, transaction.db)
        let people = present.filter { $0.type == AccountChanged.protobufName }.map(\.subject)
        let bereft = try Person.forgetAll(except: leftOut.union(people), transaction.db)
        for organisation in bereft {
            try Reminders.wakeAlertedSoon(of: organisation, in: transaction)
        }
    }
}

extension Transaction {
    /// The site with an id or a name, where the asker must hold a role or one above it.
    ///
    /// - Throws: a `Refusal`, the same for a site of another organisation as for none at all.
    func site(_ idOrName: String, for role: Role) throws -> SiteRow {
        let row = try site(idOrName)
        try require(role, at: row.site.id)
        return row
    }

    /// The site with an id or a name, where the asker must hold a role in at least one area.
    func site(_ idOrName: String, forAnyArea role: Role) throws -> SiteRow {
        let row = try site(idOrName)
        guard holdsSomeArea(role, at: row.site.id) else {
            throw Refusal.lacking(role, "at the site")
        }
        return row
    }

    /// True when the asker holds a role, or one above it, at a site or in an area of it.
    func holdsSomeArea(_ role: Role, at site: String) -> Bool {
        let areas = [""] + principal.grants.map(\.area)
        return principal.kind == .system
            || areas.contains { principal.holds(role, at: site, area: $0) }
    }

    /// The sites of the asker's organisation where the asker holds a role, ordered by name.
    func sites(for role: Role) throws -> [SiteRow] {
        try visibleSites().filter { principal.holds(role, at: $0.site.id) }
    }

    private func site(_ idOrName: String) throws -> SiteRow {
        let sites = try visibleSites()
        if idOrName.isEmpty {
            let own = sites.filter { holdsSomeArea(.display, at: $0.site.id) }
            guard own.count == 1 else {
                let names = own.map { "“\($0.site.name)”" }.joined(separator: ", ")
                throw Refusal.invalid(
                    own.isEmpty
                        ? "there is no site yet; make one with steward site add"
                        : "name the site: \(names)")
            }
            return own[0]
        }
        let named = sites.filter { $0.foldedName == FoldedText.name(idOrName) }
        guard let found = sites.first(where: { $0.site.id == idOrName }) ?? named.first else {
            throw Refusal.noSite(idOrName)
        }
        guard found.site.id == idOrName || named.count == 1 else {
            throw Refusal.conflict("several organisations have a site “\(idOrName)”; give its id")
        }
        return found
    }

    /// The sites that the asker can see: for the owner of the machine, those of every organisation.
    private func visibleSites() throws -> [SiteRow] {
        try SiteRow.all(of: principal.scope, db)
    }
}

extension Refusal {
    /// The refusal if there is no such site in the asker's organisation.
    static func noSite(_ name: String) -> Refusal {
        let shown = String(name.prefix(100))
        return Refusal.notFound("there is no site “\(shown)” in your organisation")
            .because(.siteMissing, of: shown)
    }
}
