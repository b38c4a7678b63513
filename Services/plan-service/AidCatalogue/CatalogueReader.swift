import JSONText
import Messages

/// An entry read from a catalogue's file.
package enum CatalogueEntry: Hashable {
    /// A product.
    case product(Product)
    /// An entry that isn't a valid product; reading continues after it.
    case refused(RefusedEntry)
    /// A series: its products are named after it.
    case series
    /// An entry that was read but not turned into a product, because only series were requested.
    case passedOver
}

/// An entry of a file that was refused, and why.
package struct RefusedEntry: Hashable, Codable, Sendable {
    /// The line where it begins, counted from 1.
    package let line: Int
    /// The number of bytes before it.
    package let offset: Int
    /// Its name; may be empty.
    package let name: String
    /// Why it is refused.
    package let reason: String

    /// A refused entry.
    package init(line: Int, offset: Int, name: String, reason: String) {
        (self.line, self.offset) = (line, offset)
        (self.name, self.reason) = (name, reason)
    }
}

/// Reads products from a saved catalogue: an answer of an OpenSearch `_search`, hits or products
/// one after another (NDJSON), lists of them, and the messages of suppliers. Only one product at a
/// time is in memory.
package struct CatalogueReader {
    /// The maximum number of series.
    package static let mostSeries = 100_000

    private enum Place {
        case top
        case list
        case hits
    }

    private var scanner: JSONScanner
    private var place = Place.top
    private var makers = ProductMaker()
    /// True to read only series: everything is validated as strictly, but no products are made.
    package var makesSeriesAlone = false

    /// A reader of the pieces that a function returns; an empty piece is the end.
    ///
    /// - Parameter series: the series that a reader of the same files has found, so that products
    ///   that precede their series are named after it too.
    package init(
        series: [String: CatalogueSeries] = [:], _ more: @escaping () throws -> [UInt8]
    ) {
        scanner = JSONScanner(more)
        makers.series = series
    }

    /// The series found so far, by their ids.
    package var series: [String: CatalogueSeries] { makers.series }
    /// The number of bytes read.
    package var offset: Int { scanner.offset }

    /// The next entry; nil at the end.
    ///
    /// - Throws: ``JSONFault`` if the file isn't JSON, and any error that the function throws.
    package mutating func next() throws -> CatalogueEntry? {
        while true {
            switch place {
            case .top:
                guard try scanner.nextDocument() else { return nil }
                if try scanner.kind() == .array {
                    try scanner.enterArray()
                    place = .list
                } else if let entry = try entry() {
                    return entry
                }
            case .list:
                if try scanner.nextElement() { return try entry() }
                place = .top
            case .hits:
                if try scanner.nextElement() { return try entry() }
                try leaveHits()
            }
        }
    }

    /// Reads an entry; nil if it turns out to be an answer with hits, which was entered.
    private mutating func entry() throws -> CatalogueEntry? {
        var source = SourceProduct()
        let kind = try scanner.kind()
        let (line, offset) = (scanner.currentLine, scanner.offset)
        guard kind == .object else {
            source.fault = "it isn't an object"
            try scanner.skip()
            return makers.entry(source, line: line, offset: offset)
        }
        try scanner.enterObject()
        while let key = try scanner.nextKey() {
            if key == "hits", place == .top, try enterHits() { return nil }
            if key != "hits" || place != .top { try source.take(key, &scanner) }
        }
        guard source.isSeries || !makesSeriesAlone else { return .passedOver }
        return makers.entry(source, line: line, offset: offset)
    }

    /// Enters the list in the value of `hits`.
    ///
    /// - Returns: false if there is none, and the value was skipped.
    private mutating func enterHits() throws -> Bool {
        guard try scanner.kind() == .object else {
            try scanner.skip()
            return false
        }
        try scanner.enterObject()
        while let key = try scanner.nextKey() {
            if key == "hits", try scanner.kind() == .array {
                try scanner.enterArray()
                place = .hits
                return true
            }
            try scanner.skip()
        }
        return false
    }

    private mutating func leaveHits() throws {
        for _ in 0..<2 {
            while try scanner.nextKey() != nil { try scanner.skip() }
        }
        place = .top
    }
}
