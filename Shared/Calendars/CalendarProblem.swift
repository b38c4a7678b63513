/// Why a calendar, or a part of it, can't be read or written: where, what is wrong, and how to fix
/// it.
package struct CalendarProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the file, counted from 1; 0 when the problem is not in one line.
    package let line: Int
    /// The component, e.g. `VEVENT 42@example.org`; nil when it is the whole file.
    package let component: String?
    /// What is wrong.
    package let reason: String
    /// What a person can do about it.
    package let cure: String

    package init(line: Int = 0, component: String? = nil, reason: String, cure: String) {
        self.line = line
        self.component = component
        self.reason = reason
        self.cure = cure
    }

    package var description: String {
        var place = line > 0 ? "line \(line)" : "calendar"
        if let component { place += ", \(component)" }
        return "\(place): \(reason); \(cure)"
    }
}

/// Quotes text from outside for a problem: shortened, and without control characters.
func shown(_ text: some StringProtocol) -> String {
    let plain = text.unicodeScalars.prefix(60).map { isControl($0) ? " " : String($0) }
    return "“\(plain.joined())”"
}

/// Whether a character is a C0 or C1 control or a line separator.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || scalar.value == 0x2028
        || scalar.value == 0x2029
}
