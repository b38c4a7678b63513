import Foundation

/// The keys of a log line. There are none for payloads, secrets and positions, so they can't be
/// logged.
public enum LogKey: String, Sendable {
    case service, message, id, correlation, producer, sequence, outcome, code, ms, error
    case version, bus, data, count, pid, job
}

/// Writes logfmt lines to standard error: `level=info event=accepted message=… ms=3`.
public struct Log: Sendable {
    /// The severity of a line, in ascending order.
    public enum Level: Int, Sendable, Comparable {
        case trace, debug, info, notice, warning, error, critical

        /// In the order of the cases. Interpolating a case would look up its name in the reflection
        /// data for each line.
        private static let names = [
            "trace", "debug", "info", "notice", "warning", "error", "critical",
        ]
        var name: String { Self.names[rawValue] }

        /// The level with a name; `info` when there is none.
        public init(named name: String) {
            self = Self.names.firstIndex(of: name).flatMap(Level.init(rawValue:)) ?? .info
        }

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The least severe level that is written.
    public let threshold: Level
    private let service: String

    /// Makes a log for a service.
    public init(service: String, threshold: Level) {
        self.service = service
        self.threshold = threshold
    }

    /// Writes one line at once, in one system call.
    public func write(
        _ level: Level, _ event: StaticString, _ values: KeyValuePairs<LogKey, String> = [:]
    ) {
        guard level >= threshold else { return }
        write([line(level, event, values)])
    }

    /// The maximum number of bytes that a pipe writes without mixing lines of several threads
    /// (POSIX, PIPE_BUF).
    private static let wholeBytes = 4096

    /// Writes lines in as few system calls as possible without splitting a line.
    func write(_ lines: [String]) {
        var text = ""
        for line in lines {
            if text.utf8.count + line.utf8.count > Self.wholeBytes { Self.put(&text) }
            text += line
        }
        Self.put(&text)
    }

    private static func put(_ text: inout String) {
        guard !text.isEmpty else { return }
        text.withUTF8 { _ = Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        text = ""
    }

    /// Formats one line, with its line feed.
    func line(
        _ level: Level, _ event: StaticString, _ values: KeyValuePairs<LogKey, String>
    ) -> String {
        // Appended piece by piece: interpolation would make a text of each.
        var line = "level="
        line.reserveCapacity(200)
        line += level.name
        line += " service="
        line += service
        line += " event="
        line += event.description
        for (key, value) in values {
            line += " "
            line += key.rawValue
            line += "="
            line += Self.quoted(value)
        }
        line += "\n"
        return line
    }

    /// The maximum length of a value in bytes.
    static let longestValue = 2000

    /// A value in logfmt: quoted when it contains a space, a quote or an equals sign. Characters
    /// that could control a terminal or reverse text are written as their code points.
    static func quoted(_ value: String) -> String {
        let value = value.prefix(bytes: longestValue)
        let isPlain = value.utf8.allSatisfy {
            $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 < 0x7F
        }
        if isPlain, !value.isEmpty { return value }
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\0"..<" ", "\u{7F}": text += " "
            case _ where steersText(scalar): text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// True for the controls of C1, for those that set the direction of text, and for line ends
    /// other than a line feed.
    private static func steersText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
