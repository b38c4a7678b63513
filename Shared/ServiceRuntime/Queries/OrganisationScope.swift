import GRDB

/// Whose rows a query finds.
public enum OrganisationScope: Hashable, Sendable {
    /// Those of every organisation.
    case all
    /// Those of one organisation, by its id.
    case one(String)

    /// What of a row's `organisation` makes it one to be found.
    public static let condition = "(:scope IS NULL OR organisation = :scope)"

    /// The value that ``condition`` asks for.
    public var arguments: StatementArguments {
        switch self {
        case .all: ["scope": nil]
        case .one(let organisation): ["scope": organisation]
        }
    }

    /// True when it has the rows of that organisation.
    public func includes(_ organisation: String) -> Bool {
        switch self {
        case .all: true
        case .one(let own): own == organisation
        }
    }
}

extension Principal {
    /// Whose things it may see: the owner of the machine and the service itself those of all,
    /// everyone else those of their own organisation.
    public var scope: OrganisationScope {
        switch kind {
        case .machineOwner, .system: .all
        case .account, .anonymous: .one(organisation)
        }
    }
}
