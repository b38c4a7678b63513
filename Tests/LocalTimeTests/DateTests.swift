import Dates
import Testing

@testable import LocalTime

/// Dates as they are typed and stored.
struct DateTests {
    @Test func `a date converts to a day and back, in every year`() {
        // Every 41st day to the end of 9999 includes each month and each kind of year.
        for day in stride(from: Int64(0), through: 2_932_896, by: 41) {
            #expect(LocalTime.day(CivilDate(daysSince1970: Int(day)).iso) == day)
        }
        #expect(LocalTime.day("1970-01-01") == 0 && LocalTime.day("9999-12-31") == 2_932_896)
        #expect(LocalTime.day("2024-02-29") == 19_782)
    }

    @Test(arguments: [
        "2026-02-29", "2100-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00",
        "1969-12-31", "26-01-01", "2026-1-01", "2026-01-1", "20260101", "2026-01-01 ", "", "today",
        "+026-01-01", "2026-01-0x", "２026-01-01", "2026-01-01-",
    ])
    func `a date that no calendar has is refused`(text: String) {
        #expect(LocalTime.day(text) == nil)
    }
}
