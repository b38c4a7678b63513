#if DEBUG
    import Bus
    import GRDB
    import Messages
    @testable import ServiceRuntime
    import TestSupport

    /// The store of a service in memory, in which tests call its functions without a process.
    public struct MemoryStore {
        /// The store.
        public let queue: DatabaseQueue
        /// The installation with its settings.
        public let system: System
        /// Further variables of the service's environment.
        public var settings: [String: String] = [:]
        /// Called with what is reported as put aside.
        public var asideNoted: ((SetAside) -> Void)?
        private let service: ServiceName

        /// Makes an empty store with the runtime's tables and a service's own.
        public init(
            of service: ServiceName, _ migrator: DatabaseMigrator = DatabaseMigrator()
        ) throws {
            self.service = service
            system = try System()
            queue = try DatabaseQueue()
            try Store.migrate(queue, "memory", migrator, 1)
        }

        /// Runs `body` in a transaction, at a time in milliseconds since 1970.
        public func run<R>(
            at now: Int64 = 1_780_300_800_000, as principal: Principal = .machineOwner,
            _ body: (Transaction) throws -> R
        ) throws -> R {
            let configuration = try Bus.Configuration(
                environment: system.environment(adding: settings))
            return try queue.write { db in
                let turn = Turn(
                    service: service, ledger: try Ledger(db), timers: Timers(),
                    configuration: configuration)
                turn.asideNoted = { event, _ in asideNoted?(event) }
                let id = turn.ids.next(at: now)
                return try body(
                    Transaction(
                        db: db, now: now, principal: principal, id: id, correlation: id,
                        turn: turn))
            }
        }
    }
#endif
