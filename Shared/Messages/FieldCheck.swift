/// Checks fields against the limits in the .proto files while a message is unpacked. It checks
/// lengths and numbers before a Swift value is made, so that refused fields cost nothing.
struct FieldCheck {
    /// False for messages from a store of this program: they were within the limits of their time.
    let isOn: Bool

    @inline(__always)
    func items(_ count: Int, _ field: StaticString, most: Int) throws(ProtobufError) {
        guard isOn, count > most else { return }
        throw .tooMany(field: field.description, count: count, limit: most)
    }

    @inline(__always)
    func bytes(_ count: Int, _ field: StaticString, most: Int) throws(ProtobufError) {
        guard isOn, count > most else { return }
        throw .tooLong(field: field.description, bytes: count, limit: most)
    }

    /// Texts are compared by their bytes: hashing them as strings would normalize them.
    func unique(_ values: [String], _ field: StaticString) throws(ProtobufError) {
        guard isOn, values.count > 1 else { return }
        try distinct(values.map { Array($0.utf8) }, field)
    }

    func unique(_ values: [some Hashable], _ field: StaticString) throws(ProtobufError) {
        guard isOn, values.count > 1 else { return }
        try distinct(values, field)
    }

    private func distinct(
        _ values: [some Hashable], _ field: StaticString
    ) throws(ProtobufError) {
        guard Set(values).count == values.count else {
            throw .repeated(field: field.description)
        }
    }
}

/// The maximum run of combining marks in a text: that of Unicode's Stream-Safe Text Format (UAX
/// #15). No language needs more, and comparing or hashing a run takes time quadratic in its length.
let longestMarkRun = 30

extension String {
    /// True when a run of combining marks is longer than any language needs.
    var hasEndlessMarks: Bool {
        // No mark precedes U+0300, which begins with 0xCC.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var run = 0
        for scalar in unicodeScalars {
            let isMark =
                scalar.value >= 0x300
                && scalar.properties.canonicalCombiningClass != .notReordered
            run = isMark ? run + 1 : 0
            if run > longestMarkRun { return true }
        }
        return false
    }
}
