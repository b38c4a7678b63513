/// Writes XML: the same values give the same bytes.
package struct XMLWriter {
    package private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
    private var open: [String] = []

    /// A document without elements.
    package init() {}

    /// Opens an element. The values of attributes are ours and need no care.
    package mutating func open(_ name: String, _ attributes: [(name: String, value: String)] = []) {
        indent()
        append("<\(name)")
        for attribute in attributes { append(" \(attribute.name)=\"\(attribute.value)\"") }
        append(">\n")
        open.append(name)
    }

    /// Closes the element that was opened last.
    package mutating func close() {
        guard let name = open.popLast() else { return }
        indent()
        append("</\(name)>\n")
    }

    /// Writes an element with a text. The values of attributes are ours and need no care.
    package mutating func element(
        _ name: String, _ text: String, _ attributes: [(name: String, value: String)] = []
    ) {
        indent()
        append("<\(name)")
        for attribute in attributes { append(" \(attribute.name)=\"\(attribute.value)\"") }
        append(">")
        appendText(text)
        append("</\(name)>\n")
    }

    /// Writes an element with nothing in it.
    package mutating func writeEmpty(_ name: String) {
        indent()
        append("<\(name)/>\n")
    }

    private mutating func indent() {
        for _ in open { bytes += [32, 32, 32, 32] }
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    private mutating func appendText(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            // A parser reads a bare carriage return as a line feed.
            case UInt8(ascii: "\r"): append("&#13;")
            default: bytes.append(byte)
            }
        }
    }
}
