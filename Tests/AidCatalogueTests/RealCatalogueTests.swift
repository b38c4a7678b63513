@testable import AidCatalogue
import Foundation
import Messages
import TestSupport
import Testing

/// The published catalogue, if it is available.
struct RealCatalogueTests {
    static let folder = Recordings.folder("plan")
    static let isThere = folder != nil
    static let missing: Comment = "\(Recordings.variable) names no folder with plans"

    private static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: try #require(folder).appending(path: "navikt/\(name)")))
    }

    /// The expected sizes of a product.
    private struct Expected: Decodable {
        let w, l, w_min, turn, h_max, depth, stair_min, w_estimated: UInt32?
    }

    @Test(.enabled(if: isThere, missing))
    func `every product of a search answer has exactly its sizes`() throws {
        let products = try CatalogueReader.products(
            in: try Self.bytes("synthetic_search_response.json"))
        let all = try JSONDecoder().decode(
            [String: Expected].self,
            from: Data(try Self.bytes("synthetic_search_response.expected.json")))
        #expect(Set(products.map(\.number)) == Set(all.keys))
        for product in products {
            let expected = try #require(all[product.number])
            let isGuess = { (measure: ProductMeasure?) in measure?.guess.isEmpty == false }
            #expect(
                product.width?.most == expected.w ?? expected.w_estimated || isGuess(product.width),
                "\(product.number)")
            if let width = expected.w ?? expected.w_estimated {
                #expect(product.width?.most == width, "\(product.number)")
            }
            if let depth = expected.l ?? expected.depth {
                #expect(product.depth?.most == depth, "\(product.number)")
                #expect(product.depth?.guess == "", "\(product.number)")
            }
            if let least = expected.w_min { #expect(product.width?.least == least) }
            #expect(product.turningDiameter?.most == expected.turn)
            if let height = expected.h_max { #expect(product.height?.most == height) }
            #expect(product.clearance?.most == expected.stair_min)
        }
        let named = Dictionary(uniqueKeysWithValues: products.map { ($0.number, $0) })
        #expect(named["900012"]?.accessory == true && named["900012"]?.width == nil)
        #expect(named["900013"]?.state == .deleted)
        #expect(named["900014"]?.width?.guess.contains("seat") == true)
        #expect(named["900015"]?.width?.guess == "an approximate value")
        #expect(named["900015"]?.notes == ["“Totallengde” is empty."])
        #expect(named["900008"]?.notes.count == 1)
        #expect(named["900011"]?.width?.guess.contains("700") == true)
    }

    @Test(
        .enabled(if: isThere, missing),
        arguments: [
            "import_product.json", "import_blimo.json", "import_tilbehoer.json",
            "import_blimo-spareparts.json", "rapid_Product.json",
            "register_productregistration_blimo.json",
        ])
    func `the messages of suppliers are read`(name: String) throws {
        let products = try CatalogueReader.products(in: try Self.bytes(name))
        let product = try #require(products.first)
        #expect(products.count == 1 && !product.name.isEmpty && product.isoCode.count == 8)
        #expect(product.accessory == name.contains(/tilbehoer|spareparts|rapid/))
        if name == "import_blimo.json" {
            #expect(product.width == ProductMeasure(most: 650, label: "Totalbredde"))
            #expect(product.depth == ProductMeasure(most: 1550, label: "Totallengde"))
        }
    }

    @Test(.enabled(if: isThere, missing))
    func `no published label is treated as misspelt`() throws {
        struct Label: Decodable { let original: String }
        let labels = try JSONDecoder().decode(
            [Label].self, from: Data(try Self.bytes("techlabels_normalized.json")))
        let meant = Set(labels.map(\.original)).filter { SizeLabel($0)?.meant.isEmpty == false }
        #expect(labels.count > 800 && meant == [])
    }
}

extension CatalogueReader {
    /// The entries in these bytes, which arrive in pieces of this size.
    static func entries(in bytes: [UInt8], pieces: Int = 1 << 16) throws -> [CatalogueEntry] {
        var rest = bytes[...]
        var reader = CatalogueReader {
            defer { rest = rest.dropFirst(pieces) }
            return Array(rest.prefix(pieces))
        }
        var entries: [CatalogueEntry] = []
        while let entry = try reader.next() { entries.append(entry) }
        return entries
    }

    /// The products in these bytes.
    static func products(in bytes: [UInt8], pieces: Int = 1 << 16) throws -> [Product] {
        try entries(in: bytes, pieces: pieces).compactMap {
            guard case .product(let product) = $0 else { return nil }
            return product
        }
    }
}
