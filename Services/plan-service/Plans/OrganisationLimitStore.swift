import GRDB
import Messages
import ServiceRuntime

/// How much is kept of the plans and products of an organisation, and whether there is room for
/// more.
enum OrganisationLimits {
    /// The maximum number of plans of an organisation.
    static let mostPlans = 10_000
    /// The size of the plans of an organisation, with the steps in which they were edited, at which
    /// nothing more is added, in bytes: 16 GiB.
    static let mostBytes = 16 << 30
    /// The maximum number of products in the catalogue of an organisation, with removed ones.
    static let mostProducts = 300_000
    /// The maximum size of a catalogue in bytes: 2 GiB.
    static let mostProductBytes = 2 << 30

    private static let plans = PartSizes(of: "plan")
    private static let products = RowSizes(in: "productSize", of: "organisation")

    static func makeTables(_ db: Database) throws {
        try plans.makeTable(
            for: [
                "item": ["item"], "step": ["step", "positions", "changes"],
                "failing": ["finding"], "view": ["view"],
            ], db)
        try products.makeTable(for: ["product": ["product"]], db)
    }

    /// Removes the triggers that counted products: they took most of the time of an import.
    static func dropProductTriggers(_ db: Database) throws {
        try products.dropTriggers(of: "product", db)
    }

    /// Refuses another plan when there is no room for it.
    static func requireRoomForPlan(of organisation: String, _ db: Database) throws {
        try requireRoom(in: organisation, db)
        guard try plans.total(of: organisation, db).count < mostPlans else {
            throw Refusal.conflict(
                "the organisation has \(mostPlans) plans, and no more are possible; delete one "
                    + "that is no longer needed: steward plan delete"
            ).because(.planLimit, ["most": "\(mostPlans)"])
        }
    }

    /// Refuses an edit when the plans of an organisation have reached the maximum size.
    static func requireRoom(in organisation: String, _ db: Database) throws {
        guard try plans.total(of: organisation, db).bytes < mostBytes else {
            throw Refusal.conflict(
                "the plans of the organisation have \(mostBytes >> 30) GiB with their histories, "
                    + "and no more are kept; delete one that is no longer needed: steward plan "
                    + "delete"
            ).because(.planLarge, ["most": "\(mostBytes >> 30)"])
        }
    }

    /// The catalogue of an organisation.
    static func products(of organisation: String, _ db: Database) throws -> PartSizes.Total {
        try products.total(of: organisation, db)
    }

    /// Counts a product that was added to a catalogue.
    static func addProduct(bytes: Int, to organisation: String, _ db: Database) throws {
        let growth = PartSizes.Total(count: 1, bytes: bytes + PartSizes.overhead)
        try products.add(growth, to: organisation, db)
    }

    /// Counts what a product of a catalogue has grown by.
    static func growProduct(by bytes: Int, of organisation: String, _ db: Database) throws {
        guard bytes != 0 else { return }
        try products.add(PartSizes.Total(count: 0, bytes: bytes), to: organisation, db)
    }

    /// Refuses products that were put into a catalogue if that is too large now, and larger than
    /// before. So a catalogue that an earlier version left too large can be made smaller.
    static func requireRoomForProducts(
        of organisation: String, had before: PartSizes.Total, _ db: Database
    ) throws {
        let total = try products(of: organisation, db)
        guard
            total.count <= max(mostProducts, before.count),
            total.bytes <= max(mostProductBytes, before.bytes)
        else {
            throw Refusal.conflict(
                "a catalogue has at most \(mostProducts) products, with removed ones, and "
                    + "\(mostProductBytes >> 30) GiB; leave out classes that nobody needs"
            ).because(.productLimit, ["most": "\(mostProducts)"])
        }
    }
}
