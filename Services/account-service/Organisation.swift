import Foundation
import Messages

/// The rules of an organisation and its sites.
extension Organisation {
    /// A name for people: an organisation's, a site's or an area's.
    static func checkedName(_ typed: String, of what: String) throws(Refusal) -> String {
        let name = typed.precomposedStringWithCanonicalMapping
            .trimmingCharacters(in: .whitespaces)
        let isVisible = name.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        }
        guard (1...100).contains(name.count), name.utf8.count <= 400, isVisible else {
            throw .invalid("the name of \(what) has 1 to 100 characters")
        }
        guard MessageID(name) == nil else { throw .invalid("an id can't be a name") }
        return name
    }

    /// Takes in a new site.
    mutating func add(_ command: CreateSite, id: MessageID) throws(Refusal) {
        let name = try Self.checkedName(command.name, of: "a site")
        let isTaken = sites.contains { Account.folded($0.name) == Account.folded(name) }
        guard !isTaken else { throw .conflict("there is a site “\(name)” already") }
        guard sites.count < 1000 else { throw .conflict("an organisation has at most 1,000 sites") }
        guard TimeZone(identifier: command.timeZone) != nil else {
            throw .invalid(
                "“\(command.timeZone.prefix(100))” is no time zone; name one such as Europe/Berlin")
        }
        var areas: Set<String> = []
        for area in command.areas { areas.insert(try Self.checkedName(area, of: "an area")) }
        guard areas.count <= 200 else { throw .invalid("a site has at most 200 areas") }
        sites.append(
            Site(id: "\(id)", name: name, timeZone: command.timeZone, areas: areas.sorted()))
    }

    /// A grant as it is kept: its site by its id, and nothing named that is not there.
    func checked(_ grant: Grant) throws(Refusal) -> Grant {
        switch grant.role {
        case .unspecified, .unrecognized: throw .invalid("the role is not known")
        case .administrator, .owner:
            guard grant.site.isEmpty, grant.area.isEmpty else {
                throw .invalid("the role \(grant.role.words) holds at every site; name none")
            }
            return grant
        default: break
        }
        guard !grant.site.isEmpty else {
            guard grant.area.isEmpty else { throw .invalid("an area needs its site") }
            return grant
        }
        guard let site = site(grant.site) else {
            throw .notFound("there is no site “\(grant.site.prefix(100))” in your organisation")
        }
        guard grant.area.isEmpty || site.areas.contains(grant.area) else {
            throw .notFound("the site has no area “\(grant.area.prefix(100))”")
        }
        return Grant(role: grant.role, site: site.id, area: grant.area)
    }

    /// The site of an id or a name.
    func site(_ idOrName: String) -> Site? {
        sites.first { $0.id == idOrName }
            ?? sites.first { Account.folded($0.name) == Account.folded(idOrName) }
    }
}
