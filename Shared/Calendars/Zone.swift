import Foundation

/// A time zone: an IANA zone, a zone that a calendar describes, or UTC.
package struct Zone: Hashable, Sendable {
    private enum Rules: Hashable, Sendable {
        case fixed(Int64)
        case known(TimeZone)
        case described([ZoneChange], first: Int64)
    }

    /// The name of the zone, e.g. `Europe/Oslo`.
    package let name: String
    private let rules: Rules

    package static let utc = Zone(name: "UTC", rules: .fixed(0))

    private init(name: String, rules: Rules) {
        self.name = name
        self.rules = rules
    }

    /// Finds an IANA zone; nil when this machine does not have it.
    package init?(named name: String) {
        if ["UTC", "GMT", "Etc/UTC", "Etc/GMT", "Z"].contains(name) {
            self = .utc
            return
        }
        // Foundation accepts more than names, e.g. “GMT+1”. Only names of places are wanted.
        guard name.utf8.count <= 64, name.first?.isLetter == true,
            name.utf8.allSatisfy({
                $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7a || $0 >= 0x30 && $0 <= 0x39
                    || "/_+-".utf8.contains($0)
            }), !name.hasPrefix("GMT"), let zone = TimeZone(identifier: name)
        else { return nil }
        self.init(name: name, rules: .known(zone))
    }

    /// Makes a zone from its clock changes, in order. Before the first its offset is `first`.
    init(name: String, first: Int64, changes: [ZoneChange]) {
        self.init(name: name, rules: .described(changes, first: first))
    }

    /// The offset at an instant in seconds east of UTC.
    ///
    /// - Parameter instant: seconds since 1970 UTC.
    package func offset(at instant: Int64) -> Int64 {
        switch rules {
        case .fixed(let offset): return offset
        case .known(let zone):
            let date = Date(timeIntervalSince1970: Double(instant))
            return Int64(zone.secondsFromGMT(for: date))
        case .described(let changes, let first):
            // The calendar repeats every 400 years, so later years are looked up in earlier ones.
            var instant = instant
            if instant >= ZoneChange.end {
                instant -= ((instant - ZoneChange.end) / ZoneChange.cycle + 1) * ZoneChange.cycle
            }
            var (low, high) = (0, changes.count)
            while low < high {
                let middle = (low + high) / 2
                if changes[middle].instant <= instant { low = middle + 1 } else { high = middle }
            }
            return low == 0 ? first : changes[low - 1].offset
        }
    }

    /// The wall time at an instant.
    package func wall(at instant: Int64) -> WallTime {
        WallTime(second: instant + offset(at: instant))
    }

    /// The instant of a wall time. A time that the clock skips is read with the offset before the
    /// gap; a time that occurs twice means the first (RFC 5545, 3.3.5).
    package func instant(of wall: WallTime) -> Int64 { moment(of: wall).instant }

    /// The instant of a wall time, and whether the clock skips it.
    package func moment(of wall: WallTime) -> (instant: Int64, isSkipped: Bool) {
        if case .fixed(let offset) = rules { return (wall.second - offset, false) }
        // No offset exceeds 26 hours, and no clock changes twice within that time.
        let before = offset(at: wall.second - 93_600)
        let after = offset(at: wall.second + 93_600)
        let early = wall.second - before
        if before == after { return (early, false) }
        let late = wall.second - after
        let isEarly = offset(at: early) == before
        let isLate = offset(at: late) == after
        if isEarly && isLate { return (min(early, late), false) }
        if isLate { return (late, false) }
        return (early, !isEarly)
    }

    /// The instant at which a day begins: the first with that date.
    ///
    /// - Parameter day: days since 1970-01-01.
    package func start(ofDay day: Int64) -> Int64 { instant(of: WallTime(day: day)) }
}

/// A clock change in a zone that a calendar describes.
struct ZoneChange: Hashable, Sendable {
    /// When, in seconds since 1970 UTC.
    let instant: Int64
    /// The offset from then on, in seconds east of UTC.
    let offset: Int64

    /// The 400 years after which dates fall on the same weekdays again, in seconds.
    static let cycle: Int64 = 146_097 * 86_400
    /// Changes are computed up to 2400-01-01.
    static let end: Int64 = 13_569_465_600
}
