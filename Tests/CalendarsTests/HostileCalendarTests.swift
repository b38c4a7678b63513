import Foundation
import TestSupport
import Testing

@testable import Calendars

/// Calendars from outside that are broken, huge, or designed to keep a program busy.
@Suite(.timeLimit(.minutes(10)))
struct HostileCalendarTests {
    private static let march = TimeSpan(1_772_323_200, 1_772_323_200 + 90 * 86_400)

    private static func problem(_ text: String) -> String? {
        do {
            _ = try CalendarFile(text.utf8)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        ("", "calendar: is not an iCalendar file"),
        ("<html><body>Log in</body></html>", "line 1: is not an iCalendar file"),
        (
            "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:a\n",
            "line 3, VEVENT “a”: the file breaks"
        ),
        (
            "BEGIN:VCALENDAR\nEND:VEVENT\nEND:VCALENDAR\n",
            "line 2: “VEVENT” ends, but was not begun"
        ),
        ("BEGIN:VCALENDAR\nVERSION:1.0\nEND:VCALENDAR\n", "line 2: is vCalendar 1.0"),
        ("BEGIN:VEVENT\nEND:VEVENT\n", "line 1: “VEVENT” begins in the wrong place"),
        (
            String(repeating: "BEGIN:VCALENDAR\n", count: 3),
            "line 2: “VCALENDAR” begins in the wrong"
        ),
        (
            "BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:X\n", count: 9),
            "line 9: has more than 50000 components, or more than 8 nested"
        ),
    ])
    func `a file that isn't a complete calendar is refused with its position and advice`(
        text: String, wanted: String
    ) throws {
        let problem = try #require(Self.problem(text))
        #expect(problem.hasPrefix(wanted))
        #expect(problem.contains("; "))
    }

    @Test func `a file beyond a limit is refused as soon as the limit is reached`() throws {
        let head = "BEGIN:VCALENDAR\nVERSION:2.0\n"
        func body(_ line: String, _ count: Int) -> String {
            head + String(repeating: line, count: count) + "END:VCALENDAR\n"
        }
        let zones = (0...CalendarLimits.zones).map {
            "BEGIN:VTIMEZONE\nTZID:z\($0)\nEND:VTIMEZONE\n"
        }
        let event = "BEGIN:VEVENT\nUID:1\nDTSTART:20260302\n"
        let dates = String(repeating: "20260303T090000Z,", count: 3_000) + "20260303T090000Z\n"
        for (text, reason) in [
            (String(repeating: "x", count: CalendarLimits.bytes + 1), "bytes"),
            (body("A:1\n", CalendarLimits.lines), "lines"),
            (body("BEGIN:A\nEND:A\n", CalendarLimits.components + 1), "components"),
            (head + zones.joined() + "END:VCALENDAR\n", "time zones"),
            (head + event + String(repeating: "EXDATE:" + dates, count: 70), "dates"),
            (head + event + String(repeating: "ATTENDEE:a\n", count: 6_000), "lines"),
        ] {
            let whole = text.contains("BEGIN:VEVENT") ? text + "END:VEVENT\nEND:VCALENDAR\n" : text
            let problem = try #require(Self.problem(whole), "\(reason)")
            #expect(problem.contains(reason))
        }
    }

    @Test func `a faulty event is reported with its line, and the others are read`() throws {
        let file = try calendar(
            "UID:1\nSUMMARY:no start", "UID:2\nDTSTART:20261399T000000",
            "UID:3\nDTSTART:20260302T090000Z\nDTEND:20260302T080000Z",
            "UID:4\nDTSTART:20260302T090000Z\nDURATION:PT9999999999H",
            "UID:5\nDTSTART:20260302T090000Z\nRRULE:FREQ=DAILY;INTERVAL=0",
            "UID:6\nDTSTART;X:20260302T090000Z", "UID:7\nDTSTART:20260303T090000Z\nDURATION:PT1H")
        #expect(file.events.map(\.uid) == ["3", "4", "5", "7"])
        let lines = file.problems.first.map(\.line)
        #expect(lines.sorted() == [4, 10, 15, 20, 25, 27, 29])
        #expect(file.problems.count == 7)
        for problem in file.problems.first {
            #expect(problem.line > 0 && !problem.cure.isEmpty, "\(problem)")
        }
        #expect(try file.busy("2026-03-03", "2026-03-04").count == 1)
    }

    @Test func `a text that is slow to compare is left out, and that is reported`() throws {
        let pair = "\u{316}\u{301}"
        let (most, marks) = (
            String(repeating: pair, count: 15), String(repeating: pair, count: 16)
        )
        let file = try calendar(
            "UID:1e\(marks)\nDTSTART:20260302T090000Z\nDURATION:PT1H\nSUMMARY;X=\(marks):Tea",
            "UID:2\nDTSTART:20260303T090000Z\nDURATION:PT1H\nSUMMARY:\(most)Tea")
        #expect(file.events.map(\.uid) == ["", "2"])
        #expect(file.problems.count == 2)
        for problem in file.problems.first {
            #expect(problem.description.contains("more than 30 combining marks in a row"))
        }
        #expect(try file.busy("2026-03-02", "2026-03-04").count == 2)
    }

    @Test func `marks that only backslashes divide are cut off where they would be slow`() throws {
        let marks = String(repeating: "\\\u{316}\\\u{301}", count: 100)
        let file = try calendar(
            "UID:1e\(marks)x\nDTSTART:20260302T090000Z\nSUMMARY:e\(marks)x\nLOCATION:e\(marks)x")
        let wanted = "e" + String(repeating: "\u{316}\u{301}", count: 15) + "x"
        let event = try #require(file.events.first)
        #expect([event.title, event.place, event.uid] == [wanted, wanted, "1" + wanted])
    }

    static let bombs = [
        "FREQ=SECONDLY", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;COUNT=999999999",
        "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=9",
        "FREQ=SECONDLY;INTERVAL=60;BYSECOND=1", "FREQ=YEARLY;INTERVAL=1000000",
        "FREQ=SECONDLY;INTERVAL=1000000", "FREQ=DAILY;COUNT=999999999",
        "FREQ=DAILY;BYHOUR=\(list(0...23));BYMINUTE=\(list(0...59));BYSECOND=\(list(0...59))",
        "FREQ=YEARLY;BYYEARDAY=\(list(1...366));BYHOUR=\(list(0...23));BYMINUTE=\(list(0...59))"
            + ";BYSETPOS=\(list(1...366))",
        "FREQ=MINUTELY;BYYEARDAY=366;BYSETPOS=-1", "FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=100",
        "FREQ=SECONDLY;UNTIL=99991231T235959Z", "FREQ=WEEKLY;INTERVAL=999999;BYDAY=MO,TU",
    ]

    private static func list(_ range: ClosedRange<Int>) -> String {
        range.map(String.init).joined(separator: ",")
    }

    @Test(arguments: bombs)
    func `a rule made to never end either ends or is abandoned, naming its event`(
        rule: String
    ) throws {
        for start in ["19700101T000000Z", "20260301T000000Z", "00010101T000000Z"] {
            let file = try calendar("UID:bomb\nDTSTART:\(start)\nDURATION:PT1S\nRRULE:\(rule)")
            do {
                let found = try file.occurrences(
                    in: Self.march, zone: .utc, steps: 50_000)
                #expect(found.count <= CalendarLimits.occurrences)
            } catch {
                #expect(error.component == "VEVENT “bomb”")
                #expect(error.reason == "is repeated more often than can be worked out")
            }
        }
    }

    @Test func `many cheap events are cheap together`() throws {
        let rule = "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5"
        let event = "BEGIN:VEVENT\nDTSTART:00010101T000000Z\n\(rule)\nEND:VEVENT\n"
        let text = "BEGIN:VCALENDAR\n" + String(repeating: event, count: 2_000) + "END:VCALENDAR\n"
        let file = try CalendarFile(text.utf8)
        #expect(file.events.count == 2_000)
        #expect(throws: CalendarProblem.self) {
            try file.occurrences(
                in: Self.march, zone: .utc, steps: 50_000)
        }
    }

    /// A zone whose clock changes by a rule.
    private static func zone(_ name: String, from start: String, _ rule: String) -> String {
        """
        BEGIN:VTIMEZONE
        TZID:\(name)
        BEGIN:STANDARD
        DTSTART:\(start)
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0100
        RRULE:\(rule)
        END:STANDARD
        END:VTIMEZONE
        """
    }

    @Test func `zones whose clocks change daily don't fill the memory`() throws {
        let zones = ["a", "b"].map { Self.zone($0, from: "19700101T000000", "FREQ=DAILY") }
        let file = try calendar(
            zones[0], zones[1], "UID:1\nDTSTART;TZID=a:20260302T090000",
            "UID:2\nDTSTART;TZID=b:20260302T090000")
        let problem = try #require(file.problems.first.first)
        #expect(file.problems.count == 1 && problem.reason.contains("“b” is not known"))
        #expect(try file.starts("2026-03-02", "2026-03-03").count == 2)
    }

    @Test func `a zone that takes too long to work out is tried once, not for each date`() throws {
        let rule = "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=1"
        let strangers = (0..<1_000).map { "UID:\($0)\nDTSTART;TZID=x\($0):20260302T090000" }
        let dates = Array(repeating: "20260303T090000", count: 4_000).joined(separator: ",")
        let omitted = String(repeating: "\nEXDATE;TZID=slow:\(dates)", count: 49)
        let text = calendarText(
            [Self.zone("slow", from: "00010101T000000", rule)] + strangers
                + ["UID:slow\nDTSTART:20260302T090000Z\(omitted)"])
        let file = try CalendarFile(text.utf8)
        #expect(file.events.count == 1_001)
        #expect(file.events.last?.omitted.count == 196_000)
    }

    @Test(
        arguments: [
            (-1, 86_400), (0, 3_701 * 86_400), (253_402_300_000, 253_402_300_801),
            (.min, .max), (.max - 1, .max),
        ] as [(Int64, Int64)])
    func `a window that is too long or beyond the calendar is refused`(
        start: Int64, end: Int64
    ) throws {
        let file = try calendar("UID:1\nDTSTART:20260302T090000Z")
        #expect(throws: CalendarProblem.self) {
            try file.occurrences(in: TimeSpan(start, end), zone: .utc)
        }
    }

    /// The calendars to start from: those below, and real ones if available.
    private static let corpus: [[UInt8]] = {
        var files = SampleCalendars.all.map { Array($0.utf8) }
        for name in ["team", "corpus/icalendar", "corpus/recurring"] {
            guard let folder = Recordings.folder("project/freebusy/\(name)") else { continue }
            let found = try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)
            let real = (found ?? []).filter { $0.pathExtension == "ics" }
            for file in real.sorted(by: { $0.path < $1.path }) {
                guard let bytes = try? Data(contentsOf: file), bytes.count < 20_000 else {
                    continue
                }
                files.append(Array(bytes))
            }
        }
        return files
    }()

    @Test(arguments: Seed.some(10))
    func `a randomly changed calendar is read or refused, within the limits`(seed: Seed) throws {
        var seed = seed
        // SEEDS=40 makes them 10,000.
        for _ in 0..<25 {
            var bytes = seed.pick(Self.corpus)
            for _ in 0...seed.below(6) { Mutation.change(&bytes, &seed) }
            do {
                let file = try CalendarFile(bytes)
                #expect(file.problems.first.count <= CalendarLimits.problems)
                let zone = try #require(Zone(named: seed.pick(["UTC", "Europe/Dublin"])))
                let busy = try file.busyTimes(in: Self.march, zone: zone)
                let isInside = busy.allSatisfy {
                    !$0.span.isEmpty && $0.span.clipped(to: Self.march) == $0.span
                }
                #expect(isInside)
            } catch {
                let problem = try #require(error as? CalendarProblem)
                #expect(!problem.reason.isEmpty && !problem.cure.isEmpty)
                #expect(!problem.description.unicodeScalars.contains { isControl($0) })
            }
        }
    }
}

