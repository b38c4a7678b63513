import Dates

/// Times as a Redmine server writes them: `2026-01-05T20:00:00Z`.
package enum RedmineMoment {
    /// The seconds since 1970 of a time; nil for any other form and for years before 1970.
    package static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8.prefix(21))
        guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: "Z"),
            let day = CivilDate(iso: text.prefix(10)), day.daysSince1970 >= 0,
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), hour < 24, minute < 60, second < 61
        else { return nil }
        return Int64(day.daysSince1970) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// The text of a time.
    ///
    /// - Parameter seconds: since 1970; a time before it or after the year 9999 becomes the
    ///   nearest.
    package static func text(_ seconds: Int64) -> String {
        let bounded = min(max(seconds, 0), 253_402_300_799)
        let (day, rest) = bounded.quotientAndRemainder(dividingBy: 86_400)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(CivilDate(daysSince1970: Int(day)).iso)T\(two(rest / 3_600)):"
            + "\(two(rest / 60 % 60)):\(two(rest % 60))Z"
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard (48...57).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - 48)
        }
        return number
    }
}
