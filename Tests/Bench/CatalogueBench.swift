import AidCatalogue
import Bus
import Foundation
import Messages

/// A catalogue of assistive products: reading a file, sending and storing its products; and finding
/// one of 50,000. The reference for reading is Foundation's parser, which makes no products.
enum CatalogueBench {
    static let imported = 20_000
    static let searched = 50_000

    static func run(_ figures: inout Figures) throws {
        let scratch = try Scratch("ipc")
        let service = try Child(ServiceName.plan.rawValue, scratch)
        let lines = (0..<searched).map(line)
        reading(Array(lines.prefix(imported)), &figures)
        let first = try write(lines.prefix(imported), "first", scratch)
        let took = try time { try importFile(first, scratch) }
        figures.add(
            "catalogue: import, durable, from file to store", rate(imported, took), "products/s",
            goal: .atLeast(10_000))
        let again = try time { try importFile(first, scratch) }
        figures.add("catalogue: the same import again", rate(imported, again), "products/s")
        try importFile(try write(lines.dropFirst(imported), "second", scratch), scratch)
        try search(scratch, &figures)
        service.stop()
    }

    private static func rate(_ count: Int, _ duration: Duration) -> Double {
        Double(count) / (duration / .seconds(1))
    }

    /// A product as in the index, including fields that the reader ignores: about 2,500 bytes.
    private static func line(_ number: Int) -> String {
        let kinds = ["12220302", "12230603", "18121001", "09120301", "12060602", "22030301"]
        let words = ["Rullestol", "Seng", "Rullator", "Løfter", "Dusjstol", "Scooter", "Pute"]
        let makers = ["Hjul & Ramme AS", "Nordisk Pleie", "Sølv Hjelpemidler", "Aktiv Hverdag"]
        let text = String(
            repeating: "Kan stilles i høyden, og leveres i flere farger.<br/>", count: 12)
        let facts = (0..<10).map {
            #"{"key":"Egenskap \#($0)","value":"\#($0)","unit":"","type":"C"}"#
        }
        return """
            {"id":"\(number)-a7c1-4b5e-9d27-000000000000","supplier":{"id":"s",\
            "identifier":"HMDB-1","name":"\(makers[number % 4])"},\
            "title":"\(words[number % 7]) \(number % 997)",\
            "articleName":"\(words[number % 7]) \(number % 997) størrelse \(number % 12)",\
            "attributes":{"text":"\(text)","compatibleWith":{"seriesIds":[]}},"status":"ACTIVE",\
            "hmsArtNr":"\(100_000 + number)","supplierRef":"A-\(number)",\
            "isoCategory":"\(kinds[number % 6])","isoCategoryTitle":"\(words[number % 7])er",\
            "accessory":false,"sparePart":false,"main":true,"seriesId":"\(number / 4)",\
            "data":[{"key":"Totalbredde","value":"\(55 + number % 30),\(number % 10)","unit":"cm",\
            "type":"N"},{"key":"Totallengde","value":"1\(number % 90 + 10)","unit":"cm",\
            "type":"N"},\(facts.joined(separator: ","))],\
            "media":[{"uri":"x/\(number).jpg","priority":1,"type":"IMAGE"}],\
            "created":"2024-01-01T00:00:00.1","updated":"2025-01-01T00:00:00.2",\
            "filters":{"totalbreddeCM":\(55 + number % 30)},"agreements":[{"id":"x","rank":1}]}

            """
    }

    private static func reading(_ lines: [String], _ figures: inout Figures) {
        let bytes = Array(lines.joined().utf8)
        var count = 0
        let own = time {
            var rest = bytes[...]
            var reader = CatalogueReader {
                defer { rest = rest.dropFirst(1 << 18) }
                return Array(rest.prefix(1 << 18))
            }
            do { while case .product = try reader.next() { count += 1 } } catch { count = 0 }
        }
        var parsed = 0
        let reference = time {
            for line in lines
            where (try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil {
                parsed += 1
            }
        }
        guard count == lines.count, parsed == count else { return }
        figures.add(
            "catalogue: products read, \(bytes.count / count) bytes each", rate(count, own),
            "products/s",
            reference: ("parsed by JSONSerialization", rate(count, reference)))
    }

    private static func write(
        _ lines: some Sequence<String>, _ name: String, _ scratch: Scratch
    ) throws -> String {
        let path = "\(scratch.directory)/\(name).ndjson"
        try Data(lines.joined().utf8).write(to: URL(filePath: path))
        return path
    }

    private static func importFile(_ path: String, _ scratch: Scratch) throws {
        try steward(["catalogue", "import", path], scratch)
    }

    private static func search(_ scratch: Scratch, _ figures: inout Figures) throws {
        let client = try Client(scratch.connection(), to: .plan, isPatient: true)
        let queries = [
            FindProducts(text: "rullestol 42"), FindProducts(text: "seng"), FindProducts(text: "s"),
            FindProducts(text: "storrelse 7"), FindProducts(number: "123456"),
            FindProducts(isoCode: "1222"), FindProducts(text: "stor", maker: "nordisk"),
            FindProducts(),
            FindProducts(text: "lofter 9", isoCode: "12"), FindProducts(text: "139999"),
        ]
        var samples = Samples()
        for number in 0..<500 {
            let query = queries[number % queries.count]
            samples.add(try time { _ = try client.ask(query, for: Products.self) })
        }
        figures.add(
            "catalogue: search of \(searched) products, p50", samples.percentile(0.5) / 1000, "ms")
        figures.add(
            "catalogue: search of \(searched) products, p95", samples.percentile(0.95) / 1000, "ms",
            goal: .atMost(20))
    }
}
