/// An enumeration of the published language. It is open: a number that this build does not know is
/// kept as `unrecognized` and sent on unchanged.
///
/// Its text is the name of the case, `getReady`, or the number of an unrecognized one.
public protocol ProtobufEnum: RawRepresentable, Sendable, Hashable, CaseIterable, Codable,
    CustomStringConvertible
where RawValue == Int32, AllCases == [Self] {
    /// The case for a number; `unrecognized` when there is none.
    init(rawValue: Int32)
}

extension ProtobufEnum {
    /// The case with a name; nil when there is none.
    public init?(name: String) {
        guard let value = Self.allCases.first(where: { $0.description == name }) else { return nil }
        self = value
    }

    /// Reads a name, or the number of an unrecognized case.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int32.self) {
            self = Self(rawValue: number)
            return
        }
        let name = try container.decode(String.self)
        guard let value = Self(name: name) else {
            let names = Self.allCases.map(\.description).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(name) is none of \(names)")
        }
        self = value
    }

    /// Writes the name, or the number of an unrecognized case.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if Self.allCases.contains(self) {
            try container.encode(description)
        } else {
            try container.encode(rawValue)
        }
    }
}
