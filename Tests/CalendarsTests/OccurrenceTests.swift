import Testing

@testable import Calendars

/// When events take place: zones, days, exceptions, and who is busy.
struct OccurrenceTests {
    @Test func `a time that occurs twice means the first`() throws {
        let event = try calendar(
            "UID:1\nDTSTART;TZID=Europe/Oslo:20261025T023000\n"
                + "DTEND;TZID=Europe/Oslo:20261025T033000"
        )
        // The second 02:30 is at 01:30Z; the end, 03:30, is after both.
        #expect(
            try event.times("2026-10-20", "2026-10-30")
                == [["2026-10-25T00:30:00Z", "2026-10-25T02:30:00Z"]])
    }

    @Test func `all-day events and times without a zone are local to the person`() throws {
        let file = try calendar(
            "UID:1\nDTSTART;VALUE=DATE:20260329", "UID:2\nDTSTART:20260402T150000\nDURATION:PT1H",
            "UID:3\nDTSTART:20260328T230000\nDTEND:20260329T070000")
        #expect(
            try file.times("2026-03-20", "2026-04-10", zone: "Europe/Oslo") == [
                // Eight hours on the clock, but seven in fact, because the clock was put forward.
                ["2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"],
                ["2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
                ["2026-04-02T13:00:00Z", "2026-04-02T14:00:00Z"],
            ])
        #expect(
            try file.starts("2026-03-20", "2026-04-10", zone: "America/Los_Angeles") == [
                "2026-03-29T06:00:00Z", "2026-03-29T07:00:00Z", "2026-04-02T22:00:00Z",
            ])
    }

    @Test func `a day begins after midnight if the clock skips midnight`() throws {
        let file = try calendar("UID:1\nDTSTART;VALUE=DATE:20260329\nRRULE:FREQ=DAILY;COUNT=2")
        // In Beirut 29 March 2026 begins at 01:00, which is 22:00Z.
        #expect(
            try file.times("2026-03-20", "2026-04-10", zone: "Asia/Beirut") == [
                ["2026-03-28T22:00:00Z", "2026-03-29T21:00:00Z"],
                ["2026-03-29T21:00:00Z", "2026-03-30T21:00:00Z"],
            ])
    }

    @Test func `exceptions leave out, move and cancel an event`() throws {
        let file = try calendar(
            """
            UID:1
            DTSTART;TZID=Europe/Oslo:20260302T090000
            DURATION:PT1H
            RRULE:FREQ=DAILY;COUNT=6
            EXDATE;TZID=Europe/Oslo:20260303T090000
            EXDATE;VALUE=DATE:20260304
            """,
            """
            UID:1
            RECURRENCE-ID:20260305T080000Z
            DTSTART;TZID=Europe/Oslo:20260410T090000
            DURATION:PT2H
            """,
            "UID:1\nRECURRENCE-ID;TZID=Europe/Oslo:20260306T090000\n"
                + "DTSTART;TZID=Europe/Oslo:20260306T090000\nSTATUS:CANCELLED")
        // COUNT includes the occurrences that are left out.
        #expect(
            try file.starts("2026-03-01", "2026-04-01")
                == ["2026-03-02T08:00:00Z", "2026-03-07T08:00:00Z"])
        // An event moved into a window is in it.
        #expect(
            try file.times("2026-04-01", "2026-05-01")
                == [["2026-04-10T07:00:00Z", "2026-04-10T09:00:00Z"]])
    }

    @Test func `an exception for all following times moves them by local time`() throws {
        let master = """
            UID:1
            DTSTART;TZID=Europe/Oslo:20260316T090000
            DURATION:PT1H
            RRULE:FREQ=WEEKLY;COUNT=5
            SUMMARY:Before
            """
        let moved = """
            UID:1
            RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Oslo:20260323T090000
            DTSTART;TZID=Europe/Oslo:20260324T110000
            DURATION:PT30M
            SUMMARY:After
            """
        let single = """
            UID:1
            RECURRENCE-ID;TZID=Europe/Oslo:20260406T090000
            DTSTART;TZID=Europe/Oslo:20260406T120000
            DURATION:PT1H
            """
        #expect(
            try calendar(master, moved, single).times("2026-03-01", "2026-05-01") == [
                ["2026-03-16T08:00:00Z", "2026-03-16T09:00:00Z"],
                ["2026-03-24T10:00:00Z", "2026-03-24T10:30:00Z"],
                ["2026-03-31T09:00:00Z", "2026-03-31T09:30:00Z"],
                ["2026-04-06T10:00:00Z", "2026-04-06T11:00:00Z"],
                ["2026-04-14T09:00:00Z", "2026-04-14T09:30:00Z"],
            ])
        // The same in a window that has only the moved time.
        #expect(
            try calendar(master, moved).starts("2026-03-31", "2026-04-01")
                == ["2026-03-31T09:00:00Z"])
        #expect(
            try calendar(master, moved + "\nSTATUS:CANCELLED").starts("2026-03-01", "2026-05-01")
                == ["2026-03-16T08:00:00Z"])
    }

    @Test func `an exception to an all-day event means that day, whatever its time`() throws {
        let file = try calendar(
            """
            UID:1
            DTSTART;VALUE=DATE:20200402
            RRULE:FREQ=WEEKLY;COUNT=4
            EXDATE;TZID=Europe/London:20200409T000000
            """,
            "UID:1\nRECURRENCE-ID;TZID=Europe/London:20200416T000000\nDTSTART;VALUE=DATE:20200417")
        #expect(
            try file.starts("2020-04-01", "2020-05-01") == [
                "2020-04-02T00:00:00Z", "2020-04-17T00:00:00Z", "2020-04-23T00:00:00Z",
            ])
    }

    @Test func `a newer version of an event replaces its older exceptions`() throws {
        let master = "UID:1\nDTSTART:20260302T090000Z\nRRULE:FREQ=DAILY;COUNT=2\nSEQUENCE:"
        let moved = "UID:1\nRECURRENCE-ID:20260303T090000Z\nDTSTART:20260303T120000Z\nSEQUENCE:1"
        func starts(_ rest: String) throws -> [String] {
            try calendar(master + rest, moved).starts("2026-03-01", "2026-04-01")
        }
        let first = "2026-03-02T09:00:00Z"
        #expect(try starts("2\nEXDATE:20260303T090000Z") == [first])
        #expect(try starts("2\nSTATUS:CANCELLED") == [])
        // An override stays if it is just as new, or if the event doesn't exclude it.
        #expect(try starts("1\nEXDATE:20260303T090000Z") == [first, "2026-03-03T12:00:00Z"])
        #expect(try starts("2") == [first, "2026-03-03T12:00:00Z"])
    }

    @Test func `the newest change of an occurrence counts, in any order in the file`() throws {
        let master = "UID:1\nDTSTART:20260302T090000Z\nRRULE:FREQ=DAILY;COUNT=2"
        func change(_ hour: Int, _ sequence: Int) -> String {
            "UID:1\nRECURRENCE-ID:20260303T090000Z\nDTSTART:20260303T\(hour)0000Z\n"
                + "SEQUENCE:\(sequence)"
        }
        for changes in [[change(11, 1), change(12, 2)], [change(12, 2), change(11, 1)]] {
            let file = try calendar(changes[0], master, changes[1])
            #expect(
                try file.starts("2026-03-01", "2026-04-01")
                    == ["2026-03-02T09:00:00Z", "2026-03-03T12:00:00Z"])
        }
    }

    @Test func `additional times have their own length if they state one`() throws {
        let file = try calendar(
            """
            UID:1
            DTSTART:20260302T090000Z
            DTEND:20260302T100000Z
            RDATE:20260302T090000Z,20260303T090000Z
            RDATE;VALUE=PERIOD:20260304T090000Z/PT15M,20260305T090000Z/20260305T120000Z
            """)
        #expect(
            try file.times("2026-03-01", "2026-04-01") == [
                ["2026-03-02T09:00:00Z", "2026-03-02T10:00:00Z"],
                ["2026-03-03T09:00:00Z", "2026-03-03T10:00:00Z"],
                ["2026-03-04T09:00:00Z", "2026-03-04T09:15:00Z"],
                ["2026-03-05T09:00:00Z", "2026-03-05T12:00:00Z"],
            ])
    }

    @Test func `a zone defined in a calendar has its own clock changes`() throws {
        let zone = """
            BEGIN:VTIMEZONE
            TZID:Works
            BEGIN:STANDARD
            DTSTART:20001001T030000
            TZOFFSETFROM:+0530
            TZOFFSETTO:+0500
            RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:20000402T020000
            TZOFFSETFROM:+0500
            TZOFFSETTO:+0530
            RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU
            END:DAYLIGHT
            END:VTIMEZONE
            """
        let file = try calendar(
            zone,
            "UID:1\nDTSTART;TZID=Works:20260404T090000\nDURATION:PT1H\n"
                + "RRULE:FREQ=DAILY;COUNT=3",
            "UID:2\nDTSTART;TZID=Works:27260405T021500\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=2")
        #expect(file.problems.count == 0)
        #expect(
            try file.starts("2026-04-01", "2026-05-01") == [
                "2026-04-04T04:00:00Z", "2026-04-05T03:30:00Z", "2026-04-06T03:30:00Z",
            ])
        // 700 years later the rule still holds.
        #expect(
            try file.starts("2726-04-01", "2726-05-01")
                == ["2726-04-04T20:45:00Z", "2726-04-05T20:45:00Z"])
    }

    @Test(arguments: [
        ("Europe/Oslo", 60), ("W. Europe Standard Time", 60), ("US/Eastern", -300),
        ("/mozilla.org/20050126_1/Europe/Berlin", 60), ("India Standard Time", 330),
        ("/example.org/America/Argentina/Buenos_Aires", -180), ("/Europe/Stockholm", 60),
    ])
    func `a zone is found by the names that programs use`(name: String, minutes: Int) throws {
        var book = try ZoneBook([])
        let found = book.zone(name)
        let zone = try #require(found)
        #expect(zone.offset(at: try instant("2026-01-15T00:00:00Z")) == Int64(minutes) * 60)
    }

    @Test func `every Windows zone name leads to a zone`() {
        #expect(windowsZones.count > 100)
        for (name, zone) in windowsZones {
            #expect(Zone(named: zone) != nil, "\(name): \(zone)")
        }
    }

    @Test func `an unknown zone is read as local, and reported`() throws {
        let file = try calendar("UID:1\nDTSTART;TZID=Mars/Base:20260302T090000\nDURATION:PT1H")
        #expect(
            try file.starts("2026-03-01", "2026-04-01", zone: "Europe/Oslo")
                == ["2026-03-02T08:00:00Z"])
        #expect(
            file.problems.first.map(\.description) == [
                "line 6, VEVENT “1”: the zone “Mars/Base” is not known, so its times are read as "
                    + "local; use an IANA name such as Europe/Oslo, or describe it with VTIMEZONE"
            ])
    }

    @Test func `whether a person is busy follows from the event and their answer`() throws {
        let time = "DTSTART:20260302T090000Z\nDURATION:PT1H\nUID:"
        let file = try calendar(
            time + "1", time + "2\nTRANSP:TRANSPARENT", time + "3\nSTATUS:CANCELLED",
            time + "4\nSTATUS:TENTATIVE", time + "5\nX-MICROSOFT-CDO-BUSYSTATUS:OOF",
            time + "6\nATTENDEE;PARTSTAT=DECLINED:mailto:Ann@Example.org",
            time + "7\nATTENDEE;PARTSTAT=TENTATIVE:mailto:ann@example.org",
            "UID:8\nDTSTART:20260302T090000Z")
        let span = "2026-03-02T09:00:00Z 2026-03-02T10:00:00Z"
        #expect(
            try file.busy("2026-03-01", "2026-04-01", ["ANN@example.org"])
                == ["tentative", "tentative", "busy", "unavailable"].map { "\(span) \($0)" })
        #expect(
            try file.busy("2026-03-01", "2026-04-01", ["bob@example.org"])
                == ["tentative", "busy", "busy", "busy", "unavailable"].map { "\(span) \($0)" })
    }

    @Test func `a calendar of cancellations makes nobody busy`() throws {
        let file = try calendar(
            "UID:1\nDTSTART:20260302T090000Z\nDURATION:PT1H", method: "CANCEL")
        #expect(try file.busy("2026-03-01", "2026-04-01") == [])
    }

    @Test func `free and busy times are read without events`() throws {
        let file = try calendar(
            """
            BEGIN:VFREEBUSY
            FREEBUSY:20260302T090000Z/PT1H,20260302T120000Z/20260302T130000Z
            FREEBUSY;FBTYPE=FREE:20260302T150000Z/PT1H
            FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260302T160000Z/PT1H
            END:VFREEBUSY
            """,
            """
            BEGIN:VAVAILABILITY
            DTSTART:20260303T000000Z
            DTEND:20260305T000000Z
            BUSYTYPE:BUSY-UNAVAILABLE
            BEGIN:AVAILABLE
            UID:1
            DTSTART:20260303T090000Z
            DTEND:20260303T170000Z
            RRULE:FREQ=DAILY
            END:AVAILABLE
            END:VAVAILABILITY
            """)
        #expect(
            try file.busy("2026-03-01", "2026-04-01") == [
                "2026-03-02T09:00:00Z 2026-03-02T10:00:00Z busy",
                "2026-03-02T12:00:00Z 2026-03-02T13:00:00Z busy",
                "2026-03-02T16:00:00Z 2026-03-02T17:00:00Z tentative",
                "2026-03-03T00:00:00Z 2026-03-03T09:00:00Z unavailable",
                "2026-03-03T17:00:00Z 2026-03-04T09:00:00Z unavailable",
                "2026-03-04T17:00:00Z 2026-03-05T00:00:00Z unavailable",
            ])
    }
}
