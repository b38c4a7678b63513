import Bus
import Messages
import Testing

@testable import Notifier
@testable import ServiceRuntime

/// The rules of who may send what, tested with every role at every kind of place.
struct AccessTests {
    @Test(arguments: ServiceName.allCases)
    func `no message of a service has two handlers`(service: ServiceName) {
        let types = Declared.rows(of: service).map(\.type)
        // Every service answers nine, and has some of its own.
        #expect(types.count > 9)
        #expect(types.count == Set(types).count)
    }

    /// All roles that a grant may have.
    private static let roles: [Role] = [
        .unspecified, .display, .crew, .shiftManager, .siteManager, .supervisor, .administrator,
        .owner, .unrecognized(99),
    ]

    /// The ranks, listed by hand to verify those in the code.
    private static func rank(_ role: Role) -> Int {
        switch role {
        case .unspecified, .unrecognized: -1
        case .display: 0
        case .crew: 1
        case .shiftManager: 2
        case .siteManager: 3
        case .supervisor: 4
        case .administrator: 5
        case .owner: 6
        }
    }

    @Test(arguments: roles, ["", "here"])
    func `each message lets in exactly the roles in its row`(role: Role, site: String) {
        let asker = Principal.account(
            "ann", organisation: "o", grants: [Grant(role: role, site: site)])
        for row in ServiceName.allCases.flatMap(Declared.rows) {
            let (type, access) = (row.type, row.access)
            let expected: Bool
            switch access {
            case .anyone, .service, .account: expected = true
            case .person: expected = Self.rank(role) >= 1
            case .role(let minimum, .organisation):
                expected = Self.rank(role) >= Self.rank(minimum) && site.isEmpty
            case .role(let minimum, .site): expected = Self.rank(role) >= Self.rank(minimum)
            case .worker: expected = false
            }
            #expect(access.allows(asker) == expected, "\(type) \(role) \(site)")
            #expect(access.allows(.anonymous) == (access == .anyone || access == .service))
            #expect(access.allows(.machineOwner) == (access != .worker))
            #expect(access.allows(.system))
        }
    }

    @Test(arguments: roles, roles)
    func `a role holds at its own site and at no other`(held: Role, needed: Role) {
        func holds(_ grant: Grant, _ site: String, _ area: String = "") -> Bool {
            Principal.account("ann", organisation: "o", grants: [grant])
                .holds(needed, at: site, area: area)
        }
        let reaches = Self.rank(needed) >= 0 && Self.rank(held) >= Self.rank(needed)

        #expect(holds(Grant(role: held, site: "here"), "here") == reaches)
        #expect(!holds(Grant(role: held, site: "here"), "there"))
        #expect(!holds(Grant(role: held, site: "here"), ""))
        #expect(holds(Grant(role: held), "there") == reaches)
        #expect(holds(Grant(role: held, site: "here", area: "bar"), "here", "bar") == reaches)
        #expect(!holds(Grant(role: held, site: "here", area: "bar"), "here", "kitchen"))
        #expect(!holds(Grant(role: held, site: "here", area: "bar"), "here"))
    }

    @Test func `an account without any role is a person, and a wall display isn't`() {
        let guest = Principal.account("ann", organisation: "o")
        let display = Principal.account(
            "wall", organisation: "o", grants: [Grant(role: .display, site: "here")])

        #expect(Access.person.allows(guest))
        #expect(!Access.person.allows(display))
        #expect(Access.account.allows(display))
    }

    @Test func `only a service's key may send what services ask each other`() {
        let askers: [Principal] = [
            .anonymous, .machineOwner,
            .account("ann", organisation: "o", grants: [Grant(role: .owner)]),
        ]

        for asker in askers {
            for role in KeyRing.Role.allCases {
                let peer = Peer(name: "some", role: role)
                #expect(Access.service.allows(asker.coming(from: peer)) == (role == .service))
            }
            // Without keys anyone who reaches the bus can read the events too.
            #expect(Access.service.allows(asker))
        }
    }

    @Test func `a reply is kept for one account, or for the strangers of one key`() {
        let key = Peer(name: "laptop", role: .gateway)
        let askers: [Principal] = [
            .machineOwner, .anonymous, .anonymous.coming(from: key),
            .anonymous.coming(from: Peer(name: "kiosk", role: .gateway)),
            .account("ann", organisation: "o").coming(from: key),
            .account("bob", organisation: "o").coming(from: key),
        ]

        #expect(Set(askers.map(\.asker)).count == askers.count)
        #expect(
            Principal.account("ann", organisation: "o").asker
                == Principal.account("ann", organisation: "o").coming(from: key).asker)
    }

    @Test func `people act for themselves and for those they care for`() throws {
        let carer = Principal.account("ann", organisation: "o", caresFor: ["child"])

        #expect(carer.mayActFor("ann"))
        #expect(carer.mayActFor("child"))
        #expect(!carer.mayActFor("bob"))
        #expect(!Principal.anonymous.mayActFor(""))
        #expect(Principal.machineOwner.mayActFor("bob"))
        #expect(throws: Refusal.self) { try AlertFeedAddress("bob", asker: carer) }
        #expect(try AlertFeedAddress("child", asker: carer).recipient == "child")
        #expect(try AlertFeedAddress("", asker: carer).recipient == "ann")
    }
}
