import Checksum
import Messages
import Phrases
import ServiceRuntime
import ShiftLog

/// The to-dos that outlast a shift: what it left open is kept for the next one, and can be changed
/// in between.
enum Handover {
    static var handlers: [MessageHandler] {
        [
            .query(list, .role(minimum: .crew, at: .site)),
            .command(change, .role(minimum: .shiftManager, at: .site)),
        ]
    }

    /// The maximum number of to-dos that a site keeps while no shift is open. What shifts leave
    /// open is kept beyond it.
    static let most = 1_000
    /// The maximum size in bytes of the to-dos that a shift begins with, so that they fit into a
    /// message. The others wait for the next one.
    static let mostBytes = 400 << 10

    // MARK: While no shift is open

    static func list(
        _ query: ListStandingTodos, in transaction: Transaction
    ) throws -> StandingTodos {
        let row = try transaction.site(query.site, forAnyArea: .crew)
        try requireClosed(row, in: transaction)
        let settings = try SiteSettings.of(row.site.id, transaction.db)
        return StandingTodos(
            place: Shift(
                organisation: row.organisation, site: row.site.id, siteName: row.site.name,
                timeZone: row.site.timeZone, settings: settings.packed(), areas: row.areas),
            todos: try fitting(StandingTodo.all(at: row.site.id, transaction.db)))
    }

    static func change(
        _ command: ChangeStandingTodo, in transaction: Transaction
    ) throws -> CarriedTodo {
        let row = try transaction.site(command.site, for: .shiftManager)
        try requireClosed(row, in: transaction)
        let settings = try SiteSettings.of(row.site.id, transaction.db)
        var todo: CarriedTodo
        let deed = try deed(in: transaction)
        switch command.change {
        case .add(let content): todo = try added(content, at: row, settings, deed, in: transaction)
        case .mark(let mark):
            todo = try self.todo(mark.todo, at: row, in: transaction)
            try todo.mark(mark.mark, deed)
        case .note(let note):
            todo = try self.todo(note.todo, at: row, in: transaction)
            try todo.note(note.text, deed)
        case .edit(let change):
            todo = try self.todo(change.todo, at: row, in: transaction)
            try change.validate(in: settings)
            todo.change(change)
        case nil: throw Refusal.invalid("the command changes nothing that this version knows")
        }
        try keep(todo, at: row.site.id, isArchived: false, in: transaction)
        return todo
    }

    private static func added(
        _ content: AddTodo, at row: SiteRow, _ settings: SiteSettings, _ deed: TodoDeed,
        in transaction: Transaction
    ) throws -> CarriedTodo {
        try content.validateTexts()
        try content.validatePlace(in: settings, areas: row.areas)
        try content.requirePhotos(at: row.site.id, transaction)
        guard try StandingTodo.count(at: row.site.id, transaction.db) < most else {
            throw Refusal.conflict(
                "\(most) to-dos are waiting for the next shift; begin one and complete some")
        }
        var content = content
        let note = content.note
        (content.note, content.travelPath) = ("", [])
        let kept = try StandingTodo.all(at: row.site.id, transaction.db)
        content.number = try number(at: row.site.id, in: transaction) { number in
            kept.contains { $0.content.number == number }
        }
        var todo = CarriedTodo(
            id: "\(transaction.id)", content: content, made: deed, mark: .open)
        if !note.isEmpty { try todo.note(note, deed) }
        return todo
    }

    private static func requireClosed(_ row: SiteRow, in transaction: Transaction) throws {
        if let open = try ShiftRow.open(at: row.site.id, transaction.db) {
            throw Refusal.conflict(
                "the to-dos of “\(row.site.name)” are in the shift that is open since "
                    + "\(open.shift.date); change them there")
        }
    }

    private static func todo(
        _ id: String, at row: SiteRow, in transaction: Transaction
    ) throws -> CarriedTodo {
        guard let todo = try StandingTodo.ofID(id, at: row.site.id, transaction.db) else {
            throw Refusal.notFound("there is no to-do “\(id.prefix(100))”")
        }
        return todo
    }

    private static func deed(in transaction: Transaction) throws -> TodoDeed {
        TodoDeed(
            account: transaction.principal.account, name: try transaction.askerName(),
            time: transaction.now)
    }

    private static func keep(
        _ todo: CarriedTodo, at site: String, isArchived: Bool = true, in transaction: Transaction
    ) throws {
        try StandingTodo.keep(todo, at: site, isArchived: isArchived, transaction.db)
        try PhotoStore.name(
            todo.photos, for: site, at: site, time: transaction.now, transaction.db)
        try transaction.publish(StandingTodoChanged(site: site, todo: todo), subject: todo.id)
    }

    // MARK: From shift to shift

    /// What a shift that ends now leaves open, with the numbers that it has from then on.
    static func handedOver(
        by state: ShiftState, in transaction: Transaction
    ) throws -> [CarriedTodo] {
        try state.handedOver {
            try number(at: state.shift.site, in: transaction, except: state.numbers.contains)
        }
    }

