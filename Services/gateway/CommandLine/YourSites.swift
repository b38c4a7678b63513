import Foundation
import Messages
import Speech

/// The sites where a person has a role.
struct YourSites {
    /// The sites, in order of their name.
    let sites: [ChosenSite]
    /// True when the person may add sites.
    private let isHead: Bool

    /// Asks account-service for the sites.
    init(_ session: Session) throws {
        self.init(
            of: try session.ask(.account, WhoAmI(), for: Account.self),
            among: try session.organisations())
    }

    /// The sites where an account has a role; all sites if the role applies everywhere.
    init(of account: Account, among organisations: [Organisation]) {
        let own = Set(account.grants.map(\.site))
        let isOwner = account.grants.contains { $0.role == .owner }
        isHead = isOwner || account.grants.contains { $0.role == .administrator }
        sites = organisations.flatMap { organisation in
            organisation.sites
                .filter { isOwner || own.contains("") || own.contains($0.id) }
                .map { ChosenSite(id: $0.id, name: $0.name, organisation: organisation.id) }
        }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// The site that a person means by its name or id.
    func named(_ typed: String) throws(Failure) -> ChosenSite {
        if let site = sites.first(where: { $0.id == typed }) { return site }
        let found = sites.filter { $0.isCalled(typed) }
        guard let site = found.first else {
            throw Failure(
                .refused, "you have no site “\(typed.printable)”",
                advice: sites.isEmpty ? cure : "yours are \(list)")
        }
        guard found.count == 1 else {
            throw Failure(
                .refused, "several sites are called “\(typed.printable)”",
                advice: "give the id of one of them: steward site list")
        }
        return site
    }

    /// The only site, if there is just one.
    func only() throws(Failure) -> ChosenSite {
        guard let site = sites.first else {
            throw Failure(.refused, "you have no site", advice: cure)
        }
        guard sites.count == 1 else {
            throw Failure(
                .refused, "it is unclear which site is meant; yours are \(list)",
                advice: "name one with --site, or keep one: steward site use "
                    + site.name.printable.asWord)
        }
        return site
    }

    /// The names of the first ones.
    private var list: String {
        let names = sites.prefix(8).map { "“\($0.name.printable)”" }.joined(separator: ", ")
        return sites.count > 8 ? names + " and \(sites.count - 8) more" : names
    }

    private var cure: String {
        isHead
            ? "add one: steward site add NAME" : "ask an administrator for a role at a site"
    }
}
