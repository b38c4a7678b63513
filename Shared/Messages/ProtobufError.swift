/// Why bytes could not be unpacked.
public enum ProtobufError: Swift.Error, Hashable, Sendable {
    /// The bytes are not a valid encoding of the message, e.g. truncated, with a wrong wire type or
    /// a bad length.
    case malformed(message: String)
    /// A string is not UTF-8. The field is named in full, e.g. `transit.StartJourney.feed`.
    case invalidUTF8(field: String)
    /// The message is larger, or needs more memory, than the limit in bytes.
    case tooLarge(message: String, limit: Int)
    /// A text or bytes are longer than the field may be.
    case tooLong(field: String, bytes: Int, limit: Int)
    /// A list or map has more items than the field may have.
    case tooMany(field: String, count: Int, limit: Int)
    /// A number is outside its range.
    case outOfRange(field: String, value: String, range: String)
    /// A name for programs contains non-ASCII characters.
    case notASCII(field: String)
    /// A text has more combining marks in a row than any language needs.
    case tooManyMarks(field: String)
    /// An item of a list occurs twice.
    case repeated(field: String)
    /// A required message is missing.
    case missing(field: String)
    /// Messages are nested deeper than the stack limit allows.
    case tooDeep(message: String)
    /// The system has no memory left.
    case outOfMemory
}

extension ProtobufError {
    /// The full name of the field that is wrong; nil if it isn't a single one.
    public var field: String? {
        switch self {
        case .invalidUTF8(let field), .tooLong(let field, _, _), .tooMany(let field, _, _),
            .outOfRange(let field, _, _), .notASCII(let field), .tooManyMarks(let field),
            .repeated(let field), .missing(let field):
            field
        case .malformed, .tooLarge, .tooDeep, .outOfMemory: nil
        }
    }

    /// True when the bytes are a message, but one of its fields exceeds its limits.
    public var isBeyondLimits: Bool {
        switch self {
        case .tooLong, .tooMany, .outOfRange, .notASCII, .tooManyMarks, .repeated, .missing: true
        case .malformed, .invalidUTF8, .tooLarge, .tooDeep, .outOfMemory: false
        }
    }
}

extension ProtobufError: CustomStringConvertible {
    /// A sentence for a person, without a final full stop.
    public var description: String {
        switch self {
        case .malformed(let message): "the bytes are not a well-formed \(message)"
        case .invalidUTF8(let field): "the text in \(field) is not UTF-8"
        case .tooLarge(let message, let limit):
            "this \(message) is larger, or takes more memory, than \(limit) bytes"
        case .tooLong(let field, let bytes, let limit):
            "\(field) has \(bytes) bytes; it may have at most \(limit)"
        case .tooMany(let field, let count, let limit):
            "\(field) has \(count) items; it may have at most \(limit)"
        case .outOfRange(let field, let value, let range):
            "\(field) is \(value); it has to be \(range)"
        case .notASCII(let field): "\(field) may have ASCII characters only"
        case .tooManyMarks(let field):
            "\(field) has more than \(longestMarkRun) combining marks in a row"
        case .repeated(let field): "\(field) has the same item twice"
        case .missing(let field): "\(field) is missing"
        case .tooDeep(let message): "this \(message) is nested too deeply"
        case .outOfMemory: "there is no memory left to unpack a message"
        }
    }
}
