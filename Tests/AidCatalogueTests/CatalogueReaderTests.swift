import JSONText
import Messages
import TestSupport
import Testing

@testable import AidCatalogue

/// Files of a catalogue and the products in them.
struct CatalogueReaderTests {
    private static func product(_ number: String) throws -> Product {
        let products = try CatalogueReader.products(in: Fixture.answer)
        return try #require(products.first { $0.number == "10\(number)" })
    }

    private static func only(_ json: String) throws -> Product {
        let products = try CatalogueReader.products(in: Array(json.utf8))
        #expect(products.count == 1)
        return try #require(products.first)
    }

    private static func refusals(_ json: String) throws -> [RefusedEntry] {
        try CatalogueReader.entries(in: Array(json.utf8)).compactMap {
            guard case .refused(let refusal) = $0 else { return nil }
            return refusal
        }
    }

    @Test func `a search answer, lines, a list and single products give the same result`() throws {
        let lines = Fixture.products.indices.map(Fixture.line)
        let wanted = try CatalogueReader.products(in: Fixture.answer)
        #expect(wanted.map(\.number) == Fixture.products.map { "10\($0.number)" })
        let forms = [
            lines.joined(separator: "\n"), lines.joined(),
            "[\(lines.joined(separator: ","))]",
            lines.map { #"{"_id": "x", "_source": \#($0)}"# }.joined(separator: "\r\n"),
        ]
        for form in forms {
            for pieces in [1, 100, 1 << 16] {
                #expect(
                    try CatalogueReader.products(in: Array(form.utf8), pieces: pieces) == wanted)
            }
        }
    }

    @Test func `the details of a product come from its fields`() throws {
        let product = try Self.product("1")
        #expect(product.id == "p-1" && product.supplierNumber == "R1")
        #expect(product.maker == "Hjul & Ramme AS" && product.title == "Serie")
        #expect(product.name == "Nr. 1" && product.isoCode == "12220302")
        #expect(product.state == .active && !product.accessory && product.notes == [])
        #expect(product.updated == 1_714_557_600_123)
    }

    @Test func `sizes that must fit are rounded up, and thousands separators are recognised`()
        throws
    {
        let one = try Self.product("1")
        #expect(one.width == ProductMeasure(most: 613, label: "Totalbredde"))
        #expect(one.depth == ProductMeasure(most: 981, label: "Totallengde"))
        let two = try Self.product("2")
        #expect(two.width == ProductMeasure(least: 580, most: 700, label: "Maks totalbredde"))
        #expect(two.depth?.most == 1_150 && two.depth?.guess.contains("thousands") == true)
        let three = try Self.product("3")
        #expect(three.width?.most == 623 && three.depth?.most == 1_200)
        let four = try Self.product("4")
        #expect(four.width == ProductMeasure(least: 600, most: 660, label: "Totalbredde"))
        #expect(four.depth?.most == 1_500 && four.depth?.guess == "an approximate value")
    }

    @Test func `if a value is given twice, the larger counts, and a note says so`() throws {
        let seven = try Self.product("7")
        #expect(seven.width?.most == 620 && seven.notes.count == 1)
        #expect(try Self.product("6").width?.most == 1_010)
    }

