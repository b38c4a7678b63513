#if DEBUG
    import Bus
    import Foundation
    import GRDB
    import Messages
    import ServiceRuntime
    @testable import ToyMessages

    /// Keeps a list of everything that the toy service has published, and the sums of its accounts.
    /// It runs under the name of a real service.
    struct ToyFollower: Service {
        static let name = ServiceName.notifier
        static let tokenIssuer = ServiceName.account

        static let belongings: [Belonging] = []
        static var migrator: DatabaseMigrator {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("toy: what was seen") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE seen (
                            position INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
                            event TEXT NOT NULL, epoch INTEGER NOT NULL, sequence INTEGER NOT NULL
                        ) STRICT;
                        CREATE TABLE account (
                            name TEXT NOT NULL PRIMARY KEY, balance INTEGER NOT NULL
                        ) STRICT;
                        """)
            }
            return migrator
        }

        static var follows: [ServiceName: [EventHandler]] {
            let note = { (_: any ProtobufMessage, envelope: Envelope, transaction: Transaction) in
                try see(envelope, transaction)
            }
            return [
                .transitAlert: [
                    .init(deposited), .init(muddled),
                    .init { (event: Woke, envelope, transaction) in
                        try note(event, envelope, transaction)
                    },
                    .init { (event: AlertRaised, envelope, transaction) in
                        try note(event, envelope, transaction)
                    },
                    .init { (event: JobChanged, envelope, transaction) in
                        try note(event, envelope, transaction)
                    },
                ]
            ]
        }

        /// Does nothing, because no one follows it.
        static func pass(_: Transaction, to _: SnapshotReceiver) {}

        static func forget(
            _ producer: ServiceName, except present: [Envelope], _ transaction: Transaction
        ) throws {
            let trap = transaction.dataDirectory + "/unforgettable"
            precondition(!FileManager.default.fileExists(atPath: trap), "this is deadly")
            try transaction.db.execute(sql: "DELETE FROM seen; DELETE FROM account")
        }

        static func deposited(
            _ event: Deposited, _ envelope: Envelope, in transaction: Transaction
        ) throws {
            try see(envelope, transaction)
            try transaction.db.execute(
                sql: """
                    INSERT INTO account (name, balance) VALUES (?, ?)
                    ON CONFLICT DO UPDATE SET balance = balance + excluded.balance
                    """,
                arguments: [event.account, event.amount])
        }

        static func muddled(
            _ event: Muddled, _ envelope: Envelope, in transaction: Transaction
        ) throws {
            try see(envelope, transaction)
            let cure = transaction.dataDirectory + "/mended"
            guard FileManager.default.fileExists(atPath: cure) else {
                precondition(event.account != "deadly", "this is deadly")
                throw Refusal.conflict("this event is a muddle")
            }
        }

        private static func see(_ envelope: Envelope, _ transaction: Transaction) throws {
            try transaction.db.execute(
                sql: "INSERT INTO seen (event, epoch, sequence) VALUES (?, ?, ?)",
                arguments: [
                    MessageID(bytes: envelope.id).map { "\($0)" } ?? "",
                    Int64(clamping: envelope.epoch), Int64(clamping: envelope.sequence),
                ])
        }
    }
#endif
