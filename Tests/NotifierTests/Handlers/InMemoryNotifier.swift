import Bus
import GRDB
import Messages
import TestSupport

@testable import Notifier
@testable import ServiceRuntime

/// The handlers of the notifier with a store in memory, without the loop that calls them.
struct InMemoryNotifier {
    let system: System
    private let queue: DatabaseQueue

    init() throws {
        system = try System()
        queue = try DatabaseQueue()
        try Store.migrate(queue, "memory", NotifierStore.migrator, 1)
    }

    /// Runs `body` in a transaction of the machine's owner, at a time in milliseconds since 1970.
    func run<R>(at now: Int64, _ body: (Transaction) throws -> R) throws -> R {
        let configuration = try Bus.Configuration(environment: system.environment())
        return try queue.write { db in
            let turn = Turn(
                service: .notifier, ledger: try Ledger(db), timers: Timers(),
                configuration: configuration)
            let id = turn.ids.next(at: now)
            return try body(
                Transaction(
                    db: db, now: now, principal: .machineOwner, id: id, correlation: id,
                    turn: turn))
        }
    }

    /// The alerts of a feed, oldest first.
    func alerts(of recipient: String = Principal.machineOwner.account) throws -> [Alert] {
        let feed = AlertFeedAddress(organisation: "", recipient: recipient)
        return try queue.read { db in
            try Alert.newest(of: feed, openOnly: false, before: "", limit: 100, db).reversed()
        }
    }
}
