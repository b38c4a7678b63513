import Testing

@testable import Terminal

/// Keys as terminals send them.
struct KeyTests {
    @Test func `keys are read even if their bytes arrive in pieces`() {
        var reader = KeyReader()
        let pieces: [[UInt8]] = [
            Array("a ø\r".utf8), [0x1B], [0x5B], [0x41, 0x78], [0x1B, 0x4F, 0x42],
            [0x1B, 0x5B, 0x35, 0x7E, 0xC3], [0xB8, 0x7F], [0x1B],
        ]

        let keys = pieces.flatMap { reader.take($0) } + reader.flush()

        #expect(
            keys == [
                .character("a"), .character(" "), .character("ø"), .enter, .up, .character("x"),
                .down, .pageUp, .character("ø"), .backspace, .escape,
            ])
    }
}
