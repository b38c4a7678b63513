import Foundation
import LocalTime
import Messages

/// The rules of an organisation and its sites.
extension Organisation {
    /// A name for people to read: of an organisation, a person, a site or an area.
    ///
    /// - Parameters:
    ///   - typed: the name.
    ///   - what: what has the name, for people.
    ///   - field: what has the name, as a word for programs.
    static func checkedName(
        _ typed: String, of what: String, field: String = ""
    ) throws(Refusal) -> String {
        let name = typed.precomposedStringWithCanonicalMapping
            .trimmingCharacters(in: .whitespaces)
        let isVisible = name.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        }
        guard (1...100).contains(name.count), name.utf8.count <= 400, isVisible else {
            throw Refusal.invalid("the name of \(what) has 1 to 100 characters")
                .because(1...100, in: field)
        }
        guard MessageID(name) == nil else { throw .idAsName }
        return name
    }

    /// The organisation with one or none of its sites. A change is published in this form, so that
    /// the event does not grow with the number of sites.
    func telling(_ site: Site? = nil) -> Organisation {
        var told = self
        told.sites = site.map { [$0] } ?? []
        return told
    }

    /// The maximum number of sites of an organisation.
    static let mostSites = 1_000

    /// Adds a new site, and returns it.
    mutating func add(_ command: CreateSite, id: MessageID) throws(Refusal) -> Site {
        guard sites.count < Self.mostSites else {
            throw Refusal.conflict("an organisation has at most \(Self.mostSites) sites")
                .because(.siteLimit, ["most": "\(Self.mostSites)"])
        }
        let name = try freeName(command.name, except: "")
        var site = Site(
            id: "\(id)", name: name, timeZone: try Self.checkedZone(command.timeZone))
        site.areas = try Self.areas(of: site, adding: command.areas)
        let before = size
        sites.append(site)
        try checkSize(before)
        return site
    }

    /// Changes a site.
    ///
    /// - Parameters:
    ///   - command: the changes.
    ///   - grants: the roles that anyone holds in the organisation.
    /// - Returns: the site after the change.
    mutating func change(_ command: ChangeSite, grants: [Grant]) throws(Refusal) -> Site {
        guard var site = site(command.site),
            let index = sites.firstIndex(where: { $0.id == site.id })
        else { throw .noSite(command.site) }
        if !command.name.isEmpty { site.name = try freeName(command.name, except: site.id) }
        if !command.timeZone.isEmpty { site.timeZone = try Self.checkedZone(command.timeZone) }
        for typed in command.removedAreas {
            guard let area = site.area(typed), !area.isEmpty else { throw .noArea(typed) }
            guard !grants.contains(where: { $0.site == site.id && $0.area == area }) else {
                throw .conflict(
                    "someone has a role in “\(area)”; see who with steward role list, and revoke "
                        + "it first")
            }
            site.areas.removeAll { $0 == area }
        }
        site.areas = try Self.areas(of: site, adding: command.addedAreas)
        let before = size
        sites[index] = site
        try checkSize(before)
        return site
    }

    /// The maximum size in bytes of all sites of an organisation, so that they fit in one message.
    private static let mostBytes = 512 << 10

    private var size: Int { sites.reduce(0) { $0 + $1.packed().count } }

    private func checkSize(_ before: Int) throws(Refusal) {
        let size = size
        guard size <= max(before, Self.mostBytes) else {
            throw Refusal.conflict(
                "the sites and areas of the organisation would take \(size) bytes, and at most "
                    + "\(Self.mostBytes) are kept; remove areas, or give shorter names"
            ).because(.siteLarge, ["most": "\(Self.mostBytes)"])
        }
    }

    private func freeName(_ typed: String, except id: String) throws(Refusal) -> String {
        let name = try Self.checkedName(typed, of: "a site", field: "siteName")
        let isTaken = sites.contains {
            $0.id != id && Account.folded($0.name) == Account.folded(name)
        }
        guard !isTaken else {
            throw Refusal.conflict("there is a site “\(name)” already")
                .because(.siteTaken, of: name)
        }
        return name
    }

    private static func checkedZone(_ typed: String) throws(Refusal) -> String {
        guard LocalTime.isKnown(typed) else {
            let zone = typed.prefix(bytes: 100)
            throw Refusal.invalid("“\(zone)” isn't a time zone; give one such as Europe/Berlin")
                .because(.zoneUnknown, of: zone)
        }
        return typed
    }

    private static func areas(of site: Site, adding more: [String]) throws(Refusal) -> [String] {
        var areas = Set(site.areas)
        for area in more {
            areas.insert(try checkedName(area, of: "an area", field: "areaName"))
        }
        guard areas.count <= 200 else { throw .invalid("a site has at most 200 areas") }
        return areas.sorted()
    }

    /// A grant in its stored form: with its site's id. Refuses sites and areas that do not exist.
    func checked(_ grant: Grant) throws(Refusal) -> Grant {
        switch grant.role {
        case .unspecified, .unrecognized: throw .invalid("the role is not known")
        case .administrator, .owner:
            guard grant.site.isEmpty, grant.area.isEmpty else {
                throw Refusal.invalid(
                    "the role \(grant.role.words) applies at every site; name no site"
                ).because(.grantEverywhere, of: "\(grant.role)")
            }
            return grant
        default: break
        }
        guard !grant.site.isEmpty else {
            guard grant.area.isEmpty else {
                throw Refusal.invalid("an area needs its site").because(.areaAlone)
            }
            return grant
        }
        guard let site = site(grant.site) else { throw .noSite(grant.site) }
        guard let area = site.area(grant.area) else { throw .noArea(grant.area) }
        return Grant(role: grant.role, site: site.id, area: area)
    }

    /// The site with an id or a name.
    func site(_ idOrName: String) -> Site? {
        sites.first { $0.id == idOrName }
            ?? sites.first { Account.folded($0.name) == Account.folded(idOrName) }
    }
}

extension Site {
    /// The area with a name, as it is spelt here; empty for none, nil when there is no such area.
    func area(_ typed: String) -> String? {
        if typed.isEmpty || areas.contains(typed) { return typed }
        return areas.first { Account.folded($0) == Account.folded(typed) }
    }
}

extension Refusal {
    /// The refusal if there is no such organisation, or it isn't the asker's.
    static func noOrganisation(_ typed: String) -> Refusal {
        let shown = String(typed.prefix(100))
        return Refusal.notFound("there is no organisation “\(shown)”")
            .because(.organisationMissing, of: shown)
    }
    /// The refusal if there is no such site, or it isn't in this organisation.
    static func noSite(_ typed: String) -> Refusal {
        let shown = String(typed.prefix(100))
        return Refusal.notFound(
            "there is no site “\(shown)” in your organisation; see them with steward site list"
        ).because(.siteMissing, of: shown)
    }
    /// The site has no such area.
    static func noArea(_ typed: String) -> Refusal {
        let shown = String(typed.prefix(100))
        return Refusal.notFound("the site has no area “\(shown)”; see them with steward site show")
            .because(.areaMissing, of: shown)
    }
}
