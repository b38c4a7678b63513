import Testing
import Texts

@Suite struct MarkRunTests {
    private func marks(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }

    @Test func `an endless run of marks is cut, and everything else stays`() {
        #expect("a\(marks(31))b\(marks(30))c".withoutEndlessMarks == "a\(marks(30))b\(marks(30))c")
        #expect(!"e\(marks(40_000))".withoutEndlessMarks.hasEndlessMarks)
        #expect("Å".withoutEndlessMarks == "Å" && "".withoutEndlessMarks.isEmpty)
    }
}
