import Dates
import Texts

/// A time as a calendar writes it.
package enum CalendarMoment: Hashable, Sendable {
    /// A day, in no particular zone: days since 1970-01-01.
    case day(Int64)
    /// A wall time, in no particular zone.
    case floating(WallTime)
    /// A wall time in a zone.
    case zoned(WallTime, Zone)
    /// Seconds since 1970 UTC.
    case utc(Int64)

    /// Whether it is a day.
    package var isDay: Bool {
        if case .day = self { true } else { false }
    }

    /// Its own zone, or `zone` when it has none.
    func zone(or zone: Zone) -> Zone {
        switch self {
        case .day, .floating: zone
        case .zoned(_, let own): own
        case .utc: .utc
        }
    }

    /// The wall time in its own zone; the beginning of a day.
    var wall: WallTime {
        switch self {
        case .day(let day): WallTime(day: day)
        case .floating(let wall), .zoned(let wall, _): wall
        case .utc(let second): WallTime(second: second)
        }
    }

    /// Its instant in seconds since 1970 UTC, for a person in `zone`.
    package func instant(in zone: Zone) -> Int64 { self.zone(or: zone).instant(of: wall) }
}

/// A duration (RFC 5545, 3.3.6): calendar days, then exact seconds.
package struct CalendarLength: Hashable, Sendable {
    package let days: Int64
    package let seconds: Int64
    /// Whether the seconds are also counted on the wall clock.
    let isWall: Bool

    package init(days: Int64 = 0, seconds: Int64 = 0) {
        self.init(days: days, seconds: seconds, isWall: false)
    }

    init(days: Int64, seconds: Int64, isWall: Bool) {
        self.days = days
        self.seconds = seconds
        self.isWall = isWall
    }

    /// The end of a period that begins at `start`, which is the wall time `wall` in `zone`.
    func end(from start: Int64, _ wall: WallTime, in zone: Zone) -> Int64 {
        let later = days * 86_400 + (isWall ? seconds : 0)
        guard later != 0 else { return start + seconds }
        let end = zone.instant(of: WallTime(second: wall.second + later))
        return isWall ? end : end + seconds
    }

    /// An upper bound of the duration in seconds.
    var mostSeconds: Int64 { max(0, days) * 86_400 + max(0, seconds) + 86_400 }
}

/// Reads values (RFC 5545, 3.3). Each function returns nil for a malformed value.
enum CalendarValue {
    /// Reads `20260328`, as days since 1970-01-01.
    static func day(_ text: some StringProtocol) -> Int64? {
        let digits = Array(text.utf8)
        guard digits.count == 8, let year = number(digits[0..<4]),
            let month = number(digits[4..<6]), let day = number(digits[6..<8])
        else { return nil }
        return CivilDate(year: Int(year), month: Int(month), day: Int(day)).map {
            Int64($0.daysSince1970)
        }
    }

    /// Reads `20260328T230000`, with or without `Z`. A leap second counts as the second before it.
    static func wall(_ text: some StringProtocol) -> (wall: WallTime, isUTC: Bool)? {
        let bytes = Array(text.utf8)
        let isUTC = bytes.last == 0x5a || bytes.last == 0x7a
        guard bytes.count == (isUTC ? 16 : 15), bytes[8] == 0x54 || bytes[8] == 0x74,
            let day = day(String(decoding: bytes[..<8], as: UTF8.self)),
            let hour = number(bytes[9..<11]), hour < 24,
            let minute = number(bytes[11..<13]), minute < 60,
            let second = number(bytes[13..<15]), second <= 60
        else { return nil }
        let time = hour * 3_600 + minute * 60 + min(second, 59)
        return (WallTime(day: day, second: time), isUTC)
    }

    /// Reads `P1D`, `-PT15M`, `P2W` or `P1DT2H`; at most 3,660,000 days.
    static func length(_ text: some StringProtocol) -> CalendarLength? {
        var rest = Array(text.utf8)[...]
        var sign: Int64 = 1
        if rest.first == 0x2d { sign = -1 }
        if rest.first == 0x2d || rest.first == 0x2b { rest = rest.dropFirst() }
        guard rest.popFirst() == 0x50, !rest.isEmpty else { return nil }
        var (days, seconds): (Int64, Int64) = (0, 0)
        var isTime = false
        while !rest.isEmpty {
            if rest.first == 0x54 {
                guard !isTime, rest.count > 1 else { return nil }
                isTime = true
                rest = rest.dropFirst()
            }
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard digits.count <= 9, let amount = number(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            switch (rest.popFirst(), isTime) {
            case (0x57, false): days += amount * 7
            case (0x44, false): days += amount
            case (0x48, true): seconds += amount * 3_600
            case (0x4d, true): seconds += amount * 60
            case (0x53, true): seconds += amount
            default: return nil
            }
            guard days + seconds / 86_400 <= 3_660_000 else { return nil }
        }
        return CalendarLength(days: sign * days, seconds: sign * seconds)
    }

    /// Reads `+0100` or `-033045`, in seconds east of UTC; less than a day.
    static func offset(_ text: some StringProtocol) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5 || bytes.count == 7, bytes[0] == 0x2b || bytes[0] == 0x2d,
            let hour = number(bytes[1..<3]), hour < 24,
            let minute = number(bytes[3..<5]), minute < 60
        else { return nil }
        let second = bytes.count == 7 ? number(bytes[5..<7]) : 0
        guard let second, second < 60 else { return nil }
        let seconds = hour * 3_600 + minute * 60 + second
        return bytes[0] == 0x2d ? -seconds : seconds
    }

    /// Unescapes a text, replaces control characters, and cuts it off at a limit. Marks that are
    /// slow to compare once no backslashes divide them are left out.
    static func text(_ value: String, most: Int = CalendarLimits.textBytes) -> String {
        var text = String.UnicodeScalarView()
        var size = 0
        var isEscaped = false
        var run = MarkRun()
        for scalar in value.unicodeScalars {
            if !isEscaped, scalar == "\\" {
                isEscaped = true
                continue
            }
            let isNewline = isEscaped && (scalar == "n" || scalar == "N")
            let plain: Unicode.Scalar =
                isNewline ? "\n" : isControl(scalar) ? " " : scalar
            isEscaped = false
            if run.add(plain) { continue }
            size += UTF8.width(plain)
            if size > most { break }
            text.append(plain)
        }
        return String(text)
    }

    /// Reads digits; nil when there are none, more than nine, or other characters.
    static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.count <= 9 else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - 0x30)
        }
        return number
    }
}
