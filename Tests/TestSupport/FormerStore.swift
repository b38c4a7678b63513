import Bus
import Messages

extension System {
    /// Removes the table of standing alerts from a store whose service isn't running, as if an
    /// earlier version had written the store.
    ///
    /// - Parameters:
    ///   - service: the service.
    ///   - migration: the name of the service's migration that moves its alerts into that table.
    ///   - sql: statements that store the alerts as that version did.
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

    /// Returns the alerts that a service has published, in order.
    public func raised(by service: ServiceName) throws -> [AlertRaised] {
        try published(by: service).filter { $0.type == AlertRaised.protobufName }
            .map { try AlertRaised(unpacking: $0.data) }
    }

    /// Returns the alerts in a service's snapshot, in order of their keys.
    public func raisedInSnapshot(of service: ServiceName) throws -> [AlertRaised] {
        let page = try client(of: service).replay(Replay(epoch: 1, limit: 500))
        return try page.events.map { try Envelope(unpacking: $0) }
            .filter { $0.type == AlertRaised.protobufName }
            .map { try AlertRaised(unpacking: $0.data) }.sorted { $0.key < $1.key }
    }
}
