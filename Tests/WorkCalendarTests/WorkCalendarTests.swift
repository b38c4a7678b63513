import Dates
import TestSupport
import Testing
import WorkCalendar

/// The date of a text in ISO 8601.
func date(_ text: String) throws -> CivilDate {
    try #require(CivilDate(iso: text))
}

struct WorkCalendarTests {
    @Test(arguments: Seed.some(150))
    func `working days and hours equal a day-by-day count`(seed: Seed) throws {
        var seed = seed
        let calendar = try Self.any(&seed)
        let first = 20_000 + seed.below(400)
        let days = (first..<first + 500).map { CivilDate(daysSince1970: $0) }
        let minutes = days.map { calendar.hours(on: $0).reduce(0) { $0 + $1.count } }
        #expect(days.map { calendar.isWorking($0) } == minutes.map { $0 > 0 })

        for _ in 0..<20 {
            let (from, to) = (seed.below(500), seed.below(500))
            let between = minutes[min(from, to)..<max(from, to)]
            let sign = from < to ? 1 : -1
            #expect(
                calendar.workingDays(from: days[from], to: days[to])
                    == sign * between.count { $0 > 0 })
            #expect(
                calendar.workingMinutes(from: days[from], to: days[to])
                    == sign * between.reduce(0, +))
            let later = days.indices.filter { $0 >= from && minutes[$0] > 0 }
            let sooner = days.indices.filter { $0 < from && minutes[$0] > 0 }
            let far = seed.below(30)
            if far < later.count {
                #expect(calendar.next(onOrAfter: days[from]) == days[later[0]])
                #expect(calendar.day(far, after: days[from]) == days[later[far]])
            }
            if far > 0, far <= sooner.count {
                let wanted = days[sooner[sooner.count - far]]
                #expect(calendar.day(-far, after: days[from]) == wanted)
                if from > 0, far == 1 {
                    #expect(calendar.last(onOrBefore: days[from - 1]) == wanted)
                }
            }
            let work = 1 + seed.below(5_000)
            var left = work
            let end = days.indices[from...].first { index in
                left -= minutes[index]
                return left <= 0
            }
            if let end { #expect(calendar.day(afterWork: work, from: days[from]) == days[end]) }
        }
    }

    /// Any calendar with terms, holidays and absences in the years 2024 to 2026.
    static func any(_ seed: inout Seed) throws -> WorkCalendar {
        let weeks: [WorkCalendar.Week] = [
            .usual, try .init([540..<780], on: [0, 2, 4]),
            try .init([480..<720, 720..<960], on: [0, 1, 2, 3, 5]), try .init([], on: []),
            try .init([1_320..<1_800], on: [4, 5, 6]),
        ]
        var terms: [WorkCalendar.Term] = []
        var day = 19_950 + seed.below(100)
        for _ in 0..<seed.below(4) {
            let last = day + seed.below(120)
            terms.append(
                .init(
                    days: CivilDate(daysSince1970: day)...CivilDate(daysSince1970: last),
                    week: seed.pick(weeks)))
            day = last + 1 + seed.below(60)
        }
        let holidays = Set((0..<seed.below(20)).map { _ in 20_000 + seed.below(700) }).sorted()
            .map {
                WorkCalendar.Holiday(
                    day: CivilDate(daysSince1970: $0), name: "Holiday \($0)",
                    hours: $0 % 3 == 0 ? [600..<840] : [])
            }
        let absences = (0..<seed.below(5)).map { _ in
            let first = 20_000 + seed.below(600)
            let last = first + seed.below(25)
            return WorkCalendar.Absence(
                days: CivilDate(daysSince1970: first)...CivilDate(daysSince1970: last),
                reason: "Away")
        }
        return try WorkCalendar(
            week: seed.pick(weeks), terms: terms.shuffled(using: &seed),
            holidays: holidays.shuffled(using: &seed), absences: absences)
    }

    @Test func `an absence takes precedence over a holiday, and a holiday over the week`() throws {
        let calendar = try WorkCalendar(
            holidays: [
                .init(day: date("2026-05-14"), name: "Ascension"),
                .init(day: date("2026-05-16"), name: "Worked Saturday", hours: [480..<720]),
            ],
            absences: [.init(days: date("2026-05-14")...date("2026-05-15"), reason: "Leave")])

        #expect(calendar.kind(of: try date("2026-05-14")) == .absence("Leave"))
        #expect(calendar.kind(of: try date("2026-05-16")) == .holiday("Worked Saturday"))
        #expect(calendar.kind(of: try date("2026-05-17")) == .usual)
        #expect(calendar.hours(on: try date("2026-05-15")) == [])
        #expect(calendar.next(onOrAfter: try date("2026-05-14")) == (try date("2026-05-16")))
    }

    @Test(arguments: Seed.some(50))
    func `holidays of another calendar are days off, unless this one has its own hours then`(
        seed: Seed
    ) throws {
        var seed = seed
        let (calendar, other) = (try Self.any(&seed), try Self.any(&seed))
        let observing = calendar.observing(other)
        let off = Set(other.holidays.filter(\.hours.isEmpty).map(\.day))
        let own = Set(calendar.holidays.map(\.day))

        for number in 19_900..<20_800 {
            let day = CivilDate(daysSince1970: number)
            let hours = off.contains(day) && !own.contains(day) ? [] : calendar.hours(on: day)
            #expect(observing.hours(on: day) == hours)
            #expect(observing.isWorking(day) == !hours.isEmpty)
        }
        #expect(observing.observing(other) == observing)
    }

    @Test func `part-time work is a different week for some time`() throws {
        let calendar = try WorkCalendar(
            terms: [
                .init(
                    days: date("2026-03-02")...date("2026-03-31"),
                    week: .init([480..<720], on: [0, 1]))
            ])
        let (first, next) = (try date("2026-03-02"), try date("2026-03-09"))

        #expect(calendar.day(2, after: first) == next)
        #expect(calendar.workingMinutes(from: first, to: next) == 480)
        #expect(calendar.isWorking(try date("2026-04-01")))
    }

    @Test func `there is no working day outside the years 1970 to 9999`() throws {
        let calendar = try WorkCalendar()
        let (today, last) = (try date("2026-01-01"), try date("9999-12-31"))
        let never = try WorkCalendar(week: .init([], on: []))

        #expect(calendar.day(.max, after: today) == nil)
        #expect(calendar.day(.min, after: today) == nil)
        #expect(calendar.day(-1, after: try date("1970-01-01")) == nil)
        #expect(calendar.day(afterWork: .max, from: today) == nil)
        #expect(calendar.next(onOrAfter: last) == last)
        #expect(calendar.day(1, after: last) == nil)
        #expect(never.next(onOrAfter: try date("1970-01-01")) == nil)
        #expect(never.last(onOrBefore: last) == nil)
        #expect(calendar.last(onOrBefore: try date("0001-01-01")) == nil)
    }

    @Test func `an impossible calendar is refused with the place`() throws {
        let day = try date("2026-05-14")
        let old = try date("1969-12-31")
        func says(_ make: () throws -> WorkCalendar) -> String? {
            let error = #expect(throws: CalendarError.self) { _ = try make() }
            return error?.description
        }
        #expect(says { try .init(week: .init([])) } == "a week has 7 days; here are 0")
        for hours in [[540..<540], [600..<660, 650..<700], [1_440..<1_500], [0..<2_881], [-5..<9]] {
            #expect(
                says { try .init(week: .init(hours, on: [2])) }
                    == "the hours of weekday 3 must begin on that day, end after they begin, "
                    + "and follow each other")
        }
        #expect(
            says { try .init(holidays: [.init(day: day, name: ""), .init(day: day, name: "x")]) }
                == "there are two holidays on 2026-05-14")
        #expect(
            says { try .init(holidays: [.init(day: old, name: "")]) }
                == "1969-12-31 isn't in the years 1970 to 9999")
        let term = WorkCalendar.Term(days: day...day, week: .usual)
        #expect(
            says { try .init(terms: [term, term]) }
                == "the term from 2026-05-14 begins before the one before it has ended")
        let ages = try date("1970-01-01")...date("9999-12-31")
        #expect(
            says { try .init(absences: [.init(days: ages, reason: "")]) }
                == "there may be at most 20000 days of absence")
        let long = String(repeating: "é", count: 101)
        #expect(
            says { try .init(absences: [.init(days: day...day, reason: long)]) }?
                .hasPrefix("the text that begins “éé") == true)
    }
}
