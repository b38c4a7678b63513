import Foundation
import Testing

@testable import TransitFeed

@Suite struct FeedCalendarTests {
    @Test func `every day of four centuries comes back from its date`() {
        for number in Int32(-60_000)...90_000 {
            let day = Feed.Day(daysSince1970: number)
            #expect(Feed.Day(yyyymmdd: day.yyyymmdd) == day)
        }
    }

    @Test(arguments: [
        (19_700_101, 3), (20_000_229, 1), (20_261_121, 5), (20_260_101, 3), (19_691_231, 2),
    ])
    func `days of the week are counted from Monday`(_ date: Int, _ weekday: Int) throws {
        #expect(try #require(Feed.Day(yyyymmdd: date)).weekday == weekday)
    }

    @Test(arguments: [20_260_229, 20_260_431, 20_261_301, 20_260_100, 0, 20_260_000, 19_000_229])
    func `dates that do not exist are none`(_ date: Int) {
        #expect(Feed.Day(yyyymmdd: date) == nil)
    }

    @Test(arguments: [
        (20_260_430, true), (20_260_501, false), (20_260_502, true), (20_260_503, false),
        (20_251_231, false), (20_260_101, true), (20_261_231, true), (20_270_101, false),
    ])
    func `a service runs by its week unless an exception says otherwise`(
        _ date: Int, _ runs: Bool
    ) throws {
        let feed = try SmallFeed().read()

        let day = try #require(Feed.Day(yyyymmdd: date))

        #expect(feed.calendars[0].isActive(on: day) == runs)
    }
}
