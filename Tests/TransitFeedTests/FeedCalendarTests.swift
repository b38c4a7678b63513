import Dates
import Foundation
import Testing

@testable import TransitFeed

@Suite struct FeedCalendarTests {
    @Test(arguments: [
        (20_260_430, true), (20_260_501, false), (20_260_502, true), (20_260_503, false),
        (20_251_231, false), (20_260_101, true), (20_261_231, true), (20_270_101, false),
    ])
    func `a service runs by its week unless an exception says otherwise`(
        _ date: Int, _ runs: Bool
    ) throws {
        let feed = try SmallFeed().read()

        let day = try #require(CivilDate(yyyymmdd: date))

        #expect(feed.calendars[0].isActive(on: day) == runs)
    }
}
