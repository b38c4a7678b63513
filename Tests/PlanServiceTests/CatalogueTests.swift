import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// The catalogue in the service and at the command line.
@Suite(.serialized, .waiting) struct CatalogueTests {
    @Test func `storing the same products again changes nothing`() throws {
        let shop = try Shop()
        let products = (1...30).map { Product.chair($0) }
        #expect(try shop.put(products) == ProductsPut(added: 30))
        let rows = try shop.rows()
        #expect(try shop.put(products) == ProductsPut(unchanged: 30))
        #expect(try shop.put(products.reversed() + products) == ProductsPut(unchanged: 60))
        #expect(try shop.rows() == rows)
    }

    @Test func `an older state never overwrites a newer one`() throws {
        let shop = try Shop()
        let (old, new) = (
            Product.chair(1, "Old", updated: 100), Product.chair(1, "New", updated: 200)
        )
        #expect(try shop.put([old]) == ProductsPut(added: 1))
        #expect(try shop.put([new]) == ProductsPut(changed: 1))
        #expect(try shop.put([old]) == ProductsPut(unchanged: 1))
        #expect(try shop.find("old").matching == 0)
        #expect(try shop.find("new").products == [new])
        // The product was read again by newer rules, or corrected without a new time.
        let corrected = Product.chair(1, "Newest", updated: 200)
        #expect(try shop.put([corrected]) == ProductsPut(changed: 1))
        #expect(try shop.find("newest").matching == 1)
    }

    @Test func `products removed from their catalogue stay away`() throws {
        let shop = try Shop()
        let chair = Product.chair(1, updated: 100)
        var gone = Product.chair(1, updated: 200)
        gone.state = .deleted
        try shop.put([chair])
        #expect(try shop.put([gone]) == ProductsPut(deleted: 1))
        #expect(try shop.put([gone]) == ProductsPut(unchanged: 1))
        var atOnce = Product.chair(1, updated: 200)
        for state in [chair, atOnce] { #expect(try shop.put([state]) == ProductsPut(unchanged: 1)) }
        #expect(try shop.find("", FindProducts(inactiveToo: true)).matching == 0)
        #expect(try shop.find("hercules").matching == 0)
        #expect(
            throws: ClientError.refused(
                .notFound("the product “id-1” was removed from its catalogue"))
        ) {
            try shop.read("id-1")
        }
        // Later the catalogue itself says that the product is back.
        atOnce.updated = 201
        #expect(try shop.put([atOnce]) == ProductsPut(changed: 1))
        #expect(try shop.find("hercules").matching == 1)
        // A product that was never here can be removed too, and an older state doesn't create it.
        var never = Product.chair(2, updated: 300)
        never.state = .deleted
        #expect(try shop.put([never]) == ProductsPut(deleted: 1))
        #expect(try shop.put([.chair(2, updated: 299)]) == ProductsPut(unchanged: 1))
    }

    @Test func `words match by their beginnings, in any order, ignoring case and accents`()
        throws
    {
        let shop = try Shop()
        var bed = Product.chair(2, "Pleieseng Bélla Større", maker: "Søvn og Ære AS")
        (bed.isoCode, bed.isoTitle) = ("18121001", "Senger med elektrisk regulering")
        try shop.put([.chair(1, "Åpen Rullestol XL"), bed])
        for text in [
            "apen", "ÅPEN", "rull xl", "xl apen rull", "h1", "ref-1 rull", "herc", "1222", "åp",
            "wheelchair", "manuell",
        ] {
            #expect(try shop.find(text).products.map(\.id) == ["id-1"], "\(text)")
        }
        for text in [
            "storre", "STØRRE bella", "sovn", "aere", "Ære", "elektrisk reg", "1812", "seng",
        ] {
            #expect(try shop.find(text).products.map(\.id) == ["id-2"], "\(text)")
        }
        for text in [
            "pen", "rull seng", "x OR y", "name:bella", "NEAR(a b)", "h12",
        ] {
            #expect(try shop.find(text).matching == 0, "\(text)")
        }
        #expect(try shop.find("()*\" -").matching == 2, "no word is every product")
    }

