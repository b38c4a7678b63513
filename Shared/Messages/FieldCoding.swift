/// The value of a field and its text form (in JSON or a store's column).
protocol FieldValue {
    associatedtype Coding: Codable

    init(coding: Coding) throws
    var coding: Coding { get }
}

extension FieldValue where Coding == Self {
    init(coding: Self) { self = coding }
    var coding: Self { self }
}

extension String: FieldValue { typealias Coding = Self }
extension Bool: FieldValue { typealias Coding = Self }
extension Int32: FieldValue { typealias Coding = Self }
extension Int64: FieldValue { typealias Coding = Self }
extension UInt32: FieldValue { typealias Coding = Self }
extension UInt64: FieldValue { typealias Coding = Self }

extension Double: FieldValue {
    init(coding: FloatText<Double>) { self = coding.value }
    var coding: FloatText<Double> { FloatText(value: self) }
}

extension Float: FieldValue {
    init(coding: FloatText<Float>) { self = coding.value }
    var coding: FloatText<Float> { FloatText(value: self) }
}

extension [UInt8]: FieldValue {
    init(coding: HexText) { self = coding.bytes }
    var coding: HexText { HexText(bytes: self) }
}

/// Bytes as hexadecimal digits, so that an id can be read and searched for.
struct HexText: Codable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let digits = try container.decode(String.self).utf8.map { hexDigit($0) }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "bytes are written as pairs of hexadecimal digits")
        }
        let values = digits.compactMap(\.self)
        bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hexText(bytes))
    }
}

/// Bytes as hexadecimal digits, two for each.
public func hexText(_ bytes: some Collection<UInt8>) -> String {
    let digits: StaticString = "0123456789abcdef"
    return digits.withUTF8Buffer { digits in
        // Safe: writes two digits for each byte, which is the requested capacity.
        String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
            var end = 0
            for byte in bytes {
                buffer[end] = digits[Int(byte >> 4)]
                buffer[end + 1] = digits[Int(byte & 15)]
                end += 2
            }
            return end
        }
    }
}

func hexDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// A number; one that JSON can't express is written as `NaN`, `Infinity` or `-Infinity`.
struct FloatText<Value: BinaryFloatingPoint & LosslessStringConvertible & Codable>: Codable {
    let value: Value

    init(value: Value) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            guard let value = Value(text) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "\(text) is not a number")
            }
            self.value = value
        } else {
            value = try container.decode(Value.self)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if value.isFinite {
            try container.encode(value)
        } else {
            try container.encode(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
        }
    }
}

/// The name of a field as a coding key: one type for all messages.
struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Reads a message's fields. A missing or null field keeps its default.
struct FieldReader {
    private let container: KeyedDecodingContainer<FieldName>

    init(_ decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: FieldName.self)
    }

    func read<T: FieldValue>(_ name: String, _ value: inout T) throws {
        guard let coding = try coding(T.Coding.self, name) else { return }
        value = try T(coding: coding)
    }

    func read<T: FieldValue>(_ name: String, _ value: inout T?) throws {
        value = try coding(T.Coding.self, name).map { try T(coding: $0) }
    }

    /// Reads a time, which is a number or, in JSON for programs, a text.
    func read(_ name: String, time: inout Int64) throws {
        let key = FieldName(stringValue: name)
        do {
            time = try container.decodeIfPresent(Int64.self, forKey: key) ?? time
        } catch DecodingError.typeMismatch {
            time = try container.decode(Moment.self, forKey: key).milliseconds
        }
    }

    /// Reads a time that may be absent.
    func read(_ name: String, time: inout Int64?) throws {
        let key = FieldName(stringValue: name)
        time = nil
        guard container.contains(key), try !container.decodeNil(forKey: key) else { return }
        var known: Int64 = 0
        try read(name, time: &known)
        time = known
    }

    func read<T: FieldValue>(_ name: String, _ values: inout [T]) throws {
        values = try coding([T.Coding].self, name)?.map { try T(coding: $0) } ?? []
    }

    func read<Key: MapKey, T: FieldValue>(_ name: String, _ values: inout [Key: T]) throws {
        for (text, coding) in try coding([String: T.Coding].self, name) ?? [:] {
            guard let key = Key(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: FieldName(stringValue: name), in: container,
                    debugDescription: "\(text) is not a key of this map")
            }
            values[key] = try T(coding: coding)
        }
    }

    /// The name of the member of a oneof: the only key.
    func onlyName() throws -> String {
        guard let name = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: container.codingPath,
                    debugDescription: "expected an object with exactly one member"))
        }
        return name.stringValue
    }

    func required<T: FieldValue>(_ name: String) throws -> T {
        try T(coding: container.decode(T.Coding.self, forKey: FieldName(stringValue: name)))
    }

    func unknown(_ name: String) -> DecodingError {
        DecodingError.dataCorruptedError(
            forKey: FieldName(stringValue: name), in: container,
            debugDescription: "\(name) isn't a member of this choice")
    }

    private func coding<T: Decodable>(_: T.Type, _ name: String) throws -> T? {
        try container.decodeIfPresent(T.self, forKey: FieldName(stringValue: name))
    }
}

/// Writes a message's fields, except those that are absent.
struct FieldWriter {
    private var container: KeyedEncodingContainer<FieldName>
    private let hasTimesAsText: Bool

    init(_ encoder: any Encoder) {
        container = encoder.container(keyedBy: FieldName.self)
        hasTimesAsText = Moment.isText(to: encoder)
    }

    mutating func write<T: FieldValue>(_ name: String, _ value: T) throws {
        try container.encode(value.coding, forKey: FieldName(stringValue: name))
    }

    mutating func write<T: FieldValue>(_ name: String, _ value: T?) throws {
        try container.encodeIfPresent(value?.coding, forKey: FieldName(stringValue: name))
    }

    /// Writes a time, as a number or, for programs, a text. 0 means no time.
    mutating func write(_ name: String, time: Int64) throws {
        guard hasTimesAsText else { return try write(name, time) }
        let moment = time == 0 ? nil : Moment(milliseconds: time)
        try container.encode(moment?.description, forKey: FieldName(stringValue: name))
    }

    /// Writes a time that may be absent.
    mutating func write(_ name: String, time: Int64?) throws {
        guard hasTimesAsText else { return try write(name, time) }
        let moment = time.map { Moment(milliseconds: $0) }
        try container.encodeIfPresent(moment?.description, forKey: FieldName(stringValue: name))
    }

    mutating func write<T: FieldValue>(_ name: String, _ values: [T]) throws {
        try container.encode(values.map(\.coding), forKey: FieldName(stringValue: name))
    }

    mutating func write<Key: MapKey, T: FieldValue>(_ name: String, _ values: [Key: T]) throws {
        let pairs = values.map { (String($0.key), $0.value.coding) }
        // Each text belongs to one key, so no two keys collide.
        let object = [String: T.Coding](pairs) { first, _ in first }
        try container.encode(object, forKey: FieldName(stringValue: name))
    }
}
