import Foundation
import Testing

@testable import Calendars

/// An instant such as `2026-03-28T22:00:00Z`, in seconds since 1970.
func instant(_ text: String) throws -> Int64 {
    let plain = text.filter { $0 != "-" && $0 != ":" }
    let (wall, isUTC) = try #require(CalendarValue.wall(plain))
    #expect(isUTC)
    return wall.second
}

/// An instant as text.
func text(_ instant: Int64) -> String {
    let text = Array(CalendarText.instant(instant))
    return String(text[..<4]) + "-" + String(text[4..<6]) + "-" + String(text[6..<11])
        + ":" + String(text[11..<13]) + ":" + String(text[13...])
}

/// The days from one date to another, in UTC.
func days(_ first: String, _ last: String) throws -> TimeSpan {
    TimeSpan(try instant(first + "T00:00:00Z"), try instant(last + "T00:00:00Z"))
}

/// A calendar of components, each the lines between its BEGIN and END.
func calendar(_ components: String..., method: String? = nil) throws -> CalendarFile {
    try CalendarFile(calendarText(components, method: method).utf8)
}

func calendarText(_ components: [String], method: String? = nil) -> String {
    let parts = components.map { lines in
        let name = lines.hasPrefix("BEGIN:") ? "" : "VEVENT"
        return name.isEmpty ? lines : "BEGIN:VEVENT\n\(lines)\nEND:VEVENT"
    }
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"]
    return (head + (method.map { ["METHOD:\($0)"] } ?? []) + parts + ["END:VCALENDAR", ""])
        .joined(separator: "\n").replacing("\n", with: "\r\n")
}

extension CalendarFile {
    /// When the events begin and end, as text.
    func times(
        _ first: String, _ last: String, zone: String = "UTC"
    ) throws -> [[String]] {
        let zone = try #require(Zone(named: zone))
        return try occurrences(in: days(first, last), zone: zone).map {
            [text($0.span.start), text($0.span.end)]
        }
    }

    /// When the events begin.
    func starts(_ first: String, _ last: String, zone: String = "UTC") throws -> [String] {
        try times(first, last, zone: zone).map { $0[0] }
    }

    /// When someone is busy, and in which way.
    func busy(
        _ first: String, _ last: String, zone: String = "UTC", _ addresses: Set<String> = []
    ) throws -> [String] {
        let zone = try #require(Zone(named: zone))
        return try busyTimes(in: days(first, last), zone: zone, addresses: addresses).map {
            "\(text($0.span.start)) \(text($0.span.end)) \($0.kind)"
        }
    }
}
