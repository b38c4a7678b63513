import Bus
import GRDB
import Messages
import TestSupport

@testable import ChecklistService
@testable import ServiceRuntime

/// A store of the service in memory, in which tests call its functions without a process.
struct TestStore {
    let queue: DatabaseQueue
    private let system: System

    init() throws {
        system = try System()
        queue = try DatabaseQueue()
        try Store.migrate(queue, "memory", ChecklistStore.migrator, 1)
    }

    /// Runs `body` in a transaction of the owner of the machine.
    func run<R>(
        at now: Int64 = 1_780_300_800_000, _ body: (Transaction) throws -> R
    ) throws -> R {
        let configuration = try Bus.Configuration(environment: system.environment())
        return try queue.write { db in
            let turn = Turn(
                service: .checklist, ledger: try Ledger(db), timers: Timers(),
                configuration: configuration)
            let id = turn.ids.next(at: now)
            return try body(
                Transaction(
                    db: db, now: now, principal: .machineOwner, id: id, correlation: id,
                    turn: turn))
        }
    }
}
