import Foundation

/// A request that a browser sent, as far as it has passed the server's bounds.
public struct Request: Sendable {
    /// What to do with the resource at the path.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"

        /// True for those that may change something.
        public var changes: Bool { self == .post }
    }

    /// The method.
    public let method: Method
    /// The path and what follows it.
    public let target: Target
    /// The headers.
    public let headers: Headers
    /// The body; empty for none.
    public var body: [UInt8] = []
    /// The address of the other end of the connection.
    public let address: String

    /// Makes a request.
    public init(
        method: Method, target: Target, headers: Headers = Headers([]), body: [UInt8] = [],
        address: String = ""
    ) {
        (self.method, self.target, self.headers) = (method, target, headers)
        (self.body, self.address) = (body, address)
    }

    /// The fields of a form in the body (`application/x-www-form-urlencoded`); nil when it is
    /// something else, or can't be read.
    public var form: Fields? {
        let type = headers["content-type"]?.prefix { $0 != ";" } ?? ""
        guard type.lowercased() == "application/x-www-form-urlencoded" else { return nil }
        return Fields(body)
    }
}

/// The headers of a request, in their order.
public struct Headers: Sendable {
    let all: [(name: String, value: String)]

    /// Makes headers of names, in any case, and values.
    public init(_ all: [(String, String)]) {
        self.all = all.map { ($0.0.lowercased(), $0.1) }
    }

    /// The value of the only header with a name in lower case; nil when there is none, or several.
    public subscript(_ name: String) -> String? {
        let found = values(name)
        return found.count == 1 ? found[0] : nil
    }

    /// All values of a header with a name in lower case.
    public func values(_ name: String) -> [String] {
        all.lazy.filter { $0.name == name }.map(\.value)
    }

    /// The value of a cookie; nil when there is none. The first counts, as browsers send the most
    /// specific one first.
    public func cookie(_ name: String) -> String? {
        for pair in values("cookie").flatMap({ $0.split(separator: ";") }) {
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix(name + "=") else { continue }
            return String(pair.dropFirst(name.count + 1))
        }
        return nil
    }

    /// The password that a program sends (RFC 7617, the scheme Basic); nil when there is none.
    public var password: String? {
        guard let value = self["authorization"], value.utf8.count <= 1_000 else { return nil }
        let words = value.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "basic",
            let bytes = Data(base64Encoded: String(words[1])),
            let text = String(bytes: bytes, encoding: .utf8),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        return String(text[text.index(after: colon)...])
    }

    /// True when the browser unpacks gzip.
    public var acceptsGzip: Bool {
        values("accept-encoding").flatMap { $0.split(separator: ",") }.contains { item in
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            return parts.first == "gzip"
                && !parts.dropFirst().contains {
                    ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0)
                }
        }
    }

    /// The languages that the person wants, the most wanted first (RFC 9110, 12.5.4). At most 20
    /// are read.
    public var languages: [String] {
        var wishes: [(code: String, weight: Double, order: Int)] = []
        for item in values("accept-language").flatMap({ $0.split(separator: ",") }).prefix(20) {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let code = parts.first, !code.isEmpty else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
            let weight = quality.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            guard weight > 0 else { continue }
            wishes.append((code, weight, wishes.count))
        }
        return wishes.sorted { ($1.weight, $0.order) < ($0.weight, $1.order) }.map(\.code)
    }

    /// True when the browser already has the version with this tag (RFC 9110, 13.1.2).
    public func has(tag: String) -> Bool {
        values("if-none-match").flatMap { $0.split(separator: ",") }.contains { item in
            var item = item.drop { $0 == " " }
            while item.last == " " { item.removeLast() }
            return item == tag || item == "W/" + tag
        }
    }
}
