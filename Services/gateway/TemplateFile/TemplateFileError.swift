/// Why a template file can't be read: where, what is wrong, and how to fix it.
package struct TemplateFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the file, counted from 1; 0 for the whole file.
    package let line: Int
    /// The key in that line, e.g. `at`; nil if the error isn't about a key.
    package let key: String?
    package let reason: String
    /// The remedy.
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