    /// A number for a to-do from the service's own block.
    ///
    /// - Parameter isTaken: returns true for a number that a to-do has: one that came without a
    ///   number has the lowest free one, from any block.
    private static func number(
        at site: String, in transaction: Transaction, except isTaken: (UInt32) -> Bool
    ) throws -> UInt32 {
        while true {
            let number = try NumberBlock.next(at: site, transaction.db)
            guard number != 0, isTaken(number) else { return number }
        }
    }

    /// Keeps what an ended shift leaves open.
    static func keep(
        _ todos: [CarriedTodo], at site: String, in transaction: Transaction
    ) throws {
        for todo in todos { try keep(todo, at: site, in: transaction) }
    }

    /// The to-dos with which a shift begins; they are then in its log alone. A completed one is
    /// among them if no log says yet who completed it.
    static func takeOver(at site: String, in transaction: Transaction) throws -> [CarriedTodo] {
        try StandingTodo.forgetArchived(at: site, transaction.db)
        let todos = fitting(try StandingTodo.all(at: site, transaction.db))
        for todo in todos { try StandingTodo.forget(todo.id, at: site, transaction.db) }
        return todos
    }

    /// Passes on what was done to to-dos in a shift after its end: to the shift that is open now,
    /// or to those who begin the next one. The open shift may have left some to-dos for the next.
    ///
    /// - Parameters:
    ///   - operations: the operations that came late, as they were recorded.
    ///   - ended: the state of their shift with them.
    ///   - transaction: the transaction that recorded them.
    static func follow(
        _ operations: [ShiftOperation], in ended: ShiftState, _ transaction: Transaction
    ) throws {
        let changed = operations.filter { $0.late && $0.todo != nil }
        guard !changed.isEmpty else { return }
        let late = LateTodos(sealed: ended, now: ended.withLateTodos())
        let site = ended.shift.site
        guard let row = try ShiftRow.open(at: site, transaction.db) else {
            return try keep(changed, late, in: transaction)
        }
        let waiting = try changed.filter { operation in
            guard let todo = operation.todo.flatMap(late.now.todo) else { return false }
            let id = late.now.carriedID(of: todo.id)
            return try StandingTodo.ofID(id, at: site, transaction.db) != nil
        }
        try keep(waiting, late, in: transaction)
        var writer = try ShiftWriter(row, in: transaction)
        try bring(changed.filter { !waiting.contains($0) }, late, to: &writer, in: transaction)
        _ = try writer.finish()
    }

    /// Keeps what late operations do to to-dos, while no shift is open.
    private static func keep(
        _ operations: [ShiftOperation], _ late: LateTodos, in transaction: Transaction
    ) throws {
        let site = late.now.shift.site
        var whole: Set<String> = []
        for operation in operations {
            guard let todo = operation.todo.flatMap(late.now.todo) else { continue }
            let id = late.now.carriedID(of: todo.id)
            guard !whole.contains(id) else { continue }
            var kept = try StandingTodo.ofID(id, at: site, transaction.db)
            if kept == nil {
                kept = try late.carried(todo) {
                    try number(at: site, in: transaction, except: late.now.numbers.contains)
                }
                whole.insert(id)
            } else if let change = kept.flatMap({ late.change(operation, of: todo, to: $0) }) {
                kept?.follow(change, operation)
            }
            if let kept { try keep(kept, at: site, in: transaction) }
        }
    }

    /// Writes what late operations do to to-dos into the log of the shift that is open now.
    private static func bring(
        _ operations: [ShiftOperation], _ late: LateTodos, to writer: inout ShiftWriter,
        in transaction: Transaction
    ) throws {
        let site = late.now.shift.site
        // Their authors could know what the shift began with, but nothing that was done in it.
        let seen = writer.state.log.first?.sequence ?? 0
        let begun = writer.state.log.first?.begun?.todos ?? []
        var whole: Set<String> = []
        for operation in operations {
            guard let todo = operation.todo.flatMap(late.now.todo) else { continue }
            let id = late.now.carriedID(of: todo.id)
            guard !whole.contains(id) else { continue }
            var change = operation.change?.about(todo: id)
            let present = writer.state.todo(id)
            if present?.mark == .open, let carried = begun.first(where: { $0.id == id }) {
                change = late.change(operation, of: todo, to: carried)
            } else if present == nil {
                let numbers = writer.state.numbers
                change = try late.carried(todo) {
                    try number(at: site, in: transaction, except: numbers.contains)
                }.map { .carry(CarryTodo(todo: $0)) }
                whole.insert(id)
            }
            guard let change else { continue }
            try writer.add(
                ShiftOperation(
                    id: Array(Checksum.of(operation.id, Array("carried".utf8)).prefix(16)),
                    deviceTime: operation.made, seen: seen, change: change))
        }
    }

    /// As many to-dos as fit into a message, the oldest first.
    static func fitting(_ todos: [CarriedTodo]) -> [CarriedTodo] {
        var bytes = 0
        return Array(
            todos.prefix(most).prefix { todo in
                bytes += todo.packed().count + 8
                return bytes <= mostBytes
            })
    }

    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try StandingTodo.each(in: transaction) { site, todo in
            try receiver(StandingTodoChanged(site: site, todo: todo), todo.id)
        }
    }
}

