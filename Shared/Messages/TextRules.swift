/// Refuses a text that is too short, too long, or has characters that change how a terminal or a
/// page shows the text around it.
///
/// - Parameters:
///   - text: the text.
///   - name: its name in the refusal.
///   - length: the permitted number of characters. Only long texts may have
///     line breaks and tabs.
public func validateText(
    _ text: String, _ name: String, _ length: ClosedRange<Int>
) throws(Refusal) {
    // Bound the bytes first: they limit the cost of counting, comparing and keeping the characters.
    guard text.utf8.count <= 8 * length.upperBound else {
        throw Refusal.invalid("\(name) has more than \(8 * length.upperBound) bytes")
            .because(length)
    }
    guard !text.hasEndlessMarks else {
        throw Refusal.invalid("\(name) has more than \(longestMarkRun) combining marks in a row")
            .because(.textMarks)
    }
    let count = text.count
    guard count > 0 || length.contains(0) else {
        throw Refusal.invalid("\(name) is missing").because(.textMissing)
    }
    guard length.contains(count) else {
        throw Refusal.invalid(
            "\(name) has \(length.lowerBound) to \(length.upperBound) characters, not \(count)"
        ).because(length)
    }
    let isLong = length.upperBound >= 1_000
    for scalar in text.unicodeScalars where isControl(scalar) {
        if isLong && (scalar == "\n" || scalar == "\t") { continue }
        throw Refusal.invalid(
            "\(name) has the control character U+"
                + String(scalar.value + 0x10000, radix: 16, uppercase: true).suffix(4)
        ).because(.textControl)
    }
}

/// Refuses what isn't a plain name, which needs no quotes on a command line: that of a timetable, a
/// channel or a policy.
///
/// - Parameters:
///   - name: the name.
///   - noun: what it names, e.g. `a channel`.
/// - Throws: a `Refusal` that says which names are allowed.
public func validateName(_ name: String, of noun: String) throws(Refusal) {
    guard !name.isPlainName else { return }
    let shown = name.prefix(bytes: 100)
    throw Refusal.invalid("“\(shown)” can't name \(noun); use 1 to 40 letters, digits, - and _")
        .because(.namePlain, of: shown)
}

extension Refusal {
    /// The same refusal for a text that isn't as long as it has to be, in characters.
    ///
    /// - Parameters:
    ///   - length: the permitted number.
    ///   - field: which text it is, as a word for programs; empty if only one can be meant.
    public func because(_ length: ClosedRange<Int>, in field: String = "") -> Refusal {
        var arguments = ["least": "\(length.lowerBound)", "most": "\(length.upperBound)"]
        if !field.isEmpty { arguments["field"] = field }
        return because(.textLength, arguments)
    }
}

/// True for control characters, and for those that set the direction of text.
private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
}

extension String {
    /// True if the text is 1 to 40 letters from `a` to `z` in either case, digits, `-` and `_`.
    public var isPlainName: Bool {
        (1...40).contains(utf8.count)
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// The longest beginning of at most this many bytes. A single character can have any number of
    /// bytes, so texts must not be bounded by characters.
    public func prefix(bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(startIndex, offsetBy: max(0, bytes))
        // Go back to the start of a scalar, at most three bytes.
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
