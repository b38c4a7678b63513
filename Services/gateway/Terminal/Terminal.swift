import Foundation
import Speech

/// The other end of an output: a person's terminal, or a file or program.
package struct Terminal: Sendable {
    /// The file descriptor.
    package let file: Int32
    /// True if it is a terminal.
    package let isTerminal: Bool
    /// True if colours may be used.
    package let hasColours: Bool

    /// The standard output or the standard error.
    package init(file: Int32) {
        self.file = file
        isTerminal = isatty(file) == 1
        hasColours = isTerminal && !Self.isSet("NO_COLOR") && Self.value("TERM") != "dumb"
    }

    /// Holds the numbers of those of the three standard files that the program was started without,
    /// so that no other file gets them and then what is printed. Reading and writing them fails.
    package static func holdStandardFiles() {
        for file in STDIN_FILENO...STDERR_FILENO where fcntl(file, F_GETFD) < 0 {
            // The new file gets the lowest free number.
            _ = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// True when the terminal says that it shows all colours, not only 256.
    package static var hasAllColours: Bool {
        ["truecolor", "24bit"].contains(value("COLORTERM") ?? "")
    }

    /// The present width of the window in columns, or the value of `COLUMNS`; nil if it isn't a
    /// terminal.
    package var width: Int? {
        guard isTerminal else { return nil }
        if let width = Self.columns { return width }
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The present height of the window in rows; nil if it isn't a terminal.
    package var height: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
        return Int(size.ws_row)
    }

    /// True if the locale says that the terminal uses UTF-8.
    package static var isUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(value).first { !$0.isEmpty }
        let plain = (locale ?? "").lowercased().replacing("-", with: "")
        return plain.contains("utf8")
    }

    /// The value of `COLUMNS` if it is a valid width.
    package static var columns: Int? {
        value("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    // These variables are conventions of terminals; the settings of Steward are in Configuration.
    private static func isSet(_ name: String) -> Bool { !(value(name) ?? "").isEmpty }

    private static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