/// Changes the bytes of a calendar in unexpected ways.
private enum Mutation {
    private static let tokens = [
        "BEGIN:VEVENT\r\n", "END:VEVENT\r\n", "END:VCALENDAR\r\n", "\r\n ", "\r", "\n\t", "\0",
        "RRULE:FREQ=SECONDLY\r\n", "RRULE:FREQ=MINUTELY;BYSETPOS=-1;BYSECOND=0,59\r\n",
        ";INTERVAL=1000000", ";COUNT=999999999", ";BYSETPOS=-366", ";UNTIL=99991231", "\"",
        ";TZID=Europe/Oslo", ";VALUE=DATE", ";VALUE=PERIOD", ";RANGE=THISANDFUTURE", "99991231",
        "00010101", "T235960Z", "PT999999999S", "P99999W", "-P1D", "+2359", "-2359", ",", ";", ":",
        "RECURRENCE-ID:20260302T090000Z\r\n", "DTSTART;VALUE=DATE:20260301\r\n",
        "EXDATE:20260302\r\n", "DTEND:99991231T235959Z\r\n", "FREQ=YEARLY", "BYDAY=-53SU",
        "BYWEEKNO=53", "\u{FEFF}", "\u{2028}", "é", "TZOFFSETFROM:-2359\r\n",
    ]

