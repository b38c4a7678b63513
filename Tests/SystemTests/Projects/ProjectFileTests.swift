import Foundation
import TestSupport
import TestThreads
import Testing

/// Projects in the files of other programs, at the command line.
@Suite(.serialized, .waiting) struct ProjectFileTests {
    private let user: ProjectUser

    init() throws { user = try ProjectUser() }

    /// Writes a file, and returns its path as a word of a command line.
    private func file(_ name: String, _ text: String) throws -> String {
        let path = user.system.path(name)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return "'\(path)'"
    }

    private static let table = """
        number,subject,start,due,assignee,parent,after,estimate,version
        10,House,,,,,,,
        11,Dig,2027-03-01,2027-03-02,Kari,10,,16,
        12,Build,2027-03-03,2027-03-09,Ola,10,11,40,One
        13,Move in,2027-03-12,2027-03-12,,,12+1,,One
        """

    @Test func `P14: a table of issues is imported in one step, exported and imported again`()
        throws
    {
        try user.run("project person add Ola")
        let table = try file("plan.csv", Self.table)
        let preview = try user.say("project import \(table) --preview")
        #expect(preview.out.contains("“Dig” would be added"), "\(preview.out)")
        #expect(try user.rows("issue list").isEmpty)
        try user.run("project import \(table)")
        #expect(try user.rows("issue list").count == 4)
        #expect(try user.rows("project person list").count == 2, "Ola was there")
        let build = try user.run("issue show 3")
        #expect(build.contains("part of: #1 House") && build.contains("follows: #2 Dig"))
        #expect(build.contains("assignee: Ola") && build.contains("estimated: 40:00 h"))
        #expect(try user.issue(1)["due"] as? String == "2027-03-09", "from its parts")
        #expect(try user.run("issue show 4").contains("follows: #3 Build, 1 day in between"))

        let copy = user.system.path("copy.csv")
        try user.run("project export '\(copy)'")
        let written = try String(contentsOfFile: copy, encoding: .utf8)
        try user.run("project create Garden")
        try user.run("project import '\(copy)'")
        try user.run("project export '\(copy)'")
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == written)

        try user.run("project undo")
        #expect(try user.rows("issue list").isEmpty && user.rows("project person list").isEmpty)
    }

    @Test func `P6: a person without a zone has that of the site, also an imported one`() throws {
        try user.run("site add Harbour --zone America/New_York")
        try user.run("project person add Ola --zone Europe/Oslo")
        try user.run("project person add Eva")
        try user.run("project import \(try file("plan.csv", Self.table))")

        let people = try user.run("project person list").split(separator: "\n")

        for (name, zone) in [
            ("Ola", "Europe/Oslo"), ("Eva", "America/New_York"), ("Kari", "America/New_York"),
        ] { #expect(people.contains { $0.contains(name) && $0.contains(zone) }, "\(people)") }
    }

    @Test func `P14: a file that can't be read is refused with line and column, and adds nothing`()
        throws
    {
        for (text, words) in [
            (
                Self.table.replacing("2027-03-09", with: "9.3.2027"),
                "line 4, column due: “9.3.2027”"
            ),
            (Self.table.replacing(",10,11,", with: ",10,13,"), "line 5 -> line 4"),
            (Self.table.replacing("subject", with: "name"), "line 1: no column is called subject"),
            ("subject,status\nRoof,Sleeping\n", "“Roof”: there is no status “Sleeping”"),
            ("", "has no rows"),
        ] {
            let told = try user.refusal(of: "project import \(try file("bad.csv", text))")
            #expect(told.contains(words), "\(told)")
        }
        let missing = try user.say("project import /nowhere.csv")
        #expect(missing.end == .exited(66) && missing.err.contains("can't be read"))
        #expect(try user.refusal(of: "project export /tmp/x.doc").contains("must end with"))
        #expect(try user.rows("issue list").isEmpty)
        let odd = try user.say(
            "project import \(try file("odd.csv", "subject,Category\nRoof,slate\n"))")
        #expect(odd.end == .exited(0))
        #expect(odd.err.contains("left out: line 1: the column “Category” isn't known"))
    }

    @Test func `P14: a project goes to MS Project and back with its baselines`() throws {
        try user.run("project import \(try file("plan.csv", Self.table))")
        try user.run("project baseline keep Promised")
        let document = user.system.path("plan.xml")
        let exported = try user.say("project export '\(document)'")
        #expect(exported.end == .exited(0))
        #expect(exported.err.contains("no place for them: versions, names of baselines"))
        try user.run("project create Garden")
        let told = try user.say("project import '\(document)'")
        #expect(told.end == .exited(0), "\(told)")
        #expect(try user.run("project baseline list").contains("Baseline"))
        #expect(try user.rows("issue list").count == 4)
        let build = try user.run("issue show 3")
        #expect(build.contains("part of: #1 House") && build.contains("follows: #2 Dig"))
        #expect(build.contains("assignee: Ola") && build.contains("estimated: 40:00 h"))
        #expect(try user.issue(3)["due"] as? String == "2027-03-09")
        let text = try String(contentsOfFile: document, encoding: .utf8)
        let odd = text.replacing(/(PredecessorUID>\s*<Type>)1/) { "\($0.1)3" }
        try user.run("project create Third")
        let other = try user.say("project import \(try file("odd.xml", odd))")
        #expect(other.err.contains("that isn't from finish to start"), "\(other)")
        let broken = try file("broken.xml", text.replacing("</Tasks>", with: ""))
        #expect(try user.refusal(of: "project import \(broken)").contains("close that one first"))
    }
}
