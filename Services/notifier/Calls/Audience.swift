import Messages
import ServiceRuntime

/// Who belongs to an audience.
extension Audience {
    /// True when it includes someone, as account-service knows them at present.
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
