import Foundation
import Speech

/// What is at the other end of an output: a person's terminal, or a file or program.
package struct Terminal: Sendable {
    /// The file descriptor.
    package let file: Int32
    /// True when a person looks at it.
    package let isTerminal: Bool
    /// True when colours may be used there.
    package let hasColours: Bool

    /// The standard output or the standard error.
    package init(file: Int32) {
        self.file = file
        isTerminal = isatty(file) == 1
        hasColours = isTerminal && !Self.isSet("NO_COLOR") && Self.value("TERM") != "dumb"
    }

    /// Columns of the window now, or what `COLUMNS` says; nil when it is no terminal.
    package var width: Int? {
        guard isTerminal else { return nil }
        if let width = Self.columns { return width }
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Rows of the window now; nil when it is no terminal.
    package var height: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
        return Int(size.ws_row)
    }

    /// True when the language settings say that the terminal shows all letters.
    package static var isUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(value).first { !$0.isEmpty }
        let plain = (locale ?? "").lowercased().replacing("-", with: "")
        return plain.contains("utf8")
    }

    /// What the variable `COLUMNS` says, as far as it is a width.
    package static var columns: Int? {
        value("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    // The conventions of terminals, not settings of Steward: those are in Configuration.
    private static func isSet(_ name: String) -> Bool { !(value(name) ?? "").isEmpty }

    private static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