    @Test func `a ramp is as high as the thresholds that it is made for`() throws {
        let ramp = try Self.product("8")
        #expect(ramp.height?.least == 15 && ramp.height?.most == 35)
        #expect(ramp.height?.guess.contains("Terskelhøyde") == true)
        let chair = try Self.only(
            #"{"id": "a", "title": "b", "isoCategory": "1222", "data": [{"key": "#
                + #""Terskelhøyde maks", "value": "5", "unit": "cm"}]}"#)
        #expect(chair.height == nil)
    }

    @Test func `an unstated size is guessed from the class, and marked as a guess`() throws {
        let chair = try Self.product("10")
        #expect(chair.width?.most == 700 && chair.depth?.most == 1_200)
        #expect(chair.width?.guess == "not stated; 700 mm are usual for a manual wheelchair")
        #expect(chair.width?.label == "")
        let seat = try Self.product("13")
        #expect(seat.width?.most == 720 && seat.width?.guess.contains("seat is 500") == true)
        let bed = try Self.product("5")
        #expect(bed.width?.most == 1_200 && bed.depth?.most == 2_200)
        #expect(bed.width?.guess.contains("lying surface") == true)
        let lift = try Self.product("9")
        #expect(lift.depth == ProductMeasure(most: 333, label: "Parkeringsdybde (oppslått)"))
        #expect(lift.clearance?.most == 750 && lift.clearance?.guess.isEmpty == false)
        let unknown = try Self.only(#"{"id": "a", "title": "b", "isoCategory": "22030301"}"#)
        #expect(unknown.width == nil && unknown.depth == nil)
    }

    @Test func `a minimum alone is not enough to plan with`() throws {
        let chair = try Self.only(
            #"{"id": "a", "title": "b", "isoCategory": "12220302", "data": [{"key": "#
                + #""Totalbredde min", "value": "80", "unit": "cm"}]}"#)
        #expect(chair.width?.least == 800 && chair.width?.most == 800)
        #expect(chair.width?.guess.contains("only the least") == true)
    }

    @Test func `accessories and spare parts are marked, and nothing is guessed about them`() throws
    {
        let part = try Self.product("11")
        #expect(part.accessory && part.width?.most == 50 && part.depth == nil)
    }

    @Test func `a removed product is reported as removed`() throws {
        let gone = try Self.product("12")
        #expect(gone.state == .deleted && gone.width == nil && gone.updated > 0)
    }

    @Test func `an unreadable value becomes a note, and the class gives the size`() throws {
        let product = try Self.product("14")
        #expect(
            product.notes == [
                "“Totalbredde”: “tre hundre” has no number in it.",
                "“Totallengde”: “90” has the unit “kg”, which isn't a unit of length.",
            ])
        #expect(product.width?.most == 700 && product.depth?.most == 1_200)
    }

    @Test func `an unreadable product is refused with its position, and the rest is read`()
        throws
    {
        let lines = """
            {"id": "a", "title": "A"}
            {"title": "nameless"}
            {"id": "c", "title": "C", "data": "none"}
            7
            {"id": "d", "title": {"no": "D"}}
            {"id": "e", "title": "E", "accessory": "maybe"}
            {"id": "\(String(repeating: "f", count: 201))", "title": "F"}
            {"id": "g"}
            {"id": 8, "title": "H", "hmsArtNr": 12345}
            """
        let refusals = try Self.refusals(lines)
        #expect(refusals.map(\.line) == [2, 3, 4, 5, 6, 7, 8])
        #expect(refusals[1].name == "C" && refusals[1].reason == "its “data” isn't a list")
        #expect(refusals[0].offset == 26)
        let products = try CatalogueReader.products(in: Array(lines.utf8))
        #expect(products.map(\.id) == ["a", "8"] && products[1].number == "12345")
    }

    @Test func `a file that isn't JSON is a fault with its position`() {
        let cut = Array(Fixture.answer.dropLast(40))
        #expect(throws: JSONFault.self) { try CatalogueReader.products(in: cut) }
        #expect(throws: JSONFault.self) { try CatalogueReader.products(in: [0x89, 0x50, 0x4E]) }
    }

    @Test func `a supplier's messages have no id, and a series names its products`() throws {
        let text = """
            {"title": "Kross X", "articleName": "kross-x-1", "manufacturer": "Hjul", \
            "supplierRef": "15", "seriesId": "s1", "isoCategory": "", "techData": [\
            {"key": "Totallengde", "value": 155, "unit": "cm"}]}
            {"seriesId": "s1", "title": "Kross", "isoCatgory": "12230303", "text": "<br/>"}
            """
        var first = Array(text.utf8)[...]
        var reader = CatalogueReader {
            defer { first = [] }
            return Array(first)
        }
        while try reader.next() != nil {}
        var again = Array(text.utf8)[...]
        var second = CatalogueReader(series: reader.series) {
            defer { again = [] }
            return Array(again)
        }
        guard case .product(let product) = try second.next() else {
            Issue.record("the first is a product")
            return
        }
        #expect(product.id == "Hjul/15" && product.title == "Kross" && product.name == "kross-x-1")
        #expect(product.isoCode == "12230303" && product.depth?.most == 1_550)
        #expect(product.width?.most == 650)
        #expect(try second.next() == .series)
        #expect(try second.next() == nil)
    }

    @Test func `an impossible time doesn't keep later states out`() throws {
        let product = try Self.only(
            #"{"id": "a", "title": "b", "updated": "+999999999-12-31T23:59:59.999999999"}"#)
        #expect(product.updated == 0 && product.notes.contains { $0.contains("+999999999") })
    }

    @Test(arguments: [
        ("Seng 140", "Seng 140"), (" Seng  140 ", "Seng 140"),
        ("Løfter\u{85}på\thjul", "Løfter på hjul"),
        ("La\u{30A}s", "Lås"), ("\u{A0}Dør\u{A0}", "Dør"), ("Ring  ŋ", "Ring ŋ"), ("", ""),
        ("  ", ""),
        ("a\u{7F}b\u{2028}c", "a b c"),
    ])
    func `words have single blanks between them, and composed letters`(
        text: String, clean: String
    ) {
        #expect(Array(CatalogueText.clean(text).utf8) == Array(clean.utf8))
    }

    @Test func `names are joined into one line and cut`() throws {
        let long = String(repeating: "å", count: 400)
        let product = try Self.only(
            #"{"id": "a", "title": " x\n\u0000\u001b y ", "articleName": "\#(long)"}"#
        )
        #expect(product.title == "x y" && product.name.count == 301 && product.name.hasSuffix("…"))
    }

    @Test(arguments: Seed.some(300))
    func `a size is never smaller than the one written`(seed: Seed) throws {
        var seed = seed
        let (digits, decimals) = (1 + seed.below(99_999), seed.below(3))
        let scale = [1, 10, 100][decimals]
        let mark = seed.pick([",", "."])
        let rest = String(digits % scale + scale).dropFirst()
        let text = decimals == 0 ? "\(digits)" : "\(digits / scale)\(mark)\(rest)"
        let (unit, size) = seed.pick([("mm", 1.0), ("cm", 10), ("\"", 25.4)])
        let wanted = Double(digits) / Double(scale) * size
        guard wanted <= Double(SizeText.largest) else { return }
        let read = try #require(try SizeText(text, unit: unit).most)
        #expect(
            Double(read) >= wanted - 1e-6 && Double(read) < wanted + 1 + 1e-6, "\(text) \(unit)")
    }

    @Test func `a product is placed in a plan with its largest sizes`() throws {
        let chair = try Self.product("2").element(
            id: "chair", centre: PlanPoint(x: 5, y: -7), angle: 90_000)
        #expect(chair.kind == .wheelchair && chair.width == 700 && chair.depth == 1_150)
        #expect(chair.product?.number == "102" && chair.product?.id == "p-2")
        #expect(chair.product?.sizeEstimated == true && chair.wheelchair?.turningDiameter == 0)
        #expect(chair.centre == PlanPoint(x: 5, y: -7) && chair.angle == 90_000)
        let exact = try Self.product("1").element(id: "a", centre: PlanPoint(), angle: 0)
        #expect(exact.product?.sizeEstimated == false && exact.label == "Nr. 1")
        let bed = try Self.product("5").element(id: "b", centre: PlanPoint(), angle: 0)
        #expect(bed.kind == .bed && bed.wheelchair == nil)
        #expect(try Self.product("7").element(id: "c", centre: PlanPoint(), angle: 0).kind == .aid)
    }

    @Test func `a doubtful turning diameter isn't taken from the catalogue`() throws {
        func circle(_ measure: ProductMeasure) throws -> UInt32? {
            try Product(
                id: "a", name: "A", isoCode: "12220302", state: .active,
                width: ProductMeasure(most: 700), depth: ProductMeasure(most: 1_200),
                turningDiameter: measure
            ).element(id: "a", centre: PlanPoint(), angle: 0).wheelchair?.turningDiameter
        }
        #expect(try circle(ProductMeasure(most: 1_500)) == 1_500)
        #expect(try circle(ProductMeasure(most: 1_500, guess: "without a unit")) == 0)
    }

    @Test func `a product that can't be placed in a plan is refused with advice`() throws {
        for number in ["11", "12"] {
            let product = try Self.product(number)
            #expect(throws: Refusal.self) {
                try product.element(id: "a", centre: PlanPoint(), angle: 0)
            }
        }
        for code in ["22030301", "12361202", "12240901"] {
            let product = Product(id: "a", name: "A", isoCode: code, state: .active)
            #expect(throws: Refusal.self) {
                try product.element(id: "a", centre: PlanPoint(), angle: 0)
            }
        }
    }

