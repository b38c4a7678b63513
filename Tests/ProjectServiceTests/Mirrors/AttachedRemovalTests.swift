import ProjectRecord
import RedmineClient
import RedmineMirror
import TestSupport
import TestThreads
import Testing

@testable import ProjectService

/// Issues that are removed here, and that have parts or time at the server, which would remove them
/// too.
@Suite(.serialized, .waiting) struct AttachedRemovalTests {
    private static func issue(_ id: Int, _ more: String) -> String {
        #"{"id":\#(id),"project":{"id":1},"tracker":{"id":1,"name":"Bug"},"#
            + #""status":{"id":1,"name":"New"},"priority":{"id":2,"name":"Normal"},"#
            + #""subject":"Roof","description":"","done_ratio":0,"#
            + #""updated_on":"2027-03-01T08:00:00Z"\#(more)}"#
    }

    /// Removes the issue 2 at a server.
    ///
    /// - Parameters:
    ///   - more: what else the server has about it.
    ///   - known: the numbers of the issues that are known here.
    ///   - isWhole: whether it had parts when it was last the same on both sides.
    ///   - isForced: whether somebody has decided that it is to be removed.
    ///   - withTime: whether they knew that there is time there.
    /// - Returns: what was done, and whether it is still there.
    private func remove(
        _ more: String = "", known: Set<Int> = [2], isWhole: Bool = false, isForced: Bool = false,
        withTime: Bool = false
    ) throws -> String {
        let system = try System()
        let server = try RedmineNotesTests.server(
            in: system, "1", "[]", "[\(Self.issue(2, more))]", "0", "1", "1")
        let answer = #"{"issue":"# + Self.issue(2, "") + "}"
        let base = try RedmineReader.issue(Array(answer.utf8))
        var all = MirrorTask.Known(issues: [:], times: [:], notes: [], activities: [])
        for number in known { all.issues[number] = 0 }
        if isWhole { all.wholes = [2] }
        let news = RedmineNotesTests.run(
            .write(
                [.remove(number: 2, base: base, isForced: isForced, withTime: withTime)],
                known: all), at: server)
        #expect(news.problem == nil && news.done.count == 1)
        let done = try #require(news.done.first)
        let said =
            switch done {
            case .removed: "removed"
            case .gone: "of another project"
            case .stale: "different, or waiting"
            case .refused(_, let fields, _, let reason): "\(fields): \(reason)"
            default: "\(done)"
            }
        let next = RedmineNotesTests.run(.readNotes([2: 2]), at: server)
        #expect(next.problem == nil)
        return said + (next.unseen.isEmpty ? "; there" : "; not there")
    }

    @Test func `an issue without parts and time is removed`() throws {
        let done = try remove(#","spent_hours":0.0,"children":[]"#)
        #expect(done == "removed; not there")
    }

    @Test(arguments: [false, true])
    func `an issue stays if it has parts there that aren't known here`(isForced: Bool) throws {
        let parts = #","children":[{"id":8,"subject":"a","children":[{"id":7}]},{"id":9}]"#
        let done = try remove(parts, known: [2, 9], isForced: isForced)
        let reason = "with it the server would also remove its parts there: #8"
        #expect(done == #"["removed"]: "# + reason + "; there")
    }

    @Test func `an issue waits for its parts that are known here`() throws {
        let done = try remove(#","children":[{"id":9,"subject":"a"}]"#, known: [2, 9])
        #expect(done == "different, or waiting; there")
    }

    @Test(arguments: [(false, false), (true, false), (true, true)])
    func `an issue with time that is only there stays unless somebody decides about that`(
        isForced: Bool, withTime: Bool
    ) throws {
        let done = try remove(
            #","spent_hours":0.5,"total_spent_hours":1.5"#, isForced: isForced, withTime: withTime)
        let reason = "with it the server would also remove the time worked on it there"
        #expect(
            done == (withTime ? "removed; not there" : #"["removed"]: "# + reason + "; there"))
    }

    @Test func `an issue that belongs to another project by now isn't removed there`() throws {
        // Of two members with the same name, the last one counts.
        let done = try remove(#","project":{"id":7}"#, isForced: true)
        #expect(done == "of another project; there")
    }

    @Test(arguments: [false, true])
    func `dates that have followed from parts don't keep an issue`(isWhole: Bool) throws {
        let done = try remove(#","start_date":"2027-03-01""#, isWhole: isWhole)
        #expect(done == (isWhole ? "removed; not there" : "different, or waiting; there"))
    }

    // MARK: The order

    private static func plan(
        _ parents: [Int: Int], here: [Int: Int?], _ conflicts: [MirrorConflict] = []
    ) throws -> [String] {
        var record = try MirrorStateTests.record()
        var links = MirrorLinks()
        for number in [5, 6, 7] {
            var remote = MirrorStateTests.remote(number, "Issue \(number)")
            remote.parent = parents[number]
            links.keep(
                MirrorLinks.Link(
                    kind: .issue, number: number, remote: number, base: RedmineBody.kept(remote)))
            guard let parent = here[number] else { continue }
            let issue = ProjectIssue(
                id: number, subject: "Issue \(number)", tracker: "Bug", parent: parent)
            record = ProjectRecord(kept: record.details, record.items + [.issue(issue)])
        }
        return MirrorPlan(record, MirrorStateTests.names, links, conflicts).steps.map { step in
            switch step {
            case .remove(let number, _, _, let withTime):
                "remove \(number)" + (withTime ? " with its time" : "")
            case .change(let number, _, let values, _, _):
                "change \(number) \(values.keys.map(\.rawValue))"
            default: "\(step)"
            }
        }
    }

    @Test func `parts are removed before their wholes`() throws {
        #expect(
            try Self.plan([6: 5, 7: 6], here: [:]) == ["remove 7", "remove 6", "remove 5"])
        #expect(
            try Self.plan([5: 7], here: [:]) == ["remove 5", "remove 6", "remove 7"])
        // A server may say that issues are parts of each other.
        #expect(try Self.plan([5: 6, 6: 5], here: [:]).count == 3)
    }

    @Test func `an issue waits while somebody has to decide about its part, and others don't`()
        throws
    {
        let refused = MirrorConflict(
            issue: 7, field: MirrorConflict.removed, ours: "", theirs: "", reason: "no")
        #expect(try Self.plan([6: 5, 7: 6], here: [:], [refused]).isEmpty)
        #expect(try Self.plan([7: 6], here: [:], [refused]) == ["remove 5"])
        let kept = MirrorConflict(
            issue: 6, field: RemoteField.parent.rawValue, ours: "", theirs: "#5", reason: "")
        #expect(try Self.plan([6: 5], here: [6: nil], [kept]) == ["remove 7"])
    }

    @Test(arguments: [("", "remove 7"), (MirrorConflict.withTime, "remove 7 with its time")])
    func `a decision about a change there isn't one about time there`(
        reason: String, step: String
    ) throws {
        let decided = MirrorConflict(
            issue: 7, field: MirrorConflict.removed, ours: "removed", theirs: "changed",
            reason: reason, decision: .ours)
        #expect(try Self.plan([:], here: [:], [decided]) == ["remove 5", "remove 6", step])
    }

    @Test func `an issue is removed after its part has been moved elsewhere`() throws {
        let steps = try Self.plan([6: 5], here: [6: nil])
        #expect(steps == ["remove 7", #"change 6 ["parent"]"#, "remove 5"])
    }
}
