#if DEBUG
    import Bus
    import GRDB
    import Messages
    import ServiceRuntime
    @testable import ToyMessages

    /// Publishes the keys, revocations, accounts and alerts that a test sends it, under the name of
    /// the real service.
    struct ToyAccounts: Service {
        static let name = ServiceName.account
        static let tokenIssuer = ServiceName.account

        static let belongings: [Belonging] = []
        static var migrator: DatabaseMigrator { DatabaseMigrator() }
        static var handlers: [MessageHandler] {
            [
                .command(publish, .account), .command(revoke, .account),
                .command(change, .account), .command(raise, .account),
                .command(withdraw, .account),
            ]
        }

        /// Does nothing, because it keeps no state.
        static func pass(_: Transaction, to _: SnapshotReceiver) {}

        static func publish(_ key: KeyPublished, in transaction: Transaction) throws -> Raised {
            try transaction.publish(key, subject: "")
            return Raised()
        }

        static func change(_ event: AccountChanged, in transaction: Transaction) throws -> Raised {
            try transaction.publish(event, subject: event.account.id)
            return Raised()
        }

        static func raise(_ alert: AlertRaised, in transaction: Transaction) throws -> Raised {
            try transaction.publish(alert, subject: alert.key)
            return Raised()
        }

        static func withdraw(_ end: AlertWithdrawn, in transaction: Transaction) throws -> Raised {
            try transaction.publish(end, subject: end.key)
            return Raised()
        }

        static func revoke(_ event: AccessRevoked, in transaction: Transaction) throws -> Raised {
            try transaction.publish(event, subject: event.account)
            return Raised()
        }
    }
#endif
