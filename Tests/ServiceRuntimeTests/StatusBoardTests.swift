import Testing

@testable import ServiceRuntime

/// What a service says of itself.
struct StatusBoardTests {
    @Test func `a disk that claims more space than can be counted has as much as can be counted`() {
        #expect(StatusBoard.bytes(blocks: 3, of: 4096) == 12_288)
        #expect(StatusBoard.bytes(blocks: .max, of: 1) == .max)
        #expect(StatusBoard.bytes(blocks: .max, of: 4096) == .max)
    }
}
