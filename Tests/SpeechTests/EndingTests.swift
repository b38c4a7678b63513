import Testing

@testable import Speech

struct EndingTests {
    @Test func `the numbers are those that scripts rely on`() {
        #expect(Ending.allCases.map(\.rawValue) == [0, 1, 64, 69, 70, 75])
    }
}
