import Messages
import ServiceRuntime

/// The account that sent a message, and what it may do now. Account-service does not rely on the
/// roles in the token, because it has the newest ones.
struct Asker {
    /// The account.
    let account: Account
    /// The session of the message's token; empty for the machine owner.
    let session: String

    /// True when no token was needed.
    var isMachineOwner: Bool { session.isEmpty }

    /// True when the asker administers the organisation.
    func administers(_ organisation: String) -> Bool {
        account.isOwner || (account.isHead && account.organisation == organisation)
    }

    /// Refuses an asker who does not administer the organisation, before anything is looked up.
    func requireAdministrator(of organisation: String) throws(Refusal) {
        guard administers(organisation) else { throw .lacks(.administrator) }
    }

    /// Refuses an asker who does not administer any organisation.
    func requireAdministrator() throws(Refusal) {
        guard account.isHead else { throw .lacks(.administrator) }
    }

    /// Refuses an asker who is not an owner of the installation.
    func requireOwner() throws(Refusal) {
        guard account.isOwner else { throw .lacks(.owner) }
    }

    /// True when the asker may know of the account.
    func sees(_ other: Account) -> Bool {
        if other.id == account.id || administers(other.organisation) { return true }
        guard other.organisation == account.organisation else { return false }
        if account.caresFor.contains(other.id) || other.caresFor.contains(account.id)
            || account.proposedCarers.contains(other.id)
        {
            return true
        }
        return account.grants.contains { grant in
            Self.leaders.contains(grant.role)
                && (grant.site.isEmpty || other.grants.contains { $0.site == grant.site })
        }
    }

    /// An account as the asker may see it. Only administrators see another account's address, the
    /// carers proposed to it and everyone whom it cares for: anyone may name a carer, and can see
    /// the carer from then on.
    func view(of other: Account) -> Account {
        guard other.id != account.id, !administers(other.organisation) else { return other }
        var shown = other
        (shown.email, shown.proposedCarers) = ("", [])
        shown.caresFor.removeAll { $0 != account.id && !account.caresFor.contains($0) }
        return shown
    }

    private static let leaders: Set<Role> = [.shiftManager, .siteManager, .supervisor]

    /// Refuses an asker who may do less than the account.
    func requirePower(over other: Account) throws(Refusal) {
        try requireAdministrator(of: other.organisation)
        guard account.isOwner || !other.isOwner else { throw .lacks(.owner) }
    }

    /// Refuses an asker who may neither grant nor revoke any role, before anything is looked up.
    func requireGranter() throws(Refusal) {
        guard account.isHead || account.grants.contains(where: { $0.role == .siteManager }) else {
            throw .lacks(.siteManager)
        }
    }

    /// Refuses to grant or revoke a role that is beyond the asker's own power.
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

    /// True when the asker may give what an invitation gives.
    func mayGive(_ invite: Invite) -> Bool {
        guard !account.isDisabled, account.isOwner || account.organisation == invite.organisation
        else { return false }
        do throws(Refusal) {
            try requireGranter()
            for grant in invite.grants { try requireGrant(grant, in: invite.organisation) }
            return true
        } catch { return false }
    }

    /// True when the asker may reset the password of an account.
    func mayReset(_ other: Account) -> Bool {
        guard !account.isDisabled else { return false }
        do throws(Refusal) { try requirePower(over: other) } catch { return false }
        return true
    }

    /// The roles that the manager of a site or of an area may grant there.
    private static let lesser: Set<Role> = [.display, .crew, .shiftManager]
}

extension Refusal {
    /// The asker lacks the role that this needs.
    static func lacks(_ role: Role, _ place: String = "") -> Refusal {
        Refusal.forbidden("this needs the role \(role.words)\(place.isEmpty ? "" : " " + place)")
            .because(.roleLacking, of: "\(role)")
    }
}
