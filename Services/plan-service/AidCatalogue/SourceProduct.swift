import JSONText
import Messages

/// A technical fact of a product: a label, and a text that may be a number.
struct SourceFact: Hashable {
    var key = ""
    var value = ""
    var unit = ""
}

/// A product as read from its catalogue, before validation.
///
/// A field has several names: the search index, the register, and the messages of suppliers spell
/// them differently. The index's `filters` are not read: they are truncated to whole centimetres,
/// and one value that isn't a number empties them all.
struct SourceProduct {
    var id = ""
    var number = ""
    var supplierNumber = ""
    var name = ""
    var title = ""
    var maker = ""
    var isoCode = ""
    var isoTitle = ""
    var state = ""
    var series = ""
    var updated = ""
    var published = ""
    var created = ""
    var isAccessory = false
    var facts: [SourceFact] = []
    /// Why it is unreadable; nil if it is readable.
    var fault: String?

    /// The maximum number of technical facts of a product.
    static let mostFacts = 1_000

    /// True for a series, which can't be supplied as such, unlike a product.
    var isSeries: Bool {
        !series.isEmpty && [id, number, supplierNumber, name].allSatisfy(\.isEmpty)
    }

    /// Reads the value of a key.
    mutating func take(_ key: String, _ scanner: inout JSONScanner) throws {
        switch key {
        case "id": id = try text(key, &scanner) ?? id
        case "_id":
            if id.isEmpty { id = try text(key, &scanner) ?? id } else { try scanner.skip() }
        case "hmsArtNr": number = try text(key, &scanner) ?? number
        case "supplierRef": supplierNumber = try text(key, &scanner) ?? supplierNumber
        case "articleName": name = try text(key, &scanner) ?? name
        case "title": title = try text(key, &scanner) ?? title
        case "manufacturer": maker = try text(key, &scanner) ?? maker
        // One of the suppliers' messages misspells it.
        case "isoCategory", "isoCatgory": isoCode = try text(key, &scanner) ?? isoCode
        case "isoCategoryTitle": isoTitle = try text(key, &scanner) ?? isoTitle
        case "status", "registrationStatus": state = try text(key, &scanner) ?? state
        case "seriesId", "seriesUUID": series = try text(key, &scanner) ?? series
        case "updated": updated = try text(key, &scanner) ?? updated
        case "published": published = try text(key, &scanner) ?? published
        case "created": created = try text(key, &scanner) ?? created
        case "accessory", "sparePart": isAccessory = try flag(key, &scanner) || isAccessory
        case "supplier": try supplier(&scanner)
        case "data", "techData": try list(key, &scanner)
        case "_source", "productData": try members(&scanner)
        default: try scanner.skip()
        }
    }

    /// A text, or a number as it is written; nil for null and for anything else.
    private mutating func text(_ key: String, _ scanner: inout JSONScanner) throws -> String? {
        switch try scanner.kind() {
        case .text: return try scanner.text()
        case .number: return try scanner.number()
        case .word:
            guard let flag = try scanner.word() else { return nil }
            return flag ? "true" : "false"
        case .object, .array:
            fault = fault ?? "its “\(key)” isn't text"
            try scanner.skip()
            return nil
        }
    }

    private mutating func flag(_ key: String, _ scanner: inout JSONScanner) throws -> Bool {
        switch try text(key, &scanner) {
        case nil, "false": return false
        case "true": return true
        default:
            fault = fault ?? "its “\(key)” is neither true nor false"
            return false
        }
    }

    private mutating func supplier(_ scanner: inout JSONScanner) throws {
        guard try scanner.kind() == .object else {
            maker = try text("supplier", &scanner) ?? maker
            return
        }
        try scanner.enterObject()
        while let key = try scanner.nextKey() {
            if key == "name" {
                maker = try text("supplier", &scanner) ?? maker
            } else {
                try scanner.skip()
            }
        }
    }

    private mutating func members(_ scanner: inout JSONScanner) throws {
        guard try scanner.kind() == .object else {
            fault = fault ?? "its data isn't an object"
            return try scanner.skip()
        }
        try scanner.enterObject()
        while let key = try scanner.nextKey() { try take(key, &scanner) }
    }

    private mutating func list(_ key: String, _ scanner: inout JSONScanner) throws {
        guard try scanner.kind() == .array else {
            if try scanner.kind() != .word || scanner.word() != nil {
                fault = fault ?? "its “\(key)” isn't a list"
                try scanner.skip()
            }
            return
        }
        try scanner.enterArray()
        while try scanner.nextElement() {
            guard try scanner.kind() == .object, facts.count < Self.mostFacts else {
                fault = fault ?? "its “\(key)” has no facts, or more than \(Self.mostFacts)"
                try scanner.skip()
                continue
            }
            facts.append(try fact(&scanner))
        }
    }

    private mutating func fact(_ scanner: inout JSONScanner) throws -> SourceFact {
        var fact = SourceFact()
        try scanner.enterObject()
        while let key = try scanner.nextKey() {
            switch key {
            case "key": fact.key = try text(key, &scanner) ?? ""
            case "value": fact.value = try text(key, &scanner) ?? ""
            case "unit": fact.unit = try text(key, &scanner) ?? ""
            default: try scanner.skip()
            }
        }
        return fact
    }
}
