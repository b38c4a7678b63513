import Bus
import Messages

extension System {
    /// Takes the table of standing alerts away from a store whose service is not running, as if an
    /// earlier version had written it.
    ///
    /// - Parameters:
    ///   - migration: the name of the service's migration by which it came.
    ///   - sql: what puts the alerts where that version kept them.
    public func forgetStandingAlerts(
        of service: ServiceName, migration: String, _ sql: String
    ) throws {
        try edit(
            service,
            """
            \(sql);
            DROP TABLE standingAlert;
            DELETE FROM grdb_migrations
            WHERE identifier IN ('steward: standing alerts', '\(migration)');
            """)
    }

    /// The alerts that a service has published, in order.
    public func raised(by service: ServiceName) throws -> [AlertRaised] {
        try published(by: service).filter { $0.type == AlertRaised.protobufName }
            .map { try AlertRaised(unpacking: $0.data) }
    }

    /// The alerts of a service's snapshot, in order of their keys.
    public func raisedInSnapshot(of service: ServiceName) throws -> [AlertRaised] {
        let page = try client(of: service).replay(Replay(epoch: 1, limit: 500))
        return try page.events.map { try Envelope(unpacking: $0) }
            .filter { $0.type == AlertRaised.protobufName }
            .map { try AlertRaised(unpacking: $0.data) }.sorted { $0.key < $1.key }
    }
}