    @Test func `products are found by class, maker and number`() throws {
        let shop = try Shop()
        try shop.put((1...40).map { .chair($0, maker: $0 % 4 == 0 ? "Nordic Care" : "Hercules") })
        let count = { (query: FindProducts) in try shop.ask(query, for: Products.self).matching }
        #expect(try count(FindProducts(isoCode: "1222")) == 40)
        #expect(try count(FindProducts(isoCode: "122204")) == 0)
        #expect(try count(FindProducts(maker: "car")) == 10)
        #expect(try count(FindProducts(text: "chair 8", maker: "nordic")) == 1)
        #expect(try count(FindProducts(text: "1222", maker: "hercules")) == 30)
        #expect(try count(FindProducts(number: "H7")) == 1)
        #expect(try count(FindProducts(number: "REF-7")) == 1)
        #expect(try count(FindProducts(number: "H")) == 0)
        #expect(
            try count(FindProducts(text: "chair", isoCode: "1222", maker: "nordic", number: "H8"))
                == 1)
        #expect(try shop.refusal { try count(FindProducts(isoCode: "12 22")) } == .invalid)
    }

    @Test func `pages follow one another, with available products first`() throws {
        let shop = try Shop()
        var products = (10...59).map { Product.chair($0, "Chair \($0)") }
        products[0].state = .inactive
        products[1].accessory = true
        try shop.put(products)
        for text in ["", "chair"] {
            var seen: [String] = []
            while true {
                let page = try shop.find(
                    text, FindProducts(limit: 7, inactiveToo: true, from: UInt32(seen.count)))
                #expect(page.matching == 50)
                if page.products.isEmpty { break }
                seen += page.products.map(\.id)
            }
            #expect(Set(seen).count == 50 && seen.count == 50)
            #expect(seen.suffix(2) == ["id-11", "id-10"])
        }
        #expect(try shop.find("chair").products.count == 20)
        #expect(try shop.find("chair").matching == 49)
        #expect(try shop.find("chair 42").products.first?.id == "id-42")
    }

    @Test func `pages list as many products as they say match, few or thousands`() throws {
        let shop = try Shop()
        // More products than are ranked, in two classes and every state, some of them removed
        // again.
        let products = (0..<2_400).map { number in
            var product = Product.chair(number, number % 2 == 0 ? "Chair \(number)" : "Bed ʘ")
            if number % 3 == 0 { product.isoCode = "18121001" }
            product.accessory = number % 5 == 0
            product.state = number % 7 == 0 ? .inactive : .active
            return product
        }
        for part in 0..<4 { try shop.put(Array(products[(part * 600)..<(part * 600 + 600)])) }
        let removed = products.filter { $0.id.hasSuffix("9") }.map { product in
            var product = product
            (product.state, product.updated) = (.deleted, 2_000)
            return product
        }
        try shop.put(removed)
        let left = products.filter { !$0.id.hasSuffix("9") }
        for (text, isoCode, inactiveToo) in [
            ("", "", false), ("hercules", "", true), ("h", "", false), ("h", "1222", true),
            ("chair", "1812", false), ("1812", "1222", true), ("ʘ", "", true), ("ʘc", "", true),
        ] {
            let query = FindProducts(
                text: text, isoCode: isoCode, limit: 500, inactiveToo: inactiveToo)
            let wanted = left.filter { product in
                let words = "\(product.name) \(product.maker) \(product.number) \(product.isoCode)"
                    .lowercased().split(separator: " ")
                return (text.isEmpty || words.contains { $0.hasPrefix(text) })
                    && product.isoCode.hasPrefix(isoCode)
                    && (inactiveToo || product.state == .active)
            }
            var (page, found) = (query, [String]())
            repeat {
                page.from = UInt32(found.count)
                let products = try shop.ask(page, for: Products.self)
                #expect(products.matching == wanted.count, "\(query)")
                found += products.products.map(\.id)
                if products.products.isEmpty { break }
            } while found.count < wanted.count
            #expect(found.count == wanted.count, "\(query)")
            #expect(Set(found) == Set(wanted.map(\.id)), "\(query)")
        }
    }

    @Test func `a page is never larger than a message`() throws {
        let shop = try Shop()
        for part in 0..<4 {
            try shop.put(
                (0..<125).map { number in
                    var product = Product.chair(part * 125 + number)
                    product.notes = (0..<12).map { "\($0) " + String(repeating: "x", count: 400) }
                    return product
                })
        }
        let page = try shop.find("chair", FindProducts(limit: 500))
        #expect(page.matching == 500 && (100..<500).contains(page.products.count))
    }

    @Test func `a product is read by id, by number and by the supplier's number`() throws {
        let shop = try Shop()
        var twin = Product.chair(3)
        (twin.id, twin.number) = ("twin", "H99")
        try shop.put([.chair(1), .chair(2), .chair(3), twin])
        for name in ["id-1", "H1", "REF-1"] { #expect(try shop.read(name).id == "id-1") }
        #expect(try shop.read("H99").id == "twin")
        #expect(try shop.refusal { try shop.read("REF-3") } == .conflict)
        #expect(try shop.refusal { try shop.read("nothing") } == .notFound)
        try shop.put([Product(id: "bare", name: "Bare", state: .active)])
        #expect(try shop.refusal { try shop.read("") } == .invalid)
    }

    @Test func `an id that is the number of another product is refused with both ids`() throws {
        let shop = try Shop()
        var supplied = Product.chair(2)
        (supplied.id, supplied.number, supplied.supplierNumber) = ("H1", "H1", "")
        try shop.put([.chair(1), supplied])
        #expect(
            throws: ClientError.refused(
                .conflict(
                    "several products have the id or number “H1”: H1 “Chair 2”, id-1 “Chair 1”; "
                        + "give an id that only one of them has"))
        ) {
            try shop.read("H1")
        }
        #expect(try shop.read("id-1").name == "Chair 1")
        // Also if the other is supplied no more, and not if it was removed from its catalogue.
        var other = Product.chair(1, updated: 2_000)
        other.state = .inactive
        try shop.put([other])
        #expect(try shop.refusal { try shop.read("H1") } == .conflict)
        (other.state, other.updated) = (.deleted, 3_000)
        try shop.put([other])
        #expect(try shop.read("H1").name == "Chair 2")
    }

    @Test func `a number that two products share is refused with their ids`() throws {
        let shop = try Shop()
        var twin = Product.chair(2)
        twin.number = "H1"
        try shop.put([.chair(1), twin, .chair(3)])
        #expect(try shop.refusal { try shop.read("H1") } == .conflict)
        for id in ["id-1", "id-2"] { #expect(try shop.read(id).id == id) }
        // One that is supplied no more doesn't count beside one that is.
        (twin.state, twin.updated) = (.inactive, 2_000)
        try shop.put([twin])
        #expect(try shop.read("H1").id == "id-1")
        // A supplier's number counts only if nothing else has it.
        var supplier = Product.chair(4)
        supplier.supplierNumber = "H3"
        try shop.put([supplier])
        #expect(try shop.read("H3").id == "id-3")
    }

    @Test func `one product that can't be stored fails its whole message`() throws {
        let shop = try Shop()
        let spoilt: [(inout Product) -> Void] = [
            { $0.id = "" }, { $0.name = "" }, { $0.isoCode = "12a" }, { $0.isoCode = "123456789" },
            { $0.state = .unspecified }, { $0.updated = -1 }, { $0.name = "a\nb" },
            { $0.id = String(repeating: "x", count: 201) },
            { $0.name = String(repeating: "x", count: 2_000) },
            { $0.width = ProductMeasure(least: 5, most: 4) },
            { $0.depth = ProductMeasure(most: 0) },
            { $0.height = ProductMeasure(most: 200_001) },
            { $0.notes = Array(repeating: "x", count: 51) },
        ]
        for spoil in spoilt {
            var product = Product.chair(2)
            spoil(&product)
            #expect(
                try shop.refusal { try shop.put([.chair(1), product]) } == .invalid, "\(product)")
        }
        #expect(try shop.refusal { try shop.put([]) } == .invalid)
        let many = Array(repeating: Product.chair(1), count: 1_001)
        #expect(try shop.refusal { try shop.put(many) } == .invalid)
        #expect(try shop.find("").matching == 0)
    }

    @Test func `a catalogue belongs to its organisation, and administrators fill it`() throws {
        let shop = try Shop(withAccounts: true)
        let (here, there) = (try shop.makeOrganisation("Here"), try shop.makeOrganisation("There"))
        let admin = try shop.token("ann", in: here, Grant(role: .administrator))
        let carer = try shop.token("bob", in: here, Grant(role: .crew))
        let foreign = try shop.token("eve", in: there, Grant(role: .administrator))
        try shop.put([.chair(1)], as: admin)
        #expect(try shop.find("", as: carer).matching == 1)
        #expect(try shop.read("H1", as: carer).id == "id-1")
        #expect(try shop.find("", as: foreign).matching == 0)
        #expect(try shop.find("chair", as: carer).matching == 1)
        #expect(try shop.find("chair", as: foreign) == Products())
        #expect(try shop.refusal { try shop.read("H1", as: foreign) } == .notFound)
        #expect(try shop.refusal { try shop.put([.chair(2)], as: carer) } == .forbidden)
        #expect(try shop.put([.chair(1, "Other")], as: foreign) == ProductsPut(added: 1))
        #expect(try shop.read("H1", as: admin).name == "Chair 1")
        let display = try shop.token("wall", in: here, Grant(role: .display))
        #expect(try shop.refusal { try shop.find("", as: display) } == .forbidden)
        #expect(try shop.refusal { try shop.read("H1", as: display) } == .forbidden)
    }
}

