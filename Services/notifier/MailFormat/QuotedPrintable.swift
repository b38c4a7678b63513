/// Text whose lines stay readable and have at most 76 characters (RFC 2045, 6.7).
enum QuotedPrintable {
    private static let longestLine = 76
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The text in UTF-8; its lines end with CR LF, whether they did before or ended with LF.
    static func encoded(_ text: String) -> [UInt8] {
        var encoded: [UInt8] = []
        var column = 0
        // A Character may be CR and LF together, so this looks at the bytes.
        let bytes = Array(text.utf8)
        for index in bytes.indices {
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : nil
            if byte == 0x0D, next == 0x0A { continue }
            if byte == 0x0A {
                encoded += [0x0D, 0x0A]
                column = 0
                continue
            }
            let isLast = next == nil || next == 0x0A || next == 0x0D
            let unit = unit(byte, isLast: isLast)
            // The last place of a line is for the mark that it goes on.
            if column + unit.count > longestLine - 1 {
                encoded += [0x3D, 0x0D, 0x0A]
                column = 0
            }
            encoded += unit
            column += unit.count
        }
        return encoded
    }

    /// A byte as it stands in the mail. A blank at the end of a line would be lost on the way.
    private static func unit(_ byte: UInt8, isLast: Bool) -> [UInt8] {
        let isBlank = byte == 0x20 || byte == 0x09
        if isBlank, !isLast { return [byte] }
        if (0x21...0x7E).contains(byte), byte != 0x3D { return [byte] }
        return [0x3D, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
