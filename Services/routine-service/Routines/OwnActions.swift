import Messages
import RoutineDay
import ServiceRuntime

/// Handles the actions that a person has in addition to those of the library.
enum OwnActions {
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
        var own = OwnAction(id: "\(transaction.id)", action: try action.checked())
        if let present = try OwnAction.named(own.key, of: person, transaction.db) {
            own.id = present.id
        } else {
            let count = try OwnAction.all(of: person, transaction.db).count
            guard count < RoutineLimits.ownActions else {
                throw Refusal.conflict(
                    "there are \(count) own actions already; remove one that is not used")
            }
        }
        try own.save(of: person, transaction.db)
        return own
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
