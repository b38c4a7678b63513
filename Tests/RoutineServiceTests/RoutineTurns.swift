import Bus
import GRDB
import Messages
import TestSupport

@testable import RoutineService
@testable import ServiceRuntime

/// A real store in memory, and transactions in it without a process of the service.
struct RoutineTurns {
    private let system: System
    private let queue: DatabaseQueue

    init() throws {
        system = try System()
        queue = try DatabaseQueue()
        try Store.migrate(queue, "memory", RoutineStore.migrator, 1)
    }

    /// Runs a transaction of the owner of the machine at a time, in milliseconds since 1970.
    func run<R>(at now: Int64, _ body: (Transaction) throws -> R) throws -> R {
        let configuration = try Bus.Configuration(environment: system.environment())
        return try queue.write { db in
            let turn = Turn(
                service: .routine, ledger: try Ledger(db), timers: Timers(),
                configuration: configuration)
            let id = turn.ids.next(at: now)
            return try body(
                Transaction(
                    db: db, now: now, principal: .machineOwner, id: id, correlation: id,
                    turn: turn))
        }
    }
}
