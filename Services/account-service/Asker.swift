import Messages
import ServiceRuntime

/// Who asks, with what the account may do now. Account-service need not believe the token's list
/// of roles: it has the newest one.
struct Asker {
    /// The account.
    let account: Account
    /// The session whose token the message carries; empty for the machine owner.
    let session: String

    /// True when no token was needed.
    var isMachineOwner: Bool { session.isEmpty }

    /// True when it administers the organisation.
    func administers(_ organisation: String) -> Bool {
        account.isOwner || (account.isHead && account.organisation == organisation)
    }

    /// Refuses who is no administrator of the organisation, before anything is looked up.
    func requireAdministrator(of organisation: String) throws(Refusal) {
        guard administers(organisation) else { throw .lacks(.administrator) }
    }

    /// Refuses who is no administrator of any organisation.
    func requireAdministrator() throws(Refusal) {
        guard account.isHead else { throw .lacks(.administrator) }
    }

    /// Refuses who isn't the owner of the installation.
    func requireOwner() throws(Refusal) {
        guard account.isOwner else { throw .lacks(.owner) }
    }

    /// True when it may know that the account is there.
    func sees(_ other: Account) -> Bool {
        if other.id == account.id || administers(other.organisation) { return true }
        guard other.organisation == account.organisation else { return false }
        if account.caresFor.contains(other.id) || other.caresFor.contains(account.id) {
            return true
        }
        return account.grants.contains { grant in
            Self.leaders.contains(grant.role)
                && (grant.site.isEmpty || other.grants.contains { $0.site == grant.site })
        }
    }

    /// What it is told of an account. The address of another, and for whom else that one cares, is
    /// for administrators: anyone may name a carer, and sees them from then on.
    func view(of other: Account) -> Account {
        guard other.id != account.id, !administers(other.organisation) else { return other }
        var shown = other
        shown.email = ""
        shown.caresFor.removeAll { $0 != account.id && !account.caresFor.contains($0) }
        return shown
    }

    private static let leaders: Set<Role> = [.shiftManager, .siteManager, .supervisor]

    /// Refuses to act on an account that may do more than the asker.
    func requirePower(over other: Account) throws(Refusal) {
        try requireAdministrator(of: other.organisation)
        guard account.isOwner || !other.isOwner else { throw .lacks(.owner) }
    }

    /// Refuses who may give or take no roles at all, before anything is looked up.
    func requireGranter() throws(Refusal) {
        guard account.isHead || account.grants.contains(where: { $0.role == .siteManager }) else {
            throw .lacks(.siteManager)
        }
    }

    /// Refuses to give or to take a role that the asker may not: one can't give what one has not.
    func requireGrant(_ grant: Grant, in organisation: String) throws(Refusal) {
        if account.isOwner { return }
        guard grant.role != .owner else { throw .lacks(.owner) }
        if administers(organisation) { return }
        guard Self.lesser.contains(grant.role), account.organisation == organisation else {
            throw .lacks(.administrator)
        }
        let runsPlace = account.grants.contains {
            $0.role == .siteManager && ($0.site.isEmpty || $0.site == grant.site)
                && ($0.area.isEmpty || $0.area == grant.area)
        }
        guard runsPlace else {
            throw .lacks(.siteManager, grant.area.isEmpty ? "at that site" : "in that area")
        }
    }

    /// What the manager of a site or of an area of it may give there.
    private static let lesser: Set<Role> = [.display, .crew, .shiftManager]
}

extension Refusal {
    /// The asker has not the role that this needs.
    static func lacks(_ role: Role, _ place: String = "") -> Refusal {
        .forbidden("this needs the role \(role.words)\(place.isEmpty ? "" : " " + place)")
    }
}
