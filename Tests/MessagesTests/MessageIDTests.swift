import Foundation
import TestSupport
import Testing

@testable import ArbitraryMessages
@testable import Messages

@Suite struct MessageIDTests {
    /// The example of RFC 9562, appendix A.6.
    private let example = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"

    @Test func `the example in RFC 9562 is parsed and formatted`() throws {
        let id = try #require(MessageID(example))

        #expect(id.description == example)
        #expect(id.milliseconds == 1_645_557_742_000)
        #expect(id.bytes.prefix(4) == [0x01, 0x7f, 0x22, 0xe2])
        #expect(MessageID(bytes: id.bytes) == id)
        #expect(MessageID(example.uppercased()) == id)
    }

    @Test(arguments: [
        "", "017f22e2", "017f22e2-79b0-7cc3-98c4-dc0c0c07398", "017f22e279b07cc398c4dc0c0c07398f",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398g", "017f22e2x79b0x7cc3x98c4xdc0c0c07398f",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398f ", "017f22e2-79b0-7cc3-98c4-dc0c0c0739-f",
    ])
    func `any other text is refused`(text: String) {
        #expect(MessageID(text) == nil)
    }

    @Test func `only 16 bytes are an id`() {
        for count in 0..<40 {
            let id = MessageID(bytes: [UInt8](repeating: 1, count: count))
            #expect((id == nil) == (count != 16))
        }
    }

    @Test(arguments: Seed.some(50))
    func `ids always increase, whatever the clock does`(seed: Seed) throws {
        var seed = seed
        var ids = MessageID.Generator()
        var time: Int64 = 1_790_000_000_000

        var made: [MessageID] = []
        for _ in 0..<500 {
            time += seed.pick([0, 0, 0, 1, 20, -5_000])
            made.append(ids.next(at: time, using: &seed))
        }

        for (id, next) in zip(made, made.dropFirst()) {
            try #require(id < next)
            try #require(id.description < next.description)
            try #require(id.bytes.lexicographicallyPrecedes(next.bytes))
        }
    }

    @Test func `ten thousand ids in one millisecond are distinct and increase`() {
        var ids = MessageID.Generator()

        let made = (0..<10_000).map { _ in ids.next(at: 1_790_000_000_000) }

        #expect(made == made.sorted())
        #expect(Set(made).count == 10_000)
        #expect(made[0].milliseconds == 1_790_000_000_000)
        #expect(made[9_999].milliseconds <= 1_790_000_000_005)
    }

    @Test(arguments: Seed.some(50))
    func `every id has version 7 and the RFC's variant`(seed: Seed) {
        var seed = seed
        var ids = MessageID.Generator()

        let text = Array(ids.next(at: Int64.any(&seed), using: &seed).description)

        #expect(text[14] == "7")
        #expect("89ab".contains(text[19]))
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 0xffff_ffff_ffff, .max])
    func `a time out of range does no harm`(time: Int64) {
        var ids = MessageID.Generator()

        let made = (0..<5_000).map { _ in ids.next(at: time) }

        #expect(Set(made).count == 5_000)
    }

    @Test func `an id is a string in JSON`() throws {
        let id = try #require(MessageID(example))

        let text = try JSONEncoder().encode([id])

        #expect(String(decoding: text, as: UTF8.self) == "[\"\(example)\"]")
        #expect(try JSONDecoder().decode([MessageID].self, from: text) == [id])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([MessageID].self, from: Data(#"["x"]"#.utf8))
        }
    }
}
