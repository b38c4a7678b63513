import Foundation

/// Header text with non-ASCII letters (RFC 2047).
enum EncodedWord {
    /// The maximum number of bytes in an encoded word so that the first line, after `Subject: `,
    /// also has at most 76 characters.
    private static let longest = 39
    /// The maximum length of plain text; longer text would exceed 76 characters in a line.
    private static let longestPlain = 60

    /// The value of a header: unchanged when it is short and plain, else encoded words on lines of
    /// their own.
    static func header(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        // Blanks at the ends would be lost, and text like an encoded word would be decoded.
        let isSafe = !text.hasPrefix(" ") && !text.hasSuffix(" ") && !text.contains("=?")
        if isPlain, isSafe, text.utf8.count <= longestPlain { return text }
        return words(text).map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }
            .joined(separator: "\r\n ")
    }

    /// The text in runs of whole characters.
    private static func words(_ text: String) -> [[UInt8]] {
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if words[words.count - 1].count + bytes.count > longest { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words
    }
}

/// A parameter of a header, such as the name of a file.
enum Parameter {
    private static let longest = 60

    /// The parameter on lines of its own, after a semicolon: quoted when it is short and plain,
    /// else in percent-encoded UTF-8 in as many pieces as needed (RFC 2231).
    static func written(_ name: String, _ value: String) -> String {
        let isPlain = value.utf8.allSatisfy {
            (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        if isPlain, value.utf8.count <= longest { return ";\r\n \(name)=\"\(value)\"" }
        return pieces(value).enumerated().map { index, piece in
            ";\r\n \(name)*\(index)*=\(index == 0 ? "utf-8''" : "")\(piece)"
        }.joined()
    }

    private static func pieces(_ value: String) -> [String] {
        var pieces = [""]
        for byte in value.utf8 {
            let unit = isToken(byte) ? String(Unicode.Scalar(byte)) : percent(byte)
            if pieces[pieces.count - 1].utf8.count + unit.utf8.count > longest - 10 {
                pieces.append("")
            }
            pieces[pieces.count - 1] += unit
        }
        return pieces
    }

    private static func percent(_ byte: UInt8) -> String {
        (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// A time as the header `Date` has it (RFC 5322, 3.3), in UTC.
enum MailDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The text for milliseconds since 1970.
    static func text(_ time: Int64) -> String {
        var seconds = time_t(time / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits)
        return "\(days[Int(parts.tm_wday)]), \(parts.tm_mday) \(months[Int(parts.tm_mon)]) "
            + "\(parts.tm_year + 1900) \(clock.joined(separator: ":")) +0000"
    }

    private static func twoDigits(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
