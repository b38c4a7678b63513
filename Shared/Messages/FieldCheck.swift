/// Whether the limits in the .proto files are kept while a message is unpacked, and what refuses a
/// field that is beyond its own. Everything is judged by length or number before a Swift value is
/// made of it, so that what is refused costs nothing.
struct FieldCheck {
    /// False for what a store of this program holds: it was within the limits of its time.
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

    /// Texts are compared by their bytes: to hash one, Swift would normalise it.
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

/// The longest run of combining marks that a text may have: Unicode's Stream-Safe Text Format
/// (UAX #15). Every language does with fewer, and to compare or hash a longer run takes time that
/// grows with its square.
let longestMarkRun = 30

extension String {
    /// True when a run of combining marks is longer than any language needs.
    var hasEndlessMarks: Bool {
        // No mark comes before U+0300, which begins with 0xCC.
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
