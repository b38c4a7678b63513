import Bus
import HTTPExchange

/// Where the service listens, and where browsers reach it.
///
/// | variable | meaning | default |
/// |---|---|---|
/// | `STEWARD_WEB_LISTEN` | address and port, e.g. `0.0.0.0:8093` | `127.0.0.1:8093` |
/// | `STEWARD_WEB_ORIGIN` | where browsers reach it, e.g. `https://steward.example.org`; several with spaces between | this machine: needed with any other address |
/// | `STEWARD_WEB_PORT` | the port at which browsers of this machine reach it, where a container engine passes it on; with it, any address may be listened on without an origin | that of `STEWARD_WEB_LISTEN` |
/// | `STEWARD_WEB_PROXY` | the addresses of proxies before it, with spaces between: their `X-Forwarded-For` says where a browser is | none |
/// | `STEWARD_WEB_FILES` | the folder of the pages' files | beside the program |
struct WebAddress: Sendable {
    /// The address to listen on.
    let host: String
    /// The port.
    let port: Int
    /// Where browsers reach it; empty for this machine alone.
    let origins: [Gate.Origin]
    /// The addresses of proxies that are trusted to say where browsers are.
    let proxies: Set<String>

    /// True when browsers reach it by HTTPS.
    var isSecure: Bool { !origins.isEmpty && origins.allSatisfy(\.isSecure) }

    /// The usual port: 8092 is the last that a usual TCP bus may use.
    static let usualPort = 8093

    /// Reads the settings.
    ///
    /// - Throws: `ConfigurationError` for a bad value, and for an address that others can reach
    ///   without an origin.
    init(_ settings: [String: String]) throws(ConfigurationError) {
        let text = settings["STEWARD_WEB_LISTEN"] ?? "127.0.0.1:\(Self.usualPort)"
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[colon...].dropFirst()),
            (0...65_535).contains(port), colon > text.startIndex
        else {
            throw ConfigurationError(
                "STEWARD_WEB_LISTEN is “\(text)”; write an address and a port, e.g. 127.0.0.1:8093")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        (self.host, self.port) = (host, port)
        proxies = Set(
            (settings["STEWARD_WEB_PROXY"] ?? "").split(separator: " ").map { String($0) })
        if let wrong = proxies.sorted().first(where: { !Source.isAddress($0) }) {
            throw ConfigurationError(
                "STEWARD_WEB_PROXY has “\(wrong)”, which is no address; write the addresses of "
                    + "your proxies, e.g. 127.0.0.1 ::1")
        }
        var origins: [Gate.Origin] = []
        for text in (settings["STEWARD_WEB_ORIGIN"] ?? "").split(separator: " ") {
            guard let origin = Gate.Origin(String(text)) else {
                throw ConfigurationError(
                    "STEWARD_WEB_ORIGIN has “\(text)”, which is not an origin; write only scheme, "
                        + "host and port, e.g. https://steward.example.org")
            }
            guard origin.isSecure || Self.isLocal(origin.host) else {
                throw ConfigurationError(
                    "STEWARD_WEB_ORIGIN has “\(text)”, where passwords would cross the network "
                        + "unencrypted; put a proxy with HTTPS before it and write https://…")
            }
            origins.append(origin)
        }
        guard Set(origins.map(\.isSecure)).count <= 1 else {
            throw ConfigurationError(
                "STEWARD_WEB_ORIGIN has origins with HTTPS and one without, for which browsers "
                    + "would send log-ins unencrypted; leave the one with http:// out")
        }
        if origins.isEmpty, let text = settings["STEWARD_WEB_PORT"], !text.isEmpty {
            guard let port = Int(text), (1...65_535).contains(port) else {
                throw ConfigurationError(
                    "STEWARD_WEB_PORT is “\(text)”; write the port at which browsers of this "
                        + "machine reach the pages, e.g. 8093")
            }
            origins = ["localhost", "127.0.0.1", "[::1]"].compactMap {
                Gate.Origin("http://\($0):\(port)")
            }
        }
        self.origins = origins
        guard !origins.isEmpty || Self.isLocal(host) else {
            throw ConfigurationError(
                "STEWARD_WEB_LISTEN is “\(text)”, which others can reach, and STEWARD_WEB_ORIGIN "
                    + "is not set; set it to where browsers reach it through a proxy with HTTPS, "
                    + "e.g. https://steward.example.org, or listen on 127.0.0.1")
        }
    }

    private static func isLocal(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : host
        let plain = name.hasPrefix("[") ? name : String(name.prefix { $0 != ":" })
        return ["127.0.0.1", "localhost", "[::1]"].contains(plain) || host == "::1"
    }
}
