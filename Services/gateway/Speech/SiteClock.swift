import Foundation

/// Shows times in the zone of a site, and names the zone if it differs from this machine's.
package struct SiteClock {
    private let zone: TimeZone

    /// The clock of a zone; of this machine if the zone is nil or unknown.
    package init(zone name: String?) { zone = name.flatMap(TimeZone.init(identifier:)) ?? .current }

    /// The name of the zone, such as `Europe/Oslo`.
    package var zoneName: String { zone.identifier }

    /// The zone if its time differs from that of this machine; nil if it is the same.
    package func foreignZone(at milliseconds: Int64) -> String? {
        let time = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        let isSame = zone.secondsFromGMT(for: time) == TimeZone.current.secondsFromGMT(for: time)
        return isSame ? nil : zone.identifier
    }

    /// The title of a column of times: `RAISED`, or `RAISED (Europe/Oslo)`.
    ///
    /// - Parameter times: the times in the column, milliseconds since 1970.
    package func title(_ title: String, of times: [Int64]) -> String {
        times.compactMap { foreignZone(at: $0) }.first.map { "\(title) (\($0))" } ?? title
    }

    /// The date and the time of day: `2026-11-21 10:15:00`.
    package func moment(_ milliseconds: Int64) -> String {
        var style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
            .dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        style.timeZone = zone
        return Date(timeIntervalSince1970: Double(milliseconds / 1000)).formatted(style)
    }

    /// The same with the zone if it differs: `2026-11-21 10:15:00 Europe/Oslo`.
    package func fullMoment(_ milliseconds: Int64) -> String {
        named(moment(milliseconds), at: milliseconds)
    }

    /// The time of day: `10:15`, or `10:15 Europe/Oslo`.
    package func time(_ milliseconds: Int64) -> String {
        named(Wording.time(milliseconds, in: zone.identifier), at: milliseconds)
    }

    /// The time of day: `10:15:00`, or `10:15:00 Europe/Oslo`.
    package func clock(_ milliseconds: Int64) -> String {
        named(String(moment(milliseconds).suffix(8)), at: milliseconds)
    }

    private func named(_ time: String, at milliseconds: Int64) -> String {
        foreignZone(at: milliseconds).map { "\(time) \($0)" } ?? time
    }
}