    static func change(_ bytes: inout [UInt8], _ seed: inout Seed) {
        guard !bytes.isEmpty else {
            bytes = Array(seed.pick(tokens).utf8)
            return
        }
        let place = seed.below(bytes.count)
        switch seed.below(7) {
        case 0: bytes[place] = UInt8(seed.below(256))
        case 1: bytes.insert(contentsOf: seed.pick(tokens).utf8, at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + seed.below(40)))
        case 3: bytes.removeSubrange(place...)
        case 4:
            let end = min(bytes.count, place + 1 + seed.below(400))
            bytes.insert(contentsOf: bytes[place..<end], at: seed.below(bytes.count))
        case 5:
            // Replace a digit, which keeps the form and changes the meaning.
            if let digit = bytes[place...].firstIndex(where: { (0x30...0x39).contains($0) }) {
                bytes[digit] = UInt8(0x30 + seed.below(10))
            }
        default:
            // Move a line elsewhere.
            let begin = bytes[..<place].lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
            let end = bytes[place...].firstIndex(of: 0x0a).map { $0 + 1 } ?? bytes.count
            let line = Array(bytes[begin..<end])
            bytes.removeSubrange(begin..<end)
            let lines = bytes.indices.filter { bytes[$0] == 0x0a }
            bytes.insert(contentsOf: line, at: lines.isEmpty ? 0 : seed.pick(lines) + 1)
        }
    }
}

