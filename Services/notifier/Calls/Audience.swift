import Messages
import ServiceRuntime

/// Who belongs to an audience.
extension Audience {
    /// True when the audience includes someone, as account-service knows them at present.
    func includes(_ person: Account) -> Bool {
        guard !person.isDisabled else { return false }
        guard account.isEmpty else { return person.id == account }
        guard role != .unspecified || !site.isEmpty else {
            return Access.person.allows(
                .account(person.id, organisation: person.organisation, grants: person.grants))
        }
        return person.grants.contains { isHeld(by: $0) }
    }

    private func isHeld(by grant: Grant) -> Bool {
        let isRole = role == .unspecified ? grant.role != .display : grant.role == role
        return isRole && (site.isEmpty || grant.site.isEmpty || grant.site == site)
            && (area.isEmpty || grant.area.isEmpty || grant.area == area)
    }

    /// Validates a person's request.
    ///
    /// - Throws: a `Refusal` when an area is named without its site, or the role is unknown.
    func validate() throws(Refusal) {
        guard area.isEmpty || !site.isEmpty else {
            throw .invalid("name the site to which the area belongs")
        }
        if case .unrecognized = role { throw .invalid("this version doesn't know the role") }
    }
}

extension Member {
    /// The people responsible for an organisation: its administrators. Those of the local
    /// organisation are responsible for every other that has none; the owner of the machine account
    /// is one of them where no one else can reach the bus.
    static func caretakers(
        of organisation: String, in transaction: Transaction
    ) throws -> [AlertFeedAddress] {
        let local = Principal.localOrganisation
        if organisation != local {
            let own = try Member.administrators(of: organisation, transaction.db)
            guard own.isEmpty else { return own }
        }
        let owner = AlertFeedAddress(
            organisation: local, recipient: Principal.machineOwner.account)
        let administrators = try Member.administrators(of: local, transaction.db)
        let isNamed = transaction.isBusShared || administrators.contains(owner)
        return administrators + (isNamed ? [] : [owner])
    }
}
