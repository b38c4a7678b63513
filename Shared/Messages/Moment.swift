/// A time as programs read it in JSON: ISO 8601 in UTC with milliseconds,
/// `2026-11-21T08:00:00.000Z`, so that times sort as texts.
public struct Moment: Hashable, Sendable {
    /// Milliseconds since 1970.
    public let milliseconds: Int64

    /// Makes a time, clamped to ``MessageTime/range``.
    public init(milliseconds: Int64) { self.milliseconds = MessageTime.clamped(milliseconds) }
}

extension Moment: LosslessStringConvertible {
    /// The time as text.
    ///
    /// From days to a date: Hinnant, chrono-Compatible Low-Level Date Algorithms, civil_from_days.
    public var description: String {
        let (day, rest) = milliseconds.quotientAndRemainder(dividingBy: Self.day)
        let shifted = day + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let date = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let seconds = rest / 1_000
        return Self.digits(year, 4) + "-" + Self.digits(month, 2) + "-" + Self.digits(date, 2)
            + "T" + Self.digits(seconds / 3_600, 2) + ":" + Self.digits(seconds / 60 % 60, 2)
            + ":" + Self.digits(seconds % 60, 2) + "." + Self.digits(rest % 1_000, 3) + "Z"
    }

    /// Reads a text in exactly this form; nil for any other text.
    ///
    /// From a date to days: Hinnant, as above, days_from_civil.
    public init?(_ description: String) {
        let bytes = Array(description.utf8)
        guard bytes.count == 24,
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let date = Self.number(bytes[8..<10]), let hour = Self.number(bytes[11..<13]),
            let minute = Self.number(bytes[14..<16]), let second = Self.number(bytes[17..<19]),
            let thousandths = Self.number(bytes[20..<23]), (1...12).contains(month)
        else { return nil }
        let shiftedYear = month > 2 ? year : year - 1
        let (era, yearOfEra) = shiftedYear.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + date - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let day = era * 146_097 + dayOfEra - 719_468
        let seconds = hour * 3_600 + minute * 60 + second
        self.init(milliseconds: day * Self.day + seconds * 1_000 + thousandths)
        // A day that does not exist, or other separators, give a different text.
        guard self.description == description else { return nil }
    }

    private static let day: Int64 = 86_400_000

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
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

extension CodingUserInfoKey {
    /// When true in an encoder, times are written as texts for programs that read a command's
    /// output. Otherwise they are numbers, as in stores.
    public static let timesAsText = CodingUserInfoKey(rawValue: "steward.timesAsText")
}

extension Moment: Codable {
    /// Reads a text, or milliseconds since 1970; null is no time.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self.init(milliseconds: try container.decode(Int64.self))
        } catch DecodingError.typeMismatch {
            let text = try container.decode(String.self)
            guard let moment = Moment(text) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "\(text) isn't an ISO 8601 time")
            }
            self = moment
        }
    }

    /// Writes a text or a number, depending on the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if Self.isText(to: encoder) {
            try container.encode(description)
        } else {
            try container.encode(milliseconds)
        }
    }

    static func isText(to encoder: any Encoder) -> Bool {
        CodingUserInfoKey.timesAsText.flatMap { encoder.userInfo[$0] as? Bool } ?? false
    }
}
