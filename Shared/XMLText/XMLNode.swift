/// An element of an XML document with its content.
package struct XMLNode {
    package let name: String
    package let attributes: [(name: String, value: String)]
    /// Its own text, without that of its children.
    package var text = ""
    package var children: [XMLNode] = []
    /// The line of its start tag, counted from 1.
    package let line: Int
    package let column: Int

    package subscript(attribute: String) -> String? {
        attributes.first { $0.name == attribute }?.value
    }

    package var place: FilePlace { .element(name, line: line, column: column) }
}

/// Where something is in a file.
package enum FilePlace: CustomStringConvertible {
    /// An element of XML.
    case element(String, line: Int, column: Int)
    /// A value of JSON, such as `walls[3].transform`.
    case path(String)
    /// A line of text, counted from 1.
    case line(Int)

    package var description: String {
        switch self {
        case .element(let name, let line, let column):
            "line \(line), column \(column), <\(name.prefix(60))>"
        case .path(let path): path.isEmpty ? "the top" : path
        case .line(let line): "line \(line)"
        }
    }
}
