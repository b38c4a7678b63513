/// One line of a service's log, as far as it can be parsed: `key=value key="two words"`.
struct LogLine: Hashable {
    /// The values by their keys.
    let values: [String: String]

    /// Parses a line, ignoring anything that isn't a pair.
    init(_ line: some StringProtocol) {
        var values: [String: String] = [:]
        var rest = Substring(line)
        while let equals = rest.firstIndex(of: "=") {
            let key = rest[..<equals].split(separator: " ").last.map(String.init) ?? ""
            rest = rest[rest.index(after: equals)...]
            values[key] = rest.first == "\"" ? Self.quoted(&rest) : Self.plain(&rest)
        }
        self.values = values
    }

    /// The event, e.g. `ready`.
    var event: String { values["event"] ?? "" }

    /// How severe it is, from 0 for `trace`; a line without a level is never hidden.
    var severity: Int { values["level"].flatMap(Self.severity(of:)) ?? .max }

    /// The rank of a level's name; nil if it is unknown.
    static func severity(of level: String) -> Int? {
        ["trace", "debug", "info", "notice", "warning", "error", "critical"].firstIndex(of: level)
    }

    private static func plain(_ rest: inout Substring) -> String {
        let value = rest.prefix { $0 != " " }
        rest = rest.dropFirst(value.count)
        return String(value)
    }

    private static func quoted(_ rest: inout Substring) -> String {
        var value = ""
        rest = rest.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\", let escaped = rest.popFirst() else {
                value.append(character)
                continue
            }
            value.append(escaped == "n" ? "\n" : escaped)
        }
        return value
    }
}
