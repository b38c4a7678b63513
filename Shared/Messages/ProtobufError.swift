/// Why bytes could not be unpacked.
public enum ProtobufError: Swift.Error, Hashable, Sendable {
    /// The bytes are not a valid encoding of the message: truncated, a wrong wire type, a bad
    /// length.
    case malformed(message: String)
    /// A string is not UTF-8. The field is named in full, e.g. `transit.StartJourney.feed`.
    case invalidUTF8(field: String)
    /// The message is larger, or takes more memory, than the limit in bytes.
    case tooLarge(message: String, limit: Int)
    /// Messages are nested deeper than the limit for the stack allows.
    case tooDeep(message: String)
    /// The system has no memory left.
    case outOfMemory
}

extension ProtobufError: CustomStringConvertible {
    /// One sentence for a person, without a final stop.
    public var description: String {
        switch self {
        case .malformed(let message): "the bytes are not a well-formed \(message)"
        case .invalidUTF8(let field): "the text in \(field) is not UTF-8"
        case .tooLarge(let message, let limit):
            "this \(message) is larger, or takes more memory, than \(limit) bytes"
        case .tooDeep(let message): "this \(message) is nested too deeply"
        case .outOfMemory: "there is no memory left to unpack a message"
        }
    }
}
