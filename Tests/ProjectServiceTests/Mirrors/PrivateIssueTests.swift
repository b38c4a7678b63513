import RedmineClient
import RedmineMirror
import TestSupport
import TestThreads
import Testing

@testable import ProjectService

/// What a mirror does at a server with an issue that became private after it was copied.
@Suite(.serialized, .waiting) struct PrivateIssueTests {
    private static let hidden = #"""
        {"id":2,"project":{"id":1},"tracker":{"id":1,"name":"Bug"},
        "status":{"id":1,"name":"New"},"priority":{"id":2,"name":"Normal"},
        "author":{"id":5,"name":"Ann Ahl"},"subject":"Roof","description":"","done_ratio":0,
        "updated_on":"2027-03-01T08:00:00Z","is_private":true}
        """#
    private let system: System
    private let server: RedmineServer

    /// Starts a server with two issues, each with one note; the second one is private.
    init() throws {
        system = try System()
        server = try RedmineNotesTests.server(
            in: system, "1", "[]", "[\(Self.hidden)]", "0", "1", "1")
    }

    @Test func `its notes aren't read`() {
        let news = RedmineNotesTests.run(.readNotes([1: 1, 2: 2]), at: server)
        #expect(news.problem == nil && news.isAtEnd)
        #expect(news.notes.keys.sorted() == [1] && news.unseen == [2])
    }

    @Test(arguments: [false, true])
    func `it isn't removed there when it is removed here`(isForced: Bool) throws {
        let answer = #"{"issue":\#(Self.hidden)}"#
        let base = try RedmineReader.issue(Array(answer.utf8))
        let news = RedmineNotesTests.run(
            .write(
                [.remove(number: 2, base: base, isForced: isForced)],
                known: .init(issues: [2: 0], times: [:], notes: [], activities: [])), at: server)
        #expect(news.problem == nil && news.done.count == 1)
        guard case .stale(let issue)? = news.done.first else {
            throw Complaint("it was removed: \(news.done)")
        }
        #expect(issue.isPrivate)
    }
}
