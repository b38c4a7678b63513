import Foundation
import JSONText
import Messages
import Texts

/// Why a file of landmarks can't be used: where, what and what to do.
package struct LandmarkFileError: Error, Hashable, CustomStringConvertible {
    /// The line; 0 for the whole file.
    package let line: Int
    /// The fault.
    package let reason: String
    /// The remedy.
    package let cure: String

    package var description: String { reason }
}

/// Reads landmarks from GeoJSON (RFC 7946), as OpenStreetMap's tools write it, from OpenStreetMap's
/// own XML or PBF, or from CSV with the columns `name`, `type`, `latitude`, `longitude`, `text` and
/// `link`.
package struct LandmarkFile {
    /// The largest file, in bytes.
    package static let largest = 128 << 20
    /// The most landmarks of a file.
    package static let most = 200_000

    /// The landmarks, in the order of the file.
    package private(set) var landmarks: [Landmark] = []
    /// How many were left out because they have no name or no place.
    package private(set) var skipped = 0
    private let type: String?

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the file.
    ///   - type: the type of all landmarks; nil for the types in the file.
    /// - Throws: ``LandmarkFileError`` with the line and the cure.
    package init(_ bytes: [UInt8], type: String?) throws(LandmarkFileError) {
        self.type = type
        let first = bytes.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
        if MapBlocks.areIn(bytes) {
            try readPBF(bytes)
        } else if first == UInt8(ascii: "{") {
            do { try readJSON(bytes) } catch let error as LandmarkFileError { throw error } catch {
                let fault = error as? JSONFault
                throw LandmarkFileError(
                    line: fault?.line ?? 0, reason: "isn't GeoJSON: \(error)",
                    cure: "save it as a FeatureCollection of points")
            }
        } else if first == UInt8(ascii: "<") {
            try readOSM(bytes)
        } else {
            try readCSV(bytes)
        }
        guard !landmarks.isEmpty else {
            throw LandmarkFileError(
                line: 0, reason: "has no landmark with a name and a place",
                cure: "each needs the property, tag or column “name”")
        }
    }

    /// A text made into the name of a type: lower-case letters, digits and `-`.
    package static func typeName(_ text: String) -> String {
        var name = ""
        for byte in text.lowercased().utf8.prefix(100) {
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            if isLetter || isDigit {
                name.unicodeScalars.append(Unicode.Scalar(byte))
            } else if !name.isEmpty, !name.hasSuffix("-") {
                name += "-"
            }
        }
        while name.hasSuffix("-") { name.removeLast() }
        return name.isEmpty || name == "all" ? "other" : name
    }

    /// Adds something that has a name and a place; counts anything else as skipped.
    ///
    /// - Throws: ``LandmarkFileError`` when there are too many.
    mutating func add(
        _ facts: [String: String], latitude: Double?, longitude: Double?, line: Int
    ) throws(LandmarkFileError) {
        func first(_ keys: [String]) -> String {
            keys.lazy.compactMap { facts[$0] }.map { $0.trimmingCharacters(in: .whitespaces) }
                .first { !$0.isEmpty && !$0.hasEndlessMarks } ?? ""
        }
        let name = first(["name", "title", "label"])
        guard let latitude, let longitude, !name.isEmpty, (-90...90).contains(latitude),
            (-180...180).contains(longitude)
        else { return skipped += 1 }
        guard landmarks.count < Self.most else {
            throw LandmarkFileError(
                line: line, reason: "has more than \(Self.most) landmarks",
                cure: "leave out types that nobody wants to hear about")
        }
        let kind = type ?? first(["type"] + Self.kinds)
        landmarks.append(
            Landmark(
                type: Self.typeName(kind), name: Self.prefix(name, 400),
                text: Self.prefix(first(["text", "description"]), 2_000),
                link: Self.link(
                    first(["link", "website", "url", "web_url", "weburl", "contact:website"])),
                place: Coordinate(
                    latitudeE7: Int32((latitude * 1e7).rounded()),
                    longitudeE7: Int32((longitude * 1e7).rounded()))))
    }

    /// A link with its scheme in lower-case letters; empty if the text isn't one.
    private static func link(_ text: String) -> String {
        for scheme in ["https://", "http://"] where text.lowercased().hasPrefix(scheme) {
            let link = scheme + text.dropFirst(scheme.count)
            let isPlain = link.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            return isPlain && link.utf8.count <= 2_000 ? link : ""
        }
        return ""
    }

    private static func prefix(_ text: String, _ most: Int) -> String {
        var text = text
        while text.utf8.count > most { text.removeLast() }
        return text
    }

    // MARK: GeoJSON

    private mutating func readJSON(_ bytes: [UInt8]) throws {
        var rest = [bytes]
        var scanner = JSONScanner { rest.popLast() ?? [] }
        guard try scanner.nextDocument() else { return }
        try scanner.enterObject()
        while let key = try scanner.nextKey() {
            guard key == "features", try scanner.kind() == .array else {
                try scanner.skip()
                continue
            }
            try scanner.enterArray()
            while try scanner.nextElement() { try readFeature(&scanner) }
        }
    }

    private mutating func readFeature(_ scanner: inout JSONScanner) throws {
        let line = scanner.currentLine
        var facts: [String: String] = [:]
        var middle = MiddlePlace()
        try scanner.enterObject()
        while let key = try scanner.nextKey() {
            switch (key, try scanner.kind()) {
            case ("properties", .object): try Self.readFacts(&scanner, &facts)
            case ("geometry", .object):
                try scanner.enterObject()
                while let part = try scanner.nextKey() {
                    guard part == "coordinates", try scanner.kind() == .array else {
                        try scanner.skip()
                        continue
                    }
                    try Self.readPlaces(&scanner, &middle)
                }
            default: try scanner.skip()
            }
        }
        let place = middle.place
        try add(facts, latitude: place?.latitude, longitude: place?.longitude, line: line)
    }

    private static func readFacts(
        _ scanner: inout JSONScanner, _ facts: inout [String: String]
    ) throws {
        try scanner.enterObject()
        while let key = try scanner.nextKey() {
            guard try scanner.kind() == .text else {
                try scanner.skip()
                continue
            }
            let text = try scanner.text()
            let name = key.lowercased()
            if facts[name] == nil { facts[name] = text }
        }
    }

    /// Adds all places of a geometry, whatever its kind.
    private static func readPlaces(
        _ scanner: inout JSONScanner, _ middle: inout MiddlePlace
    ) throws {
        try scanner.enterArray()
        var numbers: [Double] = []
        while try scanner.nextElement() {
            switch try scanner.kind() {
            case .array: try readPlaces(&scanner, &middle)
            case .number: numbers.append(Double(try scanner.number()) ?? .nan)
            default: try scanner.skip()
            }
        }
        guard numbers.count >= 2 else { return }
        middle.add(latitude: numbers[1], longitude: numbers[0])
    }

    // MARK: CSV

    /// The longest name of a column in bytes; one with a longer name is ignored.
    private static let longestColumn = 100

    private mutating func readCSV(_ bytes: [UInt8]) throws(LandmarkFileError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw LandmarkFileError(
                line: 0, reason: "isn't text in UTF-8", cure: "save it as GeoJSON or CSV in UTF-8")
        }
        var columns: [String] = []
        for (line, cells) in Self.records(text) {
            guard !columns.isEmpty else {
                // Leave out long names, because each name is hashed for every record.
                columns = cells.map { $0.utf8.count <= Self.longestColumn ? $0 : "" }
                    .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
                columns[0] = String(columns[0].drop { $0 == "\u{FEFF}" })
                for needed in ["name", "latitude", "longitude"] where !columns.contains(needed) {
                    throw LandmarkFileError(
                        line: 1, reason: "has no column “\(needed)”",
                        cure: "begin it with name,type,latitude,longitude,text,link")
                }
                continue
            }
            let facts = Dictionary(zip(columns, cells)) { first, _ in first }
            let place = ["latitude", "longitude"].map {
                facts[$0].flatMap { Double($0.trimmingCharacters(in: .whitespaces)) }
            }
            guard let latitude = place[0], let longitude = place[1], abs(latitude) <= 90,
                abs(longitude) <= 180
            else {
                throw LandmarkFileError(
                    line: line, reason: "has no place in decimal degrees",
                    cure: "write latitude as 54.9 and longitude as -0.29")
            }
            try add(facts, latitude: latitude, longitude: longitude, line: line)
        }
    }

    /// The records of a table (RFC 4180), each with the line on which it begins.
    private static func records(_ text: String) -> [(line: Int, cells: [String])] {
        var records: [(line: Int, cells: [String])] = []
        var (cells, cell): ([String], [UInt8]) = ([], [])
        var (line, start, isQuoted, wasQuote) = (1, 1, false, false)
        func close() {
            cells.append(String(decoding: cell, as: UTF8.self))
            cell = []
        }
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") {
                // A quotation mark within quotation marks is doubled.
                if !isQuoted, wasQuote { cell.append(byte) }
                isQuoted.toggle()
                wasQuote = !isQuoted
                continue
            }
            wasQuote = false
            if byte == UInt8(ascii: "\n") { line += 1 }
            switch byte {
            case _ where isQuoted: cell.append(byte)
            case UInt8(ascii: ","): close()
            case UInt8(ascii: "\n"):
                close()
                if cells != [""] { records.append((start, cells)) }
                (cells, start) = ([], line)
            case UInt8(ascii: "\r"): break
            default: cell.append(byte)
            }
        }
        close()
        if cells != [""] { records.append((start, cells)) }
        return records
    }
}
