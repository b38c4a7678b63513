import BrowserSeal
import Checksum
import HTTPExchange
import Phrases

/// A request, with what a page needs to know about it.
struct Visit: Sendable {
    /// The request.
    let request: Request
    /// The files that pages refer to.
    let files: FileShelf
    /// Where the browser is, for counting failed log-ins.
    let source: String
    /// True if browsers connect with HTTPS.
    let isSecure: Bool
    /// The variable parts of the path.
    let values: [String: String]
    /// The request as it is counted and logged; nil if it is answered without the desk.
    let flight: Flight?
    /// Sends the response. Only the first counts.
    private(set) var send: @Sendable (Response) -> Void

    /// Makes a visit.
    init(
        _ request: Request, _ files: FileShelf, source: String = "", isSecure: Bool = false,
        values: [String: String] = [:], flight: Flight? = nil,
        send: @escaping @Sendable (Response) -> Void = { _ in }
    ) {
        (self.request, self.files) = (request, files)
        (self.source, self.isSecure) = (source, isSecure)
        (self.values, self.flight, self.send) = (values, flight, send)
    }

    /// The same request, whose response is also passed on.
    func answering(_ note: @escaping @Sendable (Response) -> Void) -> Visit {
        var visit = self
        visit.send = { [send] response in
            send(response)
            note(response)
        }
        return visit
    }

    /// The language of the browser.
    var language: Language {
        request.headers.languages.lazy.compactMap { Language($0) }.first ?? .english
    }

    /// How pages look: as the person has chosen on this device, or someone who wasn't logged in.
    var look: Look { look(in: Self.lookName()) ?? .system }

    /// The look in a cookie, without its owner.
    private func look(in cookie: String) -> Look? {
        request.headers.cookie(cookie)?.split(separator: ".").first
            .flatMap { Look(rawValue: String($0)) }
    }

    /// True if someone who was logged in has chosen the look, even if their log-in has ended since.
    private var hasOwnedLook: Bool {
        seal != nil || request.headers.cookie(Self.lookName())?.contains(".") == true
    }

    /// The seal of the browser's cookie; nil if it has none.
    var seal: BrowserSeal? {
        request.headers.cookie(Self.cookieName(isSecure: isSecure))
            .flatMap { BrowserSeal(text: $0) }
    }

    /// The address under which the browser found this server, such as
    /// `https://steward.example.org`. The gate admits only such hosts.
    var origin: String {
        (isSecure ? "https://" : "http://") + (request.headers["host"]?.lowercased() ?? "")
    }

    /// The path of the request.
    var path: String { Self.path(request.target.parts) }

    private static func path(_ parts: [String]) -> String {
        "/" + parts.map(Target.encoded).joined(separator: "/")
    }

    /// True for what an open page requests by itself, whether or not someone is there.
    var isAutomatic: Bool {
        !request.method.changes
            && (path.hasSuffix("/stream") || request.headers["steward-account"] != nil
                || request.target.query.names.contains(Self.again))
    }

    /// The most bytes of a query that becomes part of another address, where it is encoded once
    /// more.
    private static let longestQuery = 2000
    /// The field of an address at which a page loads itself again.
    private static let again = "again"

    /// The value of a header that makes a browser load the page again after some seconds. Its
    /// address says that nobody has asked for the page, so that an open page keeps nobody logged
    /// in.
    func refresh(after seconds: Int) -> String {
        guard request.target.query.encoded.utf8.count <= Self.longestQuery else {
            return "\(seconds)"
        }
        let address = address
        return "\(seconds); url=\(address)\(address.contains("?") ? "&" : "?")\(Self.again)=1"
    }

    /// The path of the request with its query, for coming back to it. Some paths only answer a
    /// form: for those it is the nearest page above.
    var address: String {
        var parts = request.target.parts
        if case .otherMethods = Place.routes.find(.get, parts) {
            repeat { parts.removeLast() } while Place.routes.find(.get, parts).place == nil
            return Self.path(parts)
        }
        let query = request.target.query.without(Self.again).encoded
        return query.isEmpty || query.utf8.count > Self.longestQuery ? path : path + "?" + query
    }

    /// The name of the session in lists: the browser and the system, without versions.
    var device: String {
        let agent = request.headers["user-agent"] ?? ""
        let browsers = [
            ("Edg", "Edge"), ("Firefox", "Firefox"), ("Chrom", "Chromium"),
            ("Safari", "Safari"),
        ]
        let systems = [
            ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"),
            ("Windows", "Windows"), ("Mac", "Mac"), ("Linux", "Linux"),
        ]
        let browser = browsers.first { agent.contains($0.0) }?.1 ?? "browser"
        return browser + (systems.first { agent.contains($0.0) }.map { ", " + $0.1 } ?? "")
    }

    // MARK: Cookies

    /// The name of the cookie. With HTTPS the browser itself ensures that only this server sets it.
    static func cookieName(isSecure: Bool) -> String { isSecure ? "__Host-steward" : "steward" }

    /// The header that gives the browser its cookie.
    func cookie(_ seal: BrowserSeal, stays: Bool) -> String {
        // Browsers keep a cookie for at most 400 days.
        header(seal.text) + (stays ? "; Max-Age=34560000" : "")
    }

    /// The response that also removes the log-in from the browser, and the look of the person.
    func loggedOut(_ response: Response) -> Response {
        let response = response.adding("Set-Cookie", header("") + "; Max-Age=0")
        return hasOwnedLook ? response.adding("Set-Cookie", noLook) : response
    }

    private func header(_ value: String) -> String {
        header(Self.cookieName(isSecure: isSecure), value)
    }

    private func header(_ name: String, _ value: String) -> String {
        "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }

    // MARK: Looks

    /// The name of the cookie with the look of pages, or with that of an account on this device.
    private static func lookName(of account: String? = nil) -> String {
        "look" + (account.map { "-" + digits(of: $0) } ?? "")
    }

    /// A few digits that stand for an account in cookies.
    private static func digits(of account: String) -> String {
        Checksum.digits(Array(Checksum.of(Array(account.utf8)).prefix(4)))
    }

    /// The response that also sets a look from now on.
    ///
    /// - Parameters:
    ///   - look: the look.
    ///   - account: the account that also gets it at the next log-in on this device; nil for none.
    ///   - response: the response.
    func choosing(_ look: Look, of account: String?, _ response: Response) -> Response {
        let owner = account.map { "." + Self.digits(of: $0) } ?? ""
        let now = header(Self.lookName(), look.rawValue + owner) + "; Max-Age=34560000"
        guard let account else { return response.adding("Set-Cookie", now) }
        let later = header(Self.lookName(of: account), look.rawValue) + "; Max-Age=34560000"
        return response.adding("Set-Cookie", now).adding("Set-Cookie", later)
    }

    /// The response to a log-in that also sets the look that the account has on this device.
    func restoringLook(of account: String, _ response: Response) -> Response {
        if let own = look(in: Self.lookName(of: account)) {
            return choosing(own, of: account, response)
        }
        // A look that someone else has chosen ends with their log-in.
        return hasOwnedLook ? response.adding("Set-Cookie", noLook) : response
    }

    private var noLook: String { header(Self.lookName(), "") + "; Max-Age=0" }
}

/// How pages look.
enum Look: String, CaseIterable, Sendable {
    case system, light, dark, contrast
}
