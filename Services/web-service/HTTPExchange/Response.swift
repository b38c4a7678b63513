import Checksum

/// The code of a response (RFC 9110, 15).
public enum Status: Int, Sendable, Hashable, CaseIterable {
    case ok = 200
    case noContent = 204
    case seeOther = 303
    case notModified = 304
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case timedOut = 408
    case conflict = 409
    case tooLarge = 413
    case targetTooLong = 414
    case misdirected = 421
    case tooMany = 429
    case headersTooLarge = 431
    case failed = 500
    case unavailable = 503

    /// True if what was asked isn't done.
    public var isRefusal: Bool { rawValue >= 400 }

    /// The words that go with the code.
    public var words: String {
        switch self {
        case .ok: "OK"
        case .noContent: "No Content"
        case .seeOther: "See Other"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .timedOut: "Request Timeout"
        case .conflict: "Conflict"
        case .tooLarge: "Content Too Large"
        case .targetTooLong: "URI Too Long"
        case .misdirected: "Misdirected Request"
        case .tooMany: "Too Many Requests"
        case .headersTooLarge: "Request Header Fields Too Large"
        case .failed: "Internal Server Error"
        case .unavailable: "Service Unavailable"
        }
    }
}

/// An answer of the server.
public struct Response: Sendable {
    /// The code.
    public var status: Status
    /// The headers besides those of every response.
    public var headers: [(name: String, value: String)] = []
    /// The body.
    public var body: [UInt8] = []

    /// Makes a response.
    public init(
        _ status: Status, _ headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// A page, which no one keeps a copy of.
    public static func page(_ html: String, status: Status = .ok) -> Response {
        Response(
            status,
            [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")],
            body: Array(html.utf8))
    }

    /// The response with a tag: the browser keeps it, asks each time whether it has changed, and is
    /// told only that it hasn't (RFC 9110, 13.1.2).
    public func kept(by headers: Headers) -> Response {
        let tag = "\"\(Checksum.digits(Array(Checksum.of(body).prefix(16))))\""
        let own = [(name: "Cache-Control", value: "private, no-cache"), ("ETag", tag)]
        guard !headers.has(tag: tag) else { return Response(.notModified, own) }
        let others = self.headers.filter { $0.name != "Cache-Control" }
        return Response(status, own + others, body: body)
    }

    /// Data for a script of a page.
    public static func json(_ text: String, status: Status = .ok) -> Response {
        Response(
            status,
            [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: Array(text.utf8))
    }

    /// A stream that ends with these events.
    public static func events(_ bytes: [UInt8]) -> Response {
        Response(
            .ok, [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
            body: bytes)
    }

    /// A sentence without a page.
    public static func plain(_ status: Status, _ text: String? = nil) -> Response {
        Response(
            status,
            [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")],
            body: Array(((text ?? status.words) + "\n").utf8))
    }

    /// Leads the browser to another page of this server.
    public static func lead(to path: String) -> Response {
        Response(.seeOther, [("Location", path), ("Cache-Control", "no-store")])
    }

    /// The response with one more header.
    public func adding(_ name: String, _ value: String) -> Response {
        var response = self
        response.headers.append((name, value))
        return response
    }

    /// The headers of every response. Nothing is loaded from another server, no script or style is
    /// part of a page, and no other page may show this one.
    public static func safety(isSecure: Bool) -> [(name: String, value: String)] {
        let policy = """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
            connect-src 'self'; media-src 'self'; manifest-src 'self'; worker-src 'self'; \
            form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
            require-trusted-types-for 'script'; trusted-types worker
            """
        let features = """
            geolocation=(self), screen-wake-lock=(self), accelerometer=(), camera=(), \
            display-capture=(), encrypted-media=(), gyroscope=(), magnetometer=(), \
            microphone=(), midi=(), payment=(), usb=()
            """
        let strict = [(name: "Strict-Transport-Security", value: "max-age=31536000")]
        return [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Permissions-Policy", features),
        ] + (isSecure ? strict : [])
    }
}
