/// A piece of a page: an element or a text.
///
/// This is the only way in which text gets into a page. The same tree is written as HTML, for a
/// page that a server sends, and as JSON, for a page that is open and builds the elements itself:
/// so nothing that a person typed is ever read as HTML.
public indirect enum Node: Hashable, Sendable {
    /// An element of HTML or, inside `svg`, of SVG.
    case element(String, [Attribute], [Node])
    /// A text, as people read it.
    case text(String)

    /// An attribute of an element.
    public struct Attribute: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// Its value; nil for one without a value, such as `required`.
        public let value: String?

        /// Makes an attribute.
        public init(_ name: String, _ value: String? = nil) {
            (self.name, self.value) = (name, value)
        }
    }

    /// The text of an element and of everything in it.
    public var plainText: String {
        switch self {
        case .text(let text): text
        case .element(_, _, let children): children.map(\.plainText).joined()
        }
    }
}

extension Node: ExpressibleByStringInterpolation {
    /// A text.
    public init(stringLiteral text: String) { self = .text(text) }
}

/// Makes an element: `tag("p", ["class": "note"], "Hello")`. An attribute whose value is nil is
/// left out; one whose value is empty is written without a value.
public func tag(
    _ name: String, _ attributes: KeyValuePairs<String, String?> = [:], _ children: Node...
) -> Node {
    tag(name, attributes, children)
}

/// Makes an element of children that are in a list.
public func tag(
    _ name: String, _ attributes: KeyValuePairs<String, String?> = [:], _ children: [Node]
) -> Node {
    precondition(Grammar.isName(name), "the name of an element is written in the program")
    let attributes = attributes.compactMap { name, value -> Node.Attribute? in
        precondition(Grammar.isAttribute(name), "an attribute with code or style is never written")
        return value.map { Node.Attribute(name, $0) }
    }
    return .element(name, attributes, children)
}

/// The rules for names and characters in a page.
enum Grammar {
    /// Elements that have neither children nor an end tag.
    static let void: Set = ["br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"]

    static func isName(_ name: String) -> Bool {
        let isWritten = name.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || (65...90).contains($0)
        }
        return isWritten && !name.isEmpty && !["style", "iframe", "object", "embed"].contains(name)
    }

    static func isAttribute(_ name: String) -> Bool {
        isName(name) && !name.hasPrefix("on") && name != "srcdoc"
    }

    /// Characters that can't be shown, and those that would reverse the text around them, are left
    /// out: tab and line feed stay.
    static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 9, 10: true
        case 0...31, 127...159, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
