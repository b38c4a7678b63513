import CExpat
import Messages
import Texts

/// Parses an XML document with expat and delivers the root's children one by one, so that only one
/// of them is in memory.
///
/// It refuses a document type, and with it every custom entity; depth, names and sizes are limited,
/// because expat keeps each name and each open element.
package final class XMLScanner {
    /// The maximum nesting depth of elements.
    package static let deepest = 64
    /// The maximum number of elements in one child of the root; a wall with 10,000 doors has fewer.
    package static let mostInOne = 300_000
    /// The usual maximum number of children of the root: a plan has at most 10,000 items, and a
    /// home also has drawings.
    package static let mostChildren = 200_000
    /// The maximum number of different names of elements and attributes.
    static let mostNames = 1_000
    /// The maximum number of bytes from one tag to the next; expat keeps a multiple of that for one
    /// tag.
    static let longestStretch = 1 << 20

    private let file: String
    private var error: Refusal?
    private let mostInOne: Int
    private let mostChildren: Int
    private let begin: (XMLNode) throws(Refusal) -> Void
    private let take: (XMLNode) throws(Refusal) -> Void
    private var parser: XML_Parser?
    private var open: [XMLNode] = []
    private var depth = 0
    private var nodes = 0
    private var children = 0
    private var names: Set<String> = []

    /// A scanner of a document.
    ///
    /// - Parameters:
    ///   - file: its name in messages.
    ///   - mostInOne: the maximum number of elements in one child of the root.
    ///   - mostChildren: the maximum number of children of the root.
    ///   - begin: called with the root, which has only its attributes.
    ///   - take: called with each child of the root, with all its contents.
    package init(
        file: String, mostInOne: Int = XMLScanner.mostInOne,
        mostChildren: Int = XMLScanner.mostChildren,
        begin: @escaping (XMLNode) throws(Refusal) -> Void,
        take: @escaping (XMLNode) throws(Refusal) -> Void
    ) {
        self.file = file
        self.mostInOne = mostInOne
        self.mostChildren = mostChildren
        self.begin = begin
        self.take = take
    }

    /// Reads the document to its end.
    ///
    /// - Throws: a refusal that names the place of what is wrong.
    package func read(_ bytes: [UInt8]) throws(Refusal) {
        try refuseLongStretches(bytes)
        let parser: XML_Parser = XML_ParserCreate(nil)
        self.parser = parser
        defer {
            XML_ParserFree(parser)
            self.parser = nil
        }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { XMLScanner.of($0)?.start($1, $2) }, { data, _ in XMLScanner.of(data)?.end() })
        XML_SetCharacterDataHandler(parser) { XMLScanner.of($0)?.characters($1, $2) }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            XMLScanner.of(data)?.refuseDocumentType()
        }
        // In one piece: given several, expat 2.5 starts parsing a long token again with each.
        let isWhole = withExtendedLifetime(self) {
            bytes.withUnsafeBytes {
                XML_Parse(
                    parser, $0.assumingMemoryBound(to: CChar.self).baseAddress, Int32($0.count), 1)
            } == XML_STATUS_OK
        }
        if let error { throw error }
        guard isWhole else { throw malformed }
    }

    private func refuseLongStretches(_ bytes: [UInt8]) throws(Refusal) {
        var (start, line, longest) = (0, 1, 0)
        var place = 1
        bytes.withUnsafeBufferPointer { bytes in
            for index in bytes.indices {
                if bytes[index] == UInt8(ascii: "\n") { line += 1 }
                guard bytes[index] == UInt8(ascii: "<") || index == bytes.count - 1 else {
                    continue
                }
                if index - start > longest { (longest, place) = (index - start, line) }
                start = index
            }
        }
        guard longest <= Self.longestStretch else {
            throw .invalid(
                "\(file): what ends in line \(place) is over \(Self.longestStretch >> 20) MiB "
                    + "without an element; take out what isn't needed")
        }
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> XMLScanner? {
        data.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    private var line: Int { Int(XML_GetCurrentLineNumber(parser)) }
    private var column: Int { Int(XML_GetCurrentColumnNumber(parser)) + 1 }

    private func start(
        _ element: UnsafePointer<CChar>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        guard error == nil, let element else { return }
        depth += 1
        nodes += 1
        let name = String(cString: element)
        guard isFast(name, in: name) else { return }
        guard depth <= Self.deepest else {
            return stop("is in \(Self.deepest) others; take out what is that deep", at: name)
        }
        guard nodes <= mostInOne else {
            return stop("is one of over \(mostInOne) elements in one; split it", at: name)
        }
        if depth == 2 { children += 1 }
        guard children <= mostChildren else {
            return stop("is one of over \(mostChildren) elements; split the file", at: name)
        }
        names.insert(name)
        var values: [(name: String, value: String)] = []
        var rest = attributes
        while let pair = rest, let first = pair[0], let second = pair[1] {
            let (attribute, value) = (String(cString: first), String(cString: second))
            guard isFast(attribute, in: name), isFast(value, in: name) else { return }
            values.append((attribute, value))
            names.insert(attribute)
            rest = pair + 2
        }
        guard names.count <= Self.mostNames else {
            return stop(
                "is one of over \(Self.mostNames) names; take out what isn't needed", at: name)
        }
        let node = XMLNode(name: name, attributes: values, line: line, column: column)
        if depth == 1 {
            attempt { () throws(Refusal) in try begin(node) }
        } else {
            open.append(node)
        }
    }

    private func characters(_ characters: UnsafePointer<CChar>?, _ count: Int32) {
        guard error == nil, !open.isEmpty, let characters else { return }
        let bytes = UnsafeRawBufferPointer(start: characters, count: Int(count))
        open[open.count - 1].text += String(decoding: bytes, as: UTF8.self)
    }

    private func end() {
        guard error == nil else { return }
        depth -= 1
        guard let node = open.popLast(), isFast(node.text, in: node.name) else { return }
        if open.isEmpty {
            nodes = 0
            attempt { () throws(Refusal) in try take(node) }
        } else {
            open[open.count - 1].children.append(node)
        }
    }

    /// Stops at a text that is slow to compare.
    ///
    /// - Returns: false for such a text.
    private func isFast(_ text: String, in name: String) -> Bool {
        guard text.hasEndlessMarks else { return true }
        stop(
            "has more than \(MarkRun.longest) combining marks in a row; leave them out",
            at: name.withoutEndlessMarks)
        return false
    }

    private func attempt(_ step: () throws(Refusal) -> Void) {
        do { try step() } catch { stop(error) }
    }

    private func refuseDocumentType() {
        stop(
            .invalid(
                "\(file): line \(line) declares a document type, which isn't needed and "
                    + "can hide anything; take it out"))
    }

    private func stop(_ reason: String, at name: String) {
        let place = FilePlace.element(name, line: line, column: column)
        stop(.invalid("\(file): \(place) \(reason)"))
    }

    private func stop(_ refusal: Refusal) {
        // Report only the first error: later ones follow from it.
        guard error == nil else { return }
        error = refusal
        XML_StopParser(parser, 0)
    }

    /// Why expat gave up, with the place and the fix.
    private var malformed: Refusal {
        let code = XML_GetErrorCode(parser)
        let inside =
            open.last.map { " in <\($0.name.prefix(60))>, open since line \($0.line)" } ?? ""
        let (reason, cure) =
            switch code {
            case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR:
                ("the file breaks off before its end", "copy or export the whole file again")
            case XML_ERROR_TAG_MISMATCH:
                ("another element is closed than the one that is open", "close that one first")
            case XML_ERROR_INVALID_TOKEN:
                (
                    "this isn't XML, or not in the file's encoding",
                    "write & as &amp; and < as &lt;, and save the file as UTF-8"
                )
            case XML_ERROR_UNKNOWN_ENCODING, XML_ERROR_INCORRECT_ENCODING:
                ("the encoding isn't known", "save the file as UTF-8 and say so in its first line")
            case XML_ERROR_UNDEFINED_ENTITY:
                ("a name between & and ; isn't known", "write the character itself, or & as &amp;")
            default:
                (
                    XML_ErrorString(code).map { String(cString: $0) } ?? "not well-formed",
                    "write well-formed XML"
                )
            }
        return .invalid("\(file): line \(line), column \(column)\(inside): \(reason); \(cure)")
    }
}
