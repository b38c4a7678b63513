import Messages

/// One thing that was read from a catalogue's file.
package enum CatalogueEntry: Hashable {
    /// A product.
    case product(Product)
    /// Something that can't be taken for a product; what comes after it is read all the same.
    case refused(RefusedEntry)
    /// A series: its products are named after it.
    case series
    /// Something that was read, and of which nothing was made because it was not asked for.
    case passedOver
}

/// What of a file was refused, and why.
package struct RefusedEntry: Hashable, Codable, Sendable {
    /// The line where it begins, from 1 on.
    package let line: Int
    /// Bytes before it.
    package let offset: Int
    /// What it calls itself; may be empty.
    package let name: String
    /// Why it is refused.
    package let reason: String

    /// Something refused.
    package init(line: Int, offset: Int, name: String, reason: String) {
        (self.line, self.offset) = (line, offset)
        (self.name, self.reason) = (name, reason)
    }
}

/// Reads products from a saved catalogue: an answer of an OpenSearch `_search`, hits or products
/// one after another (NDJSON), lists of them, and the messages of suppliers. It holds one product
/// at a time.
package struct CatalogueReader {
    /// The series that were met, at most.
    package static let mostSeries = 100_000

    private enum Place {
        case top
        case list
        case hits
    }

    private var scanner: JSONScanner
    private var place = Place.top
    private var makers = ProductMaker()
    /// True when series alone are asked for: all is read as strictly, but no products are made.
    package var makesSeriesAlone = false

    /// A reader of what a function brings, piece by piece; an empty one is the end.
    ///
    /// - Parameter series: what a reader of the same files has found, so that products that come
    ///   before their series are named after it too.
    package init(
        series: [String: CatalogueSeries] = [:], _ more: @escaping () throws -> [UInt8]
    ) {
        scanner = JSONScanner(more)
        makers.series = series
    }

    /// The series that were met so far, by their ids.
    package var series: [String: CatalogueSeries] { makers.series }
    /// Bytes that were read.
    package var offset: Int { scanner.offset }

    /// The next thing; nil at the end.
    ///
    /// - Throws: ``JSONFault`` when the file is no JSON; what the function throws.
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

    /// Reads a thing; nil when it turns out to be an answer with hits, which was entered.
    private mutating func entry() throws -> CatalogueEntry? {
        var source = SourceProduct()
        let kind = try scanner.kind()
        let (line, offset) = (scanner.currentLine, scanner.offset)
        guard kind == .object else {
            source.fault = "it is no object"
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
    /// - Returns: false when there is none, and the value was passed over.
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
