internal import CArena
internal import CProtobufC

/// A generated message and its protoc-c struct. The C types stay inside this module: they are
/// neither checked nor `Sendable`.
protocol CBridged: ProtobufMessage, FieldValue where Coding == Self {
    associatedtype CStruct

    /// Sets descriptor and defaults; without it protobuf-c aborts.
    static func initialize(_ c: UnsafeMutablePointer<CStruct>)
    /// Copies the unpacked C tree into a Swift value.
    init(c: UnsafePointer<CStruct>) throws(ProtobufError)
    /// Builds the C tree to be packed, with everything that it points to in the arena.
    func fill(_ c: UnsafeMutablePointer<CStruct>, _ arena: PackArena)
}

/// Bytes that an arena has at once. With its own fields it stays under the 1,032 bytes up to which
/// glibc serves a block from its per-thread cache.
let firstChunk = 928

func unpackMessage<M: CBridged>(
    _ bytes: UnsafeRawBufferPointer, _ limits: UnpackLimits
) throws(ProtobufError) -> M {
    guard bytes.count <= limits.maximumSize else {
        throw .tooLarge(message: M.protobufName, limit: limits.maximumSize)
    }
    // Whatever is larger takes two to four times its size, more only if it is nearly all structure.
    let expected = bytes.count <= 400 ? firstChunk : 512 + 4 * min(bytes.count, 1 << 18)
    guard let arena = arena_new(min(expected, max(limits.maximumMemory, 0)), limits.maximumMemory)
    else { throw .outOfMemory }
    defer { arena_free(arena) }
    guard
        let descriptor = descriptor(of: M.self, arena),
        let message = arena_unpack(
            arena, descriptor, bytes.baseAddress, bytes.count, max(limits.maximumStack, 0))
    else { throw failure(of: M.self, arena, limits) }
    // Sound: the descriptor is that of M.CStruct, so that is what was unpacked, and it is copied
    // into a Swift value before the arena goes.
    return try M(c: UnsafeRawPointer(message).assumingMemoryBound(to: M.CStruct.self))
}

/// Swift does not promise the address of a C global, so the descriptor is taken from a fresh
/// struct.
@inline(__always)
private func descriptor<M: CBridged>(
    of _: M.Type, _ arena: UnsafeMutablePointer<arena>
) -> UnsafePointer<ProtobufCMessageDescriptor>? {
    guard let fresh = arena_alloc(arena, MemoryLayout<M.CStruct>.size) else { return nil }
    M.initialize(fresh.assumingMemoryBound(to: M.CStruct.self))
    // Sound: every protoc-c struct begins with a ProtobufCMessage, whose descriptor is set by now.
    // It was the arena's newest block and is of no more use, so its place is given back.
    arena.pointee.free_begin = fresh.assumingMemoryBound(to: UInt8.self)
    return fresh.assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor
}

private func failure<M: CBridged>(
    of _: M.Type, _ arena: UnsafeMutablePointer<arena>, _ limits: UnpackLimits
) -> ProtobufError {
    switch Int(arena.pointee.failure) {
    case ARENA_BUDGET: .tooLarge(message: M.protobufName, limit: limits.maximumMemory)
    case ARENA_DEPTH: .tooDeep(message: M.protobufName)
    case ARENA_NO_MEMORY: .outOfMemory
    default: .malformed(message: M.protobufName)
    }
}

// What the generated `init(c:)` is written in. Sound throughout: protobuf-c has checked every
// length against the bytes received, and everything is copied before the arena is freed.

@inline(__always)
func readString(
    _ text: ProtobufCBinaryData, _ field: StaticString
) throws(ProtobufError) -> String {
    if text.len == 0 { return "" }
    let utf8 = UnsafeBufferPointer<UInt8>(start: text.data, count: text.len)
    // Not String(validating:as:), which is unspecialized and costs 80 ns more for each string.
    guard let valid = try? UTF8Span(validating: utf8.span) else {
        throw .invalidUTF8(field: field.description)
    }
    return String(copying: valid)
}

@inline(__always)
func readBytes(_ bytes: ProtobufCBinaryData) -> [UInt8] {
    [UInt8](UnsafeBufferPointer(start: bytes.data, count: bytes.len))
}

/// protoc-c's enums are unsigned unless a value is negative; the wire knows only signed ones.
@inline(__always)
func readEnum<E: ProtobufEnum>(_ number: some FixedWidthInteger) -> E {
    E(rawValue: Int32(truncatingIfNeeded: number))
}

@inline(__always)
func readOptional<M: CBridged>(
    _ c: UnsafeMutablePointer<M.CStruct>?
) throws(ProtobufError) -> M? {
    guard let c else { return nil }
    return try M(c: c)
}

/// A message that protobuf-c has announced. A map entry may leave it out, which means the default.
@inline(__always)
func readMessage<M: CBridged>(_ c: UnsafeMutablePointer<M.CStruct>?) throws(ProtobufError) -> M {
    guard let c else { return M() }
    return try M(c: c)
}

func readScalars<T: BitwiseCopyable>(_ start: UnsafeMutablePointer<T>?, _ count: Int) -> [T] {
    [T](UnsafeBufferPointer(start: start, count: count))
}

func readMessages<M: CBridged>(
    _ start: UnsafeMutablePointer<UnsafeMutablePointer<M.CStruct>?>?, _ count: Int
) throws(ProtobufError) -> [M] {
    try readEach(start, count) { c throws(ProtobufError) in try readMessage(c) }
}

@inline(__always)
func readEach<C, T>(
    _ start: UnsafeMutablePointer<C>?, _ count: Int,
    _ read: (C) throws(ProtobufError) -> T
) throws(ProtobufError) -> [T] {
    var result = [T]()
    result.reserveCapacity(count)
    for c in UnsafeBufferPointer(start: start, count: count) { result.append(try read(c)) }
    return result
}

@inline(__always)
func readMap<Entry, Key: Hashable, Value>(
    _ start: UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>?, _ count: Int,
    _ read: (UnsafeMutablePointer<Entry>) throws(ProtobufError) -> (Key, Value)
) throws(ProtobufError) -> [Key: Value] {
    var result = [Key: Value](minimumCapacity: count)
    for case let entry? in UnsafeBufferPointer(start: start, count: count) {
        let (key, value) = try read(entry)
        result[key] = value
    }
    return result
}
