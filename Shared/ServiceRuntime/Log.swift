import Foundation

/// What a log line may tell. Payloads, secrets and positions have no key here, so they can't be
/// logged.
public enum LogKey: String, Sendable {
    case service, message, id, correlation, producer, sequence, outcome, code, ms, error
    case version, bus, data, count, pid, job
}

/// Writes logfmt lines to standard error: `level=info event=accepted message=… ms=3`.
public struct Log: Sendable {
    /// How severe a line is, in ascending order.
    public enum Level: Int, Sendable, Comparable {
        case trace, debug, info, notice, warning, error, critical

        /// The level of that name, `info` when there is none.
        public init(named name: String) {
            let levels: [String: Level] = [
                "trace": .trace, "debug": .debug, "info": .info, "notice": .notice,
                "warning": .warning, "error": .error, "critical": .critical,
            ]
            self = levels[name] ?? .info
        }

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// Lines below it are not written.
    public let threshold: Level
    private let service: String

    /// A log of a service.
    public init(service: String, threshold: Level) {
        self.service = service
        self.threshold = threshold
    }

    /// Writes one line, at once, in one system call.
    public func write(
        _ level: Level, _ event: StaticString, _ values: KeyValuePairs<LogKey, String> = [:]
    ) {
        guard level >= threshold else { return }
        var line = "level=\(level) service=\(service) event=\(event)"
        for (key, value) in values { line += " \(key.rawValue)=\(Self.quoted(value))" }
        line += "\n"
        var text = line
        text.withUTF8 { _ = Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// The value as logfmt wants it: quoted when it holds a blank, a quote or an equals sign.
    static func quoted(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 != 0x7F }
        if isPlain, !value.isEmpty { return value }
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\0"..<" ", "\u{7F}": text += " "
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
