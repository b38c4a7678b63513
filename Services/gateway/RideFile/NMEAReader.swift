import Dates
import Foundation
import RideTracking

/// Reads positions from the sentences of a satellite receiver: NMEA 0183, where RMC gives place,
/// time and speed, and GGA the quality of the fix.
package struct NMEAReader {
    /// The longest sentence, in bytes. The standard allows 82; receivers write somewhat more.
    package static let longestSentence = 200
    /// Metres of error for a dilution of precision of 1: what receivers of telephones and vehicles
    /// reach under an open sky.
    private static let metresPerDilution = 5.0
    private static let metresPerSecondPerKnot = 1_852.0 / 3_600

    /// The horizontal dilution of precision of the newest GGA.
    private var dilution: Double?

    /// Makes a reader that has read nothing.
    package init() {}

    /// The position that a sentence completes; nil for any other sentence, one without a valid
    /// position, and one whose checksum is missing or wrong.
    package mutating func read(_ sentence: String) -> RideFix? {
        guard let fields = Self.fields(sentence), let kind = fields.first?.suffix(3) else {
            return nil
        }
        switch kind {
        case "GGA":
            let isValid = fields.count > 8 && fields[6] != "0" && !fields[6].isEmpty
            dilution = isValid ? Self.number(fields[8], 0...100) : nil
            return nil
        case "RMC": return Self.fix(fields, dilution)
        default: return nil
        }
    }

    /// The fields of a sentence, the first with its talker and kind.
    private static func fields(_ sentence: String) -> [Substring]? {
        let bytes = Array(sentence.utf8)
        guard (7...longestSentence).contains(bytes.count), bytes[0] == UInt8(ascii: "$"),
            let star = bytes.lastIndex(of: UInt8(ascii: "*")), star + 3 <= bytes.count,
            let sum = UInt8(String(decoding: bytes[star + 1..<star + 3], as: UTF8.self), radix: 16),
            bytes[1..<star].reduce(0, ^) == sum
        else { return nil }
        return String(decoding: bytes[1..<star], as: UTF8.self)
            .split(separator: ",", omittingEmptySubsequences: false)
    }

    private static func fix(_ fields: [Substring], _ dilution: Double?) -> RideFix? {
        guard fields.count >= 10, fields[2] == "A",
            let time = time(fields[1], date: fields[9]),
            let latitude = degrees(fields[3], fields[4], "NS", digits: 2, most: 90),
            let longitude = degrees(fields[5], fields[6], "EW", digits: 3, most: 180)
        else { return nil }
        return RideFix(
            time: time, latitude: latitude, longitude: longitude,
            accuracy: dilution.map { max($0, 0.5) * metresPerDilution },
            speed: number(fields[7], 0...2_000).map { $0 * metresPerSecondPerKnot })
    }

    /// Degrees and minutes as one number: `5451.58` with two digits of degrees is 54.8597.
    private static func degrees(
        _ text: Substring, _ side: Substring, _ sides: String, digits: Int, most: Double
    ) -> Double? {
        guard let whole = number(text.prefix(digits), 0...most), text.count > digits,
            side.count == 1,
            let minutes = number(text.dropFirst(digits), 0...59.999_999),
            let index = sides.firstIndex(of: side[side.startIndex])
        else { return nil }
        let degrees = whole + minutes / 60
        guard degrees <= most else { return nil }
        return index == sides.startIndex ? degrees : -degrees
    }

    /// A time as `hhmmss.ss` and a date as `ddmmyy` of this century, in milliseconds since 1970.
    private static func time(_ clock: Substring, date: Substring) -> Int64? {
        func pair(_ text: Substring, _ at: Int) -> Int? {
            let part = text.dropFirst(at).prefix(2)
            return part.count == 2 && part.utf8.allSatisfy { (48...57).contains($0) }
                ? Int(part) : nil
        }
        guard let hour = pair(clock, 0), let minute = pair(clock, 2), let second = pair(clock, 4),
            hour < 24, minute < 60, second < 61, date.count == 6, let day = pair(date, 0),
            let month = pair(date, 2), let year = pair(date, 4),
            let midnight = CivilDate(year: 2_000 + year, month: month, day: day)
        else { return nil }
        let part = clock.dropFirst(6)
        let fraction = part.isEmpty ? 0 : number("0" + part, 0...0.999_999) ?? 0
        let seconds = midnight.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
        return Int64(seconds) * 1_000 + Int64(fraction * 1_000)
    }

    private static func number(
        _ text: some StringProtocol, _ range: ClosedRange<Double>
    ) -> Double? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") }),
            let number = Double(text), range.contains(number)
        else { return nil }
        return number
    }
}
