import Foundation
import GRDB
import Messages
import ServiceRuntime
import TestSupport
import Testing

@testable import PlanService

/// How much an organisation may keep.
struct OrganisationLimitTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try PlanStore.migrator.migrate(store)
    }

    /// Adds the plans of an organisation with numbers up to one.
    private func add(_ last: Int, to organisation: String, _ db: Database) throws {
        try db.execute(
            sql: """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                INSERT OR IGNORE INTO plan
                SELECT ?2 || i, ?2, '' || i, '', 0, 0, '', '', '', x'' FROM n
                """, arguments: [last, organisation])
    }

    /// Why something is refused; empty if it isn't.
    private func reason(_ require: () throws -> Void) throws -> String {
        do {
            try require()
            return ""
        } catch let refusal as Refusal { return refusal.reason }
    }

    @Test func `an organisation has at most 10,000 plans`() throws {
        #expect(OrganisationLimits.mostPlans == 10_000)
        try store.write { db in
            func refused(_ organisation: String) throws -> String {
                try reason { try OrganisationLimits.requireRoomForPlan(of: organisation, db) }
            }
            try add(OrganisationLimits.mostPlans - 1, to: "o", db)
            #expect(try refused("o") == "")
            try add(OrganisationLimits.mostPlans, to: "o", db)
            #expect(try refused("o") == "plan.limit")
            #expect(try refused("p") == "")

            try db.execute(sql: "DELETE FROM plan WHERE id = 'o1'")
            #expect(try refused("o") == "")
        }
    }

    @Test func `no plan grows when those of its organisation are too large`() throws {
        try store.write { db in
            func refused(_ organisation: String) throws -> String {
                try reason { try OrganisationLimits.requireRoom(in: organisation, db) }
            }
            try add(2, to: "o", db)
            try add(1, to: "p", db)
            let items = [
                DrawnChange(
                    change: ItemChange(after: PlanItem(item: .wall(Wall(id: "w")))), position: 1)
            ]
            try ItemStore.save(items, of: "o1", db)
            _ = try StepStore.add(PlanStep(number: 1), items, to: "o1", db)
            let kept = "SELECT bytes FROM planSize WHERE plan = 'o1'"
            let size = try #require(try Int.fetchOne(db, sql: kept))
            #expect(size > 200)

            try db.execute(
                sql: "UPDATE planSize SET bytes = ? WHERE plan = 'o2'",
                arguments: [OrganisationLimits.mostBytes - size - 1])
            #expect(try refused("o") == "")
            try db.execute(sql: "UPDATE planSize SET bytes = bytes + 1 WHERE plan = 'o2'")
            #expect(try refused("o") == "plan.large")
            #expect(try refused("p") == "")

            try db.execute(sql: "DELETE FROM plan WHERE id = 'o1'")
            #expect(try refused("o") == "")
        }
    }

    @Test func `a catalogue has at most 300,000 products, and 2 GiB`() throws {
        #expect(OrganisationLimits.mostProducts == 300_000)
        #expect(OrganisationLimits.mostProductBytes == 2 << 30)
        try store.write { db in
            var before = try OrganisationLimits.products(of: "o", db)
            func refused(_ organisation: String) throws -> String {
                try reason {
                    try OrganisationLimits.requireRoomForProducts(
                        of: organisation, had: before, db)
                }
            }
            let product = Product(id: "1", name: "Chair", isoCode: "1222", state: .active)
            _ = try ProductRow(organisation: "o", product: product).put(db)
            #expect(try Int.fetchOne(db, sql: "SELECT count FROM productSize") == 1)

            let set = "UPDATE productSize SET count = ?, bytes = ?"
            let (most, bytes) = (
                OrganisationLimits.mostProducts, OrganisationLimits.mostProductBytes
            )
            try db.execute(sql: set, arguments: [most, bytes])
            #expect(try refused("o") == "")
            try db.execute(sql: set, arguments: [most + 1, 0])
            #expect(try refused("o") == "product.limit")
            try db.execute(sql: set, arguments: [1, bytes + 1])
            #expect(try refused("o") == "product.limit")
            #expect(try refused("p") == "")

            // An earlier version may have left more, which can be reduced.
            try db.execute(sql: set, arguments: [most + 2, bytes + 2])
            before = try OrganisationLimits.products(of: "o", db)
            try db.execute(sql: set, arguments: [most + 1, bytes + 1])
            #expect(try refused("o") == "")
            try db.execute(sql: set, arguments: [most + 3, bytes])
            #expect(try refused("o") == "product.limit")
        }
    }

    @Test(arguments: Seed.some(4))
    func `the size of a catalogue is that of its products, however they came`(seed: Seed) throws {
        var seed = seed
        try store.write { db in
            for _ in 1...200 {
                let text = String(repeating: "a", count: seed.below(60))
                let product = Product(
                    id: "\(seed.below(20))", name: "Chair " + text, isoCode: "1222",
                    state: seed.oneIn(4) ? .deleted : .active, updated: Int64(seed.below(100)))
                _ = try ProductRow(organisation: seed.pick(["o", "p"]), product: product).put(db)
            }
            for organisation in ["o", "p", "q"] {
                let rows = try #require(
                    try Row.fetchOne(
                        db,
                        sql: """
                            SELECT count(*) AS count, ifnull(sum(length(product)), 0) AS bytes
                            FROM product WHERE organisation = ?
                            """, arguments: [organisation]))
                let (count, bytes) = (rows["count"] as Int, rows["bytes"] as Int)
                let total = try OrganisationLimits.products(of: organisation, db)
                #expect(total.count == count)
                #expect(total.bytes == bytes + count * PartSizes.overhead)
            }
        }
    }

    @Test func `hundreds of products are stored without setting pages aside for each`() throws {
        let path = NSTemporaryDirectory() + "catalogue-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try DatabaseQueue(path: path)
        try PlanStore.migrator.migrate(file)
        try file.write { db in
            try db.execute(sql: "PRAGMA cache_spill = OFF")
            let before = try ThreadWrites.count()
            try db.inSavepoint {
                for number in 1...500 {
                    let product = Product(
                        id: "\(number)", name: "Chair \(number)", isoCode: "1222", state: .active)
                    _ = try ProductRow(organisation: "o", product: product).put(db)
                }
                return .commit
            }
            #expect(try ThreadWrites.count() - before < 1_000)
        }
    }
}
