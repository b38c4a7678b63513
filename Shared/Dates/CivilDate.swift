/// A date of the Gregorian calendar, from 1 January 0001 to 31 December 9999.
///
/// The arithmetic is that of Howard Hinnant, “chrono-Compatible Low-Level Date Algorithms”, 2013:
/// years begin in March, so that the leap day is the last of its year.
public struct CivilDate: Hashable, Comparable, Sendable {
    /// Days since 1 January 1970; negative before it.
    public let daysSince1970: Int

    private static let range = -719_162...2_932_896

    /// Makes the date with that number of days. A number outside the calendar gives its first or
    /// last day.
    public init(daysSince1970 days: Int) {
        daysSince1970 = min(max(days, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Makes the date of a year, a month and a day; nil when it does not exist, such as 30
    /// February.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(inMonth: month, of: year)
        else { return nil }
        daysSince1970 = Self.days(to: year, month) + day - 1
    }

    /// Days from 1 January 1970 to the first of a month, even in a year outside the calendar;
    /// negative before it.
    public static func days(to year: Int, _ month: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Makes the date of a number such as 20260131, GTFS's form of 31 January 2026; nil when it
    /// does not exist.
    public init?(yyyymmdd number: Int) {
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// Reads a date in the form of ISO 8601, `2026-01-31`; nil for any other form.
    public init?(iso text: some StringProtocol) {
        let bytes = Array(text.utf8.prefix(11))
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The year, the month from 1 to 12, and the day from 1 to 31.
    public var parts: (year: Int, month: Int, day: Int) {
        let shifted = daysSince1970 + 719_468
        // Never negative: the calendar begins after 1 March of the year 0.
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        return (yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth, day)
    }

    /// The date as a number, 20260131 for 31 January 2026.
    public var yyyymmdd: Int {
        let (year, month, day) = parts
        return year * 10_000 + month * 100 + day
    }

    /// The date in the form of ISO 8601, `2026-01-31`.
    public var iso: String {
        let digits = String(yyyymmdd)
        let padded = String(repeating: "0", count: 8 - digits.utf8.count) + digits
        return "\(padded.prefix(4))-\(padded.dropFirst(4).prefix(2))-\(padded.suffix(2))"
    }

    /// The day of the week, 0 for Monday to 6 for Sunday.
    public var weekday: Int { floorRemainder(daysSince1970 + 3, 7) }

    /// The day of the year, 1 for 1 January.
    public var dayOfYear: Int { daysSince1970 - Self.days(to: parts.year, 1) + 1 }

    /// The week of ISO 8601 and its year: week 1 contains the year's first Thursday.
    public var week: (year: Int, number: Int) {
        let thursday = Self(daysSince1970: daysSince1970 - weekday + 3)
        let year = thursday.parts.year
        let first = Self(year: year, month: 1, day: 1) ?? thursday
        return (year, (thursday.daysSince1970 - first.daysSince1970) / 7 + 1)
    }

    /// Orders the earlier date first.
    public static func < (left: Self, right: Self) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }

    /// The number of days in a year.
    public static func days(inYear year: Int) -> Int { isLeap(year) ? 366 : 365 }

    /// The number of days in a month.
    public static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

/// The quotient rounded down, even for a negative number. The divisor must be positive.
@inlinable
public func floorDivision<Number: BinaryInteger>(_ number: Number, _ divisor: Number) -> Number {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
}

/// The remainder of that quotient, never negative.
@inlinable
public func floorRemainder<Number: BinaryInteger>(_ number: Number, _ divisor: Number) -> Number {
    let rest = number % divisor
    return rest < 0 ? rest + divisor : rest
}
