import GRDB

/// The organisations whose rows a query finds.
public enum OrganisationScope: Hashable, Sendable {
    /// All organisations.
    case all
    /// One organisation, by its id.
    case one(String)

    /// The condition on a row's `organisation`.
    public static let condition = "(:scope IS NULL OR organisation = :scope)"

    /// The arguments of ``condition``.
    public var arguments: StatementArguments {
        switch self {
        case .all: ["scope": nil]
        case .one(let organisation): ["scope": organisation]
        }
    }

    /// True when rows of that organisation are found.
    public func includes(_ organisation: String) -> Bool {
        switch self {
        case .all: true
        case .one(let own): own == organisation
        }
    }
}

extension Principal {
    /// The organisations it may see: all for the owner of the machine and the service itself, its
    /// own for everyone else.
    public var scope: OrganisationScope {
        switch kind {
        case .machineOwner, .system: .all
        case .account, .anonymous: .one(organisation)
        }
    }
}
