internal import CProtobufC

/// A message of the published language: a value that libprotobuf-c packs to and unpacks from the
/// protobuf wire format, and that is also `Codable`, for people and for stores.
///
/// Every conforming type is generated from a `.proto` file.
///
/// ```swift
/// let bytes = StartJourney(feed: "rnv", stopId: "1144").packed()
/// let command = try StartJourney(unpacking: bytes)
/// ```
public protocol ProtobufMessage: Sendable, Hashable, Codable {
    /// The full protobuf name, e.g. `transit.StartJourney`.
    static var protobufName: String { get }

    /// Makes a message with every field at its default.
    init()

    /// Unpacks a message. Fields that this build does not know are skipped.
    ///
    /// - Throws: ``ProtobufError`` when the bytes are not such a message or exceed the limits.
    init(unpacking bytes: UnsafeRawBufferPointer, limits: UnpackLimits) throws(ProtobufError)

    /// Lays the message out for packing and passes it to `body`, which can get its size and write
    /// it directly into a buffer. Equal messages give equal bytes.
    func withPacked<Result, Failure>(
        _ body: (borrowing PackedMessage) throws(Failure) -> Result
    ) throws(Failure) -> Result
}

extension ProtobufMessage {
    /// The topic that subscribers ask for: the full name and a dot. ZeroMQ matches prefixes;
    /// without the dot a subscriber of `transit.Journey` would receive `transit.JourneyStarted`.
    public static var topic: String { protobufName + "." }

    /// Unpacks a message from an array.
    public init(unpacking bytes: [UInt8], limits: UnpackLimits = .standard) throws(ProtobufError) {
        self = try Self(unpacking: bytes.span.bytes, limits: limits)
    }

    /// Unpacks a message from a span.
    public init(unpacking bytes: RawSpan, limits: UnpackLimits = .standard) throws(ProtobufError) {
        self = try bytes.withUnsafeBytes { raw throws(ProtobufError) in
            try Self(unpacking: raw, limits: limits)
        }
    }

    /// Unpacks a message from memory of the caller's, within the standard limits.
    public init(unpacking bytes: UnsafeRawBufferPointer) throws(ProtobufError) {
        self = try Self(unpacking: bytes, limits: .standard)
    }

    /// Unpacks a message from a store of this program, without the limits of its fields, which may
    /// have become narrower since it was stored.
    public init(stored bytes: [UInt8]) throws(ProtobufError) {
        self = try Self(unpacking: bytes.span.bytes, limits: .stored)
    }

    /// The packed message.
    public func packed() -> [UInt8] {
        withPacked { message in
            // Safe: `write` initializes exactly `count` bytes.
            [UInt8](unsafeUninitializedCapacity: message.count) { buffer, count in
                message.write(to: UnsafeMutableRawBufferPointer(buffer))
                count = message.count
            }
        }
    }
}

/// A message that is laid out and ready to be written. It exists only inside
/// ``ProtobufMessage/withPacked(_:)``: it can't be copied or escape, so it can't outlive the memory
/// behind it.
public struct PackedMessage: ~Copyable {
    private let root: UnsafePointer<ProtobufCMessage>

    /// The number of bytes that ``write(to:)`` writes.
    public let count: Int

    init(_ root: UnsafePointer<ProtobufCMessage>) {
        self.root = root
        self.count = protobuf_c_message_get_packed_size(root)
    }

    /// Writes the packed message to the beginning of the buffer, which must have room for ``count``
    /// bytes.
    public func write(to buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count >= count, "the buffer is smaller than the packed message")
        guard count > 0, let start = buffer.baseAddress else { return }
        // Safe: protobuf-c writes as many bytes as it has counted, and the buffer has room for
        // them.
        let written = protobuf_c_message_pack(root, start.assumingMemoryBound(to: UInt8.self))
        precondition(written == count, "protobuf-c wrote more or fewer bytes than it counted")
    }
}
