import Bus
import Foundation
import Messages

/// The account on whose behalf a message is handled, and what it may do.
public struct Principal: Sendable, Hashable {
    /// How the sender was identified.
    public enum Kind: Sendable, Hashable {
        /// By the directory of the bus, which only the owner of the machine account may enter.
        case machineOwner
        /// As this process: an event, a timer or the result of its own work.
        case system
        /// By an access token.
        case account
        /// Not at all.
        case anonymous
    }

    /// How the sender was identified.
    public let kind: Kind
    /// The account's id; for the machine owner, the name of the machine account.
    public let account: String
    /// The account's name, for people.
    public let name: String
    /// The organisation that the account belongs to.
    public let organisation: String
    /// The roles that the account holds, and where.
    public let grants: [Grant]
    /// The accounts in its care, for which it may act.
    public let caresFor: [String]
    /// The session of its token; empty without one.
    public let session: String
    /// The owner of the key that the message came with; nil on a bus without keys, and when there
    /// is no message.
    public private(set) var peer: Peer?

    private init(
        _ kind: Kind, account: String, name: String, organisation: String, grants: [Grant] = [],
        caresFor: [String] = [], session: String = ""
    ) {
        self.kind = kind
        self.account = account
        self.name = name
        self.organisation = organisation
        self.grants = grants
        self.caresFor = caresFor
        self.session = session
    }

    /// Makes the account that a token describes. The caller has verified the token.
    init(_ claims: Claims) {
        self.init(
            .account, account: claims.account, name: claims.name,
            organisation: claims.organisation, grants: claims.grants, caresFor: claims.caresFor,
            session: claims.session)
    }

    /// Makes an account as its token would describe it, for the tests of rules.
    public static func account(
        _ id: String, organisation: String, grants: [Grant] = [], caresFor: [String] = []
    ) -> Principal {
        Principal(
            .account, account: id, name: id, organisation: organisation, grants: grants,
            caresFor: caresFor)
    }

    /// The organisation of an installation that has no accounts of its own.
    public static let localOrganisation = "local"

    /// The owner of the machine account that runs this process. In the local default everyone who
    /// reaches the bus is that owner, because nobody else may enter its directory.
    public static let machineOwner: Principal = {
        let entry = getpwuid(geteuid())
        let name = entry.map { String(cString: $0.pointee.pw_name) } ?? "owner"
        return Principal(
            .machineOwner, account: name, name: name, organisation: localOrganisation,
            grants: [Grant(role: .owner)])
    }()

    /// The process itself, acting on an event, a timer or the result of its own work.
    public static let system = Principal(
        .system, account: "system", name: "system", organisation: localOrganisation)

    /// Someone who sent no token where one is needed.
    public static let anonymous = Principal(
        .anonymous, account: "", name: "", organisation: "")

    /// True when the account holds a role, or one above it, at a site and in an area of its
    /// organisation. An empty site means the whole organisation, an empty area the whole site.
    public func holds(_ role: Role, at site: String, area: String = "") -> Bool {
        grants.contains { grant in
            grant.role.reaches(role) && (grant.site.isEmpty || grant.site == site)
                && (grant.area.isEmpty || grant.area == area)
        }
    }

    /// True when the account holds a role, or one above it, anywhere.
    public func holdsSomewhere(_ role: Role) -> Bool { grants.contains { $0.role.reaches(role) } }

    /// True when the principal may see and change what belongs to an account: its own or one in its
    /// care. The machine owner and the process itself may act for everyone.
    public func mayActFor(_ account: String) -> Bool {
        switch kind {
        case .machineOwner, .system: true
        case .account: account == self.account || caresFor.contains(account)
        case .anonymous: false
        }
    }

    /// The name under which replies to its commands are kept. A command's id may be the id of what
    /// it created, which others see, so nobody gets a reply that was kept under another name. No
    /// account has the name used for unidentified senders.
    var asker: String {
        switch kind {
        case .account: account
        case .anonymous: "anonymous at \(peer?.name ?? "")"
        case .machineOwner, .system: ""
        }
    }

    /// The same principal, with the key that its message came with.
    func coming(from peer: Peer?) -> Principal {
        guard peer != self.peer else { return self }
        var principal = self
        principal.peer = peer
        return principal
    }
}

extension Role {
    /// True when someone with this role may do what the other role permits. A role that this build
    /// does not know permits nothing.
    public func reaches(_ other: Role) -> Bool {
        guard let own = Self.ladder.firstIndex(of: self),
            let needed = Self.ladder.firstIndex(of: other)
        else { return false }
        return own >= needed
    }

    private static let ladder: [Role] = [
        .display, .crew, .shiftManager, .siteManager, .supervisor, .administrator, .owner,
    ]

    /// The role's name in a sentence.
    public var words: String {
        switch self {
        case .shiftManager: "shift manager"
        case .siteManager: "site manager"
        default: description
        }
    }
}
