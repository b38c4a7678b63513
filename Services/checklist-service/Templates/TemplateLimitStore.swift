import GRDB
import Messages
import ServiceRuntime

/// How many checklists an organisation has, in how many versions, and whether there is room for
/// more. They are never deleted: the archive of a shift names the version that it used.
enum TemplateLimits {
    /// The maximum number of checklists of an organisation, including removed ones.
    static let most = 20_000
    /// The total size of the versions of an organisation's checklists at which no further version
    /// is added, in bytes: 2 GiB.
    static let mostBytes = 2 << 30

    private static let sizes = PartSizes(of: "template")

    static func makeTable(_ db: Database) throws {
        try sizes.makeTable(for: ["templateVersion": ["digest", "body"]], db)
    }

    /// Refuses another version, or the first one of another checklist, when there is no room.
    static func requireRoom(for template: ChecklistTemplate, _ db: Database) throws {
        let total = try sizes.total(of: template.organisation, db)
        guard total.bytes < mostBytes else {
            throw Refusal.conflict(
                "the checklists of the organisation have \(mostBytes >> 30) GiB in all versions, "
                    + "and no more are kept; shifts go on with those that there are"
            ).because(.templateLarge, ["most": "\(mostBytes >> 30)"])
        }
        guard template.version > 1 || total.count < most else {
            throw Refusal.conflict(
                "the organisation has \(most) checklists, with removed ones, and no more are "
                    + "possible; change one of those"
            ).because(.templateLimit, ["most": "\(most)"])
        }
    }
}
