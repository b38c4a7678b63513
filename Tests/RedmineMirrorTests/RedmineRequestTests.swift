import Dates
import RedmineMirror
import Testing

/// The requests to a server: addresses, bodies, pages.
@Suite struct RedmineRequestTests {
    @Test func `an address is parsed, and request values are encoded`() throws {
        let server = try RedmineAddress("https://Redmine.Example.org:8443/sub/redmine/")
        #expect(server.text == "https://redmine.example.org:8443/sub/redmine")
        #expect(server.isEncrypted && server.host == "redmine.example.org")
        #expect(
            server.of("/issues.json", ["updated_on": ">=2026-01-05T20:00:00Z", "subject": "~å b"])
                == server.text + "/issues.json?updated_on=%3E%3D2026-01-05T20%3A00%3A00Z"
                + "&subject=~%C3%A5%20b")
        #expect(try RedmineAddress("http://[::1]:3000").of("/x") == "http://[::1]:3000/x")
    }

    @Test(arguments: [
        "", "redmine.example.org", "ftp://example.org", "https://", "https://user:pw@example.org",
        "https://example.org?x=1", "https://example.org/#a", "https://example.org:0",
        "https://example.org:65536", "https://exa mple.org", "https://example.org/../x y",
        "file:///etc/passwd", "https://example.org\n.evil", String(repeating: "h", count: 600),
    ])
    func `an invalid server address is refused`(_ typed: String) {
        #expect(throws: RedmineFault.self) { try RedmineAddress(typed) }
    }

    @Test func `a body has the fields to change, including those to clear`() {
        let body = RedmineBody.issue([
            .subject: .text("a \"b\" \\ \n\t\u{1} é"), .due: .none, .estimate: .number(100),
            .start: CivilDate(iso: "2027-03-01").map { .day($0) } ?? .none,
        ])
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"issue":{"subject":"a \"b\" \\ \n\t\u0001 é","start_date":"2027-03-01","#
                + #""due_date":"","estimated_hours":1.6667}}"#)
        #expect(
            String(decoding: RedmineBody.issue([:], project: 3), as: UTF8.self)
                == #"{"issue":{"project_id":3}}"#)
        #expect(
            String(
                decoding: RedmineBody.relation(.precedes, to: 7, delay: -2), as: UTF8.self)
                == #"{"relation":{"issue_to_id":7,"relation_type":"precedes","delay":-2}}"#)
    }

    @Test func `every estimate comes back with the same minutes`() throws {
        for minutes in Array(0...1_500) + [5_999_999, 6_000_000] {
            let body = String(
                decoding: RedmineBody.issue([.estimate: .number(minutes)]), as: UTF8.self)
            let hours = try #require(body.firstMatch(of: /"estimated_hours":([0-9.]+)}/)?.1)
            let answer = RedmineReaderTests.answer.replacing(
                "\"estimated_hours\":1.6667", with: "\"estimated_hours\":\(hours)")
            #expect(try RedmineReader.issue(Array(answer.utf8)).estimate == minutes)
        }
    }

    @Test func `times are written as they were read`() {
        for seconds: Int64 in [0, 1, 86_399, 86_400, 1_767_646_801, 253_402_300_799] {
            #expect(RedmineMoment.seconds(RedmineMoment.text(seconds)) == seconds)
        }
        #expect(RedmineMoment.text(.min) == "1970-01-01T00:00:00Z")
        #expect(RedmineMoment.text(.max) == "9999-12-31T23:59:59Z")
        for text in ["", "2026-01-05", "2026-01-05T24:00:00Z", "1969-12-31T23:59:59Z"] {
            #expect(RedmineMoment.seconds(text) == nil)
        }
    }

    private static func page(
        _ count: Int, of total: Int?, after offset: Int? = nil
    ) -> RedmineReader.Page<RemoteName> {
        var page = RedmineReader.Page<RemoteName>()
        page.items = (0..<count).map { RemoteName(id: $0 + 1, name: "") }
        (page.total, page.offset) = (total, offset)
        return page
    }

    @Test func `the next page starts after what the server has sent`() throws {
        var walk = PageWalk()
        for offset in [0, 25, 50] {
            #expect(walk.offset == offset && !walk.isDone)
            try walk.note(Self.page(25, of: 60, after: offset))
            if offset == 50 { break }
        }
        #expect(walk.isDone)
        var whole = PageWalk()
        try whole.note(Self.page(3, of: nil))
        #expect(whole.isDone)
        var empty = PageWalk()
        try empty.note(Self.page(0, of: 0, after: 0))
        #expect(empty.isDone)
    }

    @Test func `a server that contradicts itself is refused, not taken as a list's end`() throws {
        var stuck = PageWalk()
        try stuck.note(Self.page(25, of: 60, after: 0))
        #expect(throws: RedmineFault.self) { try stuck.note(Self.page(0, of: 60, after: 25)) }
        var other = PageWalk()
        #expect(throws: RedmineFault.self) { try other.note(Self.page(25, of: 60, after: 25)) }
    }
}