    @Test func `reading only series makes no products, and is just as strict`() throws {
        let lines = Fixture.products.indices.map(Fixture.line).joined(separator: "\n")
        func entries(_ text: [UInt8]) throws -> Set<CatalogueEntry> {
            var pieces = [text, []]
            var reader = CatalogueReader { pieces.removeFirst() }
            reader.makesSeriesAlone = true
            var entries: Set<CatalogueEntry> = []
            while let entry = try reader.next() { entries.insert(entry) }
            return entries
        }

        #expect(try entries(Array(lines.utf8)) == [.passedOver])
        #expect(try entries(Array(#"{"seriesUUID":"s","title":"S"}"#.utf8)) == [.series])
        let wrong = Array(#"{"id":"1","data":[{"key":""#.utf8) + [0xFF] + Array(#""}]}"#.utf8)
        #expect(throws: JSONFault.self) { try entries(wrong) }
    }

    @Test(arguments: Seed.some(300))
    func `however a file is changed, reading it ends or reports a fault`(seed: Seed) throws {
        var seed = seed
        var bytes = Fixture.answer
        let signs = Array("{}[]\",:\\u0e-.5tfn \n\0".utf8) + [0xC3, 0xFF]
        for _ in 0..<(1 + seed.below(20)) {
            let place = seed.below(bytes.count)
            switch seed.below(5) {
            case 0: bytes[place] = seed.pick(signs)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(seed.pick(signs), at: place)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + seed.below(200)))
            default:
                let part = bytes[place..<min(bytes.count, place + seed.below(200))]
                bytes.insert(contentsOf: part, at: seed.below(bytes.count))
            }
            if bytes.isEmpty { break }
        }
        let pieces = 1 + seed.below(300)
        do {
            let entries = try CatalogueReader.entries(in: bytes, pieces: pieces)
            #expect(entries.count <= bytes.count)
            #expect(try CatalogueReader.entries(in: bytes) == entries)
        } catch let fault as JSONFault {
            #expect(fault.offset <= bytes.count)
        }
    }
}
