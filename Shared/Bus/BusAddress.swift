import Foundation

/// Where this installation's endpoints are: Unix sockets in one directory, or consecutive TCP
/// ports.
public enum BusAddress: Sendable, Hashable, CustomStringConvertible {
    /// `ipc://` sockets in a directory that only its owner may enter.
    case directory(String)
    /// `tcp://` ports, starting at `port`. With the host `*`, each service is on a host of its own
    /// name, as in a container network.
    case tcp(host: String, port: Int)
    /// The same without keys: anyone who can reach the ports is let in, and anyone who can see the
    /// traffic can read it. It must be requested by name.
    case unencrypted(host: String, port: Int)

    /// The maximum length of a Unix socket's path on Linux: `sun_path` has 108 bytes, the last of
    /// them NUL.
    static let maximumPath = 107

    /// Reads `ipc:///path`, `tcp://host:port` or `tcp-unencrypted://host:port`.
    ///
    /// - Throws: ``ConfigurationError`` that says what is wrong with the text.
    public init(_ text: String) throws(ConfigurationError) {
        if text.hasPrefix("ipc://"), text.dropFirst(6).hasPrefix("/") {
            let path = String(text.dropFirst(6))
            let longest = path + "/transit-alert-service.commands"
            guard longest.utf8.count <= Self.maximumPath else {
                throw ConfigurationError(
                    "the path \(path) is too long for a Unix socket; choose a directory of at most "
                        + "\(Self.maximumPath - longest.utf8.count + path.utf8.count) bytes")
            }
            self = .directory(path)
            return
        }
        for (scheme, isEncrypted) in [("tcp://", true), ("tcp-unencrypted://", false)]
        where text.hasPrefix(scheme) {
            let parts = text.dropFirst(scheme.count)
                .split(separator: ":", omittingEmptySubsequences: false)
            if parts.count == 2, !parts[0].isEmpty, let port = Int(parts[1]),
                (1024...65_000).contains(port)
            {
                let host = String(parts[0])
                self =
                    isEncrypted
                    ? .tcp(host: host, port: port) : .unencrypted(host: host, port: port)
                return
            }
        }
        throw ConfigurationError(
            "“\(text)” is not a bus address; write ipc:///directory or tcp://host:port "
                + "with a port from 1024 to 65000")
    }

    /// The address in the form that `init` reads.
    public var description: String {
        switch self {
        case .directory(let path): "ipc://\(path)"
        case .tcp(let host, let port): "tcp://\(host):\(port)"
        case .unencrypted(let host, let port): "tcp-unencrypted://\(host):\(port)"
        }
    }

    /// True when nothing sent over this address leaves the machine.
    public var isLocal: Bool {
        switch self {
        case .directory: true
        case .tcp(let host, _), .unencrypted(let host, _):
            Self.isLoopback(host)
        }
    }

    /// True when what is sent to `host` stays on this machine.
    public static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1"
            || host.wholeMatch(of: /127(\.[0-9]{1,3}){3}/) != nil
    }

    /// True when only the owner of the machine account can reach the endpoints.
    public var isPrivate: Bool {
        if case .directory = self { true } else { false }
    }

    /// The ports that a service binds; nil for a directory of Unix sockets.
    func ports(of service: ServiceName) -> ClosedRange<Int>? {
        switch self {
        case .directory: return nil
        case .tcp(_, let port), .unencrypted(_, let port):
            let kinds = EndpointKind.allCases.count
            let first = port + (ServiceName.allCases.firstIndex(of: service) ?? 0) * kinds
            return first...first + kinds - 1
        }
    }

    /// The endpoint that a client connects to.
    public func connecting(_ service: ServiceName, _ kind: EndpointKind) -> String {
        endpoint(service, kind, everyHost: service.rawValue)
    }

    /// The endpoint that the service itself binds.
    public func binding(_ service: ServiceName, _ kind: EndpointKind) -> String {
        endpoint(service, kind, everyHost: "*")
    }

    private func endpoint(
        _ service: ServiceName, _ kind: EndpointKind, everyHost: String
    ) -> String {
        switch self {
        case .directory(let path):
            return "ipc://\(path)/\(service.rawValue).\(kind.rawValue)"
        case .tcp(let host, _), .unencrypted(let host, _):
            let first = ports(of: service)?.lowerBound ?? 0
            let column = EndpointKind.allCases.firstIndex(of: kind) ?? 0
            return "tcp://\(host == "*" ? everyHost : host):\(first + column)"
        }
    }
}