extension ShiftOperation {
    /// The id of the to-do that it adds or changes; nil for any other operation.
    fileprivate var todo: String? {
        switch change {
        case .addTodo: MessageID(bytes: id)?.description
        case .markTodo(let mark): mark.todo
        case .noteTodo(let note): note.todo
        case .changeTodo(let change): change.todo
        default: nil
        }
    }

    /// What a shift begins with; nil for any other operation.
    fileprivate var begun: ShiftBegun? {
        guard case .begun(let begun) = change else { return nil }
        return begun
    }
}

extension ShiftOperation.Change {
    /// The same change to a to-do that has another id now.
    fileprivate func about(todo id: String) -> Self? {
        switch self {
        case .markTodo(let mark): .markTodo(MarkTodo(todo: id, mark: mark.mark))
        case .noteTodo(let note): .noteTodo(NoteTodo(todo: id, text: note.text))
        case .changeTodo(let change):
            .changeTodo(
                ChangeTodo(
                    todo: id, assignee: change.assignee, due: change.due,
                    priority: change.priority, neverDue: change.neverDue))
        default: nil
        }
    }
}

/// The to-dos of an ended shift, at its end and with what came late.
private struct LateTodos {
    let sealed: ShiftState
    let now: ShiftState

    /// A to-do that its shift hasn't handed over, with all that was done to it; nil if it isn't
    /// open. One that was open at the end was handed over, so a device that no longer has it has
    /// completed it.
    func carried(_ todo: Todo, number: () throws -> UInt32) rethrows -> CarriedTodo? {
        guard todo.mark == .open, sealed.todo(todo.id)?.mark != .open else { return nil }
        return now.carried(
            todo, number: todo.task == nil ? UInt32(clamping: todo.number) : try number())
    }

    /// What a late operation changes in a to-do that was handed over. If it completes or removes
    /// one that was opened again since, which its author couldn't know, it only adds a note: a
    /// to-do that is open without need is an annoyance, one that vanishes is a danger.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - todo: the to-do in its shift.
    ///   - carried: the to-do as it was handed over, with what was done to it since.
    func change(
        _ operation: ShiftOperation, of todo: Todo, to carried: CarriedTodo
    ) -> ShiftOperation.Change? {
        let change = operation.change?.about(todo: carried.id)
        guard case .markTodo(let mark) = change, isOpenedAgain(carried, todo) else {
            return change
        }
        let phrase: PaperPhrase
        switch mark.mark {
        case .done: phrase = .todoDoneLate
        case .removed: phrase = .todoRemovedLate
        default: return change
        }
        let words = Words<PaperPhrase>(Language.of(now.language))
        return .noteTodo(NoteTodo(todo: carried.id, text: words.say(phrase)))
    }

    /// True if a to-do was opened again after it had been handed over. What came late from its own
    /// shift is weighed by the state of that shift.
    private func isOpenedAgain(_ carried: CarriedTodo, _ todo: Todo) -> Bool {
        guard carried.mark == .open, let marked = carried.marked else { return false }
        let isOfShift = now.log.contains { operation in
            guard case .markTodo(let mark) = operation.change else { return false }
            return mark.todo == todo.id && mark.mark == .open && operation.time == marked.time
                && operation.actor == marked.account
        }
        return !isOfShift || todo.mark == .open
    }
}

extension CarriedTodo {
    /// Ticks, unticks, removes or restores it.
    fileprivate mutating func mark(_ mark: TodoMark, _ deed: TodoDeed) throws(Refusal) {
        guard [.open, .done, .removed].contains(mark) else {
            throw .invalid("a to-do is marked open, done or removed")
        }
        guard mark != self.mark else { return }
        (self.mark, marked) = (mark, deed)
    }

    /// Adds a note, if it fits.
    fileprivate mutating func note(_ text: String, _ deed: TodoDeed) throws(Refusal) {
        try validateText(text, "a note", 1...1_000)
        var deed = deed
        deed.text = text
        guard packed().count + deed.packed().count <= Handover.mostBytes / 4 else {
            throw .conflict("the to-do has no room for more notes; begin a shift to write more")
        }
        notes.append(deed)
    }

    /// Applies a late operation. A note for which there is no room stays in the log of its shift.
    fileprivate mutating func follow(
        _ change: ShiftOperation.Change, _ operation: ShiftOperation
    ) {
        let deed = TodoDeed(
            account: operation.actor, name: operation.actorName, time: operation.time)
        do {
            switch change {
            case .markTodo(let mark): try self.mark(mark.mark, deed)
            case .noteTodo(let note): try self.note(note.text, deed)
            case .changeTodo(let change): self.change(change)
            default: break
            }
        } catch { return }
    }

    /// Changes who does it, by when, or its priority.
    fileprivate mutating func change(_ change: ChangeTodo) {
        if let assignee = change.assignee { content.assignee = assignee }
        if change.due != 0 || change.neverDue { content.due = change.due }
        if !change.priority.isEmpty { content.priority = change.priority }
    }
}
