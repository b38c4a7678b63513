import Bus

/// The hosts of private networks that the operator lets people have requests sent to, where others
/// use a service over TCP.
public struct AllowedHosts: Hashable, Sendable {
    private let names: Set<String>

    /// Reads a setting: names or addresses, separated by commas; none if it isn't set.
    ///
    /// - Parameters:
    ///   - settings: the settings of single services.
    ///   - variable: the variable that names the hosts.
    public init(_ settings: [String: String], _ variable: String) {
        names = Set(
            (settings[variable] ?? "").split(separator: ",").map {
                $0.filter { !$0.isWhitespace }.lowercased()
            })
    }

    /// Refuses a setting that names no host.
    ///
    /// - Throws: `ConfigurationError` that says what to write.
    public static func validate(
        _ settings: [String: String], _ variable: String
    ) throws(ConfigurationError) {
        guard let text = settings[variable] else { return }
        let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:_, ")
        guard !AllowedHosts(settings, variable).names.isEmpty, text.allSatisfy(letters.contains)
        else {
            throw ConfigurationError(
                "\(variable) is “\(text.prefix(100))”; write the hosts that may be reached, "
                    + "separated by commas, e.g. ntfy.lan,192.168.1.20")
        }
    }

    /// True when the operator has allowed a host, which is written in lower case.
    public func contains(_ host: String) -> Bool { names.contains(host) }
}
