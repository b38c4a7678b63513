import ActionLibrary
import Messages
import RoutineDay
import ServiceRuntime

/// Handles the actions that a person has in addition to those of the library.
enum OwnActionHandling {
    static var handlers: [MessageHandler] {
        [
            .command(keep, .person),
            .command(forget, .person),
            .query(list, .account),
        ]
    }

    static func keep(_ command: KeepAction, in transaction: Transaction) throws -> OwnAction {
        let person = try transaction.person(command.person, toChange: true).account
        guard var action = command.action else { throw Refusal.invalid("send the action") }
        action.library = ""
        var own = OwnAction(id: "\(transaction.id)", action: action)
        let present = try OwnAction.named(own.key, of: person, transaction.db)
        if let present {
            own.id = present.id
            action = action.completed(by: present.action)
        }
        if let sent = command.picture {
            action.picture = try OwnPictures.keep(sent, of: person, in: transaction)
        } else if command.withoutPicture {
            action.picture = []
        }
        try OwnPictures.require(action.picture, of: person, in: transaction)
        action = try action.checked()
        own.action = action
        if present == nil {
            let count = try OwnAction.all(of: person, transaction.db).count
            guard count < RoutineLimits.ownActions else {
                throw Refusal.conflict(
                    "there are \(count) own actions already; remove one that is not used")
            }
        }
        try own.save(of: person, transaction.db)
        if action.picture != present?.action?.picture ?? [] {
            try showPicture(of: action, of: person, in: transaction)
        }
        return own
    }

    /// Shows an action's picture in the person's routines too.
    private static func showPicture(
        of action: RoutineAction, of person: String, in transaction: Transaction
    ) throws {
        let keys = [action.measureKey, LibraryAction.named(action.name)?.key]
        var changed: [Routine] = []
        for var routine in try Routine.all(of: person, transaction.db) {
            let before = routine.actions
            for index in before.indices where keys.contains(before[index].measureKey) {
                routine.actions[index].picture = action.picture
            }
            guard routine.actions != before else { continue }
            routine.noteChange(after: routine.changed, in: transaction)
            changed.append(routine)
        }
        try RoutineHandling.requireRoom(for: changed, of: person, in: transaction)
        for routine in changed { try routine.save(of: person, transaction.db) }
    }

    static func forget(_ command: ForgetAction, in transaction: Transaction) throws -> OwnAction {
        let person = try transaction.person(command.person, toChange: true).account
        guard let own = try OwnAction.named(command.action, of: person, transaction.db) else {
            throw Refusal.notFound("there is no own action “\(command.action.prefix(100))”")
        }
        try own.delete(transaction.db)
        return own
    }

    static func list(
        _ query: ListOwnActions, in transaction: Transaction
    ) throws -> Messages.OwnActions {
        let person = try transaction.person(query.person, toChange: false).account
        return Messages.OwnActions(actions: try OwnAction.all(of: person, transaction.db))
    }
}
