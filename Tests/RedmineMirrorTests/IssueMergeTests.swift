import Dates
import RedmineMirror
import Testing

/// What happens to a field that one side or both have changed.
@Suite struct IssueMergeTests {
    private static func issue(_ change: (inout RemoteIssue) -> Void = { _ in }) -> RemoteIssue {
        var issue = RemoteIssue(
            id: 1, project: 1, subject: "Roof", tracker: RemoteName(id: 1, name: "Bug"),
            status: RemoteName(id: 1, name: "New"), priority: RemoteName(id: 2, name: "Normal"))
        issue.start = CivilDate(iso: "2027-03-01")
        change(&issue)
        return issue
    }

    private static func merge(
        ours: (inout RemoteIssue) -> Void = { _ in },
        theirs: (inout RemoteIssue) -> Void = { _ in }, isWhole: Bool = false
    ) -> IssueMerge {
        IssueMerge(
            base: issue(), ours: issue(ours).values, theirs: issue(theirs), isWhole: isWhole)
    }

    @Test func `a field that one side has changed gets that side's value`() {
        #expect(Self.merge() == Self.merge(ours: { $0.subject = "Roof" }))
        let ours = Self.merge(ours: { $0.subject = "The roof" })
        #expect(ours.pushed == [.subject] && ours.taken == [] && ours.conflicts == [])
        let theirs = Self.merge(theirs: { $0.subject = "The roof" })
        #expect(theirs.taken == [.subject] && theirs.pushed == [] && theirs.conflicts == [])
        let both = Self.merge(ours: { $0.start = nil }, theirs: { $0.done = 50 })
        #expect(both.pushed == [.start] && both.taken == [.done] && both.conflicts == [])
    }

    @Test func `a field that both sides have changed is a conflict, unless to the same value`() {
        let conflict = Self.merge(ours: { $0.subject = "A" }, theirs: { $0.subject = "B" })
        #expect(conflict.conflicts == [.subject] && conflict.pushed == [] && conflict.taken == [])
        let same = Self.merge(ours: { $0.subject = "A" }, theirs: { $0.subject = "A" })
        #expect(same.conflicts == [] && same.pushed == [] && same.taken == [])
        let emptied = Self.merge(ours: { $0.start = nil }, theirs: { $0.start = nil })
        #expect(emptied.conflicts == [])
    }

    @Test func `for every field and every pair of changes nothing is lost`() {
        let values: [(inout RemoteIssue) -> Void] = [
            { _ in },
            {
                ($0.subject, $0.description) = ("A", "a")
                $0.tracker = RemoteName(id: 2, name: "")
                ($0.status, $0.priority) = ($0.tracker, RemoteName(id: 3, name: ""))
                ($0.assignee, $0.version, $0.parent) = ($0.tracker, $0.tracker, 5)
                ($0.start, $0.due) = (CivilDate(iso: "2027-03-02"), CivilDate(iso: "2027-03-09"))
                ($0.estimate, $0.done) = (60, 10)
            },
            {
                ($0.subject, $0.description) = ("B", "b")
                $0.tracker = RemoteName(id: 3, name: "")
                ($0.status, $0.priority) = ($0.tracker, RemoteName(id: 4, name: ""))
                ($0.assignee, $0.version, $0.parent) = ($0.tracker, $0.tracker, 6)
                ($0.start, $0.due) = (nil, CivilDate(iso: "2027-03-10"))
                ($0.estimate, $0.done) = (90, 20)
            },
        ]
        for (ours, left) in values.enumerated() {
            for (theirs, right) in values.enumerated() {
                let merge = Self.merge(ours: left, theirs: right)
                let all = RemoteField.allCases
                #expect(merge.taken == (ours == 0 && theirs != 0 ? all : []))
                #expect(merge.pushed == (theirs == 0 && ours != 0 ? all : []))
                let isConflict = ours != 0 && theirs != 0 && ours != theirs
                #expect(merge.conflicts == (isConflict ? all : []))
            }
        }
    }

    @Test func `values the server derives from parts are never pushed, and read except for dates`()
    {
        let merge = Self.merge(
            ours: { ($0.start, $0.done, $0.subject) = (CivilDate(iso: "2027-04-01"), 10, "A") },
            theirs: {
                ($0.due, $0.done) = (CivilDate(iso: "2027-05-01"), 40)
                $0.priority = RemoteName(id: 4, name: "Urgent")
            }, isWhole: true)
        #expect(merge.pushed == [.subject] && merge.taken == [.priority, .done])
        #expect(merge.conflicts == [])
    }

    @Test func `a value that the server can't take is neither pushed nor overwritten`() {
        var ours = Self.issue().values
        ours[.assignee] = nil
        let still = IssueMerge(base: Self.issue(), ours: ours, theirs: Self.issue(), isWhole: false)
        #expect(still.pushed == [] && still.taken == [] && still.conflicts == [])
        let changed = IssueMerge(
            base: Self.issue(), ours: ours,
            theirs: Self.issue { $0.assignee = RemoteName(id: 7, name: "Bob") }, isWhole: false)
        #expect(changed.conflicts == [.assignee] && changed.taken == [])
    }
}
