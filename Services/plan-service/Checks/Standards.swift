import AccessRules
import Messages
import ServiceRuntime

/// The standards that plans can be checked against.
enum Standards {
    static var queries: [QueryHandler] { [.init(list)] }
    static var access: [String: Access] { [ListStandards.protobufName: .member] }

    /// Their names.
    static let known = RuleBook.standards.map(\.id)

    static func list(
        _ query: ListStandards, in transaction: Transaction
    ) throws -> Messages.Standards {
        Messages.Standards(standards: RuleBook.standards)
    }
}
