import Foundation
import Testing

@testable import Speech

@Suite struct SiteClockTests {
    /// 2026-11-21, 09:00:00 in UTC.
    private static let morning: Int64 = 1_795_251_600_000

    @Test func `a time is in its zone, with the date and daylight saving`() {
        let oslo = SiteClock(zone: "Europe/Oslo")

        #expect(oslo.moment(Self.morning) == "2026-11-21 10:00:00")
        #expect(oslo.moment(Self.morning - 150 * 86_400_000) == "2026-06-24 11:00:00")
        #expect(
            SiteClock(zone: "Pacific/Auckland").moment(Self.morning + 999) == "2026-11-21 22:00:00")
    }

    @Test func `a zone is named if its time differs from this machine's`() {
        let here = TimeZone.current.secondsFromGMT(
            for: Date(timeIntervalSince1970: Double(Self.morning) / 1000))
        let names = ["UTC", "Europe/Oslo", "Asia/Tokyo", "America/New_York"]
        for (name, offset) in zip(names, [0, 3_600, 32_400, -18_000]) {
            let clock = SiteClock(zone: name)
            let isForeign = offset != here
            #expect((clock.foreignZone(at: Self.morning) == nil) == !isForeign, "\(name)")
            let title = clock.title("RAISED", of: [Self.morning])
            #expect((title == "RAISED") == !isForeign && title.contains("(") == isForeign)
            let zone = isForeign ? " \(name)" : ""
            let moment = clock.moment(Self.morning)
            #expect(clock.clock(Self.morning) == moment.suffix(8) + zone)
            #expect(clock.time(Self.morning) == moment.suffix(8).prefix(5) + zone)
            #expect(clock.fullMoment(Self.morning) == moment + zone)
        }
        #expect(SiteClock(zone: nil).foreignZone(at: Self.morning) == nil)
        #expect(SiteClock(zone: "Nowhere/Land").title("RAISED", of: [Self.morning]) == "RAISED")
    }
}
