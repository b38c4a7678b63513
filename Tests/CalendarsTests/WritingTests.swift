import TestSupport
import Testing

@testable import Calendars

/// Calendars written for other programs, in which no text can become a line of its own.
struct WritingTests {
    private static func invitation(
        title: String = "Review", name: String = "Kari", sequence: Int64 = 0
    ) throws -> Invitation {
        try Invitation(
            uid: "42@steward.example", sequence: sequence,
            span: TimeSpan(1_774_864_800, 1_774_868_400), stamp: 1_774_000_000, title: title,
            organizer: Participant(name: name, address: "kari@example.org"),
            attendees: [
                Participant(name: name, address: "ola@example.org"),
                Participant(name: "Åse", address: "aase@example.org", isOptional: true),
            ])
    }

    /// The unfolded lines, processed as bytes, because a fold may be inside what Swift considers
    /// one character.
    private static func unfolded(_ text: String) -> [String] {
        Array(text.utf8).replacing([0x0d, 0x0a, 0x20], with: []).split(separator: 0x0d).map {
            String(decoding: $0.drop { $0 == 0x0a }, as: UTF8.self)
        }.filter { !$0.isEmpty }
    }

    @Test func `an invitation asks the attendees to come, and a cancellation not to`() throws {
        let lines = Self.unfolded(try Self.invitation().request)
        #expect(
            lines == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Steward//Steward//EN",
                "CALSCALE:GREGORIAN", "METHOD:REQUEST", "BEGIN:VEVENT", "UID:42@steward.example",
                "SEQUENCE:0", "DTSTAMP:20260320T094640Z", "DTSTART:20260330T100000Z",
                "DTEND:20260330T110000Z", "SUMMARY:Review", "STATUS:CONFIRMED", "TRANSP:OPAQUE",
                "ORGANIZER;CN=\"Kari\":mailto:kari@example.org",
                "ATTENDEE;CN=\"Kari\";ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE"
                    + ":mailto:ola@example.org",
                "ATTENDEE;CN=\"Åse\";ROLE=OPT-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE"
                    + ":mailto:aase@example.org",
                "END:VEVENT", "END:VCALENDAR",
            ])
        let cancelled = Self.unfolded(try Self.invitation(sequence: 1).cancellation)
        #expect(cancelled.contains("METHOD:CANCEL") && cancelled.contains("STATUS:CANCELLED"))
        #expect(cancelled.contains("SEQUENCE:1"))
    }

    static let hostile = [
        "a\r\nATTENDEE:mailto:eve@example.org", "a\nEND:VEVENT\nBEGIN:VEVENT", "a\rX:1",
        "\u{85}X:1",
        "\u{2028}X:1", "\"quoted\"", "a;b,c\\d:e", "\\n", "^n", "\0", "\u{7f}", "\u{1b}[31m",
        String(repeating: "å", count: 700), String(repeating: "👩‍👩‍👧", count: 60), "",
    ]

    @Test(arguments: hostile)
    func `a person's words stay in one line, which is folded at 75 bytes`(
        words: String
    ) throws {
        for text in [
            try Self.invitation(title: words, name: words).request,
            try DueDateCalendar.text(
                [DueDate(uid: "1", day: 20_500, title: words, text: words, stamp: 0)], name: words),
        ] {
            let plain = text.contains("METHOD:REQUEST")
            #expect(Self.unfolded(text).count == (plain ? 19 : words.isEmpty ? 16 : 17))
            for line in text.utf8.split(separator: 0x0a) {
                #expect(line.count <= 76 && line.last == 0x0d)
                // No character is cut in two.
                #expect(String(validating: line, as: UTF8.self) != nil)
            }
            let hasControls = text.unicodeScalars.contains {
                isControl($0) && $0 != "\r" && $0 != "\n"
            }
            #expect(!hasControls)
        }
    }

    @Test(arguments: hostile)
    func `what is written is read back unchanged`(words: String) throws {
        let file = try CalendarFile(try Self.invitation(title: words).request.utf8)
        let event = try #require(file.events.first)
        #expect(file.events.count == 1 && file.problems.count == 0)
        #expect(event.uid == "42@steward.example")
        let wanted = words.replacing("\r\n", with: "\n").unicodeScalars.map {
            $0 == "\r" ? "\n" : isControl($0) && $0 != "\n" ? " " : String($0)
        }.joined()
        #expect(wanted.hasPrefix(event.title))
        #expect(event.title == wanted || event.title.utf8.count > 1_990)
        let busy = try file.busy("2026-03-30", "2026-03-31")
        #expect(busy == ["2026-03-30T10:00:00Z 2026-03-30T11:00:00Z busy"])
    }

    @Test func `a due date is an all-day event that makes nobody busy`() throws {
        let text = try DueDateCalendar.text(
            [DueDate(uid: "i-7", day: 20_542, title: "Ship it", stamp: 0)], name: "Due")
        let file = try CalendarFile(text.utf8)
        #expect(file.name == "Due")
        #expect(
            try file.times("2026-03-01", "2026-05-01", zone: "Europe/Oslo")
                == [["2026-03-29T22:00:00Z", "2026-03-30T22:00:00Z"]])
        #expect(try file.busy("2026-03-01", "2026-05-01") == [])
    }

    @Test(arguments: [
        "", "kari", "@example.org", "kari@", "a@b@c", "a b@example.org", "a@exa\nmple.org",
        "a\"b@example.org", "a,b@example.org", "kåre@example.org",
        String(repeating: "a", count: 250) + "@example.org",
    ])
    func `an invalid mail address is refused`(address: String) {
        #expect(throws: CalendarProblem.self) { try Participant(name: "A", address: address) }
    }

    @Test func `an impossible meeting is refused`() throws {
        let kari = try Participant(name: "Kari", address: "kari@example.org")
        func make(_ uid: String, _ sequence: Int64, _ span: TimeSpan) throws {
            _ = try Invitation(
                uid: uid, sequence: sequence, span: span, stamp: 0, title: "", organizer: kari,
                attendees: [])
        }
        try make("1", 0, TimeSpan(10, 20))
        for uid in ["", "a b", "a\r\nX:1", "å", String(repeating: "a", count: 1_001)] {
            #expect(throws: CalendarProblem.self) { try make(uid, 0, TimeSpan(10, 20)) }
        }
        #expect(throws: CalendarProblem.self) { try make("1", -1, TimeSpan(10, 20)) }
        #expect(throws: CalendarProblem.self) { try make("1", 0, TimeSpan(10, 10)) }
        #expect(throws: CalendarProblem.self) { try make("1", 0, TimeSpan(-5, 10)) }
        #expect(throws: CalendarProblem.self) { try make("1", 0, TimeSpan(5, .max)) }
    }
}
