internal import CArena
internal import CProtobufC

func packMessage<M: CBridged, Result, Failure>(
    _ message: M, _ body: (borrowing PackedMessage) throws(Failure) -> Result
) throws(Failure) -> Result {
    let arena = PackArena()
    defer { arena.free() }
    // Safe: every protoc-c struct begins with a ProtobufCMessage, and the tree lives as long as the
    // arena, which is freed after `body`.
    let tree = UnsafeRawPointer(arena.message(message))
    return try body(PackedMessage(tree.assumingMemoryBound(to: ProtobufCMessage.self)))
}

/// The memory in which the C tree of an outgoing message is built. It is safe throughout:
/// everything in the tree is copied into the arena, every block has the size of what is written to
/// it, and nothing but the tree points there.
struct PackArena {
    private let memory: UnsafeMutablePointer<arena>

    init() {
        guard let memory = arena_new(firstChunk, .max) else {
            preconditionFailure("there is no memory left to pack a message")
        }
        self.memory = memory
    }

    func free() {
        arena_free(memory)
    }

    @inline(__always)
    private func allocate<T>(_: T.Type, _ count: Int = 1) -> UnsafeMutablePointer<T> {
        arena_take(memory, MemoryLayout<T>.stride * count).assumingMemoryBound(to: T.self)
    }

    @inline(__always)
    func put(_ value: String) -> ProtobufCBinaryData {
        var text = value
        return text.withUTF8 { copy($0) }
    }

    @inline(__always)
    func put(_ value: [UInt8]) -> ProtobufCBinaryData {
        value.withUnsafeBufferPointer { copy($0) }
    }

    /// Allocates a block even for no bytes, so that protobuf-c never copies from NULL.
    @inline(__always)
    private func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> ProtobufCBinaryData {
        let block = allocate(UInt8.self, bytes.count)
        if let start = bytes.baseAddress { block.initialize(from: start, count: bytes.count) }
        return ProtobufCBinaryData(len: bytes.count, data: block)
    }

    @inline(__always)
    func number<Number: FixedWidthInteger>(_ value: some ProtobufEnum) -> Number {
        Number(truncatingIfNeeded: value.rawValue)
    }

    @inline(__always)
    func message<M: CBridged>(_ value: M) -> UnsafeMutablePointer<M.CStruct> {
        let c = allocate(M.CStruct.self)
        M.initialize(c)
        value.fill(c, self)
        return c
    }

    func messages<M: CBridged>(
        _ values: [M]
    ) -> (UnsafeMutablePointer<UnsafeMutablePointer<M.CStruct>?>?, Int) {
        each(values) { message($0) }
    }

    func scalars<T: BitwiseCopyable>(_ values: [T]) -> (UnsafeMutablePointer<T>?, Int) {
        let slots = values.withUnsafeBufferPointer { buffer -> UnsafeMutablePointer<T>? in
            guard let start = buffer.baseAddress, !buffer.isEmpty else { return nil }
            let slots = allocate(T.self, buffer.count)
            slots.initialize(from: start, count: buffer.count)
            return slots
        }
        return (slots, values.count)
    }

    @inline(__always)
    func each<T, C>(_ values: [T], _ convert: (T) -> C) -> (UnsafeMutablePointer<C>?, Int) {
        if values.isEmpty { return (nil, 0) }
        let slots = allocate(C.self, values.count)
        for (index, value) in values.enumerated() {
            (slots + index).initialize(to: convert(value))
        }
        return (slots, values.count)
    }

    /// Writes the entries sorted by key, so that equal messages give equal bytes, whatever the
    /// order in the dictionary.
    @inline(__always)
    func map<Key: MapKey, Value, Entry>(
        _ values: [Key: Value], _ initialize: (UnsafeMutablePointer<Entry>?) -> Void,
        _ put: (UnsafeMutablePointer<Entry>, Key, Value) -> Void
    ) -> (UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>?, Int) {
        if values.isEmpty { return (nil, 0) }
        let slots = allocate(UnsafeMutablePointer<Entry>?.self, values.count)
        let sorted = values.sorted { Key.isAscending($0.key, $1.key) }
        for (index, (key, value)) in sorted.enumerated() {
            let entry = allocate(Entry.self)
            initialize(entry)
            put(entry, key, value)
            (slots + index).initialize(to: entry)
        }
        return (slots, values.count)
    }
}

/// A type that may be the key of a map.
protocol MapKey: Hashable, LosslessStringConvertible {
    static func isAscending(_ first: Self, _ second: Self) -> Bool
}

extension MapKey where Self: Comparable {
    static func isAscending(_ first: Self, _ second: Self) -> Bool { first < second }
}

extension Bool: MapKey {
    static func isAscending(_ first: Bool, _ second: Bool) -> Bool { !first && second }
}

extension String: MapKey {}
extension Int32: MapKey {}
extension Int64: MapKey {}
extension UInt32: MapKey {}
extension UInt64: MapKey {}
