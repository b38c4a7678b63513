/// Why a calendar, or a part of it, cannot be read or written: where, what is wrong, and what to do
/// about it.
package struct CalendarProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Line of the file, counted from 1; 0 when no line is meant.
    package let line: Int
    /// The component, e.g. `VEVENT 42@example.org`; nil when the whole file is meant.
    package let component: String?
    /// What is wrong.
    package let reason: String
    /// What a person can do.
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

/// A piece of outside text as a problem shows it: short, and without control characters.
func shown(_ text: some StringProtocol) -> String {
    let plain = text.unicodeScalars.prefix(60).map { isControl($0) ? " " : String($0) }
    return "“\(plain.joined())”"
}

/// Whether a character is one of C0, C1 or a separator of lines.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || scalar.value == 0x2028
        || scalar.value == 0x2029
}
