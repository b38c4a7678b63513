import Bus
import Messages

/// Reads what a producer has sent.
extension Following {
    /// Reads a message; nil if it is malformed or beyond the limits.
    static func unpack(_ frame: Frame) -> Envelope? {
        guard frame.count <= Envelope.maximumSize else { return nil }
        do {
            return try frame.withBytes { bytes throws(ProtobufError) in
                try Envelope(unpacking: bytes, limits: .standard)
            }
        } catch { return nil }
    }

    /// Reads an event as the producer has stored it, without today's limits: leaving one out would
    /// hold up all that follow.
    static func unpackKept(_ bytes: [UInt8]) -> Envelope? {
        do { return try Envelope(stored: bytes) } catch { return nil }
    }
}
