import RedmineClient
import RedmineMirror
import TestSupport
import TestThreads
import Testing

@testable import ProjectService

/// An issue that somebody else changes at the moment at which a change is written to the server.
@Suite(.serialized, .waiting) struct ConcurrentChangeTests {
    /// A server whose second issue refuses some changes without a reason, as Redmine does then.
    private static func issue(refusals: Int) -> String {
        #"{"id":2,"project":{"id":1},"tracker":{"id":1,"name":"Bug"},"#
            + #""status":{"id":1,"name":"New"},"priority":{"id":2,"name":"Normal"},"#
            + #""subject":"Roof","description":"","done_ratio":0,"#
            + #""updated_on":"2027-03-01T08:00:00Z","refusals":\#(refusals)}"#
    }

    @Test(arguments: [1, 2])
    func `a change is tried once more, and is a conflict only if it is refused again`(
        refusals: Int
    ) throws {
        let system = try System()
        let server = try RedmineNotesTests.server(
            in: system, "1", "[]", "[\(Self.issue(refusals: refusals))]", "0", "1", "1")

        let news = RedmineNotesTests.run(
            .write(
                [
                    .change(
                        number: 2, base: MirrorStateTests.remote(2, "Roof"),
                        values: [.done: .number(50)], held: [], forced: [])
                ], known: .init(issues: [2: 0], times: [:], notes: [], activities: [])),
            at: server)

        #expect(news.problem == nil)
        let done = news.done.map { done in
            switch done {
            case .changed(let number, _, let issue): "\(number) has \(issue.done) %"
            case .refused(let number, let fields, _, _): "\(number) isn't changed: \(fields)"
            default: "\(done)"
            }
        }
        #expect(done == [refusals == 1 ? "2 has 50 %" : #"2 isn't changed: ["done"]"#])
    }
}
