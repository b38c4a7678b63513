import Dates
import Foundation
import TestSupport
import Testing
import WorkCalendar

struct WorkingTimeTests {
    private let hour: Int64 = 3_600_000

    private func lengths(
        _ hours: [Range<Int>], on weekdays: Set<Int> = Set(0..<7), from: String, days: Int = 1,
        zone: String
    ) throws -> [Int64] {
        let instant = try Self.clock(zone)
        let calendar = try WorkCalendar(week: .init(hours, on: weekdays))
        let first = try date(from)
        let last = CivilDate(daysSince1970: first.daysSince1970 + days)
        return WorkingTime(calendar, instant: instant)
            .stretches(in: instant(first, 0)..<instant(last, 0))
            .map { $0.upperBound - $0.lowerBound }
    }

    /// The local time in a zone, according to Foundation.
    private static func clock(_ zone: String) throws -> (CivilDate, Int) -> Int64 {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let fixed = calendar
        return { day, minutes in
            let (year, month, day) = day.parts
            let parts = DateComponents(
                year: year, month: month, day: day, hour: minutes / 60, minute: minutes % 60)
            return Int64((fixed.date(from: parts)?.timeIntervalSince1970 ?? 0) * 1_000)
        }
    }

    @Test func `work lasts from local time to local time, even when the clock changes`() throws {
        // The clock is put forward on 29 March 2026 at 2, and back on 25 October at 3.
        let zone = "Europe/Oslo"
        #expect(
            try lengths([480..<960], from: "2026-03-28", days: 3, zone: zone)
                == [8 * hour, 8 * hour, 8 * hour])
        #expect(try lengths([60..<240], from: "2026-03-29", zone: zone) == [2 * hour])
        #expect(try lengths([60..<240], from: "2026-10-25", zone: zone) == [4 * hour])
    }

    @Test func `work over midnight belongs to the day on which it began`() throws {
        // From Friday at 22 to Saturday at 6.
        let saturday = try lengths(
            [1_320..<1_800], on: [4], from: "2026-05-16", zone: "Asia/Kathmandu")
        #expect(saturday == [6 * hour])
    }

    @Test func `adjoining stretches of work become one`() throws {
        let all = try lengths(
            [0..<720, 720..<1_440], from: "2026-05-11", days: 3, zone: "Pacific/Auckland")
        #expect(all == [72 * hour])
    }

    @Test(arguments: Seed.some(40))
    func `there is work at the times that the local clock gives`(seed: Seed) throws {
        var seed = seed
        // Zones with a constant offset from UTC.
        let (zone, ahead) = seed.pick([
            ("Asia/Kolkata", 330), ("Asia/Tokyo", 540), ("America/Phoenix", -420), ("UTC", 0),
        ])
        let calendar = try WorkCalendarTests.any(&seed)
        let begin = Int64(20_100 + seed.below(400)) * 86_400_000
        let span = begin..<begin + 20 * 86_400_000
        let time = WorkingTime(calendar, instant: try Self.clock(zone))
        let stretches = time.stretches(in: span)
        #expect(zip(stretches, stretches.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })

        for _ in 0..<200 {
            let moment = Int64.random(in: span, using: &seed)
            let minutes = Int(moment / 60_000) + ahead
            let today = CivilDate(daysSince1970: minutes / 1_440)
            let yesterday = CivilDate(daysSince1970: minutes / 1_440 - 1)
            let works =
                calendar.hours(on: today).contains { $0.contains(minutes % 1_440) }
                || calendar.hours(on: yesterday).contains { $0.contains(minutes % 1_440 + 1_440) }
            #expect(stretches.contains { $0.contains(moment) } == works)
        }
    }

    @Test func `an endless span is bounded`() throws {
        let none = try WorkCalendar(week: .init([], on: []))
        let never = WorkingTime(none, instant: try Self.clock("UTC"))

        #expect(never.stretches(in: .min ..< .max) == [])
        #expect(never.stretches(in: 5..<5) == [])
    }
}
