import Foundation

/// Who asks: the account in whose name a message is handled, and what it may do.
public struct Principal: Sendable, Hashable {
    /// What an account is allowed to do.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Everything: the account that runs the installation.
        case owner
        /// A process of Steward itself: events, timers and the results of its own work.
        case system
    }

    /// The account's name.
    public let account: String
    /// The organisation that it belongs to.
    public let organisation: String
    /// What it may do.
    public let roles: Set<Role>

    /// A principal with its roles.
    public init(account: String, organisation: String, roles: Set<Role>) {
        self.account = account
        self.organisation = organisation
        self.roles = roles
    }

    /// The organisation of an installation that has no accounts of its own.
    public static let localOrganisation = "local"

    /// The owner of the machine account that runs this process. In the local default everyone who
    /// reaches the bus is that owner, because no one else may enter its directory.
    public static let machineOwner: Principal = {
        let entry = getpwuid(geteuid())
        let name = entry.map { String(cString: $0.pointee.pw_name) } ?? "owner"
        return Principal(account: name, organisation: localOrganisation, roles: [.owner])
    }()

    /// The process itself, acting on an event, a timer or the result of its own work.
    public static let system = Principal(
        account: "system", organisation: localOrganisation, roles: [.system])
}
