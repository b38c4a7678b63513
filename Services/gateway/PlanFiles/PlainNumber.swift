/// Parses numbers in files.
enum PlainNumber {
    /// A decimal number with a point, such as `-12.5` or `1.7E-7`, with space around it; nil for
    /// anything else, including numbers that aren't finite.
    static func value(of text: String) -> Double? {
        let digits = text.utf8.drop(while: isSpace)
        guard let last = digits.lastIndex(where: { !isSpace($0) }) else { return nil }
        let plain = digits[...last]
        guard plain.count <= 60, plain.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
            let value = Double(Substring(plain)), value.isFinite
        else { return nil }
        return value
    }

    static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }
}

extension String {
    /// The text without the space around it.
    var trimmed: String {
        let inner = utf8.drop(while: PlainNumber.isSpace)
        guard let last = inner.lastIndex(where: { !PlainNumber.isSpace($0) }) else { return "" }
        return String(Substring(inner[...last]))
    }

    /// At most this number of its characters, for a message.
    func shown(_ most: Int = 40) -> String {
        count > most ? String(prefix(most)) + "…" : self
    }
}
