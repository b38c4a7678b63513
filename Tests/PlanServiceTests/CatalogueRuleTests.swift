import AidCatalogue
import Foundation
import Messages
import TestSupport
import Testing

@testable import PlanService

/// The service accepts whatever the reader makes.
struct CatalogueRuleTests {
    /// A text that no person would write.
    private static func text(_ seed: inout Seed) -> String {
        let parts = [
            "Totalbredde", "62-68", "ca. 65", "cm", "\u{0}", "\n", "é", "e\u{301}", "\u{2028}", "😀",
            "\u{85}", "9", ",5", "\"", "\\", String(repeating: "\u{301}", count: 500), "ISO",
            String(repeating: "x", count: 400), "-", "1970-01-01T00:00:00+14:00",
        ]
        return (0..<seed.below(6)).map { _ in seed.pick(parts) }.joined()
    }

    @Test(arguments: Seed.some(400))
    func `whatever a file says, its products can be stored`(seed: Seed) throws {
        var seed = seed
        let labels = [
            "Totalbredde", "Totalbredde min", "Totallengde maks", "Setebredde", "Trappebredde min",
            "Madrass bredde", "Terskelhøyde maks", "Snudiameter", "Høyde",
        ]
        var source: [String: Any] = ["id": "a" + Self.text(&seed)]
        for key in [
            "title", "articleName", "hmsArtNr", "supplierRef", "isoCategory", "isoCategoryTitle",
            "status", "updated", "manufacturer",
        ] where !seed.oneIn(4) { source[key] = Self.text(&seed) }
        if seed.oneIn(2) {
            source["isoCategory"] = seed.pick(["12220302", "18301505", "18121001", "18301002"])
        }
        source["data"] = (0..<seed.below(60)).map { _ in
            [
                "key": seed.oneIn(3) ? Self.text(&seed) : seed.pick(labels),
                "value": seed.oneIn(2) ? Self.text(&seed) : "\(seed.below(6_000))",
                "unit": seed.oneIn(4) ? Self.text(&seed) : seed.pick(["cm", "mm", "", "m", "kg"]),
            ]
        }
        var rest = [UInt8](try JSONSerialization.data(withJSONObject: source))[...]
        var reader = CatalogueReader {
            defer { rest = [] }
            return Array(rest)
        }
        while let entry = try reader.next() {
            guard case .product(let product) = entry else { continue }
            try product.validate()
            guard !product.accessory, product.state != .deleted else { continue }
            do {
                let element = try product.element(id: "x", centre: PlanPoint(), angle: 0)
                #expect(element.width > 0 && element.depth > 0)
            } catch let refusal { #expect(!refusal.message.isEmpty) }
        }
    }
}
