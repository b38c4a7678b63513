/// The limits on the cost of unpacking a message. A message of two bytes per element can need forty
/// times its size in memory, so limiting the size is not enough.
public struct UnpackLimits: Sendable, Hashable {
    /// The maximum size of a packed message in bytes.
    public var maximumSize: Int
    /// The maximum memory in bytes that protobuf-c may use for the unpacked message. The Swift
    /// value needs at most about as much again.
    public var maximumMemory: Int
    /// The maximum stack in bytes that protobuf-c's recursion may use, about 1 KiB for each nested
    /// message.
    public var maximumStack: Int
    /// Whether each field is checked against its limits in the .proto file.
    public var checksFields: Bool

    /// Makes limits; each that is omitted is that of ``standard``.
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

    /// The limits for messages of up to 1 MiB, with 64 KiB for their envelope.
    public static let standard = UnpackLimits()

    /// The limits for messages from a store of this program, whose fields may exceed narrower new
    /// limits.
    public static let stored = UnpackLimits(checksFields: false)
}
