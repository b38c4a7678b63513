import Dates
import Messages
import Testing

@testable import ProjectRecord

/// When versions and milestones will be done.
struct DeliveryForecastTests {
    /// A project whose closed issues took these parts of their estimates, in percent.
    private func finished(_ percents: [Int]) throws -> ProjectRecord {
        var record = try project()
        for (place, percent) in percents.enumerated() {
            let id = try record.add("Past")
            try record.change(id) { $0.estimate = 480 }
            try record.make(
                .keepEntry(
                    TimeEntry(
                        id: 0, issue: id, member: 1,
                        day: CivilDate(daysSince1970: 20_000 + place),
                        minutes: 480 * percent / 100)))
            try record.change(id) { $0.status = "Closed" }
        }
        return record
    }

    private func forecaster(_ record: ProjectRecord, today: String) -> Forecaster {
        let spread = EstimateSpread(EstimateSpread.percents(of: record))
        return Forecaster(record, today: day(today), spread)
    }

    @Test func `past estimates are compared with the time that was worked`() throws {
        var record = try finished([200, 50, 100, 300, 150, 100])
        // None of these says anything: one is open, the others lack an estimate or time.
        try record.add("Open")
        for estimate in [nil, 60] {
            let id = try record.add("Closed")
            try record.change(id) {
                $0.estimate = estimate
                $0.status = "Closed"
            }
        }

        let percents = EstimateSpread.percents(of: record)

        #expect(percents == [50, 100, 100, 150, 200, 300])
        let spread = try #require(EstimateSpread(percents))
        #expect([spread.issues, spread.low, spread.median, spread.high] == [6, 50, 150, 300])
        let many = try #require(EstimateSpread(Array(1...100)))
        #expect([many.low, many.median, many.high] == [10, 51, 91])
        #expect(EstimateSpread([100, 100, 100, 100]) == nil)
    }

    @Test func `a version is done when its last issue is, give or take what issues took before`()
        throws
    {
        var record = try finished([200, 50, 100, 300, 150, 100])
        try record.make(.keepVersion(Version(id: 0, name: "One")))
        let walls = try record.add("Walls", "03-02", "03-06")
        let roof = try record.add("Roof", "03-09", "03-13")
        try record.change(walls) { ($0.version, $0.estimate, $0.done) = (1, 960, 50) }
        try record.change(roof) { ($0.version, $0.estimate) = (1, 480) }

        // Ten days, from the first on which there is something to do.
        for today in ["02-02", "03-02"] {
            let forecast = forecaster(record, today: today).version(1)
            #expect(forecast.issues == 2 && forecast.closed == 0 && forecast.done == 33)
            #expect(forecast.planned == day("03-13") && forecast.undated == 0)
            #expect(forecast.likely?.soonest == day("03-06"))
            #expect(forecast.likely?.median == day("03-20"))
            #expect(forecast.likely?.latest == day("04-10"))
        }
        // Five of them are over.
        let later = forecaster(record, today: "03-09").version(1)
        #expect(later.likely?.median == day("03-18"))
        let late = forecaster(record, today: "03-16").version(1)
        #expect(late.planned == day("03-13") && late.likely == nil)
        try record.change(walls) { $0.status = "Closed" }
        try record.change(roof) { $0.span.due = nil }
        let open = forecaster(record, today: "03-09").version(1)
        #expect(open.closed == 1 && open.done == 66)
        #expect(open.undated == 1 && open.planned == nil && open.likely == nil)
        try record.change(roof) { $0.status = "Closed" }
        let done = forecaster(record, today: "03-09").version(1)
        #expect(done.closed == 2 && done.done == 100 && done.planned == nil)
    }

    @Test func `a version is done when the parts of its issues are, whatever version they name`()
        throws
    {
        var record = try project()
        try record.make(.keepVersion(Version(id: 0, name: "One")))
        let house = try record.add("House")
        let walls = try record.add("Walls", "03-02", "03-03", parent: house)
        let roof = try record.add("Roof", parent: house)
        try record.change(house) { $0.version = 1 }
        try record.change(walls) { $0.status = "Closed" }

        // Nobody knows when the roof ends.
        let open = forecaster(record, today: "03-02").version(1)
        #expect(open.undated == 1 && open.planned == nil)
        #expect(open.issues == 3 && open.closed == 1 && open.done == 50)
        try record.change(roof) { $0.span.due = day("03-09") }
        let planned = forecaster(record, today: "03-02").version(1)
        #expect(planned.undated == 0 && planned.planned == day("03-09"))
    }

    @Test func `a milestone is done when everything that it waits for is`() throws {
        var record = try project()
        try record.add("Walls", "03-02", "03-03")
        try record.add("House")
        try record.add("Inside", "03-04", "03-05", parent: 2)
        try record.add("Moved in", nil, "03-06")
        try record.add("Garden", "03-02", "03-31")
        try record.change(4) { $0.isMilestone = true }
        try record.relate(1, 2)
        try record.relate(2, 4)
        try record.change(1) { $0.status = "Closed" }

        let forecast = forecaster(record, today: "03-02").milestone(4)

        #expect(forecast.issues == 3 && forecast.closed == 1 && forecast.done == 50)
        #expect(forecast.planned == day("03-06") && forecast.likely == nil)
        try record.change(3) { $0.span.due = nil }
        #expect(forecaster(record, today: "03-02").milestone(4).planned == nil)
        #expect(forecaster(record, today: "03-02").milestone(9) == DeliveryForecast())
    }
}
