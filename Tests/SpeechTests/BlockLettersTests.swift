import Testing

@testable import Speech

struct BlockLettersTests {
    @Test func `block letters are five rows, or ten`() {
        #expect(BlockLetters.lines("12:34").count == 5)
        #expect(BlockLetters.lines("12:34", scale: 2).count == 10)
        #expect(Set(BlockLetters.lines("12:34").map(\.columns)).count == 1)
    }
}
