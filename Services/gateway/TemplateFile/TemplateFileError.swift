/// Why a template file can't be read: where, what is wrong, and what to do about it.
package struct TemplateFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Line of the file, counted from 1; 0 when the whole file is meant.
    package let line: Int
    /// The key in that line, e.g. `at`; nil when it isn't about one.
    package let key: String?
    package let reason: String
    /// What the person can do.
    package let cure: String

    init(line: Int, key: String? = nil, _ reason: String, cure: String) {
        self.line = line
        self.key = key
        self.reason = reason
        self.cure = cure
    }

    package var description: String {
        let place = line > 0 ? "line \(line)" : "file"
        return "\(place): \(key.map { "\($0): " } ?? "")\(reason); \(cure)"
    }
}
