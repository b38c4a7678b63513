/// An object whose encoding has additional members, or other values for some members.
package struct Extended<Object: Encodable>: Encodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let object: Object
    private let members: [String: any Encodable]

    /// An object, and the members to add or replace.
    package init(_ object: Object, _ members: [String: any Encodable]) {
        (self.object, self.members) = (object, members)
    }

    /// Writes the object, then the members.
    package func encode(to encoder: any Encoder) throws {
        try object.encode(to: encoder)
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members {
            try container.encode(value, forKey: Name(stringValue: name))
        }
    }
}
