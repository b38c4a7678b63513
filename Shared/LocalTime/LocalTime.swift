import Dates
import Foundation

/// The local time of a zone. It does not read the clock.
///
/// It uses only the zone's offset from UTC, so it does not depend on how a calendar searches for a
/// local time.
package struct LocalTime: Hashable, Sendable {
    private let zone: TimeZone

    /// Makes the local time of an IANA zone; nil when this machine does not have it.
    package init?(zone name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    /// Whether this machine's time zone database has a zone of that name. Foundation accepts more,
    /// such as `GMT+5` and `PST`.
    package static func isKnown(_ name: String) -> Bool {
        !name.isEmpty && TimeZone(identifier: name) != nil
            && FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/\(name)")
    }

    /// A date and a time of day as a wall clock shows them.
    package struct Reading: Hashable, Sendable {
        /// Days since 1970-01-01.
        package let day: Int64
        /// Seconds since local midnight.
        package let second: Int64

        /// The full hour, 0 to 23.
        package var hour: Int { Int(second / 3_600) }
        /// Whole minutes since local midnight.
        package var minutes: Int { Int(second / 60) }
        /// ISO 8601, e.g. `2026-03-29`.
        package var date: String { CivilDate(daysSince1970: Int(day)).iso }
        /// Hours and minutes, e.g. `10:15`.
        package var time: String { LocalTime.text(minutes: minutes) }
    }

    /// The local date and time at an instant.
    ///
    /// - Parameter time: milliseconds since 1970.
    package func reading(at time: Int64) -> Reading {
        let second = floorDivision(time, 1_000)
        let local = second + offset(at: second)
        let day = floorDivision(local, 86_400)
        return Reading(day: day, second: local - day * 86_400)
    }

    /// The first instant at which the clock shows a time of a day. For a time that the clock skips
    /// it is the first instant after the gap; for one shown twice it is the first.
    ///
    /// - Returns: milliseconds since 1970.
    package func instant(day: Int64, minutes: Int) -> Int64 {
        let wanted = day * 86_400 + Int64(minutes) * 60
        var earlier = wanted - 129_600
        var later = wanted + 129_600
        let before = offset(at: earlier)
        let after = offset(at: later)
        if before == after { return (wanted - before) * 1_000 }
        while later - earlier > 1 {
            let middle = earlier + (later - earlier) / 2
            if offset(at: middle) == before { earlier = middle } else { later = middle }
        }
        let instant = wanted - before < later ? wanted - before : max(later, wanted - after)
        return instant * 1_000
    }

    /// The first instant with that local time that is not before `bound`.
    ///
    /// - Returns: milliseconds since 1970.
    package func first(minutes: Int, notBefore bound: Int64) -> Int64 {
        let day = reading(at: bound).day
        let today = instant(day: day, minutes: minutes)
        return today >= bound ? today : instant(day: day + 1, minutes: minutes)
    }

    private func offset(at second: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
    }

    /// Formats minutes after midnight as hours and minutes, e.g. `10:15`.
    package static func text(minutes: Int) -> String {
        let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(digits(minutes / 60)):\(digits(minutes % 60))"
    }
}

extension LocalTime {
    /// Reads a date in ISO 8601 from 1970 on, such as `2026-03-29`; nil for anything else.
    ///
    /// - Returns: days since 1970-01-01.
    package static func day(_ date: String) -> Int64? {
        guard let date = CivilDate(iso: date), date.daysSince1970 >= 0 else { return nil }
        return Int64(date.daysSince1970)
    }
}
