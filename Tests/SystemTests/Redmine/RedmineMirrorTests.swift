import Foundation
import TestSupport
import TestThreads
import Testing

/// A mirror of a project at a real Redmine server, at the command line.
@Suite(.serialized, .waitingEarly, .enabled(if: RealRedmine.isAvailable, "\(RealRedmine.missing)"))
struct RedmineMirrorTests {
    let user: ProjectUser
    let redmine: RedmineRig

    init() throws {
        user = try ProjectUser(hasProject: false, withMachineClock: true)
        redmine = try RedmineRig(in: user.system)
    }

    func logIn(as login: String = "ann") throws {
        let said = try user.feed(
            "redmine login \(redmine.address)", redmine.key(login) + "\n")
        #expect(said.end == .exited(0), "\(said.err)")
    }

    /// The status of the mirror.
    func status() throws -> [String: Any] { try user.answer("redmine status") }

    func conflicts() throws -> [[String: Any]] {
        try status()["conflicts"] as? [[String: Any]] ?? []
    }

    /// The number here of an issue there.
    func number(_ subject: String) throws -> Int {
        let rows = try user.rows("issue list --state all --limit 1000")
        let issue = rows.compactMap { $0["issue"] as? [String: Any] }
            .first { $0["subject"] as? String == subject }
        return try #require(issue?["number"] as? Int)
    }

    @Test func `P1, REQ 2.3.1, 2.3.3, tests 2 to 5: a server is tried, and a wrong one is named`()
        throws
    {
        for (address, words) in [
            ("redmine.example.org", "is not the address of a server"),
            ("http://redmine.example.org", "isn't encrypted"),
            ("http://127.0.0.1:1", "can't be reached"),
        ] {
            let said = try user.feed("redmine login \(address)", "key\n")
            #expect(said.end == .exited(1) && said.err.contains(words), "\(said.err)")
        }
        let wrong = try user.feed("redmine login \(redmine.address)", "wrong\n")
        #expect(wrong.end == .exited(1) && wrong.err.contains("does not accept the log-in"))
        try redmine.fault("html")
        let portal = try user.feed("redmine login \(redmine.address)", redmine.key("ann") + "\n")
        #expect(portal.end == .exited(1) && portal.err.contains("like a Redmine server"))
        try redmine.fault("")
        let password = try user.feed(
            "redmine login \(redmine.address) --user ann", "ann-redmine-1\n")
        #expect(password.end == .exited(0) && password.out.contains("as ann"), "\(password.err)")
        #expect(try user.run("redmine projects").contains("garden"))
        // Neither the key nor the password is in any file of the service.
        let files = try FileManager.default.subpathsOfDirectory(atPath: user.system.path("data"))
        for file in files {
            let path = user.system.path("data/\(file)")
            let text = String(
                decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            #expect(
                !text.contains(redmine.key("ann")) && !text.contains("ann-redmine-1"), "\(file)")
        }
        try user.run("redmine logout")
        #expect(try user.refusal(of: "redmine projects").contains("logged in at no Redmine"))
    }

