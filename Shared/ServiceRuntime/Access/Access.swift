import Messages

/// Who may send messages of one type. Which site or whose things a message is about, its handler
/// decides, see ``Transaction/require(_:at:area:)`` and ``Principal/mayActFor(_:)``.
public enum Access: Sendable, Hashable {
    /// Where a role is held.
    public enum Place: Sendable, Hashable {
        /// In the whole organisation.
        case organisation
        /// At a site at least, or in an area of it.
        case site
    }

    /// Everyone, also without a token.
    case anyone
    /// Only services: what they ask of each other to follow events. On a bus with keys the key
    /// tells who is one; without keys everyone who reaches the bus may read the events too.
    case service
    /// Every account, a wall display's too.
    case account
    /// Every account but one that is only a wall display's.
    case person
    /// Accounts that hold a role, or one above it.
    case role(minimum: Role, at: Place)
    /// Only a worker of this very process.
    case worker

    /// True when who asks may send such a message.
    public func allows(_ principal: Principal) -> Bool {
        switch (self, principal.kind) {
        case (.worker, _): principal.kind == .system
        case (_, .system): true
        case (.service, _): principal.peer.map { $0.role == .service } ?? true
        case (_, .machineOwner), (.anyone, _): true
        case (_, .anonymous): false
        case (.account, .account): true
        case (.person, .account): principal.grants.isEmpty || principal.holdsSomewhere(.crew)
        case (.role(let role, .organisation), .account): principal.holds(role, at: "")
        case (.role(let role, .site), .account): principal.holdsSomewhere(role)
        }
    }

    /// What who was refused is missing.
    func refusal(of principal: Principal) -> Refusal {
        switch self {
        case .role(let role, let place):
            let place = place == .site ? "at a site" : "in the organisation"
            return .forbidden("this needs the role \(role.words) \(place)")
        case .worker: return .forbidden("only a worker of this service may do this")
        case .service: return .forbidden("only a service may do this")
        case .person where principal.kind == .account:
            return .forbidden("this needs another role than that of a display")
        case .anyone, .account, .person:
            return .forbidden("this needs an account; log in with steward login")
        }
    }

    /// The owner of the installation: what a store holds may belong to any organisation.
    public static let owner = Access.role(minimum: .owner, at: .organisation)
}

extension Transaction {
    /// Refuses who does not hold a role, or one above it, at a site and in an area.
    public func require(_ role: Role, at site: String, area: String = "") throws(Refusal) {
        guard principal.kind != .system, !principal.holds(role, at: site, area: area) else {
            return
        }
        let place = site.isEmpty ? "in the organisation" : "at the site"
        throw .forbidden("this needs the role \(role.words) \(place)")
    }
}
