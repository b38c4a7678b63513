import Calendars
import MeetingTimes

/// How long it takes to find times at which 50 people in ten zones can meet within 90 days,
/// including reading their calendars and expanding recurrences, in processor time.
enum MeetingBench {
    private static let zones = [
        "America/Los_Angeles", "America/New_York", "America/Sao_Paulo", "Europe/London",
        "Europe/Oslo", "Europe/Helsinki", "Asia/Kolkata", "Asia/Tokyo", "Australia/Adelaide",
        "Pacific/Auckland",
    ]
    /// 2 March 2026 and the 90 days after it.
    private static let window = TimeSpan(1_772_409_600, 1_772_409_600 + 90 * 86_400)

    static func run(_ figures: inout Figures) throws {
        let texts = (0..<50).map { Array(calendar(of: $0).utf8) }
        var people: [Attendee] = []
        let read = try processorTime {
            people = try texts.enumerated().map { try attendee($0.offset, $0.element) }
        }
        figures.add("meet: 50 calendars read and repeated, 90 days", milliseconds(read), "ms")
        let some = people.enumerated().map { number, person in
            Attendee(
                id: person.id, working: person.working, busy: person.busy,
                weight: (3...5).contains(number % zones.count) ? nil : 1)
        }
        for (name, people) in [("all needed", people), ("15 needed", some)] {
            var times: [Duration] = []
            var count = 0
            for _ in 0..<20 {
                times.append(
                    try processorTime {
                        let request = MeetingRequest(window: window, length: 1_800, step: 900)
                        count = try MeetingTimes.find(request, people).count
                    })
            }
            let median = times.sorted()[times.count / 2]
            figures.add(
                "meet: 50 people, 90 days, \(name), \(count) times", milliseconds(median), "ms",
                goal: .atMost(50))
        }
    }

    private static func attendee(_ number: Int, _ text: [UInt8]) throws -> Attendee {
        guard let zone = Zone(named: zones[number % zones.count]) else {
            throw CalendarProblem(reason: "a zone is missing", cure: "install tzdata")
        }
        let busy = try CalendarFile(text).busyTimes(in: window, zone: zone)
        let first = window.start / 86_400 - 1
        let days = (first..<first + 92).filter { WallTime(day: $0).date.weekday < 5 }
        let working = days.flatMap { day in
            [(8, 12), (13, 17)].map { begin, end in
                TimeSpan(
                    zone.instant(of: WallTime(day: day, second: begin * 3_600)),
                    zone.instant(of: WallTime(day: day, second: end * 3_600)))
            }
        }
        return Attendee(id: "p\(number)", working: working, busy: busy)
    }

    /// Ten repeated meetings, and eighty single ones.
    private static func calendar(of number: Int) -> String {
        let zone = zones[number % zones.count]
        var lines = ["BEGIN:VCALENDAR", "VERSION:2.0"]
        for meeting in 0..<90 {
            let day = 10 + (meeting * 7 + number) % 20
            let hour = 10 + (meeting + number) % 8
            let month = meeting < 10 ? 1 : 3 + meeting % 3
            lines += [
                "BEGIN:VEVENT", "UID:\(number)-\(meeting)",
                "DTSTART;TZID=\(zone):20260\(month)\(day)T\(hour)0000", "DURATION:PT30M",
            ]
            if meeting < 10 {
                lines.append("RRULE:FREQ=WEEKLY;BYDAY=\(["MO", "TU,TH", "WE", "FR"][meeting % 4])")
            }
            lines.append("END:VEVENT")
        }
        return (lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        duration / .milliseconds(1)
    }
}
