import Dates
import RedmineMirror
import Testing

/// What is read from a server's answers, and what is refused.
@Suite struct RedmineReaderTests {
    /// An issue as Redmine 5.0 returns it.
    static let answer = #"""
        {"issue":{"id":13,"project":{"id":1,"name":"Demo: Launch"},"tracker":{"id":1,"name":"Bug"},
        "status":{"id":2,"name":"In Progress","is_closed":false},
        "priority":{"id":5,"name":"Immediate"},"author":{"id":5,"name":"Alice Ahmadi"},
        "assigned_to":{"id":6,"name":"Bob Brandt"},"fixed_version":{"id":3,"name":"0.9"},
        "parent":{"id":7},"subject":"Overdue \ud83d\ude80","description":"a\tb\r\n\r\nc\rd\n",
        "start_date":"2025-12-01","due_date":null,"done_ratio":50,"is_private":false,
        "estimated_hours":1.6667,"total_estimated_hours":1.6667,"spent_hours":0.0,
        "custom_fields":[{"id":2,"name":"Components","multiple":true,"value":["a"]}],
        "created_on":"2026-01-05T21:00:00Z","updated_on":"2026-01-05T21:00:01Z","closed_on":null,
        "relations":[{"id":10,"issue_id":13,"issue_to_id":7,"relation_type":"blocks","delay":null},
        {"id":11,"issue_id":13,"issue_to_id":8,"relation_type":"precedes","delay":-3}]}}
        """#

    @Test func `an issue is read with its lines, minutes, days and relations`() throws {
        let issue = try RedmineReader.issue(Array(Self.answer.utf8))
        #expect(issue.id == 13 && issue.project == 1 && issue.subject == "Overdue 🚀")
        #expect(issue.description == "a\tb\n\nc\nd\n")
        #expect(issue.tracker == RemoteName(id: 1, name: "Bug") && issue.status.id == 2)
        #expect(issue.assignee?.name == "Bob Brandt" && issue.version?.id == 3)
        #expect(issue.parent == 7 && issue.start?.iso == "2025-12-01" && issue.due == nil)
        #expect(issue.estimate == 100 && issue.done == 50 && issue.author == 5)
        #expect(issue.updated == 1_767_646_801)
        #expect(
            issue.relations == [
                RemoteRelation(id: 10, kind: .blocks, from: 13, to: 7),
                RemoteRelation(id: 11, kind: .precedes, from: 13, to: 8, delay: -3),
            ])
    }

    @Test func `a private issue is known as one`() throws {
        #expect(try !RedmineReader.issue(Array(Self.answer.utf8)).isPrivate)
        let answer = Self.answer.replacing(#""is_private":false"#, with: #""is_private":true"#)
        #expect(try RedmineReader.issue(Array(answer.utf8)).isPrivate)
    }

    private static let marks = String(repeating: #"\u0316\u0301"#, count: 16)

    @Test(arguments: [
        (#""id":13"#, #""id":0"#, "the number"), (#""id":13"#, #""id":2147483648"#, "the number"),
        (#""id":13"#, #""id":1.5"#, "the number"), (#""id":13"#, #""id":1e400"#, "n't a number"),
        (#""done_ratio":50"#, #""done_ratio":101"#, "#13: the done ratio is 101"),
        (#""estimated_hours":1.6667"#, #""estimated_hours":-1"#, "the estimate is -1"),
        (#""estimated_hours":1.6667"#, #""estimated_hours":"x""#, "the estimate isn't a number"),
        ("2025-12-01", "2025-02-30", "“2025-02-30”, which isn't a day"),
        ("2026-01-05T21:00:01Z", "2026-01-05T21:00:01+02:00", "which isn't a time"),
        (#""delay":-3"#, #""delay":100001"#, "the delay"),
        (#""tracker":{"id":1,"name":"Bug"}"#, #""tracker":null"#, "#13 lacks its"),
        (#"{"issue":"#, #"{"issues":"#, "no “issue”"), (#""id":13,"#, "", "has no number"),
        ("Overdue", "Overdue" + RedmineReaderTests.marks, "the subject has more than 30 comb"),
        (#""id":13"#, #""id\#(RedmineReaderTests.marks)":13"#, "a key has more than 30 comb"),
    ])
    func `values out of range are refused, and the place is named`(
        _ part: String, _ other: String, _ words: String
    ) throws {
        let answer = Self.answer.replacing(part, with: other, maxReplacements: 1)
        #expect(answer != Self.answer)
        let fault = #expect(throws: RedmineFault.self) {
            try RedmineReader.issue(Array(answer.utf8))
        }
        #expect(fault?.description.contains(words) == true, "\(fault?.description ?? "")")
    }

    @Test func `a truncated answer is always refused`() {
        let bytes = Array(Self.answer.utf8)
        for end in bytes.indices {
            #expect(throws: RedmineFault.self) { try RedmineReader.issue(Array(bytes[..<end])) }
        }
        for other in [
            "", "<html><form>login</form></html>", "[]", "null", "{} {}", "{\"issue\":[]}",
        ] {
            #expect(throws: RedmineFault.self, "\(other)") {
                try RedmineReader.issue(Array(other.utf8))
            }
        }
    }

    @Test func `an issue that can't be stored is skipped, and the rest of the list is read`()
        throws
    {
        let good = Self.answer.dropFirst(9).dropLast(1)
        let bad = good.replacing("\"done_ratio\":50", with: "\"done_ratio\":-1")
        let long = good.replacing("Overdue", with: String(repeating: "é", count: 40_000))
        let list = """
            {"issues":[\(good),\(bad),\(long),\(good)],"total_count":9,"offset":2,"limit":4}
            """
        let page = try RedmineReader.issues(Array(list.utf8))
        #expect(page.items.map(\.id) == [13, 13] && page.skipped.count == 2 && page.count == 4)
        #expect(page.skipped[0].description == "#13: the done ratio is -1.0")
        #expect(page.skipped[1].description.contains("the subject has more than"))
        #expect(page.total == 9 && page.offset == 2 && page.limit == 4)
    }

    @Test func `projects, statuses, versions and the user are read`() throws {
        let project = try RedmineReader.project(
            Array(
                #"""
                {"project":{"id":1,"name":"Demo","identifier":"demo","description":"x\r\ny",
                "status":5,"trackers":[{"id":1,"name":"Bug"},{"id":2,"name":"Feature"}]}}
                """#.utf8))
        #expect(project.identifier == "demo" && project.isClosed && project.description == "x\ny")
        #expect(project.trackers.map(\.name) == ["Bug", "Feature"])
        let statuses = try RedmineReader.statuses(
            Array(#"{"issue_statuses":[{"id":5,"name":"Closed","is_closed":true}]}"#.utf8))
        #expect(statuses.items.first?.isClosed == true && statuses.total == nil)
        let versions = try RedmineReader.versions(
            Array(
                #"""
                {"versions":[{"id":2,"name":"2.0","description":"","status":"locked",
                "due_date":"2026-05-29"}],"total_count":1}
                """#.utf8))
        #expect(versions.items.first?.due?.iso == "2026-05-29")
        #expect(versions.items.first?.isClosed == true)
        let user = try RedmineReader.user(
            Array(#"{"user":{"id":5,"login":"alice","api_key":"418d"}}"#.utf8))
        #expect(user == RemoteUser(id: 5, login: "alice", key: "418d"))
        #expect(throws: RedmineFault.self) { try RedmineReader.user(Array(#"{"user":{}}"#.utf8)) }
    }

    @Test func `the server's errors are reported, up to a limit`() {
        let one = #"{"errors":["Subject cannot be blank"]}"#
        #expect(RedmineReader.errors(Array(one.utf8)) == ["Subject cannot be blank"])
        let many = Array(repeating: "\"\(String(repeating: "x", count: 900))\"", count: 99)
        let told = RedmineReader.errors(Array("{\"errors\":[\(many.joined(separator: ","))]}".utf8))
        #expect(told.count == 10 && told.allSatisfy { $0.count == 300 })
        #expect(RedmineReader.errors(Array("<html>".utf8)) == [])
        // A character may have any number of marks.
        let endless = "e" + String(repeating: "\u{301}", count: 1_000) + "x"
        let cut = "e" + String(repeating: "\u{301}", count: 30) + "x"
        #expect(RedmineReader.errors(Array("{\"errors\":[\"\(endless)\"]}".utf8)) == [cut])
    }
}