/// An installation with plan-service.
final class Shop {
    let system: System
    private(set) var service: Program
    private let client: Client
    private let accounts: Client?

    init(withAccounts: Bool = false) throws {
        system = try System()
        if withAccounts { try system.start("account-service") }
        service = try system.start("plan-service")
        client = try system.client(of: .plan)
        accounts = withAccounts ? try system.client(of: .account) : nil
    }

    /// Ends the service as a power cut would, and starts it again.
    func restart() throws {
        service.kill()
        service = try system.start("plan-service")
    }

    func ask<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for _: R.Type, as token: [UInt8] = []
    ) throws -> R {
        client.token = token
        defer { client.token = [] }
        return try client.ask(message, for: R.self, deadline: .seconds(60))
    }

    @discardableResult
    func put(_ products: [Product], as token: [UInt8] = []) throws -> ProductsPut {
        try ask(PutProducts(products: products), for: ProductsPut.self, as: token)
    }

    func find(
        _ text: String, _ query: FindProducts = FindProducts(), as token: [UInt8] = []
    ) throws -> Products {
        var query = query
        query.text = text
        return try ask(query, for: Products.self, as: token)
    }

    func read(_ product: String, as token: [UInt8] = []) throws -> Product {
        try ask(ReadProduct(product: product), for: Product.self, as: token)
    }

    /// The code of the service's refusal; nil if it accepts.
    func refusal<R>(_ command: () throws -> R) throws -> Refusal.Code? {
        do {
            _ = try command()
            return nil
        } catch ClientError.refused(let refusal) { return refusal.code }
    }

    /// Everything in the store, except the keys of rows.
    func rows() throws -> [[String]] {
        try system.query(
            .plan,
            """
            SELECT product.id, product.updated, standing, product, productText.name, class
            FROM product LEFT JOIN productText ON productText.rowid = key ORDER BY product.id
            """)
    }

    /// Makes an organisation and returns its id.
    func makeOrganisation(_ name: String) throws -> String {
        let made = try #require(accounts).ask(
            CreateOrganisation(name: name), for: Organisation.self)
        return made.id
    }

    /// Makes an account with these roles and returns its access token for plan-service.
    func token(_ name: String, in organisation: String, _ grants: Grant...) throws -> [UInt8] {
        let accounts = try #require(accounts)
        try accounts.signUp(name, in: organisation, grants)
        let token = try accounts.logIn(name, for: .plan)
        try eventually("the key of \(name)'s token is known") {
            client.token = token
            defer { client.token = [] }
            do {
                _ = try client.ask(FindProducts(), for: Products.self)
                return true
            } catch ClientError.refused(let refusal) { return refusal.code == .forbidden }
        }
        return token
    }
}

extension Product {
    /// A manual chair.
    static func chair(
        _ number: Int, _ name: String? = nil, maker: String = "Hercules", updated: Int64 = 1_000
    ) -> Product {
        Product(
            id: "id-\(number)", number: "H\(number)", supplierNumber: "REF-\(number)",
            name: name ?? "Chair \(number)", title: "Series", maker: maker, isoCode: "12220302",
            isoTitle: "Allround", state: .active, updated: updated,
            width: ProductMeasure(most: 650, label: "Totalbredde"),
            depth: ProductMeasure(most: 1_100, label: "Totallengde"))
    }
}
