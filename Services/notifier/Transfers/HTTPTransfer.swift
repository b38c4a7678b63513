import CCurl
import Foundation

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

/// Sends a request to a server by HTTP, POST, and waits for the outcome.
///
/// Redirections are not followed, and proxies that the environment names are not used. Of the
/// answer only the status is read; one with more than 64 KiB is given up.
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
        /// These, and those of this machine and of private networks, these without TLS too.
        case everywhere
    }

    private static let mostOfAnswer = 64 << 10

    private let reach: Reach
    private let limits: Limits

    /// Makes a transfer.
    package init(_ reach: Reach, limits: Limits = Limits()) {
        (self.reach, self.limits) = (reach, limits)
    }

    private final class Answer {
        var bytes = 0
    }

    /// Sends a request.
    package func send(_ request: HTTPRequest) -> DeliveryOutcome {
        guard Curl.isReady, let handle = curl_easy_init() else {
            return .delayed("there is no memory to send it", after: 0)
        }
        defer { curl_easy_cleanup(handle) }
        var headers: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(headers) }
        // Without the last, a large body would wait for a leave to go on.
        for header in request.headers + ["Content-Type: application/json", "Expect:"] {
            headers = curl_slist_append(headers, header)
        }
        ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
        var limit = ccurl_reach(kinds: kinds(request), was_refused: 0)
        let answer = Answer()
        let code = withExtendedLifetime(answer) {
            withUnsafeMutablePointer(to: &limit) { limit in
                request.body.withUnsafeBytes { body in
                    ccurl_limit_reach(handle, limit)
                    let bytes = UnsafeMutableRawPointer(mutating: body.baseAddress)
                    ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, bytes)
                    configure(handle, request, answer)
                    return curl_easy_perform(handle)
                }
            }
        }
        if code == CURLE_COULDNT_CONNECT, limit.was_refused != 0 {
            return .delayed(refusal(request), after: 0)
        }
        return outcome(code, of: handle)
    }

    private func kinds(_ request: HTTPRequest) -> Int32 {
        let isEncrypted = request.url.hasPrefix("https:")
        let outside = isEncrypted ? CCURL_PUBLIC : 0
        return Int32(reach == .everywhere ? outside | CCURL_PRIVATE : outside)
    }

    private func refusal(_ request: HTTPRequest) -> String {
        request.url.hasPrefix("https:")
            ? "its address is a private one, which the operator has not allowed"
            : "its address is a public one; use https"
    }

    private func configure(
        _ handle: UnsafeMutableRawPointer, _ request: HTTPRequest, _ answer: Answer
    ) {
        ccurl_set_text(handle, CURLOPT_URL, request.url)
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_text(handle, CURLOPT_PROXY, "")
        ccurl_set_text(handle, CURLOPT_USERAGENT, "steward")
        // Signals belong to the whole process, and this is only one of its threads.
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
        ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, limits.connect.milliseconds)
        ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, limits.whole.milliseconds)
        ccurl_set_number(handle, CURLOPT_POST, 1)
        ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(answer).toOpaque())
        ccurl_set_callback(handle, CURLOPT_WRITEFUNCTION) { _, size, count, context in
            guard let context else { return 0 }
            let answer = Unmanaged<Answer>.fromOpaque(context).takeUnretainedValue()
            answer.bytes += size * count
            return answer.bytes > HTTPTransfer.mostOfAnswer ? 0 : size * count
        }
    }

    private func outcome(_ code: CURLcode, of handle: UnsafeMutableRawPointer) -> DeliveryOutcome {
        let status = ccurl_reply_code(handle)
        // An answer that is too long, or cut off, is an answer.
        let isAnswered =
            code == CURLE_OK || code == CURLE_WRITE_ERROR || code == CURLE_PARTIAL_FILE
        guard isAnswered, status > 0 else {
            return .delayed(String(cString: curl_easy_strerror(code)), after: 0)
        }
        let words = "the server answers with status \(status)"
        switch status {
        case 200..<300: return .accepted
        // Malformed, too large, or of a kind that it doesn't take: it will not be otherwise.
        case 400, 413, 415, 422: return .refused(words)
        default: return .delayed(words, after: ccurl_retry_after(handle))
        }
    }
}
