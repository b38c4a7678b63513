import Messages

/// Who may send messages of one type. The handler itself decides about the site or the account that
/// a message is about, see ``Transaction/require(_:at:area:)`` and ``Principal/mayActFor(_:)``.
public enum Access: Sendable, Hashable {
    /// Where a role must be held.
    public enum Place: Sendable, Hashable {
        /// In the whole organisation.
        case organisation
        /// At some site at least, or in an area of it.
        case site
    }

    /// Everyone, even without a token.
    case anyone
    /// Only services, for the messages by which they follow each other's events. On a bus with
    /// keys, the key shows who is a service; without keys, anyone who can reach the bus may read
    /// the events too.
    case service
    /// Every account, including that of a wall display.
    case account
    /// Every account except those of wall displays.
    case person
    /// Accounts that hold a role, or one above it.
    case role(minimum: Role, at: Place)
    /// Only a worker of this very process.
    case worker

    /// True when `principal` may send such a message.
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

    /// The refusal that says what `principal` lacks.
    func refusal(of principal: Principal) -> Refusal {
        switch self {
        case .role(let role, let place):
            let place = place == .site ? "at a site" : "in the organisation"
            return .lacking(role, place)
        case .worker: return .forbidden("only a worker of this service may do this")
        case .service: return .forbidden("only a service may do this")
        case .person where principal.kind == .account:
            return .forbidden("a display may not do this")
                .because(.displayDenied)
        case .anyone, .account, .person:
            return .forbidden("this needs an account; log in with steward login")
                .because(.accountNeeded)
        }
    }

    /// The owner of the installation, for stores whose contents may belong to any organisation.
    public static let owner = Access.role(minimum: .owner, at: .organisation)
}

extension Transaction {
    /// Refuses a principal that does not hold a role, or one above it, at a site and in an area.
    public func require(_ role: Role, at site: String, area: String = "") throws(Refusal) {
        guard principal.kind != .system, !principal.holds(role, at: site, area: area) else {
            return
        }
        let place = site.isEmpty ? "in the organisation" : "at the site"
        throw .lacking(role, place)
    }
}

extension Refusal {
    /// The refusal for want of a role.
    public static func lacking(_ role: Role, _ place: String) -> Refusal {
        Refusal.forbidden("this needs the role \(role.words) \(place)")
            .because(.roleLacking, of: "\(role)")
    }
}
