/// A socket that a service binds.
public enum EndpointKind: String, CaseIterable, Sendable {
    /// ROUTER: commands, queries and their replies.
    case commands
    /// XPUB: events and heartbeats, for other services.
    case events
    /// XPUB: alerts, for people's programs. Only the notifier binds it.
    case alerts
}
