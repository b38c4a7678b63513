/// An encoding whose lines stay readable and have at most 76 characters (RFC 2045, 6.7).
enum QuotedPrintable {
    private static let longestLine = 76
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes text in UTF-8; its lines end with CR LF, whether they ended with that or LF.
    static func encoded(_ text: String) -> [UInt8] {
        var encoded: [UInt8] = []
        var column = 0
        // A Character may be CR and LF together, so this compares bytes.
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
            // The last column of a line is reserved for the mark that the line continues.
            if column + unit.count > longestLine - 1 {
                encoded += [0x3D, 0x0D, 0x0A]
                column = 0
            }
            encoded += unit
            column += unit.count
        }
        return encoded
    }

    /// Encodes a byte. A blank at the end of a line would be lost in transfer.
    private static func unit(_ byte: UInt8, isLast: Bool) -> [UInt8] {
        let isBlank = byte == 0x20 || byte == 0x09
        if isBlank, !isLast { return [byte] }
        if (0x21...0x7E).contains(byte), byte != 0x3D { return [byte] }
        return [0x3D, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
