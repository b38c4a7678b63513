import Messages
import ServiceRuntime
import ShiftLog

extension ShiftOperation {
    /// Refuses an asker who may not do this. Crew members may tick, add and comment on to-dos of
    /// their own areas, and do to the tasks of those areas what the shift manager lets them do;
    /// everything else is for those who lead the shift.
    func requireDoer(in state: ShiftState, _ transaction: Transaction) throws {
        let site = state.shift.site
        guard let area = areaOfCrew(in: state) else {
            return try transaction.require(.shiftManager, at: site)
        }
        guard !transaction.principal.holds(.shiftManager, at: site) else { return }
        try transaction.require(.crew, at: site, area: area)
        switch change {
        case .mark(let mark): try requireLet(mark.list, in: state, transaction)
        case .note(let note): try requireLet(note.list, in: state, transaction)
        default: break
        }
    }

    /// The area whose crew may do this; nil for what only those who lead the shift may do.
    private func areaOfCrew(in state: ShiftState) -> String? {
        switch change {
        case .markTodo(let mark) where mark.mark == .open || mark.mark == .done:
            state.area(ofTodo: mark.todo)
        case .addTodo(let todo): todo.area
        case .noteTodo(let note): state.area(ofTodo: note.todo)
        case .mark(let mark):
            state.lists.task(TaskKey(list: mark.list, task: mark.task))?.task.area
        case .note(let note):
            state.lists.task(TaskKey(list: note.list, task: note.task))?.task.area
        default: nil
        }
    }

    private func requireLet(
        _ list: String, in state: ShiftState, _ transaction: Transaction
    ) throws {
        let account = try Person.ofID(transaction.principal.account, transaction.db)?.account.name
        guard let change, !state.crewMay(change, account: account ?? transaction.principal.name)
        else { return }
        let name = state.lists.template(list)?.name ?? list
        guard state.crewMay(list, account: account ?? "") == .tick else {
            throw Refusal.forbidden(
                "the list “\(name)” is for the shift manager, who can let crew members take part"
            ).because(.crewBarred)
        }
        throw Refusal.forbidden(
            "in the list “\(name)” crew members only tick; the shift manager decides that"
        ).because(.crewTick)
    }

    /// Refuses to let somebody without an account take part.
    func requireKnownAccount(in state: ShiftState, _ transaction: Transaction) throws {
        guard case .letCrew(let change) = change, !change.account.isEmpty else { return }
        let organisation = state.shift.organisation
        guard try Person.named(change.account, of: organisation, transaction.db) != nil else {
            let shown = String(change.account.prefix(100))
            throw Refusal.notFound("there is no account “\(shown)”")
                .because(.accountMissing, of: shown)
        }
    }
}

extension ShiftState {
    /// The area of a to-do, even if it isn't one any more, or is only in the appendix: its author
    /// could not know that. Empty if there never was such a to-do.
    fileprivate func area(ofTodo id: String) -> String {
        if let todo = todo(id) { return todo.area }
        if let added = MessageID(id), case .addTodo(let late) = operation(added.bytes)?.change {
            return late.area
        }
        return TaskKey(todo: id).flatMap(lists.task)?.task.area ?? ""
    }
}
