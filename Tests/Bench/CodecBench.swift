import CMessages
import CProtobufC
import Messages

/// Packing and unpacking, compared with libprotobuf-c alone on the same message.
enum CodecBench {
    static func run(_ figures: inout Figures) throws {
        let fix = Fix(
            time: 1_700_000_000_000,
            place: Coordinate(latitudeE7: 599_139_000, longitudeE7: 107_522_000), accuracy: 80,
            speed: 1234)
        try measure("small message (position)", fix, transit__fix__init, goals: true, &figures)
        let envelope = Envelope(
            id: [UInt8](repeating: 1, count: 16), type: RecordPositions.protobufName,
            source: "steward", time: 1_700_000_000_000, sequence: 12_345, epoch: 1_700_000_000_000,
            correlationId: [UInt8](repeating: 1, count: 16), actor: "owner",
            data: [UInt8](repeating: 7, count: 100))
        try measure(
            "envelope with 100 bytes", envelope, bus__envelope__init, goals: false, &figures)
    }

    private static func measure<M: ProtobufMessage, C>(
        _ name: String, _ message: M, _ initialize: (UnsafeMutablePointer<C>?) -> Void,
        goals: Bool, _ figures: inout Figures
    ) throws {
        let bytes = message.packed()
        let empty = UnsafeMutablePointer<C>.allocate(capacity: 1)
        defer { empty.deallocate() }
        initialize(empty)
        let descriptor = UnsafeRawPointer(empty).assumingMemoryBound(to: ProtobufCMessage.self)
            .pointee.descriptor
        let tree = protobuf_c_message_unpack(descriptor, nil, bytes.count, bytes)
        defer { protobuf_c_message_free_unpacked(tree, nil) }
        var buffer = [UInt8](repeating: 0, count: bytes.count)

        let unpackAlone = best {
            protobuf_c_message_free_unpacked(
                protobuf_c_message_unpack(descriptor, nil, bytes.count, bytes), nil)
        }
        let unpack = try best { _ = try M(unpacking: bytes) }
        let packAlone = best {
            _ = protobuf_c_message_get_packed_size(tree)
            protobuf_c_message_pack(tree, &buffer)
        }
        let pack = best { _ = message.packed() }
        figures.add(
            "unpack \(name), \(bytes.count) bytes", unpack, "us",
            goal: goals ? .atMost(0.5) : .none,
            reference: ("us libprotobuf-c alone", unpackAlone))
        figures.add(
            "pack \(name), \(bytes.count) bytes", pack, "us", goal: goals ? .atMost(1) : .none,
            reference: ("us libprotobuf-c alone", packAlone))
    }

    /// Microseconds for one run: the best of many batches, because other work on the machine only
    /// ever adds time.
    private static func best(_ body: () throws -> Void) rethrows -> Double {
        var best = Double.infinity
        for _ in 0..<60 {
            let start = ContinuousClock.now
            for _ in 0..<2000 { try body() }
            best = min(best, (ContinuousClock.now - start) / .microseconds(1) / 2000)
        }
        return best
    }
}
