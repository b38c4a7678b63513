/// The processes that bind endpoints: the one table from which every address is computed.
///
/// A service is only ever added at the end, because its TCP ports follow from its position.
public enum ServiceName: String, CaseIterable, Sendable, Hashable {
    /// Follows journeys and raises the alert to get off.
    case transitAlert = "transit-alert-service"
    /// Keeps every service's alerts and brings them to people.
    case notifier = "notifier"
    /// Knows who there is and what each may do, and gives the proof of it.
    case account = "account-service"
    /// Keeps the checklists of places that work in shifts, from the template to the archive.
    case checklist = "checklist-service"
    /// Keeps floor plans, and checks whether somebody in a chair can live there.
    case plan = "plan-service"
}

/// The sockets that a service binds.
public enum EndpointKind: String, CaseIterable, Sendable {
    /// ROUTER: commands, queries and their replies.
    case commands
    /// XPUB: events and heartbeats, for other services.
    case events
    /// XPUB: alerts, for people's programs. Only the notifier binds it.
    case alerts

    /// Who is let in, by the role of the key, when the bus is encrypted.
    var roles: Set<KeyRing.Role> {
        switch self {
        case .commands: [.service, .gateway]
        case .events: [.service]
        case .alerts: [.service, .gateway, .display]
        }
    }
}
