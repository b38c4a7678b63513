import Messages
import TestSupport
import Testing

@testable import AccountService

extension Processes {
    /// Who may grant and revoke which role where. Tries each role, held in an area, at its site and
    /// everywhere, against each place.
    @Suite struct AreaTests {
        enum Place: String, CaseIterable {
            case ownArea, otherArea, wholeSite, otherSite, otherSitesArea, organisation
        }

        static let roles: [Role] = [
            .display, .crew, .shiftManager, .siteManager, .supervisor, .administrator, .owner,
        ]
        /// The roles that a manager of a place may grant there.
        static let lesser: Set<Role> = [.display, .crew, .shiftManager]

        /// The expected result, by the purpose of the roles.
        static func isAllowed(_ role: Role, at place: Place, to asker: Grant) -> Bool {
            if asker.role == .administrator { return role != .owner }
            guard asker.role == .siteManager, lesser.contains(role) else { return false }
            if asker.site.isEmpty { return true }
            if asker.area.isEmpty { return [.ownArea, .otherArea, .wholeSite].contains(place) }
            return place == .ownArea
        }

        /// An organisation with two sites, each with the areas Kitchen, Service and Bar.
        private static func organisation(_ office: Office) throws -> String {
            let organisation = try office.ask(
                CreateOrganisation(name: "Diner"), for: Organisation.self)
            for site in ["Harbour", "Quay"] {
                _ = try office.ask(
                    CreateSite(
                        organisation: organisation.id, name: site, timeZone: "Europe/Berlin",
                        areas: ["Bar", "Kitchen", "Service"]), for: Organisation.self)
            }
            return organisation.id
        }

        private static func grant(_ role: Role, _ place: Place) -> Grant? {
            let isWide = role == .administrator || role == .owner
            if isWide { return place == .organisation ? Grant(role: role) : nil }
            return switch place {
            case .ownArea: Grant(role: role, site: "Harbour", area: "Kitchen")
            case .otherArea: Grant(role: role, site: "Harbour", area: "Service")
            case .wholeSite: Grant(role: role, site: "Harbour")
            case .otherSite: Grant(role: role, site: "Quay")
            case .otherSitesArea: Grant(role: role, site: "Quay", area: "Kitchen")
            case .organisation: Grant(role: role)
            }
        }

        @Test func `a role is granted, removed and offered only by someone who runs the place`()
            throws
        {
            let office = try Office()
            let organisation = try Self.organisation(office)
            try office.person("head", in: organisation, Grant(role: .administrator))
            // Put them where everyone who may grant a role somewhere can see them.
            for site in ["Harbour", "Quay"] {
                try office.person(
                    "of-\(site)", in: organisation, Grant(role: .crew, site: site, area: "Bar"))
            }
            var wrong: [String] = []
            for held in Self.roles.dropLast() {
                for grant in [Place.ownArea, .wholeSite, .organisation].compactMap({
                    Self.grant(held, $0)
                }) {
                    let name = "\(held)-\(grant.site)-\(grant.area)".lowercased()
                    try office.person(name, in: organisation, grant)
                    let token = try office.access(name)
                    for place in Place.allCases {
                        for role in Self.roles {
                            guard let wanted = Self.grant(role, place) else { continue }
                            let found = try attempts(wanted, at: place, as: token, office)
                            let isRight = Self.isAllowed(role, at: place, to: grant)
                            for (what, isDone) in found where isDone != isRight {
                                wrong.append("\(name): \(what) \(role) at \(place)")
                            }
                        }
                    }
                }
            }
            #expect(wrong == [])
        }

        @Test func `the manager of an area can't become the manager of its site`() throws {
            let office = try Office()
            let organisation = try Self.organisation(office)
            let own = Grant(role: .siteManager, site: "Harbour", area: "Kitchen")
            let before = try office.person("chef", in: organisation, own)
            let token = try office.access("chef")

            for role in Self.roles {
                for place in Place.allCases.dropFirst() {
                    guard let wanted = Self.grant(role, place) else { continue }
                    _ = try office.refusal(
                        of: GrantRole(account: before.id, grant: wanted), as: token)
                }
            }

            let after = try office.ask(WhoAmI(), for: Account.self, as: token)
            #expect(after == before)
        }

        /// Whether a role was granted, revoked and offered.
        private func attempts(
            _ grant: Grant, at place: Place, as token: [UInt8], _ office: Office
        ) throws -> [(what: String, isDone: Bool)] {
            let isFar = place == .otherSite || place == .otherSitesArea
            let target = isFar ? "of-Quay" : "of-Harbour"
            let isDone = { (message: any ProtobufMessage) in
                let answer = try office.answer(to: message, as: token)
                guard answer.type == Refusal.protobufName else { return true }
                let refusal = try Refusal(unpacking: answer.data)
                guard [.forbidden, .notFound].contains(refusal.code) else {
                    throw Complaint("it was refused for another reason: \(refusal)")
                }
                return false
            }
            let give = GrantRole(account: target, grant: grant)
            let take = RevokeRole(account: target, grant: grant)
            let isGiven = try isDone(give)
            if !isGiven { _ = try office.ask(give, for: Account.self) }
            let isTaken = try isDone(take)
            if !isTaken { _ = try office.ask(take, for: Account.self) }
            let isOffered = try isDone(Invite(grants: [grant]))
            return [("gives", isGiven), ("takes", isTaken), ("offers", isOffered)]
        }
    }
}
