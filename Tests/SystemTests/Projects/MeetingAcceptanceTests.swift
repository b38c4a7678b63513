import Foundation
import TestSupport
import TestThreads
import Testing

/// Meetings of people in several zones, at the command line.
@Suite(.serialized, .waiting) struct MeetingAcceptanceTests {
    private let user: ProjectUser

    init() throws {
        user = try ProjectUser()
        try user.run("project person add Kari --zone Europe/Oslo")
        try user.run("project person add Ann --zone America/New_York")
        try user.run("project person add Eva --zone Europe/Oslo")
    }

    /// Writes a calendar with an event, and returns the path.
    private func calendar(_ name: String, _ lines: String...) throws -> String {
        let path = user.system.path(name)
        let text =
            [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//T//T//EN", "BEGIN:VEVENT", "UID:1@t",
                "DTSTAMP:20270101T000000Z",
            ] + lines + ["END:VEVENT", "END:VCALENDAR", ""]
        try text.joined(separator: "\r\n").write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func begins(_ line: String) throws -> [String] {
        try user.rows(line).compactMap { $0["begin"] as? String }.sorted()
            .map { String($0.prefix(16)) }
    }

    @Test func `P8: times suit everyone's hours, zones and calendars, also when clocks change`()
        throws
    {
        // Mondays at 14:00 in Oslo.
        let kari = try calendar(
            "kari.ics", "DTSTART;TZID=Europe/Oslo:20270104T140000",
            "DTEND;TZID=Europe/Oslo:20270104T150000", "RRULE:FREQ=WEEKLY", "SUMMARY:Review")
        let find = "meet find Kari Ann --step 60m --calendar 'Kari=\(kari)'"
        // The clock has been put forward in New York, but not yet in Oslo, so they are five hours
        // apart.
        #expect(
            try begins("\(find) --from 2027-03-15 --until 2027-03-15") == [
                "2027-03-15T12:00", "2027-03-15T14:00", "2027-03-15T15:00",
            ])
        // Both clocks have been put forward.
        #expect(
            try begins("\(find) --from 2027-03-29 --until 2027-03-29") == [
                "2027-03-29T13:00", "2027-03-29T14:00",
            ])
        let eva = try calendar(
            "eva.ics", "DTSTART:20270315T133000Z", "DTEND:20270315T160000Z", "SUMMARY:Doctor")
        let best = try user.rows(
            "\(find) --maybe Eva --calendar 'Eva=\(eva)' --from 2027-03-15 --until 2027-03-15")
        #expect((best.first?["begin"] as? String)?.hasPrefix("2027-03-15T12:00") == true)
        #expect(best.first?["missing"] as? [String] == [])
        #expect(best.last?["missing"] as? [String] == ["Eva"])
        try user.run("project person away Ann 2027-03-15")
        #expect(
            try user.refusal(of: "\(find) --from 2027-03-15 --until 2027-03-15")
                .contains("there is no time for all who have to come; in the way are Ann"))
    }

    @Test func `P8: times of today that are over aren't proposed`() throws {
        try user.run("project person add Max --zone UTC --day mon-sun --hours 0:00-24:00")
        try user.setClock(to: "10:15")

        let times = try begins("meet find Max --length 30m --limit 1000")

        #expect(times.first == "\(ProjectUser.today)T10:30")
        #expect(times.allSatisfy { $0.hasSuffix(":00") || $0.hasSuffix(":30") })
    }

    @Test func `P8: times are ranked by the delay that each adds to the project`() throws {
        // Kari is busy all Monday; on Tuesday she has four hours of work in a day of eight.
        try user.run("issue create Dig --start 2027-03-15 --due 2027-03-15 --assignee Kari")
        try user.run(
            "issue create Build --start 2027-03-16 --due 2027-03-16 --assignee Kari --estimate 4 "
                + "--after 1")
        let find = "meet find Kari Eva --from 2027-03-15 --until 2027-03-16 --limit 1000"
        let slots = try user.rows(find)
        let days = slots.map { String(($0["begin"] as? String ?? "").prefix(10)) }
        #expect(days == days.sorted(by: >) && Set(days).count == 2, "\(days)")
        #expect(slots.first?["delay"] as? Int == 0 && slots.first?["delayedIssue"] == nil)
        #expect(slots.last?["delay"] as? Int == 60 && slots.last?["delayedIssue"] as? Int == 1)
        #expect(try user.run(find).contains("#1 by 1:00"))
        // A meeting of someone who doesn't work on the project delays nothing.
        let others = try user.rows("meet find Eva --from 2027-03-15 --until 2027-03-15")
        #expect(others.allSatisfy { $0["delay"] as? Int == 0 })
    }

    @Test func `P8: if there is no time, the answer says who blocks it and what would help`()
        throws
    {
        let ann = try calendar(
            "ann.ics", "DTSTART;VALUE=DATE:20270315", "DTEND;VALUE=DATE:20270316")
        let told = try user.refusal(
            of: "meet find Kari Ann --calendar 'Ann=\(ann)' --from 2027-03-15 --until 2027-03-15")
        #expect(told.contains("in the way are Ann at") && told.contains("with Ann as --maybe"))
        for (line, words) in [
            ("meet find Nobody", "has no person “Nobody”"),
            ("meet find Kari Kari", "Kari is named twice"),
            ("meet find Kari --calendar 'Eva=\(ann)'", "Eva has a calendar but isn't invited"),
            ("meet find --from 2027-03-15 --until 2027-03-14", "--until"),
            ("meet find Kari --length 0m", "a meeting takes from a minute"),
            ("meet find Kari --step 0m", "meetings begin every minute"),
        ] {
            let refusal = try user.refusal(of: line)
            #expect(refusal.contains(words), "\(line): \(refusal)")
        }
    }

    @Test func `P8: other programs understand an invitation and its cancellation`() throws {
        let mails = "--mail Kari=kari@example.org --mail Ann=ann@example.org"
        let invite =
            "meet invite Kari --maybe Ann --title 'Kick-off; at last' --organizer Kari \(mails) "
            + "--at '2027-03-15 12:00' --anyway --id kickoff@example.org"
        // Long lines are folded.
        let made = try user.run(invite).replacing("\r\n ", with: "")
        for line in [
            "METHOD:REQUEST", "UID:kickoff@example.org", "SEQUENCE:0",
            "SUMMARY:Kick-off\\; at last",
        ] { #expect(made.contains("\(line)\r\n"), "\(line) in \(made)") }
        #expect(made.contains("OPT-PARTICIPANT") && made.contains("mailto:ann@example.org"))
        let ended = try user.run("\(invite) --cancel --revision 1")
        #expect(ended.contains("METHOD:CANCEL") && ended.contains("SEQUENCE:1"))
        // The calendar that was written keeps people busy.
        let path = user.system.path("made.ics")
        try user.run("\(invite) -o '\(path)'")
        let day = "--from 2027-03-15 --until 2027-03-15 --limit 1000"
        #expect(
            try begins("meet find Kari \(day) --calendar 'Kari=\(path)'").count
                < begins("meet find Kari \(day)").count)
        for (line, words) in [
            ("--at '2027-03-14 12:00' \(mails)", "Kari can't come on 2027-03-14"),
            ("--at '2027-03-15 12:00' --anyway", "the mail address of Kari isn't known"),
            ("--at '2027-03-15 12:00' --anyway --mail Kari=kari", "is not a mail address"),
            ("--at 12:00 \(mails)", "--at"),
        ] {
            let refusal = try user.refusal(
                of: "meet invite Kari --title A --organizer Kari \(line)")
            #expect(refusal.contains(words), "\(line): \(refusal)")
        }
    }
    @Test func `P8: a booked meeting is mailed to calendars, and moved and cancelled there too`()
        throws
    {
        try user.launch("notifier")
        let book =
            "meet book Kari --maybe Ann --title Kick-off --organizer Kari "
            + "--mail Kari=kari@example.org --mail Ann=ann@example.org --at '2027-03-15 12:00'"
        #expect(
            try user.refusal(of: book.replacing("12:00", with: "02:00")).contains("can't come"))
        let booked = try user.answer("\(book) --anyway")
        let id = try #require(booked["id"] as? String)
        #expect((booked["calendar"] as? String ?? "").contains("METHOD:REQUEST"))
        let moved = try user.answer("meet move \(id) --at '2027-03-16 12:00' --place Barn")
        #expect(moved["sequence"] as? Int == 1 && moved["place"] as? String == "Barn")
        #expect(try user.rows("meet list --until 2027-03-16").count == 1)
        #expect(try user.rows("meet list --until 2027-03-15").isEmpty)
        try user.run("meet cancel \(id)")
        #expect(try user.run("meet list").contains("cancelled"))
        // The notifier has them, and will send them when there is a mail server.
        try eventually("the mails are kept") {
            try user.rows("mail list").count == 6
        }
        #expect(
            try user.refusal(of: "\(book) --anyway --mail Kari=kari").contains("e-mail address"))
    }

    @Test func `whoever books without a mail server is told that the mails wait`() throws {
        try user.launch("notifier")
        let booked = try user.say(
            "meet book Kari --title Kick-off --organizer Kari --mail Kari=kari@example.org "
                + "--at '2027-03-15 12:00' --anyway")
        #expect(booked.end == .exited(0))
        #expect(booked.err.contains("the mails wait: no mail server is set"))
    }

    @Test func `cancelling a meeting again doesn't say that anything is mailed`() throws {
        let id = try #require(
            try user.answer(
                "meet book Kari --title Kick-off --organizer Kari --mail Kari=kari@example.org "
                    + "--at '2027-03-15 12:00' --anyway")["id"] as? String)
        #expect(try user.say("meet cancel \(id)").out.contains("mailed to kari@example.org"))
        let again = try user.say("meet cancel \(id)")
        #expect(again.end == .exited(0) && again.out.isEmpty)
        #expect(again.err.contains("was cancelled before; nothing more is mailed"))
    }

    @Test func `what is typed means the site's time or is refused, also without account-service`()
        throws
    {
        try user.run("site add Kitchen --zone America/New_York")
        let mails = "--mail Kari=kari@example.org"
        let invite = "meet invite Kari --title A --organizer Kari \(mails) --anyway"
        let noon = "\(invite) --at '2027-03-15 12:00'"
        #expect(try user.run(noon).contains("DTSTART:20270315T160000Z"))
        user.accounts.kill()
        for line in [
            noon, "meet find Kari --from tomorrow", "meet list --until today",
            "issue create Roof --due tomorrow", "issue list --due-within 7", "schedule propose",
        ] {
            let said = try user.say(line)
            #expect(said.end == .exited(69), "\(line): \(said.out)")
            #expect(said.err.contains("account-service is not running"), "\(line): \(said.err)")
        }
        // A date means the same in every zone, and what is only shown is shown.
        try user.run("issue create Roof --due 2027-03-15")
        for line in ["issue list", "issue show 1", "meet list", "gantt"] { try user.run(line) }
    }

    @Test func `P8: what several people change of a meeting at one moment is all kept`() throws {
        let booked = try user.answer(
            "meet book Kari --title Kick-off --organizer Kari --mail Kari=kari@example.org "
                + "--at '2027-03-15 12:00' --anyway")
        let id = try #require(booked["id"] as? String)
        for round in 1...5 {
            let commands = try [
                "--at '2027-03-16 12:0\(round)'", "--title Title-\(round)",
                "--place Place-\(round)",
            ].map { try user.begin("meet move \(id) \($0)") }
            for command in commands {
                #expect(try command.waitForEnd() == .exited(0), "\(command.err)")
            }
            let meeting = try #require(try user.rows("meet list").first)
            let start = try #require(meeting["start"] as? String)
            #expect(start.hasSuffix(":0\(round):00.000Z"))
            #expect(meeting["title"] as? String == "Title-\(round)")
            #expect(meeting["place"] as? String == "Place-\(round)")
        }
    }
}
