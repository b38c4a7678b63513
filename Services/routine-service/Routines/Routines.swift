import Messages
import RoutineDay
import ServiceRuntime

/// Handles a person's routines: stores, deletes, restores and lists them.
enum RoutineHandling {
    static var handlers: [MessageHandler] {
        [
            .command(keep, .person),
            .command(delete, .person),
            .command(restore, .person),
            .query(list, .account),
        ]
    }

    /// The maximum size of a person's routines in bytes, so that they fit into one message.
    static let mostBytes = 800_000

    /// How long a deleted routine can be restored: 30 days, in milliseconds.
    static let memory: Int64 = 30 * 24 * 3_600_000

    static func keep(_ command: KeepRoutine, in transaction: Transaction) throws -> Routine {
        let person = try transaction.person(command.person, toChange: true).account
        guard let sent = command.routine else { throw Refusal.invalid("send the routine") }
        var routine = try sent.tidied { name in
            try OwnAction.named(name, of: person, transaction.db)?.action
        }
        var before: Int64 = 0
        if routine.id.isEmpty {
            routine.id = "\(transaction.id)"
        } else {
            guard
                let present = try Routine.named(routine.id, of: person, transaction.db),
                present.id == routine.id
            else { throw Refusal.noRoutine(routine.id) }
            // Replacing a routine unseen would undo what someone else has just changed.
            guard sent.changed == 0 || sent.changed == present.changed else {
                throw Refusal.changedSince("the routine")
            }
            before = present.changed
        }
        if let picture = command.picture {
            routine.picture = try OwnPictures.keep(picture, of: person, in: transaction)
        }
        for checksum in Set(routine.actions.map(\.picture) + [routine.picture]) {
            try OwnPictures.require(checksum, of: person, in: transaction)
        }
        try requireFree(routine, of: person, in: transaction)
        routine.noteChange(after: before, in: transaction)
        routine.deleted = 0
        try requireRoom(for: [routine], of: person, in: transaction)
        try routine.save(of: person, transaction.db)
        return routine
    }

    static func delete(_ command: DeleteRoutine, in transaction: Transaction) throws -> Routine {
        let person = try transaction.person(command.person, toChange: true).account
        var routine = try transaction.routine(command.routine, of: person)
        routine.deleted = transaction.now
        try routine.save(of: person, transaction.db)
        try Routine.forget(
            of: person, deletedBefore: transaction.retentionTime - memory, transaction.db)
        return routine
    }

    static func restore(_ command: RestoreRoutine, in transaction: Transaction) throws -> Routine {
        let person = try transaction.person(command.person, toChange: true).account
        guard
            var routine = try Routine.deleted(command.routine, of: person, transaction.db),
            transaction.now - routine.deleted <= memory
        else {
            throw Refusal.notFound(
                command.routine.isEmpty
                    ? "no routine was deleted in the last 30 days"
                    : "no routine “\(command.routine.prefix(100))” was deleted in the last 30 days")
        }
        routine.deleted = 0
        try requireFree(routine, of: person, in: transaction)
        try requireRoom(for: [routine], of: person, in: transaction)
        try routine.save(of: person, transaction.db)
        return routine
    }

    static func list(_ query: ListRoutines, in transaction: Transaction) throws -> Messages.Routines
    {
        let person = try transaction.person(query.person, toChange: false).account
        let routines = try Routine.all(of: person, after: query.after, transaction.db)
        var page = Page<Routine>(limit: .max, bytes: mostBytes)
        for routine in routines {
            guard page.add(routine, bytes: routine.packed().count) else { break }
        }
        let isMore = page.rows.count < routines.count
        return Messages.Routines(
            routines: page.rows, next: isMore ? page.rows.last?.name ?? "" : "")
    }

    /// Refuses routines with which a person would have more than is kept. They are new, or replace
    /// those with the same ids. If there is too much already, it may still become less.
    static func requireRoom(
        for routines: [Routine], of person: String, in transaction: Transaction
    ) throws {
        let present = try Routine.all(of: person, transaction.db)
        let ids = Set(routines.map(\.id))
        let all = present.filter { !ids.contains($0.id) } + routines
        guard all.count <= max(RoutineLimits.routines, present.count) else {
            throw Refusal.conflict(
                "there are \(present.count) routines already; delete one that is not used")
        }
        func size(_ routines: [Routine]) -> Int { routines.reduce(0) { $0 + $1.packed().count } }
        let bytes = size(all)
        guard bytes <= mostBytes || bytes <= size(present) else {
            throw Refusal.conflict("the routines are full; delete one that is not used")
        }
    }

    /// Refuses a name that another routine of the person has.
    private static func requireFree(
        _ routine: Routine, of person: String, in transaction: Transaction
    ) throws {
        let other = try Routine.named(routine.name, of: person, transaction.db)
        guard other == nil || other?.id == routine.id else {
            throw Refusal.conflict(
                "there is a routine “\(routine.name)” already; choose another name")
        }
    }
}

extension Routine {
    /// Records who changes it, and when. Each change has a later time than the one before, so the
    /// time identifies the version that somebody has seen.
    ///
    /// - Parameters:
    ///   - before: the time of the change before, in milliseconds since 1970; 0 for none.
    ///   - transaction: the transaction that changes it.
    mutating func noteChange(after before: Int64, in transaction: Transaction) {
        changed = max(transaction.now, before + 1)
        changedBy = transaction.principal.name
    }
}

extension Transaction {
    /// Returns a person's routine with a name or an id.
    func routine(_ name: String, of person: String) throws -> Routine {
        guard !name.isEmpty else { throw Refusal.invalid("name the routine") }
        guard let routine = try Routine.named(name, of: person, db) else {
            throw Refusal.noRoutine(name)
        }
        return routine
    }
}

extension Refusal {
    /// The refusal for a routine that doesn't exist or that the caller may not see.
    static func noRoutine(_ name: String) -> Refusal {
        .notFound("there is no routine “\(name.prefix(100))”; see steward routine list")
    }
}
