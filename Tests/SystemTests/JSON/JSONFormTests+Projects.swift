import Foundation
import TestSupport
import Testing

extension JSONFormTests {
    private static func showCalendars(_ user: JSONUser) throws {
        let server = try WebServer(in: user.system)
        try server.serve("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")
        let added = try user.show("meet calendar add Kari \(server.url("/kari.ics"))")
        let id = try #require(added.first?["id"] as? String)
        for line in ["list", "fetch", "remove \(id)"] {
            #expect(try user.show("meet calendar \(line)").count == 1, "\(line)")
        }
    }

    /// A Monday that comes in a month or later, in days since 1970.
    private static let monday: Int = {
        let soon = Int(Date.now.timeIntervalSince1970) / 86_400 + 30
        // 1970-01-05 was a Monday.
        return soon + 7 - (soon + 3) % 7
    }()

    /// The date this number of days after ``monday``.
    private static func date(_ days: Int) -> String {
        let seconds = Double((monday + days) * 86_400)
        return String(Date(timeIntervalSince1970: seconds).ISO8601Format().prefix(10))
    }

    static func runProject(_ user: JSONUser) throws {
        let (first, second, third, fourth) = (date(0), date(1), date(2), date(3))
        let (next, later, last) = (date(7), date(90), date(110))
        let picture = user.system.path("chart.svg")
        let table = user.system.path("issues.csv")
        for line in [
            "project create House", "project list", "project use house", "project show",
            "project change --description Wooden", "project holiday \(later) 'National day'",
            "project person add Kari", "project person change Kari --share 80",
            "project person away Kari \(later) \(last)", "project person list",
            "project version add One", "project version change One --due \(later)",
            "project version list",
            "issue create Roof --assignee Kari --start \(first) --due \(second)",
            "issue create Door --start \(third) --due \(fourth)",
            "issue create Inside --milestone --due \(next)", "project milestones",
            "issue relate 1 precedes 2", "issue list", "issue calendar",
            "project person change Kari --me", "issue mine", "issue filter keep Late --overdue",
            "issue filter list", "issue filter delete Late",
            "meet find Kari --from \(first) --until \(first)",
            "meet invite Kari --at '\(first) 10:00' --anyway --title A --organizer Kari "
                + "--mail Kari=kari@example.org",
            "meet book Kari --at '\(first) 10:00' --anyway --title A --organizer Kari "
                + "--mail Kari=kari@example.org", "meet list",
            "issue note 1 'Slate'", "project export '\(table)'", "project import '\(table)'",
            "project undo",
            "project baseline keep Promised", "project baseline list",
            "issue change 1 --due \(third)", "project baseline compare Promised",
            "issue show 1", "issue unrelate 1 2", "time log 1 7:30", "time list",
            "time change 1 --hours 8", "time remove 1", "gantt", "gantt -o '\(picture)'",
            "gantt --load", "schedule propose --from \(first)",
            "schedule apply --from \(first)", "project history", "project undo", "project redo",
            "issue remove 2", "project version remove One", "project baseline remove Promised",
            "issue change 1 --assignee none", "project person remove Kari",
            "project delete house --yes",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
        #expect(try user.show("project create Shed").count == 1)
        #expect(try user.show("project person add Kari").count == 1)
        try showCalendars(user)
        let meetings = try user.show(
            "meet book Kari --at '\(first) 10:00' --anyway --title A --organizer Kari "
                + "--mail Kari=kari@example.org")
        let meeting = try #require(meetings.first?["id"] as? String)
        #expect(try user.show("meet move \(meeting) --at '\(second) 10:00'").count == 1)
        #expect(try user.show("meet cancel \(meeting)").count == 1)
        #expect(try user.show("meet delete --until today --yes").count == 1)
        #expect(try user.show("project delete shed --yes").count == 1)
        // What they print is tested where there is a Redmine server.
        try user.attempt("redmine login http://127.0.0.1:1", typing: "key\n")
        #expect(try user.show("project create House").count == 1)
        for line in [
            "redmine logout", "redmine projects", "redmine link house", "redmine unlink",
            "redmine sync", "redmine status -p house", "redmine settle 1 --ours",
        ] { try user.attempt(line) }
    }
}
