/// What unpacking a message may cost the receiver. A message of two bytes per element can take
/// forty times its size in memory, so the size alone is no protection.
public struct UnpackLimits: Sendable, Hashable {
    /// Most bytes that a packed message may have.
    public var maximumSize: Int
    /// Most bytes that protobuf-c may take for the unpacked message. The Swift value takes at most
    /// about as much again.
    public var maximumMemory: Int
    /// Most bytes of stack that protobuf-c's recursion may use, about 1 KiB for each nested
    /// message.
    public var maximumStack: Int
    /// True when each field is held to its limits in the .proto file.
    public var checksFields: Bool

    /// Limits; each that is left out is that of ``standard``.
    public init(
        maximumSize: Int = 1_088 << 10,
        maximumMemory: Int = 16 << 20,
        maximumStack: Int = 128 << 10,
        checksFields: Bool = true
    ) {
        self.maximumSize = maximumSize
        self.maximumMemory = maximumMemory
        self.maximumStack = maximumStack
        self.checksFields = checksFields
    }

    /// For messages of up to 1 MiB, with 64 KiB to spare for what is wrapped around them.
    public static let standard = UnpackLimits()

    /// For what a store of this program holds. A field's limits may have become narrower since.
    public static let stored = UnpackLimits(checksFields: false)
}
