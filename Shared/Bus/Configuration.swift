import Foundation

/// The settings that a process reads from its environment, once, when it starts.
///
/// | variable | meaning | default |
/// |---|---|---|
/// | `STEWARD_DATA` | directory of the stores | `$XDG_DATA_HOME/steward`, else `~/.local/share/steward` |
/// | `STEWARD_BUS` | `ipc:///directory`, `tcp://host:port`, or `tcp-unencrypted://host:port` | `ipc://` and `run` in the data directory |
/// | `STEWARD_KEYS` | directory of CURVE keys, see ``KeyRing`` | none: needed by `tcp` beyond loopback |
/// | `STEWARD_SMTP`, `STEWARD_SMTP_…` | the mail server of the notifier, see its page | none |
/// | `STEWARD_CHANNEL_HOSTS` | hosts of private networks that channels may reach, separated by commas | none |
/// | `STEWARD_CALENDAR_HOSTS` | hosts of private networks that calendars may be fetched from, likewise | none |
/// | `STEWARD_REDMINE_HOSTS` | hosts of private networks at which Redmine servers may be, likewise | none |
/// | `STEWARD_ALERT_DAYS` | how many days the notifier keeps alerts that are closed | 30 |
/// | `STEWARD_WEB_…` | where web-service listens, see its page | 127.0.0.1:8093 |
/// | `STEWARD_LANG` | the language of alerts, mails and screens: `en`, `nb` or `sv` | that of `LANG` |
/// | `STEWARD_LOG` | `trace`, `debug`, `info`, `notice`, `warning`, `error` | `info` |
public struct Configuration: Sendable {
    /// The directory of the stores.
    public let dataDirectory: String
    /// The directory for a person's own settings: `$XDG_CONFIG_HOME/steward`, else
    /// `~/.config/steward`; nil without either.
    public let personalDirectory: String?
    /// The directory for state that a person's programs continue from, such as changes made
    /// offline: `$XDG_STATE_HOME/steward`, else `~/.local/state/steward`; nil without either.
    public let stateDirectory: String?
    /// The address of the endpoints.
    public let bus: BusAddress
    /// The directory of the CURVE keys; nil when the bus is not encrypted.
    public let keysDirectory: String?
    /// The least severe level that is logged.
    public let logLevel: String

    /// The variables that only one service reads and documents on its page, and those of the
    /// language, `STEWARD_LANG` and `LANG`, as far as they are set.
    public let settings: [String: String]

    /// Every known variable.
    static let variables = shared.union(own)
    private static let shared: Set<String> = [
        "STEWARD_DATA", "STEWARD_BUS", "STEWARD_KEYS", "STEWARD_LANG", "STEWARD_LOG",
    ]
    /// The variables of single services. No process refuses them, because all may share one
    /// environment.
    private static let own: Set<String> = [
        "STEWARD_SMTP", "STEWARD_SMTP_FROM", "STEWARD_SMTP_PASSWORD_FILE",
        "STEWARD_ALERT_DAYS", "STEWARD_CALENDAR_HOSTS", "STEWARD_CHANNEL_HOSTS",
        "STEWARD_REDMINE_HOSTS", "STEWARD_WEB_FILES", "STEWARD_WEB_LISTEN", "STEWARD_WEB_ORIGIN",
        "STEWARD_WEB_PORT", "STEWARD_WEB_PROXY",
    ]
    private static let languages: Set<String> = ["STEWARD_LANG", "LANG"]
    static let logLevels = ["trace", "debug", "info", "notice", "warning", "error"]

    /// Reads and validates the variables.
    ///
    /// - Throws: ``ConfigurationError`` for a bad value, and for an unknown variable that begins
    ///   with `STEWARD_`, most likely a misspelling.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) {
        let unknown = environment.keys.filter {
            $0.hasPrefix("STEWARD_") && !Self.variables.contains($0)
        }
        if let name = unknown.min() {
            throw ConfigurationError(
                "unknown variable \(name); the known ones are "
                    + Self.variables.sorted().joined(separator: ", "))
        }
        dataDirectory = try Self.dataDirectory(environment)
        personalDirectory = Self.homeDirectory(environment, "XDG_CONFIG_HOME", ".config")
        stateDirectory = Self.homeDirectory(environment, "XDG_STATE_HOME", ".local/state")
        if let text = environment["STEWARD_BUS"] {
            bus = try BusAddress(text)
        } else {
            bus = try BusAddress("ipc://\(dataDirectory)/run")
        }
        keysDirectory = environment["STEWARD_KEYS"]
        try Self.validate(bus, keysDirectory)
        settings = environment.filter { Self.own.union(Self.languages).contains($0.key) }
        logLevel = environment["STEWARD_LOG"] ?? "info"
        guard Self.logLevels.contains(logLevel) else {
            throw ConfigurationError(
                "STEWARD_LOG is “\(logLevel)”; it must be one of "
                    + Self.logLevels.joined(separator: ", "))
        }
    }

    /// The environment's variables that choose a person's language.
    public static var languageSettings: [String: String] {
        ProcessInfo.processInfo.environment.filter { languages.contains($0.key) }
    }

    /// The directory of the keys, whether it exists or not: `STEWARD_KEYS`, else `keys` in the data
    /// directory. It ignores `STEWARD_BUS`, which can't be used before there are keys.
    public static func keysDirectory(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) -> String {
        if let directory = environment["STEWARD_KEYS"] {
            try validate(keys: directory)
            return directory
        }
        return try dataDirectory(environment) + "/keys"
    }

    /// Refuses a bus that others could read unless the setting says so explicitly.
    private static func validate(_ bus: BusAddress, _ keys: String?) throws(ConfigurationError) {
        if let keys { try validate(keys: keys) }
        if case .unencrypted(let host, let port) = bus, keys != nil {
            throw ConfigurationError(
                "STEWARD_BUS is \(bus), which uses no keys, and STEWARD_KEYS are set; write "
                    + "tcp://\(host):\(port), or unset STEWARD_KEYS")
        }
        if case .tcp(let host, let port) = bus, !bus.isLocal, keys == nil {
            throw ConfigurationError(
                "STEWARD_BUS is \(bus), which others can reach, and no STEWARD_KEYS are set; make "
                    + "keys with steward keys init, or use loopback, or write "
                    + "tcp-unencrypted://\(host):\(port) to let everyone on the network read "
                    + "everything, passwords included")
        }
    }

    private static func validate(keys directory: String) throws(ConfigurationError) {
        guard directory.hasPrefix("/") else {
            throw ConfigurationError(
                "STEWARD_KEYS is “\(directory)”; it must be an absolute path")
        }
    }

    private static func homeDirectory(
        _ environment: [String: String], _ variable: String, _ folder: String
    ) -> String? {
        let named = environment[variable] ?? ""
        if named.hasPrefix("/") { return named + "/steward" }
        let home = environment["HOME"] ?? ""
        return home.hasPrefix("/") ? "\(home)/\(folder)/steward" : nil
    }

    private static func dataDirectory(
        _ environment: [String: String]
    ) throws(ConfigurationError) -> String {
        if let directory = environment["STEWARD_DATA"] {
            guard directory.hasPrefix("/") else {
                throw ConfigurationError(
                    "STEWARD_DATA is “\(directory)”; it must be an absolute path")
            }
            return directory.count > 1 && directory.hasSuffix("/")
                ? String(directory.dropLast()) : directory
        }
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/steward" }
        if let home = environment["HOME"], home.hasPrefix("/") {
            return home + "/.local/share/steward"
        }
        throw ConfigurationError("neither STEWARD_DATA nor HOME is set; set STEWARD_DATA")
    }
}
