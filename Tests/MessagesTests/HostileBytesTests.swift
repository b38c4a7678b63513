import Foundation
import TestSupport
import Testing

@testable import ArbitraryMessages
@testable import Messages

@Suite struct `Hostile bytes` {
    @Test(
        arguments: [
            [0x72, 0x05, 0x61],  // a string longer than the rest
            [0x72, 0xff, 0xff, 0xff, 0xff, 0x07],  // 2^31-1 bytes announced
            [0x72, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],  // 2^64-1 announced
            [0x18],  // a varint that is not there
            [0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],  // eleven
            [0x09, 1, 2, 3],  // half a double
            [0x80],  // half a key
            [0x1b, 0x1c],  // a group
            [0x1e],  // wire type 6
            [0x8a, 0x01, 0x02, 0x09, 0x00],  // a message inside that is broken
        ] as [[UInt8]])
    func `that are not a message are refused`(bytes: [UInt8]) {
        #expect(throws: ProtobufError.malformed(message: "every.Singles")) {
            try Singles(unpacking: bytes)
        }
    }

    @Test(
        arguments: [
            [0x70, 0x01],  // a string as varint
            [0x78, 0x01],  // bytes as varint
            [0x1a, 0x01, 0x61],  // an int32 as counted bytes
            [0x0d, 0, 0, 0, 0],  // a double as 4 bytes
            [0x82, 0x01, 0x01, 0x01],  // an enum as counted bytes
            [0x88, 0x01, 0x01],  // a message as varint
        ] as [[UInt8]])
    func `with a wrong wire type are refused`(bytes: [UInt8]) {
        #expect(throws: ProtobufError.malformed(message: "every.Singles")) {
            try Singles(unpacking: bytes)
        }
    }

    @Test(
        arguments: [
            [0xc3, 0x28], [0xff], [0xc0, 0x80], [0xe2, 0x82], [0xed, 0xa0, 0x80],
            [0xf5, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func `that are not UTF-8 are refused by the field's name`(text: [UInt8]) {
        func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
            [number << 3 | 2, UInt8(content.count)] + content
        }

        #expect(throws: ProtobufError.invalidUTF8(field: "bus.Envelope.type")) {
            try Envelope(unpacking: field(2, text))
        }
        #expect(throws: ProtobufError.invalidUTF8(field: "every.Optionals.text")) {
            try Optionals(unpacking: field(2, text))
        }
        #expect(throws: ProtobufError.invalidUTF8(field: "every.Choice.text")) {
            try Choice(unpacking: field(4, text))
        }
        #expect(throws: ProtobufError.invalidUTF8(field: "every.Lists.strings")) {
            try Lists(unpacking: field(14, text))
        }
        #expect(throws: ProtobufError.invalidUTF8(field: "every.Maps.CountsEntry.key")) {
            try Maps(unpacking: field(1, field(1, text)))
        }
        #expect(throws: ProtobufError.invalidUTF8(field: "alert.Alert.id")) {
            try Alerts(unpacking: field(1, field(1, text)))
        }
    }

    @Test func `nested deeper than the stack allows are refused`() throws {
        let nest = Nest(
            middle: Nest.Middle(choices: [Choice(value: .inner(Choice.Inner(depth: 1)))]))
        let shallow = UnpackLimits(maximumStack: 600)

        #expect(throws: ProtobufError.tooDeep(message: "every.Nest")) {
            try Nest(unpacking: nest.packed(), limits: shallow)
        }
        #expect(try Nest(unpacking: nest.packed()) == nest)
    }

    @Test func `nested a hundred thousand levels deep never crash`() {
        // Each level wraps the previous one in the field of Nest that nests.
        for number: UInt8 in [1, 2] {
            var bytes: [UInt8] = []
            for _ in 0..<100_000 where bytes.count < 1 << 20 {
                bytes.append(contentsOf: [number << 3 | 3])
            }
            #expect(throws: ProtobufError.self) { try Nest(unpacking: bytes) }
        }
        var wrapped: [UInt8] = []
        for _ in 0..<2_000 {
            wrapped = [0x0a] + varint(wrapped.count) + wrapped
        }
        for type in everyMessage { _ = try? type.init(unpacking: wrapped) }
    }

    @Test func `that would fill the memory are refused`() {
        let empties = [UInt8](repeating: 0, count: 1 << 20).indices.map {
            UInt8($0 % 2 == 0 ? 0x0a : 0)
        }

        // Half a million empty messages, strings, bytes and map entries of two bytes each.
        #expect(throws: ProtobufError.tooLarge(message: "bus.Jobs", limit: 16 << 20)) {
            try Jobs(unpacking: empties)
        }
        #expect(throws: ProtobufError.tooLarge(message: "every.Maps", limit: 16 << 20)) {
            try Maps(unpacking: empties)
        }
        #expect(throws: ProtobufError.tooLarge(message: "bus.Jobs", limit: 100)) {
            try Jobs(unpacking: empties.prefix(200) + [], limits: UnpackLimits(maximumMemory: 100))
        }
    }

    @Test func `over the limit are refused before they are read`() {
        let bytes = [UInt8](repeating: 0xff, count: 2 << 20)

        #expect(throws: ProtobufError.tooLarge(message: "bus.Envelope", limit: 1_088 << 10)) {
            try Envelope(unpacking: bytes)
        }
    }

    @Test func `of a mebibyte of payload are accepted`() throws {
        let envelope = Envelope(type: "x", data: [UInt8](repeating: 7, count: 1 << 20))

        #expect(try Envelope(unpacking: envelope.packed()) == envelope)
    }

    @Test func `are refused with a sentence`() {
        let errors: [ProtobufError] = [
            .malformed(message: "bus.Job"), .invalidUTF8(field: "bus.Job.id"),
            .tooLarge(message: "bus.Job", limit: 100), .tooDeep(message: "bus.Job"), .outOfMemory,
            .tooLong(field: "bus.Job.id", bytes: 9, limit: 8),
            .tooMany(field: "bus.Jobs.jobs", count: 9, limit: 8),
            .outOfRange(field: "bus.Job.created", value: "-1", range: "0 to 9"),
            .notASCII(field: "bus.Job.type"), .tooManyMarks(field: "bus.Job.id"),
            .repeated(field: "bus.Jobs.jobs"), .missing(field: "bus.JobChanged.job"),
        ]

        #expect(
            errors.map(\.description) == [
                "the bytes are not a well-formed bus.Job",
                "the text in bus.Job.id is not UTF-8",
                "this bus.Job is larger, or takes more memory, than 100 bytes",
                "this bus.Job is nested too deeply",
                "there is no memory left to unpack a message",
                "bus.Job.id has 9 bytes; it may have at most 8",
                "bus.Jobs.jobs has 9 items; it may have at most 8",
                "bus.Job.created is -1; it has to be 0 to 9",
                "bus.Job.type may have ASCII characters only",
                "bus.Job.id has more than 30 combining marks in a row",
                "bus.Jobs.jobs has the same item twice",
                "bus.JobChanged.job is missing",
            ])
    }

    private func varint(_ value: Int) -> [UInt8] {
        var rest = UInt64(value)
        var bytes: [UInt8] = []
        while rest > 127 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

@Suite struct `Mutated messages` {
    /// `FUZZ_ITERATIONS` raises the number of mutations.
    @Test func `are refused or are messages like any other`() throws {
        let text = ProcessInfo.processInfo.environment["FUZZ_ITERATIONS"] ?? ""
        let iterations = Int(text) ?? 100_000
        let seeds = Seed.some(everyMessage.count)

        for (index, type) in everyMessage.enumerated() {
            mutate(type, seeds[index % seeds.count], iterations / everyMessage.count + 1)
        }
    }

    private func mutate<M: AnyMessage>(_: M.Type, _ start: Seed, _ iterations: Int) {
        var seed = start
        var original = M.any(&seed).packed()
        for iteration in 0..<iterations {
            if iteration % 50 == 0 { original = M.any(&seed).packed() }
            var bytes = original
            for _ in 0...seed.below(3) { change(&bytes, &seed) }
            guard let message = try? M(unpacking: bytes) else { continue }
            // Compared as bytes, because a NaN equals nothing.
            let packed = message.packed()
            let again = try? M(unpacking: packed).packed()
            if again != packed {
                Issue.record("\(start) \(M.protobufName) \(bytes) packs to \(packed)")
                return
            }
        }
    }

    private func change(_ bytes: inout [UInt8], _ seed: inout Seed) {
        guard !bytes.isEmpty else {
            bytes = (0..<seed.below(20)).map { _ in UInt8(truncatingIfNeeded: seed.next()) }
            return
        }
        let place = seed.below(bytes.count)
        let end = min(bytes.count, place + 1 + seed.below(8))
        switch seed.below(6) {
        case 0: bytes[place] ^= 1 << UInt8(seed.below(8))
        case 1: bytes[place] = UInt8(truncatingIfNeeded: seed.next())
        case 2: bytes[place] = seed.pick([0, 1, 0x7f, 0x80, 0xff])
        case 3: bytes.insert(UInt8(truncatingIfNeeded: seed.next()), at: place)
        case 4: bytes.removeSubrange(place..<end)
        default: bytes.insert(contentsOf: bytes[place..<end], at: seed.below(bytes.count))
        }
    }
}
