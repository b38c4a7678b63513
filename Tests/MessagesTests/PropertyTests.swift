import Foundation
import TestSupport
import Testing

@testable import ArbitraryMessages
@testable import Messages

/// Every message of the published language, and the ones that exist for these tests.
let everyMessage = publishedMessages + everyKindMessages

@Suite struct `Every message` {
    @Test(arguments: Seed.some(100))
    func `unpacks to what was packed`(seed: Seed) throws {
        func check<M: AnyMessage>(_: M.Type) throws {
            var seed = seed
            let message = M.any(&seed)

            let bytes = message.packed()

            #expect(try M(unpacking: bytes) == message)
            #expect(try M(unpacking: bytes).packed() == bytes)
        }
        for type in everyMessage { try check(type) }
    }

    @Test(arguments: Seed.some(20))
    func `written into the caller's buffer is what packed returns`(seed: Seed) throws {
        func check<M: AnyMessage>(_: M.Type) {
            var seed = seed
            let message = M.any(&seed)

            var buffer = [UInt8](repeating: 0xee, count: 1 << 16)
            let count = message.withPacked { packed in
                buffer.withUnsafeMutableBytes { packed.write(to: $0) }
                return packed.count
            }

            #expect(Array(buffer.prefix(count)) == message.packed())
            #expect(buffer[count] == 0xee)
        }
        for type in everyMessage { check(type) }
    }

    @Test(arguments: Seed.some(5))
    func `truncated at any byte is refused or is exactly the shorter message`(seed: Seed) throws {
        func check<M: AnyMessage>(_: M.Type) {
            var seed = seed
            let bytes = M.any(&seed).packed().prefix(300)
            for end in bytes.indices {
                let prefix = Array(bytes[..<end])
                guard let message = try? M(unpacking: prefix) else { continue }
                #expect(message.packed() == prefix)
            }
        }
        for type in everyMessage { check(type) }
    }

    @Test(arguments: Seed.some(20))
    func `unknown fields are ignored`(seed: Seed) throws {
        // Field 2,000 as a varint, as 8 bytes, as 3 counted bytes and as 4 bytes.
        let unknown: [[UInt8]] = [
            [0x80, 0x7d, 0x96, 0x01], [0x81, 0x7d, 1, 2, 3, 4, 5, 6, 7, 8],
            [0x82, 0x7d, 3, 0xff, 0xfe, 0], [0x85, 0x7d, 1, 2, 3, 4],
        ]
        func check<M: AnyMessage>(_: M.Type) throws {
            var seed = seed
            let message = M.any(&seed)
            for field in unknown {
                #expect(try M(unpacking: field + message.packed() + field) == message)
            }
        }
        for type in everyMessage { try check(type) }
    }

    @Test(arguments: Seed.some(30))
    func `reads from JSON what it wrote`(seed: Seed) throws {
        func check<M: AnyMessage>(_: M.Type) throws {
            var seed = seed
            let message = M.any(&seed)

            let text = try JSONEncoder().encode(message)

            #expect(try JSONDecoder().decode(M.self, from: text) == message)
        }
        for type in everyMessage { try check(type) }
    }

    @Test func `packs to nothing when every field has its default, and back`() throws {
        func check<M: AnyMessage>(_: M.Type) throws {
            // A message with a required part is never empty.
            if M().packed().isEmpty {
                #expect(try M(unpacking: []) == M())
            } else {
                #expect(throws: ProtobufError.self) { try M(unpacking: []) }
                #expect(try M(unpacking: M().packed()) == M())
            }
            #expect(try JSONDecoder().decode(M.self, from: Data("{}".utf8)) == M())
        }
        for type in everyMessage { try check(type) }
    }

    @Test func `has a topic that ends with a dot`() {
        #expect(StartJourney.topic == "transit.StartJourney.")
        #expect(ServiceStatus.Cursor.topic == "bus.ServiceStatus.Cursor.")
        #expect(Set(everyMessage.map { $0.topic }).count == everyMessage.count)
    }

    @Test(arguments: Seed.some(20))
    func `equal messages pack to equal bytes however their maps are laid out`(seed: Seed) throws {
        var seed = seed
        let counts = (0..<50).map { _ in (String.any(&seed), Int32.any(&seed)) }
        let unique = [String: Int32](counts) { first, _ in first }
        var roomy = [String: Int32](minimumCapacity: 1_000)
        for (key, value) in unique.shuffled(using: &seed) { roomy[key] = value }

        #expect(Maps(counts: unique).packed() == Maps(counts: roomy).packed())
    }
}
