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

    static func runProject(_ user: JSONUser) throws {
        let picture = user.system.path("chart.svg")
        let table = user.system.path("issues.csv")
        for line in [
            "project create House", "project list", "project use house", "project show",
            "project change --description Wooden", "project holiday 2027-05-17 'National day'",
            "project person add Kari", "project person change Kari --share 80",
            "project person away Kari 2027-07-01 2027-07-20", "project person list",
            "project version add One", "project version change One --due 2027-06-01",
            "project version list",
            "issue create Roof --assignee Kari --start 2027-03-01 --due 2027-03-02",
            "issue create Door --start 2027-03-03 --due 2027-03-04",
            "issue create Inside --milestone --due 2027-03-08", "project milestones",
            "issue relate 1 precedes 2", "issue list", "issue calendar",
            "project person change Kari --me", "issue mine", "issue filter keep Late --overdue",
            "issue filter list", "issue filter delete Late",
            "meet find Kari --from 2027-03-01 --until 2027-03-01",
            "meet invite Kari --at '2027-03-01 10:00' --anyway --title A --organizer Kari "
                + "--mail Kari=kari@example.org",
            "meet book Kari --at '2027-03-01 10:00' --anyway --title A --organizer Kari "
                + "--mail Kari=kari@example.org", "meet list",
            "issue note 1 'Slate'", "project export '\(table)'", "project import '\(table)'",
            "project undo",
            "project baseline keep Promised", "project baseline list",
            "issue change 1 --due 2027-03-03", "project baseline compare Promised",
            "issue show 1", "issue unrelate 1 2", "time log 1 7:30", "time list",
            "time change 1 --hours 8", "time remove 1", "gantt", "gantt -o '\(picture)'",
            "gantt --load", "schedule propose --from 2027-03-01",
            "schedule apply --from 2027-03-01", "project history", "project undo", "project redo",
            "issue remove 2", "project version remove One", "project baseline remove Promised",
            "issue change 1 --assignee none", "project person remove Kari",
            "project delete house --yes",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
        #expect(try user.show("project create Shed").count == 1)
        #expect(try user.show("project person add Kari").count == 1)
        try showCalendars(user)
        let meetings = try user.show(
            "meet book Kari --at '2027-03-01 10:00' --anyway --title A --organizer Kari "
                + "--mail Kari=kari@example.org")
        let meeting = try #require(meetings.first?["id"] as? String)
        #expect(try user.show("meet move \(meeting) --at '2027-03-02 10:00'").count == 1)
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
