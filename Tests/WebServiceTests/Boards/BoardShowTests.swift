import Testing

@testable import WebService

/// Tests who may see what is new on a board.
@Suite struct BoardShowTests {
    private let now: Int64 = 1_800_000_000_000

    @Test func `a log-in sees what is newer than its last answer for two seconds`() {
        #expect(BoardShow.isVisible(now - 60_000, confirmed: now - 1_000, now: now))
        #expect(BoardShow.isVisible(now, confirmed: now - 2_000, now: now))
        #expect(!BoardShow.isVisible(now, confirmed: now - 2_001, now: now))
        #expect(!BoardShow.isVisible(now, confirmed: 0, now: now))
    }

    @Test func `a board goes on after the clock was set back, for those who may still see it`() {
        let hour: Int64 = 3_600_000
        #expect(BoardShow.isVisible(now + hour, confirmed: now, now: now))
        #expect(!BoardShow.isVisible(now + hour, confirmed: now - 2_001, now: now))
        // An answer from before proves nothing.
        #expect(!BoardShow.isVisible(now, confirmed: now + hour, now: now))
        #expect(!BoardShow.isVisible(now + hour, confirmed: now + hour, now: now))
    }
}
