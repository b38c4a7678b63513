internal import CArena
internal import CProtobufC

/// A generated message and its protoc-c struct. The C types stay inside this module: they are
/// neither checked nor `Sendable`.
protocol CBridged: ProtobufMessage, FieldValue where Coding == Self {
    associatedtype CStruct

    /// Sets the descriptor and defaults; without them protobuf-c aborts.
    static func initialize(_ c: UnsafeMutablePointer<CStruct>)
    /// Copies the unpacked C tree into a Swift value, or refuses a field that exceeds its limits.
    init(c: UnsafePointer<CStruct>, _ check: FieldCheck) throws(ProtobufError)
    /// Builds the C tree to be packed, with everything that it points to in the arena.
    func fill(_ c: UnsafeMutablePointer<CStruct>, _ arena: PackArena)
}

/// The initial size of an arena in bytes. With its own fields it stays below the 1,032 bytes up to
/// which glibc serves a block from its per-thread cache.
let firstChunk = 928

func unpackMessage<M: CBridged>(
    _ bytes: UnsafeRawBufferPointer, _ limits: UnpackLimits
) throws(ProtobufError) -> M {
    guard bytes.count <= limits.maximumSize else {
        throw .tooLarge(message: M.protobufName, limit: limits.maximumSize)
    }
    // Larger messages need two to four times their size, and more only if nearly all structure.
    let expected = bytes.count <= 400 ? firstChunk : 512 + 4 * min(bytes.count, 1 << 18)
    guard let arena = arena_new(min(expected, max(limits.maximumMemory, 0)), limits.maximumMemory)
    else { throw .outOfMemory }
    defer { arena_free(arena) }
    guard
        let descriptor = descriptor(of: M.self, arena),
        let message = arena_unpack(
            arena, descriptor, bytes.baseAddress, bytes.count, max(limits.maximumStack, 0))
    else { throw failure(of: M.self, arena, limits) }
    // Safe: the descriptor is that of M.CStruct, so that is what was unpacked, and it is copied
    // into a Swift value before the arena is freed.
    return try M(
        c: UnsafeRawPointer(message).assumingMemoryBound(to: M.CStruct.self),
        FieldCheck(isOn: limits.checksFields))
}

/// Swift does not guarantee the address of a C global, so the descriptor is read from a fresh
/// struct.
@inline(__always)
private func descriptor<M: CBridged>(
    of _: M.Type, _ arena: UnsafeMutablePointer<arena>
) -> UnsafePointer<ProtobufCMessageDescriptor>? {
    guard let fresh = arena_alloc(arena, MemoryLayout<M.CStruct>.size) else { return nil }
    M.initialize(fresh.assumingMemoryBound(to: M.CStruct.self))
    // Safe: every protoc-c struct begins with a ProtobufCMessage, whose descriptor is now set. The
    // struct is the arena's newest block and no longer needed, so its space is released.
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