    @Test func `P5: a project comes with its issues, parts, relations, people and versions`()
        throws
    {
        let roof = try redmine.make(
            #""project_id":"\#(redmine.house)","subject":"Roof","description":"a\tb\r\n\r\nc","#
                + #""start_date":"2083-03-01","due_date":"2083-03-05","estimated_hours":16.5,"#
                + #""priority_id":3,"done_ratio":20,"tracker_id":2"#)
        let tiles = try redmine.make(
            #""project_id":"\#(redmine.house)","subject":"Tiles","parent_issue_id":\#(roof),"#
                + #""start_date":"2083-03-02","due_date":"2083-03-03","#
                + #""fixed_version_id":\#(redmine.version)"#
        )
        let paint = try redmine.make(
            #""project_id":"\#(redmine.house)","subject":"Paint","start_date":"""#)
        try redmine.ask(
            "POST", "/issues/\(tiles)/relations.json",
            #"{"relation":{"issue_to_id":\#(paint),"relation_type":"precedes","delay":2}}"#)
        try logIn()
        let linked = try user.run("redmine link \(redmine.house)")
        let house = redmine.house
        #expect(linked.contains("\(house) mirrors \(house)"))
        #expect(linked.contains("3 issues on both sides"))
        let part = try user.run("issue show \(try number("Tiles"))")
        #expect(part.contains("part of: #\(try number("Roof")) Roof") && part.contains("1.0"))
        let whole = try user.issue(try number("Roof"))
        #expect(whole["description"] as? String == "a\tb\n\nc")
        #expect(whole["estimate"] as? Int == 990 && whole["tracker"] as? String == "Feature")
        #expect(whole["start"] as? String == "2083-03-02", "from its part")
        let after = try user.run("issue show \(try number("Paint"))")
        #expect(after.contains("follows: #\(try number("Tiles")) Tiles, 2 days in between"))
        // What is already there is not written again.
        let before = try #require(try redmine.issue(roof)?["updated_on"] as? String)
        try user.run("redmine sync --everything")
        #expect(try redmine.issue(roof)?["updated_on"] as? String == before)
    }

    @Test func `P5: a change on either side reaches the other, each field by itself`() throws {
        let roof = try redmine.make(#""project_id":"\#(redmine.house)","subject":"Roof""#)
        try logIn()
        try user.run("redmine link \(redmine.house)")
        let here = try number("Roof")
        try redmine.change(roof, #""done_ratio":40,"start_date":"2083-03-01""#)
        try user.run("issue change \(here) --subject 'The roof' --due 2083-03-09 --estimate 8")
        try user.run("redmine sync")
        let both = try #require(try redmine.issue(roof))
        #expect(both["subject"] as? String == "The roof" && both["done_ratio"] as? Int == 40)
        #expect(both["due_date"] as? String == "2083-03-09")
        let own = try user.issue(here)
        #expect(own["done"] as? Int == 40 && own["start"] as? String == "2083-03-01")
        #expect(try conflicts().isEmpty && status()["waiting"] as? Int ?? 0 == 0)
        // Fields that are emptied here are emptied there, and new issues are made there.
        try user.run("issue change \(here) --due none --estimate none --status 'In Progress'")
        try user.run("issue create Door --parent \(here)")
        try user.run("issue create Lock --after \(try number("Door"))")
        try user.run("redmine sync")
        let emptied = try #require(try redmine.issue(roof))
        #expect(emptied["due_date"] is NSNull && emptied["estimated_hours"] is NSNull)
        #expect((emptied["status"] as? [String: Any])?["name"] as? String == "In Progress")
        #expect(try redmine.subjects() == ["The roof", "Door", "Lock"])
        // What is removed on one side is removed on the other.
        try user.run("issue remove \(try number("Lock"))")
        try user.run("redmine sync")
        #expect(try redmine.subjects() == ["The roof", "Door"])
        let rows = try user.rows("issue list")
        #expect(rows.count == 2)
        let door = try #require(
            try redmine.issue(roof + 1)?["subject"] as? String == "Door" ? roof + 1 : nil)
        try redmine.ask("DELETE", "/issues/\(door).json")
        try user.run("redmine sync")
        #expect(try user.rows("issue list").count == 1)
    }

    @Test func `P5: a conflict is kept and shown, and nothing is overwritten until it is settled`()
        throws
    {
        let roof = try redmine.make(#""project_id":"\#(redmine.house)","subject":"Roof""#)
        try logIn()
        try user.run("redmine link \(redmine.house)")
        let here = try number("Roof")
        try redmine.fault("down")
        try user.run("issue change \(here) --subject Ours --done 10")
        try redmine.change(roof, #""subject":"Theirs","done_ratio":90,"priority_id":4"#)
        try redmine.fault("")
        try user.run("redmine sync")
        #expect(try conflicts().compactMap { $0["field"] as? String } == ["done", "subject"])
        #expect(try redmine.issue(roof)?["subject"] as? String == "Theirs")
        #expect(try user.issue(here)["subject"] as? String == "Ours")
        #expect(try user.run("issue show \(here)").contains("priority: urgent"))
        let told = try user.run("redmine status")
        #expect(told.contains("subject: here “Ours”, there “Theirs”"))
        try user.run("redmine settle \(here) subject --ours")
        try user.run("redmine settle \(here) done --theirs")
        #expect(try conflicts().isEmpty)
        #expect(try redmine.issue(roof)?["subject"] as? String == "Ours")
        #expect(try user.issue(here)["done"] as? Int == 90)
    }

    @Test func `P5: what the server does not accept is shown, and stays here until it is settled`()
        throws
    {
        let roof = try redmine.make(#""project_id":"\#(redmine.house)","subject":"Roof""#)
        try logIn(as: "bob")
        try user.run("redmine link \(redmine.house)")
        // A developer may not reject an issue: the server answers “204” and leaves it as it is.
        let here = try number("Roof")
        try user.run("issue change \(here) --status Rejected --subject 'The roof'")
        try user.run("redmine sync")
        let told = try conflicts()
        #expect(told.map { $0["field"] as? String } == ["status"])
        #expect(told.first?["theirs"] as? String == "New")
        let reason = told.first?["reason"] as? String ?? ""
        #expect(reason.contains("but didn't"), "\(reason)")
        #expect(try redmine.issue(roof)?["subject"] as? String == "The roof")
        #expect(try user.issue(here)["status"] as? String == "Rejected")
        try user.run("redmine sync --everything")
        #expect(try user.issue(here)["status"] as? String == "Rejected")
        try user.run("redmine settle \(here) --theirs")
        #expect(try user.issue(here)["status"] as? String == "New" && conflicts().isEmpty)
    }

    @Test func `P5: after a lost answer nothing is created twice, and what waits is sent later`()
        throws
    {
        try logIn()
        try user.run("redmine link \(redmine.house)")
        try redmine.fault("lose POST 1")
        try user.run("issue create Roof")
        try eventually("the answer is lost") { redmine.isOver }
        // The round that lost the answer may still be under way; it fails, and the next one
        // succeeds.
        try eventually("the next round is done", within: .seconds(300)) {
            try user.say("redmine sync").end == .exited(0)
        }
        #expect(try redmine.subjects() == ["Roof"])
        for fault in ["status-503 * 2", "html * 1", "garbage * 1", "truncate * 1", "lose PUT 1"] {
            try redmine.fault(fault)
            try user.run("issue change \(try number("Roof")) --description '\(fault)'")
            try eventually("\(fault) happens") { redmine.isOver }
            try eventually("it is the same after \(fault)", within: .seconds(300)) {
                guard try user.say("redmine sync").end == .exited(0) else { return false }
                let number = try redmine.ask(
                    "GET", "/issues.json?project_id=\(redmine.house)&status_id=*")
                return number.body.contains("\"description\":\"\(fault)\"")
            }
        }
        #expect(try redmine.subjects() == ["Roof"] && conflicts().isEmpty)
        // The server is down: reads and edits still work, and both sides are the same when it is
        // back.
        redmine.kill()
        try user.run("issue create Door")
        let failed = try user.say("redmine sync")
        #expect(failed.end == .exited(1) && failed.err.contains("nothing is lost"))
        #expect(try status()["waiting"] as? Int == 1)
        try redmine.restart()
        try user.run("redmine sync")
        #expect(try redmine.subjects() == ["Roof", "Door"])
    }

    @Test func `P5: a service that is killed while it writes creates nothing twice`() throws {
        try logIn()
        try user.run("redmine link \(redmine.house)")
        var wanted: [String] = []
        for round in 1...5 {
            wanted.append("Issue \(round)")
            try user.run("issue create 'Issue \(round)'")
            // Each round, the kill comes at a different moment.
            poll(nil, 0, Int32(250 + 90 * round))
            try user.restart()
        }
        try user.run("redmine sync")
        #expect(try redmine.subjects().sorted() == wanted)
        #expect(try user.rows("issue list").count == wanted.count && conflicts().isEmpty)
    }

    @Test func `P5: dates that are moved here are the same on the server`() throws {
        try logIn()
        try user.run("redmine link \(redmine.house)")
        try user.makeChain()
        try user.run("redmine sync")
        // A free day in between stays free, although the server would move up what follows.
        try user.run("issue change \(try number("Paint")) --start 2083-03-11 --due 2083-03-11")
        try user.run("redmine sync")
        try user.run("issue change \(try number("Dig")) --due 2083-03-03")
        try user.run("redmine sync")
        #expect(try conflicts().isEmpty)
        for row in try user.rows("issue list") {
            let issue = try #require(row["issue"] as? [String: Any])
            let subject = try #require(issue["subject"] as? String)
            let list = try redmine.ask(
                "GET", "/issues.json?project_id=\(redmine.house)&status_id=*"
            ).body
            let object = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String: Any]
            let there = (object?["issues"] as? [[String: Any]])?.first {
                $0["subject"] as? String == subject
            }
            #expect(there?["start_date"] as? String == issue["start"] as? String, "\(subject)")
            #expect(there?["due_date"] as? String == issue["due"] as? String, "\(subject)")
        }
    }
}
