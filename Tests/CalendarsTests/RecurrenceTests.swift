import TestSupport
import Testing

@testable import Calendars

/// The times of recurrence rules: the examples of RFC 5545, 3.8.5.3, and random rules compared with
/// a judge that examines each day separately.
struct RecurrenceTests {
    /// The first times of a rule, as `0902` or `19970902T0900`.
    static func times(
        _ rule: String, from start: String = "19970902T090000", _ count: Int = 10
    ) throws -> [String] {
        let start = try #require(CalendarValue.wall(start)).wall
        let rule = try RecurrenceRule(rule)
        var budget = WorkBudget(1_000_000)
        var walk = try RecurrenceWalk(
            rule, start: start, last: WallTime(second: 32_503_680_000), &budget)
        var times: [String] = []
        while times.count < min(count, Int(rule.count ?? 1_000)),
            let wall = try walk.next(&budget), rule.until?.admits(wall, wall.second) ?? true
        {
            times.append(CalendarText.instant(wall.second).replacing("00Z", with: ""))
        }
        return times
    }

    static let examples: [(rule: String, times: String)] = [
        ("FREQ=DAILY;COUNT=3", "19970902T0900 19970903T0900 19970904T0900"),
        ("FREQ=DAILY;INTERVAL=10;COUNT=3", "19970902T0900 19970912T0900 19970922T0900"),
        (
            "FREQ=YEARLY;UNTIL=19980105T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
            "19980101T0900 19980102T0900 19980103T0900 19980104T0900 19980105T0900"
        ),
        ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", "19970902T0900 19970916T0900 19970930T0900"),
        (
            "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
            "19970902T0900 19970904T0900 19970916T0900 19970918T0900 19970930T0900 19971002T0900"
                + " 19971014T0900 19971016T0900"
        ),
        (
            "FREQ=MONTHLY;COUNT=4;BYDAY=1FR",
            "19970905T0900 19971003T0900 19971107T0900 19971205T0900"
        ),
        (
            "FREQ=MONTHLY;INTERVAL=2;COUNT=6;BYDAY=1SU,-1SU",
            "19970907T0900 19970928T0900 19971102T0900 19971130T0900 19980104T0900 19980125T0900"
        ),
        ("FREQ=MONTHLY;COUNT=3;BYDAY=-2MO", "19970922T0900 19971020T0900 19971117T0900"),
        ("FREQ=MONTHLY;BYMONTHDAY=-3", "19970928T0900 19971029T0900 19971128T0900 19971229T0900"),
        (
            "FREQ=MONTHLY;COUNT=4;BYMONTHDAY=1,-1",
            "19970930T0900 19971001T0900 19971031T0900 19971101T0900"
        ),
        (
            "FREQ=MONTHLY;INTERVAL=18;COUNT=3;BYMONTHDAY=10,11,12",
            "19970910T0900 19970911T0900 19970912T0900"
        ),
        (
            "FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200",
            "20000101T0900 20000409T0900 20000718T0900 20030101T0900"
        ),
        ("FREQ=YEARLY;BYDAY=20MO", "19980518T0900 19990517T0900 20000515T0900"),
        ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "19980511T0900 19990517T0900 20000515T0900"),
        ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "19980213T0900 19980313T0900 19981113T0900"),
        (
            "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
            "19970913T0900 19971011T0900 19971108T0900"
        ),
        (
            "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
            "19971104T0900 20011106T0900"
        ),
        (
            "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
            "19970904T0900 19971007T0900 19971106T0900"
        ),
        (
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
            "19970929T0900 19971030T0900 19971127T0900 19971230T0900"
        ),
        (
            "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z",
            "19970902T0900 19970902T1200 19970902T1500"
        ),
        (
            "FREQ=MINUTELY;INTERVAL=90;COUNT=4",
            "19970902T0900 19970902T1030 19970902T1200 19970902T1330"
        ),
        (
            "FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20",
            "19970902T0900 19970902T0920 19970902T1000 19970902T1020 19970903T0900"
        ),
        (
            "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10",
            "19970902T0900 19970902T0920 19970902T0940 19970902T1000 19970902T1020 19970902T1040"
                + " 19970903T0900"
        ),
        ("FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=3", "19970915T0900 19970930T0900 19971015T0900"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "20000229T0900 20040229T0900"),
        (
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=9,10;BYMINUTE=0,30",
            "19970930T1030 19971031T1030 19971128T1030"
        ),
        ("FREQ=WEEKLY;BYDAY=MO,WE;BYSETPOS=2", "19970903T0900 19970910T0900"),
        ("FREQ=DAILY;COUNT=-1", "19970902T0900 19970903T0900 19970904T0900"),
        ("FREQ=YEARLY;BYWEEKNO=53", "19981229T0900 20041228T0900"),
    ]

    @Test(arguments: examples)
    func `a rule gives the times in RFC 5545`(rule: String, times: String) throws {
        let wanted = times.split(separator: " ").map(String.init)
        #expect(try Self.times(rule, wanted.count) == wanted)
    }

    @Test(arguments: [
        "", "FREQ=FORTNIGHTLY", "INTERVAL=2", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=99999999999", "FREQ=DAILY;INTERVAL=-1", "FREQ=DAILY;BYHOUR=24",
        "FREQ=DAILY;BYMONTH=13", "FREQ=DAILY;BYMONTHDAY=0", "FREQ=DAILY;BYDAY=XX",
        "FREQ=DAILY;BYDAY=54MO", "FREQ=DAILY;FREQ=DAILY", "FREQ=DAILY;UNTIL=20261332",
        "FREQ=DAILY;BYSETPOS=1", "FREQ=DAILY;BYWEEKNO=1", "FREQ=DAILY;BYMINUTE=",
        "FREQ=DAILY;BOGUS=1", "FREQ=DAILY;BYDAY", "FREQ=YEARLY;RSCALE=HEBREW",
        "FREQ=DAILY;BYHOUR=１",
    ])
    func `a rule that makes no sense is refused`(rule: String) {
        #expect(throws: RuleFault.self) { try RecurrenceRule(rule) }
    }

    @Test(arguments: Seed.some(200))
    func `a random rule gives the days that a day-by-day search finds`(
        seed: Seed
    ) throws {
        var seed = seed
        let text = Self.anyRule(&seed)
        let rule = try RecurrenceRule(text)
        let start = WallTime(day: Int64(10_000 + seed.below(3_000)), second: 32_400)
        let last = WallTime(day: start.day + 1_200, second: 86_399)
        var budget = WorkBudget(1_000_000)
        var walk = try RecurrenceWalk(rule, start: start, last: last, &budget)
        var found: [Int64] = []
        while let wall = try walk.next(&budget) { found.append(wall.day) }
        #expect(
            found == RuleJudge(rule, start, last: last.day).days(to: last.day),
            "\(text) from day \(start.day)")

        // Only times before the window are left out.
        let middle = WallTime(day: start.day + Int64(seed.below(1_200)))
        walk = try RecurrenceWalk(rule, start: start, from: middle, last: last, &budget)
        var later: [Int64] = []
        while let wall = try walk.next(&budget) { later.append(wall.day) }
        #expect(later.filter { $0 >= middle.day } == found.filter { $0 >= middle.day }, "\(text)")
    }

    private static func anyRule(_ seed: inout Seed) -> String {
        let frequency = seed.pick(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
        var parts = ["FREQ=\(frequency)", "INTERVAL=\(1 + seed.below(4))"]
        func list(_ range: ClosedRange<Int>, negative: Bool, _ seed: inout Seed) -> String {
            (0...seed.below(4)).map { _ in
                let number = Int.random(in: range, using: &seed)
                return String(negative && seed.oneIn(3) ? -number : number)
            }.joined(separator: ",")
        }
        if seed.oneIn(3) { parts.append("BYMONTH=" + list(1...12, negative: false, &seed)) }
        if frequency != "WEEKLY", seed.oneIn(3) {
            parts.append("BYMONTHDAY=" + list(1...31, negative: true, &seed))
        }
        if frequency == "YEARLY", seed.oneIn(4) {
            parts.append("BYYEARDAY=" + list(1...366, negative: true, &seed))
        }
        let hasWeeks = frequency == "YEARLY" && seed.oneIn(4)
        if hasWeeks { parts.append("BYWEEKNO=" + list(1...53, negative: true, &seed)) }
        if seed.oneIn(2) {
            let ordinals =
                hasWeeks || !["MONTHLY", "YEARLY"].contains(frequency)
                ? [""] : ["", "", "1", "2", "-1", "5", "-3"]
            let days = (0...seed.below(3)).map { _ in
                seed.pick(ordinals) + seed.pick(["MO", "TU", "WE", "TH", "FR", "SA", "SU"])
            }
            parts.append("BYDAY=" + days.joined(separator: ","))
        }
        if parts.count > 2, seed.oneIn(4) {
            parts.append("BYSETPOS=" + list(1...4, negative: true, &seed))
        }
        parts.append("WKST=" + seed.pick(["MO", "SU", "WE"]))
        return parts.joined(separator: ";")
    }
}
