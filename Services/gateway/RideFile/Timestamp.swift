import Dates

/// Parses times as people and recorders write them, into milliseconds since 1970.
package enum Timestamp {
    /// The smallest bare number that counts as milliseconds: as seconds it would be the year 5138.
    private static let leastMilliseconds = 100_000_000_000.0

    /// ISO 8601 with date, time and zone (`2026-02-16T17:58:35.250Z`, `…+01:00`), or a number of
    /// seconds or milliseconds since 1970; nil if the text is neither.
    package static func milliseconds(_ text: some StringProtocol) -> Int64? {
        let bytes = Array(text.utf8)
        if let number = Double(String(text)), number.isFinite, number >= 0, number < 1e15 {
            return Int64((number < leastMilliseconds ? number * 1_000 : number).rounded())
        }
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            let date = CivilDate(year: year, month: month, day: day),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var rest = bytes[19...]
        var fraction = 0
        if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
            let digits = rest.dropFirst().prefix { digit($0) != nil }
            guard !digits.isEmpty else { return nil }
            fraction = number((Array(digits) + Array("000".utf8))[0..<3]) ?? 0
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = offsetMinutes(rest) else { return nil }
        let minutes = (date.daysSince1970 * 24 + hour) * 60 + minute - offset
        return Int64((minutes * 60 + second) * 1_000 + fraction)
    }

    private static func offsetMinutes(_ zone: ArraySlice<UInt8>) -> Int? {
        if zone.elementsEqual("Z".utf8) || zone.elementsEqual("z".utf8) { return 0 }
        guard let sign = zone.first,
            sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
        else { return nil }
        let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 4, let hours = number(digits[0..<2]),
            let minutes = number(digits[2..<4]), hours < 24, minutes < 60
        else { return nil }
        let offset = hours * 60 + minutes
        return sign == UInt8(ascii: "-") ? -offset : offset
    }

    private static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte) - 48 : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for byte in bytes {
            guard let digit = digit(byte) else { return nil }
            value = value * 10 + digit
        }
        return value
    }
}
