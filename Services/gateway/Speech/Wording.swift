import Foundation

/// Times, durations and amounts in words for people.
package enum Wording {
    /// `850 ms`, `20 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`.
    package static func duration(_ milliseconds: Int64) -> String {
        guard milliseconds >= 0 else { return "−" + duration(-max(milliseconds, -.max)) }
        if milliseconds < 1000 { return milliseconds == 0 ? "0 s" : "\(milliseconds) ms" }
        let seconds = milliseconds / 1000 + (milliseconds % 1000 >= 500 ? 1 : 0)
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return pair(seconds, 60, "min", 1, "s")
        case ..<86_400: return pair(seconds, 3600, "h", 60, "min")
        default: return pair(seconds, 86_400, "d", 3600, "h")
        }
    }

    private static func pair(
        _ seconds: Int64, _ large: Int64, _ first: String, _ small: Int64, _ second: String
    ) -> String {
        let rest = seconds % large / small
        return "\(seconds / large) \(first)" + (rest > 0 ? " \(rest) \(second)" : "")
    }

    /// `350 m`, `2.4 km`.
    package static func distance(_ metres: UInt32) -> String {
        metres < 1000 ? "\(metres) m" : "\(metres / 1000).\(metres % 1000 / 100) km"
    }

    /// `1 stop`, `7 stops`.
    package static func count(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// The time of day in a time zone: `14:05`; empty in a zone that this machine does not know.
    package static func time(_ milliseconds: Int64, in zone: String) -> String {
        guard let zone = TimeZone(identifier: zone) else { return "" }
        let time = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        let minutes = (Int(milliseconds / 1000) + zone.secondsFromGMT(for: time)) / 60 % 1440
        return "\(minutes / 600)\(minutes / 60 % 10):\(minutes % 60 / 10)\(minutes % 10)"
    }
}

extension BidirectionalCollection<String> {
    /// The names in a sentence: `a`, `a and b`, or `a, b and c`.
    package var listed: String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}