/// Calendars with one of everything.
enum SampleCalendars {
    static let zone = """
        BEGIN:VTIMEZONE
        TZID:W. Europe Standard Time
        BEGIN:STANDARD
        DTSTART:16010101T030000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0100
        RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
        END:STANDARD
        BEGIN:DAYLIGHT
        DTSTART:16010101T020000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0200
        RDATE:20260329T020000
        RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
        END:DAYLIGHT
        END:VTIMEZONE
        """

    static let all: [String] = [
        calendarText([
            zone,
            "UID:1\nDTSTAMP:20260101T000000Z\nDTSTART;TZID=W. Europe Standard Time:20260302T090000"
                + "\nDTEND;TZID=W. Europe Standard Time:20260302T100000\nSEQUENCE:2"
                + "\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1;COUNT=30"
                + "\nEXDATE;TZID=W. Europe Standard Time:20260401T090000"
                + "\nSUMMARY:A long title that goes\n  on in the next line\\, with a comma",
            "UID:1\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260331T070000Z\nDTSTART:20260401T120000Z"
                + "\nDURATION:PT45M\nSTATUS:TENTATIVE",
            "UID:2\nDTSTART;VALUE=DATE:20260312\nDTEND;VALUE=DATE:20260314\nTRANSP:OPAQUE"
                + "\nRRULE:FREQ=YEARLY;BYWEEKNO=11,12;WKST=SU;UNTIL=20300101",
            "UID:3\nDTSTART:20260319T150000\nDURATION:P1DT2H\nLOCATION:Here\nRDATE:20260320T150000"
                + "\nATTENDEE;CN=\"Ann; the first\";PARTSTAT=DECLINED:mailto:ann@example.org"
                + "\nORGANIZER:mailto:bob@example.org",
            "UID:4\nDTSTART;TZID=America/Los_Angeles:20260307T023000\nDURATION:PT15M"
                + "\nRRULE:FREQ=HOURLY;INTERVAL=5;BYMINUTE=0,30;BYDAY=SA,SU;COUNT=50",
        ]),
        calendarText(
            [
                "BEGIN:VFREEBUSY\nFREEBUSY;FBTYPE=BUSY:20260302T090000Z/PT1H,"
                    + "20260302T120000Z/20260302T130000Z\nEND:VFREEBUSY",
                "BEGIN:VAVAILABILITY\nBUSYTYPE:BUSY\nPRIORITY:5\nDTSTART:20260303T000000Z"
                    + "\nDURATION:P9D"
                    + "\nBEGIN:AVAILABLE\nUID:1\nDTSTART:20260303T090000Z\nDTEND:20260303T170000Z"
                    + "\nRRULE:FREQ=DAILY;BYDAY=MO,TU\nEND:AVAILABLE\nEND:VAVAILABILITY",
                "BEGIN:VTODO\nUID:9\nDUE:20260302\nBEGIN:VALARM\nTRIGGER:-PT5M\nEND:VALARM"
                    + "\nEND:VTODO",
            ], method: "PUBLISH"),
    ]
}
