/// Decides whether a request comes from a page of this server, before its body is read.
public struct Gate: Sendable {
    /// Where browsers reach the server: a scheme, a host and a port, such as
    /// `https://steward.example.org`.
    public struct Origin: Sendable, Hashable {
        /// The origin as browsers write it.
        public let text: String
        /// The host, and the port unless it is that of the scheme.
        public let host: String
        /// True for HTTPS.
        public let isSecure: Bool

        /// Reads an origin; nil if it has a path, a name or a password, or isn't HTTP.
        public init?(_ text: String) {
            let text = text.lowercased()
            let scheme = ["https://", "http://"].first { text.hasPrefix($0) }
            guard let scheme else { return nil }
            var host = String(text.dropFirst(scheme.count))
            let isSecure = scheme == "https://"
            let usual = isSecure ? ":443" : ":80"
            if host.hasSuffix(usual) { host.removeLast(usual.count) }
            guard !host.isEmpty, host.utf8.allSatisfy(Self.isOfHost) else { return nil }
            (self.text, self.host, self.isSecure) = (scheme + host, host, isSecure)
        }

        private static func isOfHost(_ byte: UInt8) -> Bool {
            switch byte {
            case 48...58, 97...122, 45, 46, 91, 93: true
            default: false
            }
        }
    }

    /// The origins; those of this machine when none is set.
    public let origins: [Origin]

    /// Makes the gate of a server.
    ///
    /// - Parameters:
    ///   - origins: where browsers reach it; empty for this machine alone.
    ///   - port: the port on which it listens.
    public init(origins: [Origin], port: Int) {
        let local = ["localhost", "127.0.0.1", "[::1]"].compactMap {
            Origin("http://\($0):\(port)")
        }
        self.origins = origins.isEmpty ? local : origins
    }

    /// True when browsers reach the server by HTTPS alone.
    public var isSecure: Bool { origins.allSatisfy(\.isSecure) }

    /// The kind of program that sends requests to a place.
    public enum Sender: Sendable {
        /// A page, whose browser adds the cookie by itself.
        case page
        /// A program that isn't a browser, and sends a password of its own.
        case program
    }

    /// Why a request is not answered; nil when it is.
    public func refusal(
        _ method: Request.Method, _ headers: Headers, from sender: Sender = .page
    ) -> Status? {
        let hosts = headers.values("host")
        guard hosts.count == 1 else { return .badRequest }
        guard let origin = origin(host: hosts[0]) else { return .misdirected }
        guard method.changes else { return nil }
        let sites = headers.values("sec-fetch-site")
        guard sender == .page else {
            return sites.isEmpty && headers.values("origin").isEmpty ? nil : .forbidden
        }
        if !sites.isEmpty { return sites == ["same-origin"] ? nil : .forbidden }
        // Older browsers don't send `Sec-Fetch-Site`, and no browser sends it to an origin that
        // isn't trustworthy.
        return headers.values("origin") == [origin.text] ? nil : .forbidden
    }

    private func origin(host: String) -> Origin? {
        let host = host.lowercased()
        return origins.first {
            host == $0.host || host == $0.host + ($0.isSecure ? ":443" : ":80")
        }
    }
}
