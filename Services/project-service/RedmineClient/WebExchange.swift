import CCurl
import Foundation

/// One question to a web server by HTTP, and its answer.
struct WebExchange {
    /// How long a server may take, and how much it may answer.
    struct Limits: Hashable, Sendable {
        /// Until the connection is open, milliseconds.
        var connect = 10_000
        /// For the whole exchange, milliseconds.
        var whole = 120_000
        /// How long an answer may come slower than ``slowest``, seconds.
        var patience = 30
        /// The slowest speed of an answer, bytes a second.
        var slowest = 50
        /// The maximum length of an answer in bytes.
        var bytes: Int

        init(bytes: Int) { self.bytes = bytes }
    }

    /// How it ended.
    enum Outcome {
        /// The server has answered with a code.
        case answer(code: Int, type: String, retryAfter: Int?, body: [UInt8])
        /// There is no answer. If it was not sent, the server has done nothing.
        case failure(String, mayBeDone: Bool)
    }

    /// `GET`, `POST`, `PUT` or `DELETE`.
    let method: String
    let address: String
    /// Whole lines, such as `Accept: application/json`.
    let headers: [String]
    /// The user and the password; nil for none.
    let user: (name: String, password: String)?
    /// What is sent; nil for nothing.
    let body: [UInt8]?
    let limits: Limits

    private static let isReady: Bool = ccurl_begin() == CURLE_OK

    /// What libcurl's callbacks share.
    private final class Reply {
        let most: Int
        var bytes: [UInt8] = []
        var isTooLong = false
        var type = ""
        var retryAfter: Int?

        init(most: Int) { self.most = most }
    }

    /// Asks, and waits for the end.
    func perform() -> Outcome {
        guard Self.isReady, let handle = curl_easy_init() else {
            return .failure("there is no memory to ask a server", mayBeDone: false)
        }
        defer { curl_easy_cleanup(handle) }
        var lines: UnsafeMutablePointer<curl_slist>?
        // Without this a server is asked first whether it wants the body.
        for line in headers + ["Expect:"] { lines = curl_slist_append(lines, line) }
        defer { curl_slist_free_all(lines) }
        let reply = Reply(most: limits.bytes)
        let code = withExtendedLifetime(reply) {
            configure(handle, lines)
            receive(handle, reply)
            guard let body else { return curl_easy_perform(handle) }
            // libcurl doesn't copy it.
            return body.withUnsafeBytes { bytes in
                ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, bytes.count)
                ccurl_set_pointer(
                    handle, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                )
                return curl_easy_perform(handle)
            }
        }
        guard code == CURLE_OK else {
            let reason =
                reply.isTooLong
                ? "it answered with more than \(limits.bytes >> 20) MiB"
                : String(cString: curl_easy_strerror(code))
            return .failure(reason, mayBeDone: !Self.isBeforeSending(code))
        }
        return .answer(
            code: ccurl_reply_code(handle), type: reply.type, retryAfter: reply.retryAfter,
            body: reply.bytes)
    }

    /// Whether nothing was sent yet when it failed.
    private static func isBeforeSending(_ code: CURLcode) -> Bool {
        [
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
            CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_URL_MALFORMAT,
            CURLE_UNSUPPORTED_PROTOCOL, CURLE_SSL_CACERT_BADFILE,
        ].contains(code)
    }

    private func configure(
        _ handle: UnsafeMutableRawPointer, _ lines: UnsafeMutablePointer<curl_slist>?
    ) {
        ccurl_set_text(handle, CURLOPT_URL, address)
        // Whatever an address says, no file is read and no other protocol spoken.
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        // No environment variable may redirect the key.
        ccurl_set_text(handle, CURLOPT_PROXY, "")
        ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
        // Signals belong to the whole process, and this is only one of its threads.
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, lines)
        ccurl_set_text(handle, CURLOPT_USERAGENT, "steward")
        if body != nil { ccurl_set_number(handle, CURLOPT_POST, 1) }
        ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, method)
        if let user {
            ccurl_set_text(handle, CURLOPT_USERNAME, user.name)
            ccurl_set_text(handle, CURLOPT_PASSWORD, user.password)
        }
        ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, limits.connect)
        ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, limits.whole)
        ccurl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, limits.slowest)
        ccurl_set_number(handle, CURLOPT_LOW_SPEED_TIME, limits.patience)
    }

    private func receive(_ handle: UnsafeMutableRawPointer, _ reply: Reply) {
        let context = Unmanaged.passUnretained(reply).toOpaque()
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        ccurl_set_callback(handle, CURLOPT_WRITEFUNCTION) { buffer, size, count, context in
            guard let buffer, let context else { return 0 }
            let reply = Unmanaged<Reply>.fromOpaque(context).takeUnretainedValue()
            guard size * count <= reply.most - reply.bytes.count else {
                reply.isTooLong = true
                return 0
            }
            reply.bytes += UnsafeRawBufferPointer(start: buffer, count: size * count)
            return size * count
        }
        ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        ccurl_set_callback(handle, CURLOPT_HEADERFUNCTION) { buffer, size, count, context in
            guard let buffer, let context else { return 0 }
            let reply = Unmanaged<Reply>.fromOpaque(context).takeUnretainedValue()
            let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count).prefix(1_000)
            let line = String(decoding: bytes, as: UTF8.self)
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return size * count }
            let value = parts[1].trimmingCharacters(in: .whitespacesAndNewlines)
            switch parts[0].lowercased() {
            case "content-type": reply.type = value.lowercased()
            case "retry-after": reply.retryAfter = Int(value)
            default: break
            }
            return size * count
        }
    }
}
