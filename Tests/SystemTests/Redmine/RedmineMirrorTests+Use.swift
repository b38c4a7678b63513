import TestSupport
import Testing

/// What a person sees of a mirror while the server is slow or away.
extension RedmineMirrorTests {
    @Test func `REQ 2.3.2: a log-in at a server is its owner's, and nobody else's`() throws {
        try user.system.start("notifier")
        try user.signUp("ann", .shiftManager)
        try user.signUp("cleo", .shiftManager)
        try user.signUp("bea", .crew)
        let said = try user.feed(
            "redmine login \(redmine.address)", redmine.key("ann") + "\n", device: "ann")
        #expect(said.end == .exited(0), "\(said.err)")
        #expect(try user.run("redmine projects", device: "ann").contains(redmine.house))
        for name in ["cleo", "bea"] {
            for line in ["redmine projects", "redmine link \(redmine.house)", "redmine logout"] {
                let refused = try user.say(line, device: name)
                #expect(refused.end == .exited(1), "\(name): \(line): \(refused.out)")
                #expect(!refused.out.contains(redmine.house))
            }
        }
        try user.run("redmine link \(redmine.house)", device: "ann")
    }

    @Test func `REQ-3 of 2.3.1 to 2.3.8: a person who waits for the server can see that`() throws {
        _ = try redmine.make(#""project_id":"\#(redmine.house)","subject":"Roof""#)
        let login = try user.feed("redmine login \(redmine.address)", redmine.key("ann") + "\n")
        #expect(login.err.contains("asking \(redmine.address) …"))
        try redmine.fault("trickle GET 4")
        let link = try user.terminal("redmine link \(redmine.house)")
        try link.waitFor("on both sides …")
        #expect(try link.waitForEnd() == 0)
        #expect(link.text.contains("1 issue on both sides, the same at"))
    }

    @Test func `N-REQ-1: while the server is away everything can be edited, and is sent later`()
        throws
    {
        let roof = try redmine.make(#""project_id":"\#(redmine.house)","subject":"Roof""#)
        try logIn()
        try user.run("redmine link \(redmine.house)")
        try redmine.fault("down")
        let ours = try number("Roof")
        try user.run(
            "issue change \(ours) --subject 'Red roof' --start 2083-03-01 --due 2083-03-02")
        try user.run("issue create Door --start 2083-03-03 --due 2083-03-04 --after \(ours)")
        try user.run("issue change \(ours) --due 2083-03-03")
        try user.run("project undo")
        #expect(try user.run("issue list").contains("Red roof"))
        #expect(try user.run("gantt --from 2083-03-01 --until 2083-03-31").contains("Door"))
        try eventually("it is told that the server is away") {
            let status = try status()
            return status["failure"] as? String ?? "" != "" && status["waiting"] as? Int ?? 0 > 0
        }
        #expect(try redmine.issue(roof)?["subject"] as? String == "Roof")
        try redmine.fault("")
        try user.run("redmine sync")
        let red = try #require(try redmine.issue(roof))
        #expect(red["subject"] as? String == "Red roof")
        #expect(red["due_date"] as? String == "2083-03-02")
        let path = "/issues.json?project_id=\(redmine.house)"
        let there = try redmine.list(path, "issues").compactMap { $0["subject"] as? String }
        #expect(there.sorted() == ["Door", "Red roof"])
    }
}
