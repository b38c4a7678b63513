import ArgumentParser
import Messages
import Speech

/// Whom to call, as it is typed: `everyone`, a role such as `shift-manager`, or the name of an
/// account; a role with `@SITE` or `@SITE/AREA` if it is about one place.
struct AudienceArgument: ExpressibleByArgument, Hashable {
    private let who: String
    private let site: String?
    private let area: String

    init?(argument: String) {
        let parts = argument.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let place = parts.count == 2 ? parts[1].split(separator: "/", maxSplits: 1) : []
        guard !parts[0].isEmpty, parts.count == 1 || !place.isEmpty else { return nil }
        who = String(parts[0])
        site = place.first.map(String.init)
        area = place.count == 2 ? String(place[1]) : ""
    }

    /// The audience.
    ///
    /// - Throws: ``Failure`` if there is no such site or account.
    func audience(_ session: Session) throws -> Audience {
        let role = RoleArgument(argument: who)?.role
        // An address may be the name of an account.
        if role == nil, who != "everyone" { return Audience(account: try account(session)) }
        var audience = Audience(role: role ?? .unspecified, area: area)
        if let site { audience.site = try YourSites(session).named(site).id }
        return audience
    }

    private func account(_ session: Session) throws -> String {
        let typed = [who, site].compactMap(\.self).joined(separator: "@")
        let accounts = try session.accounts()
        guard let found = accounts.first(where: { $0.name == typed || $0.id == typed }) else {
            throw Failure(
                .refused, "there is no account and no role “\(typed.printable)”",
                advice: "roles are \(RoleArgument.allValueStrings.joined(separator: ", ")), "
                    + "and everyone")
        }
        return found.id
    }
}

/// The names of the people and sites that audiences are about.
struct AudienceNames {
    private let sites: SiteNames
    private let accounts: [String: String]

    init(_ session: Session, _ audiences: [Audience]) throws {
        sites = try SiteNames(session)
        let isAboutSomeone = audiences.contains { !$0.account.isEmpty }
        accounts = Dictionary(
            try (isAboutSomeone ? session.accounts() : []).map { ($0.id, $0.name) }
        ) { first, _ in first }
    }

    /// An audience in words: `shift-manager at Harbour`.
    func line(_ audience: Audience) -> String {
        guard audience.account.isEmpty else {
            return (accounts[audience.account] ?? audience.account).printable
        }
        let who =
            audience.role == .unspecified ? "everyone" : RoleArgument.word(audience.role)
        guard !audience.site.isEmpty else { return who }
        let area = audience.area.isEmpty ? "" : ", \(audience.area.printable)"
        return "\(who) at \(sites.name(audience.site))\(area)"
    }
}
