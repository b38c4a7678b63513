import CCurl
import Foundation
import Texts

/// One request to a web server by HTTP, and its answer. Redirections are not followed, and proxies
/// that the environment names are not used.
package struct WebExchange {
    /// How long a server may take, and how much it may answer.
    package struct Limits: Hashable, Sendable {
        /// Until the connection is open, milliseconds.
        package var connect = 10_000
        /// For the whole exchange, milliseconds.
        package var whole = 120_000
        /// How long an answer may come slower than ``slowest``, seconds.
        package var patience = 30
        /// The slowest speed of an answer, bytes a second.
        package var slowest = 50
        /// The maximum length of an answer in bytes, even once it is unpacked.
        package var bytes: Int

        package init(bytes: Int) { self.bytes = bytes }
    }

    /// Which addresses may be reached. The address of a name is checked when the connection is
    /// opened.
    package struct Reach: OptionSet, Hashable, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// Those of the Internet.
        package static let outside = Reach(rawValue: Int32(CCURL_PUBLIC))
        /// Those of this machine and of private networks.
        package static let inside = Reach(rawValue: Int32(CCURL_PRIVATE))
    }

    /// What identifies one version of a file to its server, so that the server need not send the
    /// same one again.
    ///
    /// Both are empty if the server answered within the second in which the file was changed.
    /// Another change in that second has the same time, and at many servers, which make tags of the
    /// time and the length, the same tag; it would never be fetched (RFC 9110, 8.8.1 and 8.8.2.2).
    package struct Version: Hashable, Sendable {
        /// Its ETag; empty when the server has sent none.
        package var tag: String
        /// When it was changed, as the server writes it; empty when the server has not said.
        package var modified: String

        package init(tag: String = "", modified: String = "") {
            (self.tag, self.modified) = (tag, modified)
        }

        /// The maximum length of either that is repeated to a server, in bytes.
        private static let longest = 500

        /// The header lines of a request for any other version.
        package var conditions: [String] {
            [("If-None-Match", tag), ("If-Modified-Since", modified)].filter { !$1.isEmpty }
                .map { "\($0): \($1)" }
        }

        /// The text if it can be repeated in a line of a request; else empty.
        fileprivate static func repeatable(_ text: String) -> String {
            text.utf8.count <= longest && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
                ? text : ""
        }
    }

    /// What a server has answered.
    package struct Answer: Hashable, Sendable {
        package var code = 0
        /// What the body is, in lower case; empty when the server doesn't say.
        package var type = ""
        /// How many seconds the server asks clients to wait, a day at most.
        package var retryAfter: Int?
        package var version = Version()
        /// Where it redirects to, a whole URL.
        package var redirect: String?
        package var body: [UInt8] = []

        /// Whether it says that what was asked for is elsewhere: at ``redirect``, if that is known.
        package var isRedirection: Bool { [301, 302, 303, 307, 308].contains(code) }
    }

    /// How it ended.
    package enum Outcome {
        case answer(Answer)
        /// There is no answer. If it was not sent, the server has done nothing.
        case failure(String, mayBeDone: Bool)
        /// The address is none of those that may be reached; nothing was sent.
        case outOfReach
    }

    /// `GET`, `POST`, `PUT` or `DELETE`.
    private let method: String
    private let address: String
    /// Whole lines, such as `Accept: application/json`.
    private let headers: [String]
    private let limits: Limits
    /// The user and the password; nil for none other than those in the address.
    package var user: (name: String, password: String)?
    /// What is sent; nil for nothing.
    package var body: [UInt8]?
    package var reach: Reach = [.outside, .inside]
    /// Whether the answer may be compressed on its way.
    package var mayBePacked = false
    /// Whether the body of the answer matters. If it doesn't, an answer counts once its status is
    /// there, even if its body is too long, is cut off, or never ends.
    package var wantsBody = true

    package init(_ method: String, _ address: String, headers: [String], limits: Limits) {
        (self.method, self.address, self.headers) = (method, address, headers)
        self.limits = limits
    }

    /// What libcurl's callbacks share.
    private final class Reply {
        let most: Int
        var answer = Answer()
        var isTooLong = false
        /// When the server answered, as it writes it.
        private var date = ""

        init(most: Int) { self.most = most }

        static func of(_ pointer: UnsafeMutableRawPointer) -> Reply {
            Unmanaged<Reply>.fromOpaque(pointer).takeUnretainedValue()
        }

        func note(_ line: String) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return }
            let value = parts[1].trimmingCharacters(in: .whitespacesAndNewlines)
            switch parts[0].lowercased() {
            case "content-type": answer.type = value.lowercased().withoutEndlessMarks
            case "etag": answer.version.tag = Version.repeatable(value)
            case "last-modified": answer.version.modified = Version.repeatable(value)
            case "date": date = Version.repeatable(value)
            default: break
            }
        }

        /// Forgets the version if another change within the same second could have the same one.
        func settleVersion() {
            let changed = ccurl_getdate(answer.version.modified)
            if changed < 0 {
                answer.version.modified = ""
            } else if ccurl_getdate(date) <= changed {
                answer.version = Version()
            }
        }
    }

    /// Sends the request, and waits for the outcome.
    ///
    /// - Parameter connections: where to find an open connection and leave it open; nil to open one
    ///   for this exchange alone. It is used for `GET` only: if the server closes a connection that
    ///   was open before, libcurl sends the request once more, and that must change nothing.
    package func perform(on connections: WebConnections? = nil) -> Outcome {
        let connections = method == "GET" ? connections : nil
        guard ccurl_begin() == CURLE_OK else {
            return .failure("libcurl, which sends requests, can't be loaded", mayBeDone: false)
        }
        guard let handle = connections?.take() ?? ccurl_easy_init() else {
            return .failure("there isn't enough memory to ask a server", mayBeDone: false)
        }
        defer { connections?.put(handle) ?? ccurl_easy_cleanup(handle) }
        var lines: UnsafeMutablePointer<curl_slist>?
        // Without this a server is asked first whether it wants the body.
        for line in headers + ["Expect:"] { lines = ccurl_slist_append(lines, line) }
        defer { ccurl_slist_free_all(lines) }
        let reply = Reply(most: limits.bytes)
        var limit = ccurl_reach(kinds: reach.rawValue, was_refused: 0)
        let code = withExtendedLifetime(reply) {
            withUnsafeMutablePointer(to: &limit) { limit in
                ccurl_limit_reach(handle, limit)
                configure(handle, lines)
                receive(handle, reply)
                guard let body else { return ccurl_easy_perform(handle) }
                // libcurl doesn't copy it.
                return body.withUnsafeBytes { bytes in
                    ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, bytes.count)
                    ccurl_set_pointer(
                        handle, CURLOPT_POSTFIELDS,
                        UnsafeMutableRawPointer(mutating: bytes.baseAddress))
                    return ccurl_easy_perform(handle)
                }
            }
        }
        if code == CURLE_COULDNT_CONNECT, limit.was_refused != 0 { return .outOfReach }
        reply.answer.code = ccurl_reply_code(handle)
        // A status of 1xx announces another one.
        let isEnough = !wantsBody && reply.answer.code >= 200
        guard code == CURLE_OK || isEnough else {
            let reason =
                reply.isTooLong
                ? "it answered with more than \(limits.bytes >> 20) MiB"
                : String(cString: ccurl_easy_strerror(code))
            return .failure(reason, mayBeDone: !Self.isBeforeSending(code))
        }
        reply.settleVersion()
        let pause = ccurl_retry_after(handle)
        reply.answer.retryAfter = pause > 0 ? pause : nil
        reply.answer.redirect = ccurl_redirect(handle).map { String(cString: $0) }
        return .answer(reply.answer)
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
        // Every encoding that the library knows.
        if mayBePacked { ccurl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "") }
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
            let reply = Reply.of(context)
            guard size * count <= reply.most - reply.answer.body.count else {
                reply.isTooLong = true
                return 0
            }
            reply.answer.body += UnsafeRawBufferPointer(start: buffer, count: size * count)
            return size * count
        }
        ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        ccurl_set_callback(handle, CURLOPT_HEADERFUNCTION) { buffer, size, count, context in
            guard let buffer, let context else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count).prefix(1_000)
            Reply.of(context).note(String(decoding: bytes, as: UTF8.self))
            return size * count
        }
    }
}
