import Foundation

/// What is at the other end of an output: a person's terminal, or a file or program.
struct Terminal: Sendable {
    /// The file descriptor.
    let file: Int32
    /// True when a person looks at it.
    let isTerminal: Bool
    /// True when colours may be used there.
    let hasColours: Bool

    /// The standard output or the standard error.
    init(file: Int32) {
        self.file = file
        isTerminal = isatty(file) == 1
        hasColours = isTerminal && !Self.isSet("NO_COLOR") && Self.value("TERM") != "dumb"
    }

    /// Columns of the window now; nil when it is no terminal.
    var width: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    // The two conventions of terminals, not settings of Steward: those are in Configuration.
    private static func isSet(_ name: String) -> Bool { !(value(name) ?? "").isEmpty }

    private static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

/// How a piece of text stands out on a terminal.
enum Style: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case magenta = "35"
    case cyan = "36"
    case alarm = "1;31"

    /// The text in this style, or as it is when colours are off.
    func callAsFunction(_ text: String, if isOn: Bool) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
