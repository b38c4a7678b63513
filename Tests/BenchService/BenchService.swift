import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime

/// A service that does the minimum of a durable command: it changes one row, publishes one event,
/// and sends one reply. It runs under the name of a real service, so that the notifier follows it:
/// `BENCH_NAME`, or transit-alert-service.
@main struct BenchService: Service {
    static let name: ServiceName =
        ProcessInfo.processInfo.environment["BENCH_NAME"].flatMap { ServiceName(rawValue: $0) }
        ?? .transitAlert
    static let tokenIssuer = ServiceName.account

    static let belongings: [Belonging] = []
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("bench: counters") { db in
            try db.execute(
                sql: """
                    CREATE TABLE counter (
                        id INTEGER NOT NULL PRIMARY KEY, count INTEGER NOT NULL, note TEXT NOT NULL
                    ) STRICT
                    """)
        }
        return migrator
    }

    static var handlers: [MessageHandler] { [.command(raise, .anyone)] }

    /// Does nothing, because no one follows it.
    static func pass(_: Transaction, to _: SnapshotReceiver) {}

    /// Increments the counter that the key begins with, and publishes the alert.
    static func raise(_ command: AlertRaised, in transaction: Transaction) throws -> AlertWithdrawn
    {
        let statement = try transaction.db.cachedStatement(
            sql: """
                INSERT INTO counter (id, count, note) VALUES (?, 1, ?)
                ON CONFLICT DO UPDATE SET count = count + 1, note = excluded.note
                """)
        let number = command.key.prefix { $0 != "/" }
        try statement.execute(arguments: [Int64(number) ?? 0, command.title])
        try transaction.publish(command, subject: command.key)
        return AlertWithdrawn(key: command.key)
    }
}
