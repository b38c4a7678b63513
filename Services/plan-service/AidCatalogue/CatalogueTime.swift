import Dates

/// Parses times in catalogues: `2025-06-01T12:30:00.123`, in UTC unless a zone is given.
enum CatalogueTime {
    /// Milliseconds since 1970; nil for anything but a time between the years 1970 and 9999. Some
    /// catalogues have `+999999999-12-31` for “never”.
    static func milliseconds(_ text: String) -> Int64? {
        var bytes = Array(text.utf8)[...]
        guard let year = number(&bytes, digits: 4), (1970...9999).contains(year),
            take("-", &bytes), let month = number(&bytes, digits: 2), take("-", &bytes),
            let day = number(&bytes, digits: 2),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        var time = Int64(date.daysSince1970) * 86_400_000
        if bytes.isEmpty { return time }
        guard take("T", &bytes) || take(" ", &bytes), let hour = number(&bytes, digits: 2),
            hour < 24, take(":", &bytes), let minute = number(&bytes, digits: 2), minute < 60
        else { return nil }
        time += Int64(hour * 60 + minute) * 60_000
        if take(":", &bytes) {
            guard let second = number(&bytes, digits: 2), second <= 60 else { return nil }
            time += Int64(second) * 1_000
        }
        if take(".", &bytes) || take(",", &bytes) {
            let digits = bytes.prefix { (0x30...0x39).contains($0) }
            bytes = bytes.dropFirst(digits.count)
            for (place, scale) in zip(digits, [100, 10, 1]) {
                time += Int64(place - 0x30) * Int64(scale)
            }
        }
        return zone(&bytes).flatMap { bytes.isEmpty ? time - $0 : nil }
    }

    /// How far a zone is ahead of UTC, milliseconds; nil if it isn't a zone.
    private static func zone(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        if bytes.isEmpty || take("Z", &bytes) { return 0 }
        let isAhead = take("+", &bytes)
        guard isAhead || take("-", &bytes), let hours = number(&bytes, digits: 2), hours < 19
        else { return nil }
        _ = take(":", &bytes)
        let minutes = bytes.isEmpty ? 0 : number(&bytes, digits: 2) ?? 99
        guard minutes < 60 else { return nil }
        return Int64(hours * 60 + minutes) * (isAhead ? 60_000 : -60_000)
    }

    private static func take(_ sign: Character, _ bytes: inout ArraySlice<UInt8>) -> Bool {
        guard bytes.first == sign.asciiValue else { return false }
        bytes.removeFirst()
        return true
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>, digits: Int) -> Int? {
        let part = bytes.prefix(digits)
        guard part.count == digits, part.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        bytes = bytes.dropFirst(digits)
        return part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
