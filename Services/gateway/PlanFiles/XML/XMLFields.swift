import FloorPlan
import Messages
import PlanWriting
import Texts
import XMLText

/// The children of an element as the fields of an item: each once, with a typed value.
struct XMLFields {
    let node: XMLNode
    /// The file's name in messages.
    let file: String
    /// The file's unit of length, in millimetres.
    let unit: Double
    /// True if all spaces in texts count, as in a native file.
    let isExact: Bool
    /// The number of lengths that weren't whole millimetres.
    var rounded = 0

    /// The maximum length of a text, in bytes as it is written: that of an assessment of 16,000
    /// bytes, with an escape for each.
    static let longestText = 100_000

    init(_ node: XMLNode, file: String, unit: Double = 1, isExact: Bool) {
        self.node = node
        self.file = file
        self.unit = unit
        self.isExact = isExact
    }

    /// The only child with a name; nil if there is none.
    func child(_ name: String) throws(Refusal) -> XMLNode? {
        var found: XMLNode?
        for child in node.children where child.name == name {
            if let found {
                throw refusal(
                    child, "stands here twice, first in line \(found.line)", "keep one of them")
            }
            found = child
        }
        return found
    }

    /// The text of a field; empty if it is missing.
    func text(_ name: String) throws(Refusal) -> String {
        guard let child = try child(name) else { return "" }
        return try text(of: child)
    }

    /// The text of an element, with the escapes of ``XMLWriter`` decoded.
    func text(of child: XMLNode) throws(Refusal) -> String {
        guard child.text.utf8.count <= Self.longestText else {
            throw refusal(
                child, "has \(child.text.utf8.count) bytes of text",
                "give at most \(Self.longestText)")
        }
        if let inner = child.children.first {
            throw refusal(inner, "is inside a text", "write < as &lt;")
        }
        guard child["escaped"] != nil else { return isExact ? child.text : child.text.trimmed }
        guard let text = EscapedText.read(child.text) else {
            throw refusal(
                child, "has a \\ that begins no sign", "write \\\\ for it, or \\u{1F} for a sign")
        }
        guard !text.hasEndlessMarks else {
            throw refusal(
                child, "has more than \(MarkRun.longest) combining marks in a row",
                "leave them out")
        }
        return text
    }

    /// A number; nil if it is missing.
    func number(_ name: String) throws(Refusal) -> Double? {
        guard let child = try child(name) else { return nil }
        return try number(of: child)
    }

    func number(of child: XMLNode) throws(Refusal) -> Double {
        guard let value = PlainNumber.value(of: child.text), child.children.isEmpty else {
            throw refusal(
                child, "has “\(child.text.trimmed.shown())”, which isn't a number",
                "write one such as 100 or 12.5")
        }
        return value
    }

    /// A non-negative integer; nil if it is missing.
    func count(_ name: String) throws(Refusal) -> UInt32? {
        guard let child = try child(name) else { return nil }
        return try count(of: child)
    }

    func count(of child: XMLNode) throws(Refusal) -> UInt32 {
        let value = try number(of: child)
        guard let count = UInt32(exactly: value) else {
            throw refusal(
                child, "has \(child.text.trimmed.shown()), which isn't a whole number from 0",
                "write one up to \(UInt32.max)")
        }
        return count
    }

    /// A size in millimetres; nil if it is missing.
    mutating func size(_ name: String) throws(Refusal) -> UInt32? {
        guard let child = try child(name) else { return nil }
        let value = try millimetres(child)
        guard value >= 0, let size = UInt32(exactly: value) else {
            throw refusal(
                child, "has \(child.text.trimmed.shown())",
                value < 0
                    ? "a size isn't negative" : "a size is at most \(FloorPlan.largest / 1_000) m")
        }
        return size
    }

    /// A place; nil if its element is missing.
    /// - Throws: a refusal even if only x or y is missing.
    mutating func point(_ name: String) throws(Refusal) -> Vector? {
        guard let child = try child(name) else { return nil }
        return try point(of: child)
    }

    mutating func point(of child: XMLNode) throws(Refusal) -> Vector {
        var inner = XMLFields(child, file: file, unit: unit, isExact: isExact)
        defer { rounded += inner.rounded }
        return Vector(try inner.coordinate("x"), try inner.coordinate("y"))
    }

    private mutating func coordinate(_ name: String) throws(Refusal) -> Double {
        guard let child = try child(name) else {
            throw refusal(node, "has no <\(name)>", "give a place its x and y")
        }
        let value = try millimetres(child)
        guard abs(value) <= Double(FloorPlan.farthest) else {
            throw refusal(
                child, "has \(child.text.trimmed.shown()), which is farther than 1 km",
                "draw the plan about its origin, or mind the unit")
        }
        return value
    }

    private mutating func millimetres(_ child: XMLNode) throws(Refusal) -> Double {
        let exact = try number(of: child) * unit
        let value = exact.rounded()
        if abs(value - exact) > 1e-6 { rounded += 1 }
        return value
    }

    /// A flag: `true`, or absent for false.
    func flag(_ name: String) throws(Refusal) -> Bool {
        guard let child = try child(name) else { return false }
        switch child.text.trimmed {
        case "true", "": return true
        case "false": return false
        default: throw refusal(child, "is neither true nor false", "write one of them")
        }
    }

    /// A word of an enum, or the number of a word that isn't known yet.
    func word<Word: ProtobufEnum>(_ name: String) throws(Refusal) -> Word {
        guard let child = try child(name) else { return Word(rawValue: 0) }
        let text = child.text.trimmed
        if let word = Word.allCases.first(where: { $0.description == text }) { return word }
        if let number = Int32(text) { return Word(rawValue: number) }
        throw refusal(
            child, "has “\(text.shown())”",
            "write one of: " + Word.allCases.map(\.description).joined(separator: ", "))
    }

    private static let places: Set<String> = [
        "startPoint", "endPoint", "originPoint", "centre", "corner",
    ]

    /// The elements that a reader of these fields ignores.
    func unknown(besides known: Set<String>) -> [(place: FilePlace, words: String)] {
        var unknown: [(FilePlace, String)] = []
        for child in node.children where !known.contains(child.name) {
            unknown.append((child.place, "isn't known here and was left out"))
        }
        for place in node.children where Self.places.contains(place.name) {
            for child in place.children where child.name != "x" && child.name != "y" {
                unknown.append((child.place, "isn't known here and was left out"))
            }
        }
        for attribute in node.attributes {
            unknown.append(
                (node.place, "has the attribute \(attribute.name.shown()), which was left out"))
        }
        if !node.text.utf8.allSatisfy(PlainNumber.isSpace) {
            unknown.append((node.place, "has text between its elements, which was left out"))
        }
        return unknown
    }

    func refusal(_ node: XMLNode, _ reason: String, _ cure: String) -> Refusal {
        .inFile(file, node.place, reason, cure)
    }
}
