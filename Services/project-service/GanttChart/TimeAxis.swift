import Dates
import Phrases
import WorkCalendar

/// The unit of a chart's time axis.
package enum TimeScale: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    case day
    case week
    case month

    package var description: String { rawValue }

    /// The average length in days.
    var days: Double {
        switch self {
        case .day: 1
        case .week: 7
        case .month: 30.436_875
        }
    }

    /// The first day of the unit that contains a day.
    func begin(of day: Int) -> Int {
        let date = CivilDate(daysSince1970: day)
        return switch self {
        case .day: day
        case .week: day - date.weekday
        case .month: day - date.parts.day + 1
        }
    }

    /// The first day of the unit after the one that begins on `begin`.
    func next(after begin: Int) -> Int {
        switch self {
        case .day: return begin + 1
        case .week: return begin + 7
        case .month:
            let (year, month, _) = CivilDate(daysSince1970: begin).parts
            return CivilDate(
                year: month < 12 ? year : year + 1, month: month < 12 ? month + 1 : 1, day: 1)?
                .daysSince1970 ?? begin + 31
        }
    }
}

/// The time axis of a chart in whole days, weeks or months, with the names above them.
struct TimeAxis: Hashable, Sendable {
    /// A range of days and its names.
    struct Cell: Hashable, Sendable {
        var days: Range<Int>
        /// The longest name first.
        let names: [String]
    }

    let scale: TimeScale
    /// The days, weeks or months.
    private(set) var units: [Cell] = []
    /// The months above days or weeks, or the years above months.
    private(set) var groups: [Cell] = []

    /// All days of the axis.
    var days: Range<Int> {
        guard let first = units.first, let last = units.last else { return 0..<0 }
        return first.days.lowerBound..<last.days.upperBound
    }

    /// Makes an axis that covers a range of days.
    ///
    /// - Throws: ``ChartError/tooLong(_:_:)``.
    init(
        _ days: ClosedRange<Int>, _ scale: TimeScale, _ words: Words<ChartPhrase>
    ) throws(ChartError) {
        self.scale = scale
        // At least the actual number, so that no more units than the limit are made.
        let count = Int(Double(days.upperBound - days.lowerBound) / scale.days) + 1
        guard count <= GanttChart.Limit.units else { throw .tooLong(count, scale) }
        var begin = scale.begin(of: days.lowerBound)
        while begin <= days.upperBound {
            let end = scale.next(after: begin)
            units.append(Cell(days: begin..<end, names: Self.names(of: begin, scale, words)))
            begin = end
        }
        group(words)
    }

    /// Makes a part of an axis.
    init(_ axis: TimeAxis, units: Range<Int>, _ words: Words<ChartPhrase>) {
        scale = axis.scale
        self.units = Array(axis.units[units])
        group(words)
    }

    private mutating func group(_ words: Words<ChartPhrase>) {
        let days = self.days
        var begin = days.lowerBound
        while begin < days.upperBound {
            let (year, month, _) = CivilDate(daysSince1970: begin).parts
            let end: Int
            let names: [String]
            if scale == .month {
                end =
                    CivilDate(year: year + 1, month: 1, day: 1)?.daysSince1970 ?? days.upperBound
                names = ["\(year)", String("\(year)".suffix(2))]
            } else {
                end = TimeScale.month.next(after: TimeScale.month.begin(of: begin))
                names = [
                    "\(words.month(month)) \(year)", "\(words.shortMonth(month)) \(year)",
                    words.shortMonth(month),
                ]
            }
            let bounded = min(end, days.upperBound)
            groups.append(Cell(days: begin..<bounded, names: names))
            begin = bounded
        }
    }

    private static func names(
        of begin: Int, _ scale: TimeScale, _ words: Words<ChartPhrase>
    ) -> [String] {
        let date = CivilDate(daysSince1970: begin)
        switch scale {
        case .day: return ["\(date.parts.day)"]
        case .week:
            let number = "\(date.week.number)"
            return [words.say(.week, ["week": number]), number]
        case .month:
            let month = date.parts.month
            return [
                words.month(month), words.shortMonth(month),
                String(words.shortMonth(month).prefix(1)),
            ]
        }
    }

    /// The runs of days without work.
    func freeDays(_ calendar: WorkCalendar) -> [Range<Int>] {
        var stretches: [Range<Int>] = []
        for day in days
        where WorkCalendar.Limit.days.contains(day)
            && !calendar.isWorking(CivilDate(daysSince1970: day))
        {
            if let last = stretches.last, last.upperBound == day {
                stretches[stretches.count - 1] = last.lowerBound..<day + 1
            } else {
                stretches.append(day..<day + 1)
            }
        }
        return stretches
    }
}

extension Words<ChartPhrase> {
    /// The name of a month, from 1 to 12.
    func month(_ number: Int) -> String { say(family: "month", "\(number)") ?? "" }

    /// The same in about three letters.
    func shortMonth(_ number: Int) -> String { say(family: "short", "\(number)") ?? "" }

    /// A delay in days, such as `+3 d`; empty when it is zero.
    func slip(_ days: Int) -> String {
        guard days != 0 else { return "" }
        return say(
            .later, ["days": days > 0 ? "+\(days)" : language.decimal(Int64(days), decimals: 0)])
    }
}
