import Foundation
import TestSupport
import Testing

/// Time entries and notes, which are mirrored too.
extension RedmineMirrorTests {
    /// An issue at the server whose project is mirrored; ann and bob are people of the project
    /// here.
    private func linked() throws -> (there: Int, here: Int) {
        let roof = try redmine.make(#""project_id":"\#(redmine.house)","subject":"Roof""#)
        try logIn()
        try user.run("redmine link \(redmine.house)")
        return (roof, try number("Roof"))
    }

    private func listed() throws -> [String] {
        try user.rows("time list").compactMap { row in
            guard let time = row["time"] as? [String: Any] else { return nil }
            let (day, minutes) = (time["date"] ?? "", time["minutes"] ?? 0)
            return "\(day) \(row["member"] ?? "") \(minutes) \(time["comment"] ?? "")"
        }
    }

    /// The notes of an issue here, newest first.
    private func notes(_ issue: Int) throws -> [String] {
        let journal = try user.answer("issue show \(issue)")["journal"] as? [[String: Any]]
        return (journal ?? []).compactMap { $0["note"] as? String }.filter { !$0.isEmpty }
    }

    private func hours() throws -> [Double] {
        try redmine.times().compactMap { ($0["hours"] as? NSNumber)?.doubleValue }
    }

    @Test func `P15: time that is logged on either side reaches the other`() throws {
        let (roof, here) = try linked()
        _ = try redmine.log(
            #""issue_id":\#(roof),"spent_on":"2083-03-01","hours":"1.75","comments":"Slate""#)
        try user.run("time log \(here) 7:30 --person 'Ann Ahl' --day 2083-03-02 --comment 'Über'")
        try user.run("redmine sync")
        #expect(
            try listed() == ["2083-03-02 Ann Ahl 450 Über", "2083-03-01 Bob Berg 105 Slate"])
        #expect(try hours() == [1.75, 7.5])
        let ours = try #require(try redmine.times().last)
        #expect((ours["user"] as? [String: Any])?["name"] as? String == "Ann Ahl")
        #expect((ours["issue"] as? [String: Any])?["id"] as? Int == roof)
    }

    @Test func `P15: time that gets the number of removed time at the server is a new entry`()
        throws
    {
        let (roof, here) = try linked()
        let former = try redmine.log(
            #""issue_id":\#(roof),"spent_on":"2083-03-01","hours":"2","comments":"Former""#)
        try user.run("redmine sync")
        // Ours is about to be logged there when the other one is removed, so it gets that one's
        // number.
        try redmine.fault("status-503 POST 2")
        try user.run("time log \(here) 1 --person 'Ann Ahl' --day 2083-03-02 --comment Ours")
        try eventually("the server was asked") {
            try status()["failure"] as? String ?? "" != ""
        }
        try redmine.ask("DELETE", "/time_entries/\(former).json")
        try eventually("ours is there") {
            try user.say("redmine sync").end == .exited(0) && redmine.times().count == 1
        }
        #expect(try listed() == ["2083-03-02 Ann Ahl 60 Ours"])
        #expect(try hours() == [1] && conflicts().isEmpty)
    }

    @Test func `P15: time that the server does not accept is shown, and stays here`() throws {
        let roof = try redmine.make(#""project_id":"\#(redmine.house)","subject":"Roof""#)
        try logIn(as: "bob")
        try user.run("redmine link \(redmine.house)")
        let here = try number("Roof")
        // A developer may not log time for others.
        try user.run("time log \(here) 1 --person 'Ann Ahl' --day 2083-03-01")
        try user.run("project person add Kari")
        try user.run("time log \(here) 2 --person Kari --day 2083-03-01")
        try user.run("redmine sync")
        let told = try conflicts()
        #expect(told.compactMap { $0["field"] as? String } == ["time 1", "time 2"])
        let reasons = told.map { $0["reason"] as? String ?? "" }
        #expect(reasons[0].contains("refuses it"), "\(reasons)")
        #expect(reasons[1].contains("doesn't know who has worked"))
        #expect(try redmine.times().isEmpty && listed().count == 2)
        #expect(try redmine.issue(roof) != nil)
    }

    @Test func `P5: notes reach both sides once, and what is edited there is shown here`() throws {
        let (roof, here) = try linked()
        try redmine.change(roof, #""notes":"Ask\r\nthe neighbour""#)
        try redmine.change(roof, #""notes":"Nobody's business","private_notes":true"#, as: "ann")
        try user.run("issue note \(here) 'Slate, not tin'")
        try user.run("redmine sync")
        #expect(try redmine.notes(roof).contains("Slate, not tin"))
        #expect(try notes(here).sorted() == ["Ask\nthe neighbour", "Slate, not tin"])
        // Nothing is written or read twice.
        try user.run("redmine sync --everything")
        try user.run("redmine sync")
        #expect(try redmine.notes(roof).count == 3 && notes(here).count == 2)
        let journals = try #require(
            try JSONSerialization.jsonObject(
                with: Data(
                    redmine.ask("GET", "/issues/\(roof).json?include=journals").body.utf8))
                as? [String: Any])
        let first = ((journals["issue"] as? [String: Any])?["journals"] as? [[String: Any]])?
            .first { entry in
                let note = entry["notes"] as? String ?? ""
                return note.hasPrefix("Ask")
            }
        let id = try #require(first?["id"] as? Int)
        try redmine.ask("PUT", "/journals/\(id).json", #"{"journal":{"notes":"Done"}}"#)
        try user.run("redmine sync --everything")
        #expect(try notes(here).sorted() == ["Done", "Slate, not tin"])
        #expect(try user.run("issue show \(here)").contains("note: Ask"))
    }

    @Test func `P5, P15: what was changed there after a lost answer is not created again`() throws {
        let (_, here) = try linked()
        try redmine.fault("lose POST 1", "down")
        try user.run("time log \(here) 1 --person 'Ann Ahl' --day 2083-03-01 --comment Slate")
        try eventually("the answer is lost") { try redmine.isOver && !hours().isEmpty }
        let entry = try #require(try redmine.times().first?["id"] as? Int)
        try redmine.ask(
            "PUT", "/time_entries/\(entry).json", #"{"time_entry":{"hours":3}}"#)
        try redmine.fault("")
        try settled()
        #expect(try hours() == [3])
        #expect(try listed() == ["2083-03-01 Ann Ahl 180 Slate"])

        try redmine.fault("lose POST 1")
        try user.run("issue create Door --description 'Oak, two locks'")
        try eventually("the answer is lost") {
            try redmine.isOver && redmine.subjects().contains("Door")
        }
        let door = try #require(
            try redmine.list("/issues.json?project_id=\(redmine.house)", "issues")
                .first { $0["subject"] as? String == "Door" }?["id"] as? Int)
        try redmine.ask("PUT", "/issues/\(door).json", #"{"issue":{"subject":"Gate"}}"#)
        try settled()
        #expect(try redmine.subjects().sorted() == ["Gate", "Roof"])
        #expect(try number("Gate") > 0)
        #expect(try user.rows("issue list --state all").count == 2)
    }

    @Test(arguments: ["", "Slate"])
    func `P5, P15: after a lost answer people may also decide for what is here`(
        comment: String
    ) throws {
        let (_, here) = try linked()
        try redmine.fault("lose POST 1", "down")
        let more = comment.isEmpty ? "" : " --comment \(comment)"
        try user.run("time log \(here) 1 --person 'Ann Ahl' --day 2083-03-01\(more)")
        try eventually("the answer is lost") { try redmine.isOver && !hours().isEmpty }
        let entry = try #require(try redmine.times().first?["id"] as? Int)
        try redmine.ask(
            "PUT", "/time_entries/\(entry).json", #"{"time_entry":{"hours":3}}"#)
        try redmine.fault("")
        try settled(for: "ours")
        #expect(try hours() == [1])
        #expect(try listed() == ["2083-03-01 Ann Ahl 60 \(comment)"])
    }

    @Test func `P5, P15: what was never sent isn't mistaken for what somebody else created there`()
        throws
    {
        let (roof, here) = try linked()
        try redmine.fault("down")
        let day = "--person 'Ann Ahl' --day 2083-03-01"
        try user.run("time log \(here) 1 \(day) --comment Tin")
        try user.run("time log \(here) 2 \(day) --comment Slate")
        try user.run("issue create Door --description 'Oak, two locks'")
        // Sending the first one fails, so the others are not sent.
        try redmine.fault("status-503 POST 3")
        try eventually("the server was asked") {
            (try status()["failure"] as? String ?? "").contains("503")
        }
        _ = try redmine.log(
            #""issue_id":\#(roof),"spent_on":"2083-03-01","hours":"3","comments":"Slate""#,
            as: "ann")
        try eventually("both sides are the same", within: .seconds(300)) {
            try user.say("redmine sync --everything").end == .exited(0)
        }
        #expect(try hours().sorted() == [1, 2, 3] && conflicts().isEmpty)
        #expect(try listed().count == 3)
        #expect(try redmine.subjects().sorted() == ["Door", "Roof"])
    }

    /// Waits until both sides are the same, and settles conflicts in favour of one side.
    private func settled(for side: String = "theirs") throws {
        try eventually("both sides are the same", within: .seconds(300)) {
            guard try user.say("redmine sync --everything").end == .exited(0) else { return false }
            let open = try user.answer("redmine status")["conflicts"] as? [[String: Any]] ?? []
            for one in open {
                guard let issue = one["issue"] as? Int, let field = one["field"] as? String else {
                    return false
                }
                try user.run("redmine settle \(issue) '\(field)' --\(side)")
            }
            return open.isEmpty
        }
    }

    @Test func `P5, P15: after lost answers and kills no time and no note is there twice`() throws {
        let (roof, here) = try linked()
        try redmine.fault("lose POST 1", "down")
        try user.run("time log \(here) 1 --person 'Ann Ahl' --day 2083-03-01")
        try eventually("the answer is lost") { redmine.isOver }
        // It is changed while nobody knows whether it is there.
        try user.run("time change 1 --hours 2")
        try redmine.fault("")
        try eventually("the next round is done", within: .seconds(300)) {
            try user.say("redmine sync").end == .exited(0)
        }
        #expect(try hours() == [2] && conflicts().isEmpty)
        try redmine.fault("lose PUT 1")
        try user.run("issue note \(here) Slate")
        try eventually("the answer is lost") { redmine.isOver }
        try eventually("the next round is done", within: .seconds(300)) {
            try user.say("redmine sync").end == .exited(0)
        }
        #expect(try redmine.notes(roof) == ["Slate"] && notes(here) == ["Slate"])
        for round in 1...4 {
            try user.run("time log \(here) 1 --person 'Ann Ahl' --day 2083-03-1\(round)")
            try user.run("issue note \(here) 'Note \(round)'")
            // Each round, the kill comes at a different moment.
            poll(nil, 0, Int32(300 + 110 * round))
            try user.restart()
        }
        try user.run("redmine sync")
        #expect(try hours().sorted() == [1, 1, 1, 1, 2])
        #expect(
            try redmine.notes(roof).sorted() == [
                "Note 1", "Note 2", "Note 3", "Note 4", "Slate",
            ])
        #expect(try notes(here).count == 5 && listed().count == 5 && conflicts().isEmpty)
    }
}
