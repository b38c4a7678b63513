import Dates
import Testing

@Suite struct CivilDateTests {
    @Test func `every day of the calendar survives conversion to a date and back`() {
        for number in stride(from: -719_162, through: 2_932_896, by: 1) {
            let date = CivilDate(daysSince1970: number)
            let (year, month, day) = date.parts
            let again = CivilDate(year: year, month: month, day: day)
            if again != date || date.daysSince1970 != number { Issue.record("\(number): \(date)") }
        }
    }

    @Test func `each date follows the day before it`() throws {
        let ends = [
            (20_231_231, 20_240_101), (20_240_228, 20_240_229), (20_240_229, 20_240_301),
            (19_000_228, 19_000_301), (20_000_228, 20_000_229), (19_691_231, 19_700_101),
        ]
        for (before, after) in ends {
            let date = try #require(CivilDate(yyyymmdd: before))
            #expect(CivilDate(daysSince1970: date.daysSince1970 + 1).yyyymmdd == after)
            #expect(date < CivilDate(daysSince1970: date.daysSince1970 + 1))
        }
        #expect(CivilDate(yyyymmdd: 19_700_101)?.daysSince1970 == 0)
    }

    @Test func `days in years and months add up`() {
        var first = -719_162
        for year in 1...9_999 {
            #expect(CivilDate.days(to: year, 1) == first)
            var dayOfYear = 1
            for month in 1...12 {
                let date = CivilDate(daysSince1970: CivilDate.days(to: year, month))
                if date.parts != (year, month, 1) || date.dayOfYear != dayOfYear {
                    Issue.record("\(year)-\(month): \(date)")
                }
                dayOfYear += CivilDate.days(inMonth: month, of: year)
            }
            #expect(dayOfYear - 1 == CivilDate.days(inYear: year))
            first += dayOfYear - 1
        }
        #expect(CivilDate.days(to: 10_000, 1) == 2_932_897)
        #expect(CivilDate.days(to: 0, 12) == -719_162 - 31)
    }

    @Test func `division rounds down, even below zero`() {
        for number in -20...20 {
            for divisor in 1...7 {
                let (quotient, rest) = (
                    floorDivision(number, divisor), floorRemainder(number, divisor)
                )
                #expect(quotient * divisor + rest == number && (0..<divisor).contains(rest))
            }
        }
    }

    @Test func `a number outside the calendar gives its first or last day`() {
        #expect(CivilDate(daysSince1970: .max).iso == "9999-12-31")
        #expect(CivilDate(daysSince1970: .min).iso == "0001-01-01")
    }

    @Test(arguments: [
        (19_700_101, 3), (20_000_229, 1), (20_261_121, 5), (20_260_101, 3), (19_691_231, 2),
    ])
    func `days of the week are counted from Monday`(_ date: Int, _ weekday: Int) throws {
        #expect(try #require(CivilDate(yyyymmdd: date)).weekday == weekday)
    }

    @Test(arguments: [
        20_260_229, 20_260_431, 20_261_301, 20_260_100, 0, 20_260_000, 19_000_229, -20_260_101,
        .max, .min,
    ])
    func `dates that don't exist are refused`(_ date: Int) {
        #expect(CivilDate(yyyymmdd: date) == nil)
    }

    @Test(arguments: [
        "2026-02-29", "2026-1-31", "2026/01/31", "2026-01-31T", "٢٠٢٦-01-31", "+026-01-31", "",
        "0000-01-01",
    ])
    func `text in another form is not a date`(_ text: String) {
        #expect(CivilDate(iso: text) == nil)
    }

    @Test(arguments: [
        ("2026-12-31", 2026, 53), ("2027-01-03", 2026, 53), ("2027-01-04", 2027, 1),
        ("2024-12-30", 2025, 1), ("2021-01-01", 2020, 53), ("2016-01-04", 2016, 1),
        ("1970-01-01", 1970, 1),
    ])
    func `weeks follow ISO 8601`(_ text: String, _ year: Int, _ number: Int) throws {
        let date = try #require(CivilDate(iso: text))
        #expect(date.iso == text)
        #expect(date.week == (year, number))
    }
}
