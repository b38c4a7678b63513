import WebClient

/// What to send to a server by HTTP.
package struct HTTPRequest: Hashable, Sendable {
    /// Where to: an `http` or `https` URL.
    package let url: String
    /// The header fields besides those that every request has.
    package let headers: [String]
    /// The body.
    package let body: [UInt8]

    /// Makes a request.
    package init(url: String, headers: [String], body: [UInt8]) {
        (self.url, self.headers, self.body) = (url, headers, body)
    }
}

/// Sends a request to a server by HTTP POST, and waits for the outcome.
///
/// Redirections are not followed, and proxies that the environment names are not used. Of the
/// answer only the status and the header Retry-After matter; reading stops after 64 KiB.
package struct HTTPTransfer: Sendable {
    /// How long a server may take.
    package struct Limits: Hashable, Sendable {
        /// Until the connection is open.
        package var connect: Duration = .seconds(10)
        /// For the whole transfer.
        package var whole: Duration = .seconds(20)

        /// Makes limits that suffice for any honest server.
        package init() {}
    }

    /// The addresses that a request may reach.
    package enum Reach: Hashable, Sendable {
        /// Those of the Internet, by TLS only.
        case outside
        /// These, and those of this machine and of private networks, which may be reached without
        /// TLS too.
        case everywhere
    }

    private static let mostOfAnswer = 64 << 10

    private let reach: Reach
    private let limits: Limits

    /// Makes a transfer.
    package init(_ reach: Reach, limits: Limits = Limits()) {
        (self.reach, self.limits) = (reach, limits)
    }

    /// Sends a request.
    package func send(_ request: HTTPRequest) -> DeliveryOutcome {
        var limits = WebExchange.Limits(bytes: Self.mostOfAnswer)
        limits.connect = self.limits.connect.milliseconds
        limits.whole = self.limits.whole.milliseconds
        var exchange = WebExchange(
            "POST", request.url, headers: request.headers + ["Content-Type: application/json"],
            limits: limits)
        exchange.body = request.body
        exchange.reach = reach(of: request)
        // Otherwise a server that has said yes and then hangs would get it again and again.
        exchange.wantsBody = false
        return switch exchange.perform() {
        case .outOfReach: .delayed(refusal(request), after: 0)
        case .failure(let reason, _): .delayed(reason, after: 0)
        case .answer(let answer): outcome(answer)
        }
    }

    private func reach(of request: HTTPRequest) -> WebExchange.Reach {
        let outside: WebExchange.Reach = request.url.hasPrefix("https:") ? .outside : []
        return reach == .everywhere ? outside.union(.inside) : outside
    }

    private func refusal(_ request: HTTPRequest) -> String {
        request.url.hasPrefix("https:")
            ? "its address is a private one, which the operator has not allowed"
            : "its address is a public one; use https"
    }

    private func outcome(_ answer: WebExchange.Answer) -> DeliveryOutcome {
        let words = "the server answers with status \(answer.code)"
        switch answer.code {
        case 200..<300: return .accepted
        // Malformed, too large, or of a kind that the server doesn't accept: it never will.
        case 400, 413, 415, 422: return .refused(words)
        default: return .delayed(words, after: answer.retryAfter ?? 0)
        }
    }
}
