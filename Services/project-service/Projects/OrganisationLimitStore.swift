import GRDB
import Messages
import ServiceRuntime

/// How much an organisation keeps in its projects, and whether there is room for more.
enum OrganisationLimits {
    /// The maximum number of projects of an organisation.
    static let mostProjects = 5_000
    /// The size of the projects of an organisation, with their steps, journals, meetings and
    /// calendars, at which no more is added, in bytes: 16 GiB.
    static let mostBytes = 16 << 30

    private static let projects = PartSizes(of: "project")

    static func makeTable(_ db: Database) throws {
        try projects.makeTable(
            for: [
                "item": ["item"], "step": ["step", "changes"], "journal": ["entry"],
                "meeting": ["meeting"], "personCalendar": ["calendar", "times"],
                "mirrored": ["base"], "mirrorConflict": ["ours", "theirs", "reason"],
            ], db)
    }

    /// Refuses another project when there is no room for it.
    static func requireRoomForProject(of organisation: String, _ db: Database) throws {
        try requireRoom(in: organisation, db)
        guard try projects.total(of: organisation, db).count < mostProjects else {
            throw Refusal.conflict(
                "the organisation has \(mostProjects) projects, and no more are possible; delete "
                    + "one that is no longer needed: steward project delete"
            ).because(.projectLimit, ["most": "\(mostProjects)"])
        }
    }

    /// Refuses to add something to a project when the projects of its organisation have reached the
    /// maximum size.
    static func requireRoom(in organisation: String, _ db: Database) throws {
        guard try !isFull(organisation, db) else {
            throw Refusal.conflict(
                "\(full); delete one that is no longer needed: steward project delete"
            ).because(.projectLarge, ["most": "\(mostBytes >> 30)"])
        }
    }

    /// True if the projects of an organisation have reached the maximum size.
    static func isFull(_ organisation: String, _ db: Database) throws -> Bool {
        try projects.total(of: organisation, db).bytes >= mostBytes
    }

    /// What is wrong when they have.
    static let full =
        "the projects of the organisation have \(mostBytes >> 30) GiB with their histories, and no "
        + "more are kept"
}
