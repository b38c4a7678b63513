/// How often something is repeated (RFC 5545, 3.3.10).
package struct RecurrenceRule: Hashable, Sendable {
    package enum Frequency: String, CaseIterable, Sendable {
        case secondly = "SECONDLY"
        case minutely = "MINUTELY"
        case hourly = "HOURLY"
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"

        /// The length of a period shorter than a day, in seconds; nil for the others.
        var seconds: Int64? {
            switch self {
            case .secondly: 1
            case .minutely: 60
            case .hourly: 3_600
            default: nil
            }
        }
    }

    /// The last moment that may count, inclusive.
    package enum End: Hashable, Sendable {
        case day(Int64)
        case wall(WallTime)
        case utc(Int64)
    }

    /// A weekday, 0 for Monday, and its ordinal; 0 means every one.
    struct Weekday: Hashable, Sendable {
        let ordinal: Int64
        let day: Int64
    }

    package let frequency: Frequency
    /// The number of periods from one to the next, at least 1.
    package var interval: Int64 = 1
    package var count: Int64?
    package var until: End?
    /// Each list is sorted, without duplicates.
    var seconds: [Int64] = []
    var minutes: [Int64] = []
    var hours: [Int64] = []
    var weekdays: [Weekday] = []
    var monthDays: [Int64] = []
    var yearDays: [Int64] = []
    var weeks: [Int64] = []
    var months: [Int64] = []
    var positions: [Int64] = []
    /// The day on which weeks begin, 0 for Monday.
    var weekStart: Int64 = 0

    private static let weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// Reads a rule.
    ///
    /// - Throws: `RuleFault` with what is wrong.
    package init(_ text: String) throws(RuleFault) {
        var parts: [String: String] = [:]
        for part in text.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { throw RuleFault("\(shown(part)) is not NAME=VALUE") }
            let name = pair[0].uppercased()
            guard parts.updateValue(pair[1].uppercased(), forKey: name) == nil else {
                throw RuleFault("\(shown(name)) occurs twice")
            }
        }
        guard let frequency = parts.removeValue(forKey: "FREQ").flatMap(Frequency.init) else {
            throw RuleFault("FREQ is missing, or none of SECONDLY to YEARLY")
        }
        self.frequency = frequency
        for (name, value) in parts.sorted(by: { $0.key < $1.key }) { try set(name, value) }
        guard positions.isEmpty || hasOtherPart else {
            throw RuleFault("BYSETPOS stands alone; it chooses among what another BY part lists")
        }
    }

    private var hasOtherPart: Bool {
        !(seconds.isEmpty && minutes.isEmpty && hours.isEmpty && weekdays.isEmpty
            && monthDays.isEmpty && yearDays.isEmpty && weeks.isEmpty && months.isEmpty)
    }

    private mutating func set(_ name: String, _ value: String) throws(RuleFault) {
        switch name {
        case "INTERVAL": interval = try Self.number(name, value, in: 1...1_000_000)
        // Some programs write -1 for no count.
        case "COUNT" where value == "-1": break
        case "COUNT": count = try Self.number(name, value, in: 1...999_999_999)
        case "UNTIL": until = try Self.end(value)
        case "BYSECOND": seconds = try Self.list(name, value, 0...60).map { min($0, 59) }
        case "BYMINUTE": minutes = try Self.list(name, value, 0...59)
        case "BYHOUR": hours = try Self.list(name, value, 0...23)
        case "BYDAY": weekdays = try Self.weekdays(value)
        case "BYMONTHDAY": monthDays = try Self.list(name, value, 1...31, negative: true)
        case "BYYEARDAY": yearDays = try Self.list(name, value, 1...366, negative: true)
        case "BYWEEKNO":
            guard frequency == .yearly else { throw RuleFault("BYWEEKNO needs FREQ=YEARLY") }
            weeks = try Self.list(name, value, 1...53, negative: true)
        case "BYMONTH": months = try Self.list(name, value, 1...12)
        case "BYSETPOS": positions = try Self.list(name, value, 1...366, negative: true)
        case "WKST":
            guard let day = Self.weekdayNames.firstIndex(of: value) else {
                throw RuleFault("WKST is none of MO to SU")
            }
            weekStart = Int64(day)
        case "RSCALE" where value == "GREGORIAN": break
        case "SKIP" where value == "OMIT": break
        case _ where name.hasPrefix("X-"): break
        default: throw RuleFault("\(shown(name))=\(shown(value)) is not understood")
        }
        if seconds.last == 59 { seconds = Array(Set(seconds)).sorted() }
    }

    private static func number(
        _ name: String, _ value: some StringProtocol, in range: ClosedRange<Int64>
    ) throws(RuleFault) -> Int64 {
        guard let number = CalendarValue.number(Array(value.utf8)[...]), range.contains(number)
        else { throw RuleFault("\(name) is not from \(range.lowerBound) to \(range.upperBound)") }
        return number
    }

    private static func list(
        _ name: String, _ value: String, _ range: ClosedRange<Int64>, negative: Bool = false
    ) throws(RuleFault) -> [Int64] {
        var numbers: Set<Int64> = []
        for item in value.split(separator: ",", omittingEmptySubsequences: false) {
            let isNegative = negative && item.hasPrefix("-")
            let isSigned = isNegative || negative && item.hasPrefix("+")
            let size = try number(name, isSigned ? item.dropFirst() : item, in: range)
            numbers.insert(isNegative ? -size : size)
        }
        return numbers.sorted()
    }

    private static func weekdays(_ value: String) throws(RuleFault) -> [Weekday] {
        var days: Set<Weekday> = []
        for item in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let day = weekdayNames.firstIndex(of: String(item.suffix(2))) else {
                throw RuleFault("BYDAY has \(shown(item)), which ends in none of MO to SU")
            }
            let ordinal = item.dropLast(2)
            let which =
                ordinal.isEmpty ? [0] : try list("BYDAY", String(ordinal), 1...53, negative: true)
            days.insert(Weekday(ordinal: which[0], day: Int64(day)))
        }
        return days.sorted { ($0.day, $0.ordinal) < ($1.day, $1.ordinal) }
    }

    private static func end(_ value: String) throws(RuleFault) -> End {
        if let day = CalendarValue.day(value) { return .day(day) }
        guard let (wall, isUTC) = CalendarValue.wall(value) else {
            throw RuleFault("UNTIL is not a date such as 20261231 or 20261231T225959Z")
        }
        return isUTC ? .utc(wall.second) : .wall(wall)
    }
}

/// What is wrong with a recurrence rule.
package struct RuleFault: Error, Hashable, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}
