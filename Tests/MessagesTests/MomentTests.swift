import Foundation
import Testing

@testable import Messages

/// Times in the form for programs.
@Suite struct MomentTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_763_715_600_123, "2025-11-21T09:00:00.123Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func `a time is ISO 8601 in UTC with milliseconds, both ways`(_ time: Int64, _ text: String) {
        #expect(Moment(milliseconds: time).description == text)
        #expect(Moment(text)?.milliseconds == time)
    }

    @Test func `every day from 1970 to 9999 is written as Foundation writes it`() {
        for day in stride(from: Int64(0), to: 2_932_897, by: 61) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let text = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            #expect(Moment(milliseconds: day * 86_400_000).description == text)
        }
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T09:00:00Z", "2026-11-21T09:00:00.000+01:00",
        "2026-02-30T09:00:00.000Z", "2026-13-21T09:00:00.000Z", "2026-11-21T24:00:00.000Z",
        "2026-11-21t09:00:00.000z", "٢٠٢٦-11-21T09:00:00Z", "1969-12-31T23:59:59.999Z",
    ])
    func `any other text is refused`(_ text: String) {
        #expect(Moment(text) == nil)
    }

    @Test func `times are numbers in stores, and text for programs that ask for it`() throws {
        let journey = Journey(id: "j", started: 1_763_715_600_123)
        let encoder = JSONEncoder()
        let stored = String(decoding: try encoder.encode(journey), as: UTF8.self)
        encoder.userInfo[try #require(.timesAsText)] = true
        let told = try encoder.encode(journey)
        let text = String(decoding: told, as: UTF8.self)

        #expect(stored.contains("\"started\":1763715600123"))
        #expect(text.contains("\"started\":\"2025-11-21T09:00:00.123Z\""))
        #expect(text.contains("\"ended\":null"))
        #expect(try JSONDecoder().decode(Journey.self, from: told) == journey)
    }

    @Test(arguments: [nil, 0, 1_763_715_600_123])
    func `an optional time is read back unchanged, in either form`(time: Int64?) throws {
        let message = Bounded(end: time)
        let encoder = JSONEncoder()
        let stored = try encoder.encode(message)
        encoder.userInfo[try #require(.timesAsText)] = true
        let told = try encoder.encode(message)

        #expect(String(decoding: told, as: UTF8.self).contains("\"end\":\"") == (time != nil))
        for json in [stored, told] {
            #expect(try JSONDecoder().decode(Bounded.self, from: json) == message)
        }
    }

    @Test func `a number outside the calendar is read back unchanged`() throws {
        let journey = Journey(id: "j", started: .max, ended: -1, due: .min)
        let json = try JSONEncoder().encode(journey)

        #expect(try JSONDecoder().decode(Journey.self, from: json) == journey)
    }
}
