import Foundation
import Testing

@testable import Speech

@Suite struct WordingTests {
    @Test(
        arguments: [
            (0, "0 s"), (850, "850 ms"), (20_000, "20 s"), (200_000, "3 min 20 s"),
            (180_000, "3 min"),
            (7_500_000, "2 h 5 min"), (273_600_000, "3 d 4 h"), (59_600, "1 min"),
            (-61_000, "−1 min 1 s"),
        ] as [(Int64, String)])
    func `a duration is given in words`(_ milliseconds: Int64, _ words: String) {
        #expect(Wording.duration(milliseconds) == words)
    }

    @Test func `the longest durations are given in words too`() {
        #expect(Wording.duration(.max).hasSuffix("h"))
        #expect(Wording.duration(.min).hasPrefix("−"))
    }

    @Test func `a distance is given in metres, then in kilometres`() {
        #expect(Wording.distance(350) == "350 m")
        #expect(Wording.distance(2449) == "2.4 km")
    }

    @Test func `a text for a terminal has lines, tabs and styles, and gives no other orders`() {
        let styled = "\u{1B}[1;31mlate\u{1B}[0m\tsee\nbelow"
        #expect(styled.withOnlyStyles == styled)
        #expect("a\rb\u{8}c\u{1B}".withOnlyStyles == "a b c ")
        #expect("\u{1B}[31".withOnlyStyles == " [31")
        #expect("\u{1B}[31;2Jx\u{1B}c".withOnlyStyles == " [31;2Jx c")
        // What follows has its own style, and nothing is hidden.
        #expect("\u{1B}[7mx\n".withOnlyStyles == "\u{1B}[7mx\u{1B}[0m\n")
        #expect("\u{1B}[1;08mx".withOnlyStyles == " [1;08mx")
    }

    @Test func `one thing is singular`() {
        #expect(Wording.count(1, "stop") == "1 stop")
        #expect(Wording.count(0, "stop") == "0 stops")
    }

    @Test func `the time of day is in this machine's zone unless there is a site`() {
        let here = SiteClock(zone: nil).moment(1_778_567_750_000)

        #expect(here.wholeMatch(of: /2026-05-1[12] \d\d:\d\d:50/) != nil)
        #expect(SiteClock(zone: nil).clock(1_778_567_750_000) == String(here.suffix(8)))
    }

    @Test(arguments: [
        ("plain", 5), ("駅前", 4), ("e\u{301}", 1), ("🚌", 2), ("☎\u{FE0F}", 2), ("", 0),
        ("Ünter", 5), ("가나", 4), ("👩‍👩‍👧", 2), ("a\u{200B}b", 2),
    ])
    func `a text's width is the columns that a terminal uses for it`(_ text: String, _ columns: Int)
    {
        #expect(text.columns == columns)
    }

    @Test func `a text is cut by columns, with a mark`() {
        #expect("General Hospital".truncated(to: 8) == "General…")
        #expect("駅前広場".truncated(to: 6) == "駅前…")
        #expect("short".truncated(to: 5) == "short")
        #expect("x".truncated(to: 0) == "")
    }

    @Test func `names in a sentence are separated by commas, the last by “and”`() {
        #expect([String]().listed == "" && ["a"].listed == "a")
        #expect(["a", "b"].listed == "a and b" && ["a", "b", "c"].listed == "a, b and c")
    }

    @Test func `no text controls the terminal`() {
        #expect("a\u{1B}[31mb\r\nc\u{202E}".printable == "a [31mb  c ")
    }
}
