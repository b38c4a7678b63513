import Testing

@testable import Speech

struct EndingTests {
    @Test func `exit codes are those that scripts rely on`() {
        #expect(Ending.allCases.map(\.rawValue) == [0, 1, 64, 66, 69, 70, 75, 130])
    }

    @Test func `a long argument isn't repeated in full`() {
        let long = String(repeating: "ab", count: 60_000)

        let failure = Failure(.usage, "there is no “\(long)”\nline two", advice: long)

        #expect(failure.sentence.count < 650 && failure.sentence.hasSuffix("line two"))
        #expect(failure.sentence.hasPrefix("there is no “abab"))
        #expect(failure.advice?.count ?? 0 < 650)
        #expect(Failure(.usage, "short").sentence == "short")
    }
}
