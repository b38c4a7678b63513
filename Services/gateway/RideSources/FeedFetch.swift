import CCurl
import Foundation

/// Fetches a file by HTTP, or from this machine, again and again; what hasn't changed is not
/// fetched again (ETag, Last-Modified; of a file its time and size).
///
/// Up to five redirections are followed. Proxies that the environment names are not used.
struct FeedFetch {
    /// Why nothing was fetched: a clause for a person.
    struct Failure: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// How long a server may take for the connection and in all, in milliseconds.
    private static let connectTime = 5_000
    private static let wholeTime = 15_000

    private static let isReady = ccurl_begin() == CURLE_OK

    private let place: String
    private let isFile: Bool
    private let largest: Int
    private var tag = ""
    private var modified = ""

    /// - Parameters:
    ///   - place: a URL, or the path of a file.
    ///   - isFile: whether it is a path.
    ///   - largest: the most bytes that are taken.
    init(_ place: String, isFile: Bool, largest: Int) {
        (self.place, self.isFile, self.largest) = (place, isFile, largest)
    }

    /// The bytes; nil if they are the same as before.
    mutating func next() throws(Failure) -> [UInt8]? {
        try isFile ? read() : ask()
    }

    // MARK: Files

    private mutating func read() throws(Failure) -> [UInt8]? {
        // A pipe or a device would be read for ever.
        let file = open(place, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw Failure(description: String(cString: strerror(errno))) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw Failure(description: "this is no file")
        }
        let version = "\(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec) \(facts.st_size)"
        guard version != tag else { return nil }
        guard facts.st_size <= largest else { throw tooLarge }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        var count = 0
        while count < bytes.count {
            let part = bytes[count...].withUnsafeMutableBytes {
                Foundation.read(file, $0.baseAddress, $0.count)
            }
            guard part > 0 else { break }
            count += part
        }
        tag = version
        return Array(bytes.prefix(count))
    }

    private var tooLarge: Failure {
        Failure(description: "it has more than \(largest >> 20) MiB")
    }

    // MARK: HTTP

    private final class Answer {
        var bytes: [UInt8] = []
        var tag = ""
        var modified = ""
        let largest: Int
        var isTooLarge = false

        init(largest: Int) { self.largest = largest }

        static func of(_ pointer: UnsafeMutableRawPointer) -> Answer {
            Unmanaged<Answer>.fromOpaque(pointer).takeUnretainedValue()
        }

        func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
            isTooLarge = isTooLarge || self.bytes.count + bytes.count > largest
            if !isTooLarge { self.bytes += bytes }
            return !isTooLarge
        }

        func note(_ header: String) {
            guard let colon = header.firstIndex(of: ":"), header.utf8.count <= 1_000 else { return }
            let value = header[header.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            guard !value.contains(where: \.isNewline) else { return }
            switch header[..<colon].lowercased() {
            case "etag": tag = value
            case "last-modified": modified = value
            default: break
            }
        }
    }

    private mutating func ask() throws(Failure) -> [UInt8]? {
        guard Self.isReady, let handle = curl_easy_init() else {
            throw Failure(description: "there is no memory")
        }
        defer { curl_easy_cleanup(handle) }
        var headers: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(headers) }
        for (name, value) in [("If-None-Match", tag), ("If-Modified-Since", modified)]
        where !value.isEmpty {
            headers = curl_slist_append(headers, "\(name): \(value)")
        }
        ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
        let answer = Answer(largest: largest)
        configure(handle, answer)
        let code = withExtendedLifetime(answer) { curl_easy_perform(handle) }
        guard !answer.isTooLarge else { throw tooLarge }
        guard code == CURLE_OK else {
            throw Failure(description: String(cString: curl_easy_strerror(code)))
        }
        let status = ccurl_reply_code(handle)
        if status == 304 { return nil }
        guard status == 200 else {
            throw Failure(description: "the server answers with status \(status)")
        }
        (tag, modified) = (answer.tag, answer.modified)
        return answer.bytes
    }

    private func configure(_ handle: UnsafeMutableRawPointer, _ answer: Answer) {
        ccurl_set_text(handle, CURLOPT_URL, place)
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_text(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        ccurl_set_text(handle, CURLOPT_PROXY, "")
        ccurl_set_text(handle, CURLOPT_USERAGENT, "steward")
        // Every encoding that the library knows; what is unpacked counts for the limit.
        ccurl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "")
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 1)
        ccurl_set_number(handle, CURLOPT_MAXREDIRS, 5)
        ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.connectTime)
        ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Self.wholeTime)
        let pointer = Unmanaged.passUnretained(answer).toOpaque()
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, pointer)
        ccurl_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let context else { return 0 }
            let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return Answer.of(context).take(part) ? part.count : 0
        }
        ccurl_set_pointer(handle, CURLOPT_HEADERDATA, pointer)
        ccurl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let context else { return 0 }
            let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
            Answer.of(context).note(
                String(decoding: part, as: UTF8.self).trimmingCharacters(in: .newlines))
            return part.count
        }
    }
}
