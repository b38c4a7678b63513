import Dates
import ProjectRecord
import RedmineMirror
import Testing

@testable import ProjectService

/// Removals that a server has refused, such as to someone who may not remove issues there.
struct RefusedRemovalTests {
    private var record: ProjectRecord
    private var links = MirrorLinks()
    private var conflicts: [MirrorConflict] = []

    /// An issue with time worked on it, both of which are on both sides.
    init() throws {
        record = try MirrorStateTests.record()
        try read()
    }

    private mutating func with(_ body: (inout MirrorState) -> Void) throws {
        var state = MirrorState(record, MirrorStateTests.names, links, conflicts)
        body(&state)
        if let edit = state.edit { record = try record.making(edit).record }
        state.forgiveWhatHasGone()
        (links, conflicts) = (state.links, state.conflicts)
    }

    /// Reads what the server has.
    private mutating func read() throws {
        try with { state in
            state.apply([MirrorStateTests.remote(7, "Roof")], sweep: 1)
            let time = RemoteTime(
                id: 3, project: 1, issue: 7, user: RemoteName(id: 5, name: "Ann"),
                day: CivilDate(daysSince1970: 20_000), minutes: 10)
            state.apply([time], sweep: 1)
        }
    }

    private var steps: [MirrorStep] {
        MirrorPlan(record, MirrorStateTests.names, links, conflicts).steps
    }

    @Test(arguments: [false, true])
    func `a refused removal stays a conflict until somebody decides`(isOfTime: Bool) throws {
        var side = self
        let entry = try #require(side.record.entries.keys.first)
        side.record = try side.record.making(.removeEntry(entry)).record
        var field = MirrorConflict.time(entry, MirrorConflict.removed)
        if !isOfTime {
            field = MirrorConflict.removed
            try side.with { $0.forget(time: entry) }
            side.record = try side.record.making(.removeIssue(7, withParts: false)).record
        }
        #expect(side.steps.count == 1)

        try side.with { $0.refuse(7, field, theirs: "", "no") }

        for _ in 1...2 {
            #expect(side.conflicts.map(\.reason) == ["no"] && side.steps.isEmpty)
            try side.read()
        }
        side.conflicts[0].decision = .ours
        try side.read()
        #expect(side.steps.count == 1)
    }
}
