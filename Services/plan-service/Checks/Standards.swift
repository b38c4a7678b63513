import AccessRules
import Messages
import ServiceRuntime

/// The standards that plans can be checked against.
enum StandardHandling {
    static var handlers: [MessageHandler] { [.query(list, .member)] }

    /// Their names.
    static let known = RuleBook.standards.map(\.id)

    static func list(
        _ query: ListStandards, in transaction: Transaction
    ) throws -> Messages.Standards {
        Messages.Standards(standards: RuleBook.standards)
    }
}
