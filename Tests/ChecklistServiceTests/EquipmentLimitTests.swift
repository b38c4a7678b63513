import GRDB
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import ChecklistService

/// How much equipment and how many spare parts a site may have so that they can be read.
struct EquipmentLimitTests {
    /// The maximum size of a message in bytes.
    private static let message = 1 << 20

    private let store: MemoryStore

    init() throws {
        store = try MemoryStore(of: .checklist, ChecklistStore.migrator)
        try store.run { transaction in
            try SiteRow(organisation: "o", site: Site(id: "s", name: "Harbour"))
                .save(transaction.db)
        }
    }

    @Test func `equipment with long reports is listed page by page, each piece once`() throws {
        // The longest text of a report: 4,000 bytes.
        let text = String(repeating: "\u{1F525}", count: 1_000)
        try store.run { transaction in
            let entry = EquipmentEntry(time: 1, by: "Ann", state: .faulty, text: text)
            for number in 1...400 {
                try Equipment(id: "\(number)", site: "s", name: "Fryer \(number)", state: .faulty)
                    .save(entry, namedBy: "ann", transaction.db)
            }
            try Equipment(id: "ok", site: "s", name: "Grill", state: .working)
                .save(entry, namedBy: "ann", transaction.db)
        }

        try store.run { transaction in
            var query = ListEquipment(site: "s", faultyOnly: true)
            var told: [Equipment] = []
            var pages = 0
            repeat {
                let page = try EquipmentCare.list(query, in: transaction)
                #expect(page.packed().count < Self.message)
                told += page.equipment
                pages += 1
                query.after = page.next
            } while !query.after.isEmpty

            #expect(pages == 3)
            #expect(told.count == 400 && Set(told.map(\.id)).count == 400)
            #expect(told.map(\.name) == told.map(\.name).sorted())
            #expect(told.allSatisfy { $0.history.map(\.text) == [text] })
            #expect {
                try EquipmentCare.list(ListEquipment(site: "s", after: "none"), in: transaction)
            } throws: { ($0 as? Refusal)?.code == .notFound }
        }
    }

    @Test func `as many spare parts with long texts are found as fit`() throws {
        try store.run { transaction in
            for number in 1...200 {
                let place = String(repeating: "x", count: 8_000)
                try SparePart(site: "s", name: "Belt \(number)", place: place, count: 1)
                    .save(transaction.db)
            }

            let all = try EquipmentCare.findParts(FindSpareParts(site: "s"), in: transaction)
            let one = try EquipmentCare.findParts(
                FindSpareParts(site: "s", text: "belt 17"), in: transaction)

            #expect(all.packed().count < Self.message)
            #expect(all.parts.count > 50 && all.parts.count + Int(all.leftOut) == 200)
            #expect(one.parts.count == 12 && one.leftOut == 0)
        }
    }

    @Test func `a spare part is kept once, however its number is spelled`() throws {
        try store.run { transaction in
            // An earlier version kept the number as it was typed.
            try SparePart(site: "s", name: "Belt", number: "e\u{301}", place: "cellar", count: 1)
                .save(transaction.db)
            for number in ["e\u{301}", "\u{E9}"] {
                let part = SparePart(
                    site: "s", name: "belt", number: number, place: "shelf", count: 2)
                _ = try EquipmentCare.putPart(PutSparePart(part: part), in: transaction)
            }

            let parts = try SparePart.all(at: "s", transaction.db)
            #expect(parts.count == 1 && parts.first?.place == "shelf")
            #expect(parts.first.map { Array($0.number.utf8) } == [0xC3, 0xA9])
        }
    }

    @Test func `a spare part that is moved keeps whatever isn't given anew`() throws {
        try store.run { transaction in
            func put(
                _ name: String, count: UInt32?, fits: [String]? = nil
            ) throws -> SparePart {
                let part = SparePart(
                    site: "s", name: name, place: "shelf", count: count ?? 1, fits: fits ?? [])
                return try EquipmentCare.putPart(
                    PutSparePart(part: part, keepsCount: count == nil, keepsFits: fits == nil),
                    in: transaction)
            }
            let first = try put("Filter", count: 12, fits: ["Fryer 2", "Fryer 3"])
            #expect(first.count == 12 && first.fits == ["Fryer 2", "Fryer 3"])
            let moved = try put("filter", count: nil)
            #expect(moved.count == 12 && moved.fits == first.fits && moved.name == "filter")
            let used = try put("Filter", count: 0)
            #expect(used.count == 0 && used.fits == first.fits)
            let bare = try put("Filter", count: nil, fits: [])
            #expect(bare.count == 0 && bare.fits == [])
            #expect(try SparePart.all(at: "s", transaction.db) == [bare])
            let new = try put("Hose", count: nil)
            #expect(new.count == 1 && new.fits == [])
        }
    }
}
