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
        fileprivate static let names = [
            "trace", "debug", "info", "notice", "warning", "error", "critical",
        ]

        /// The level with a name; `info` when there is none.
        public init(named name: String) {
            self = Self.names.firstIndex(of: name).flatMap(Level.init(rawValue:)) ?? .info
        }

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The least severe level that is written.
    public let threshold: Level
    /// What a line of each level begins with.
    private let beginnings: [String]

    /// Makes a log for a service.
    public init(service: String, threshold: Level) {
        self.threshold = threshold
        beginnings = Level.names.map { "level=\($0) service=\(service) event=" }
    }

    /// Writes one line immediately, in one system call.
    public func write(
        _ level: Level, _ event: StaticString, _ values: KeyValuePairs<LogKey, String> = [:]
    ) {
        guard level >= threshold else { return }
        var lines = ""
        append(level, event, values, to: &lines)
        Self.put(&lines)
    }

    /// The maximum number of bytes that a pipe writes without mixing lines of several threads
    /// (POSIX, PIPE_BUF).
    private static let wholeBytes = 4096

    /// Formats one line, with its line feed, at the end of others that are not written yet. Those
    /// are written first when all would not fit into one system call.
    func append(
        _ level: Level, _ event: StaticString, _ values: KeyValuePairs<LogKey, String>,
        to lines: inout String
    ) {
        let count = lines.utf8.count
        // Appended piece by piece: interpolation would make a text of each.
        lines += beginnings[level.rawValue]
        lines += event.description
        for (key, value) in values {
            lines += " "
            lines += key.rawValue
            lines += "="
            lines += Self.quoted(value)
        }
        lines += "\n"
        guard count > 0, lines.utf8.count > Self.wholeBytes else { return }
        let end = lines.utf8.index(lines.startIndex, offsetBy: count)
        var earlier = String(lines[..<end])
        lines.removeSubrange(..<end)
        Self.put(&earlier)
    }

    /// Writes lines in one system call.
    static func put(_ lines: inout String) {
        guard !lines.isEmpty else { return }
        lines.withUTF8 { _ = Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        lines = ""
    }

    /// The maximum length of a value in bytes.
    static let longestValue = 2000

    /// A value in logfmt: quoted when it contains a space, a quote or an equals sign. Characters
    /// that could control a terminal or reverse text are written as their code points.
    static func quoted(_ value: String) -> String {
        var value = value.prefix(bytes: longestValue)
        let isPlain = value.withUTF8 { bytes in
            bytes.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 < 0x7F }
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
