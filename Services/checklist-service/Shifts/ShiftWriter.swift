import Messages
import ServiceRuntime
import ShiftLog

/// Writes the log of a shift: its state, the archive and the event, in one transaction.
struct ShiftWriter {
    /// The state of the shift.
    private(set) var state: ShiftState
    private var row: ShiftRow
    private var archive: ArchiveEnd
    private var taken: [ShiftOperation] = []
    private let asker: String
    private let transaction: Transaction

    init(_ row: ShiftRow, in transaction: Transaction) throws {
        self.row = row
        self.transaction = transaction
        state = try row.takeState(transaction.db)
        archive = try ArchiveEnd.of(row.shift.site, transaction.db)
        asker = try transaction.askerName()
    }

    /// Adds an operation in the asker's name, with the next sequence.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - sentAt: the device's clock when it was sent, in milliseconds since 1970; 0 if no device
    ///     said that.
    /// - Returns: the operation as stored, and whether it contradicts something its author could
    ///   not know.
    @discardableResult
    mutating func add(
        _ operation: ShiftOperation, sentAt: Int64 = 0
    ) throws -> (operation: ShiftOperation, isContradiction: Bool) {
        var operation = operation
        operation.shift = row.shift.id
        operation.actor = transaction.principal.account
        operation.actorName = asker
        operation.time = transaction.now
        operation.doneAt = state.made(operation, sentAt: sentAt, now: transaction.now)
        operation.late = !state.isOpen
        operation.sequence = archive.sequence + 1
        state.apply(operation)
        let isContradiction = state.isContradiction(operation.id)
        try archive.append(operation, isContradiction: isContradiction, transaction.db)
        taken.append(operation)
        try PhotoStore.name(
            operation.photos, for: row.shift.id, at: row.shift.site, time: transaction.now,
            transaction.db)
        return (operation, isContradiction)
    }

    /// Saves and publishes what was added, and settles the alerts.
    ///
    /// - Returns: the shift afterwards.
    mutating func finish() throws -> ShiftRow {
        // Keep the state unless something of another shift is newer at the site.
        defer { if archive.sequence == row.head { OpenShifts.shared.put(state, archive.hash) } }
        guard !taken.isEmpty else { return row }
        try archive.save(transaction.db)
        row.head = archive.sequence
        row.shift.ended = state.shift.ended
        try row.save(transaction.db)
        let event = ShiftAdvanced(shift: row.shift.id, site: row.shift.site, operations: taken)
        try transaction.publish(event, subject: row.shift.id)
        try Reminders.settle(row, state, in: transaction)
        return row
    }
}
