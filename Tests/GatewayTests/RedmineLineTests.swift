import Messages
import Speech
import Testing

@testable import Gateway

/// The state of a mirror in words.
@Suite struct RedmineLineTests {
    @Test func `conflicts that did not fit into the answer are counted`() {
        let shown = RedmineConflict(issue: 1, field: "due", ours: "a", theirs: "b")
        var link = RedmineLink(identifier: "house", conflicts: [shown])
        let clock = SiteClock(zone: nil)
        let before = RedmineRound.lines(of: link, clock)

        link.moreConflicts = 7

        #expect(
            RedmineRound.lines(of: link, clock)
                == before + ["  7 more conflicts: too many for one answer; settle others first"])
    }
}
