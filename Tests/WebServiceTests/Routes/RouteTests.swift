import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

@testable import WebService

/// Every route of the server, from its own table, so that a new one is tried too.
@Suite(.waiting) struct RouteTests {
    /// What anyone may see.
    private static let open: Set = ["/login", "/sign-up", "/gallery", "/health", "/sw.js"]

    private let lobby: Lobby
    private let values: [String: String]

    init() throws {
        lobby = try Lobby(with: ["plan-service", "transit-alert-service"])
        try lobby.openShift()
        values = [
            "site": "Harbour", "plan": try lobby.drawBathroom("Seaview"),
            "shift": try lobby.shift(), "file": "plan.svg", "version": "0", "name": "x.js",
        ]
    }

    /// The paths of a method, with names of things that exist where there are some.
    private func paths(_ method: Request.Method) -> [String] {
        Place.routes.paths(method, with: values)
    }

    /// Checks what is true of every answer.
    private func check(_ answer: Lobby.Answer, _ path: String) {
        #expect(answer.status != 500, "\(path)")
        for (name, value) in Response.safety(isSecure: false) {
            let sent = answer.headers.filter { $0.name == name }.map(\.value)
            // What people made has a second policy.
            #expect(sent.contains(value), "\(path): \(name)")
        }
        #expect(answer.header("Cache-Control") != nil, "\(path)")
        #expect(answer.header("Access-Control-Allow-Origin") == nil, "\(path)")
    }

    @Test func `whoever isn't logged in is shown nothing and changes nothing`() throws {
        for path in paths(.get) {
            let answer = try lobby.ask("GET", path)
            check(answer, path)
            let isStream = path.hasSuffix("/stream")
            let wanted = Self.open.contains(path) || isStream ? [200] : [303, 401, 404]
            #expect(wanted.contains(answer.status), "\(path): \(answer.status)")
            if isStream { #expect(answer.body == "event: over\ndata: \n\n", "\(path)") }
            for text in ["Harbour", "Seaview"] where !path.contains(text) {
                #expect(!answer.body.contains(text), "\(path)")
            }
        }
        for path in paths(.post) {
            let answer = try lobby.ask("POST", path, form: "")
            check(answer, path)
            #expect([303, 400, 401, 403, 404].contains(answer.status), "\(path): \(answer.status)")
            #expect(answer.cookie?.hasSuffix("=") ?? true, "\(path)")
        }
    }

    @Test func `nothing is changed by a page of another site, or by a link`() throws {
        try lobby.add("kari", .administrator)
        let cookie = try lobby.logIn("kari")
        let gets = Set(paths(.get))
        for path in paths(.post) {
            for more in [["Sec-Fetch-Site: cross-site"], ["Origin: https://evil.example"]] {
                let headers = more + ["Cookie: \(cookie)", "Content-Length: 0"]
                let answer = try lobby.send("POST", path, headers, body: "")
                check(answer, path)
                #expect(answer.status == 403, "\(path): \(answer.status)")
            }
            guard !gets.contains(path) else { continue }
            let link = try lobby.ask("GET", path, cookie: cookie)
            #expect(link.status == 405, "\(path): \(link.status)")
        }
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 200)
    }

    @Test func `whoever changes the look of a page that answered a form is led to a page`() throws {
        let files = try WebFiles.shelf(["STEWARD_WEB_FILES": Lobby.files])
        for path in paths(.post) {
            let target = try #require(Target(path))
            let address = Visit(Request(method: .post, target: target), files).address
            let back = try #require(Target(address), "\(path): \(address)")
            #expect(Place.routes.find(.get, back.parts).place != nil, "\(path): \(address)")
        }
        try lobby.add("kari", .administrator)
        let cookie = try lobby.logIn("kari")
        for (path, page) in [("/log-ins/code", "/log-ins"), ("/people/invite", "/people")] {
            let answer = try lobby.ask("POST", path, cookie: cookie, form: "")
            let next = try #require(answer.body.firstMatch(of: /name="next" value="([^"]*)"/))
            let form = "look=dark&next=" + Target.encoded(String(next.1))
            let sent = try lobby.ask("POST", "/look", cookie: cookie, form: form)
            #expect(sent.status == 303 && sent.header("Location") == page)
            #expect(try lobby.ask("GET", page, cookie: cookie).status == 200)
        }
    }

    @Test func `a field that this version doesn't know is refused with its place, not dropped`()
        throws
    {
        let account = ["Steward-Account: \(try lobby.add("kari", .siteManager))"]
        let cookie = try lobby.logIn("kari")
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        for (path, text, place) in [
            ("/shift/Harbour/start", #"{"dayPart":1,"colour":2}"#, "/colour"),
            (
                "/operations", #"{"operations":[{"device":"x","taste":{"sweet":1}}]}"#,
                "/operations/0/taste"
            ),
            ("/operations", #"{"operations":[],"other":\#(deep)}"#, "/other"),
            ("/ride/x/finish", #"{"id":7}"#, "/id"),
            ("/ride/x/continue", #"{"id":"x","stopId":"","withoutAlerts":1}"#, "/withoutAlerts"),
        ] {
            let answer = try lobby.ask(
                "POST", path, cookie: cookie, form: text, kind: "application/json", account)
            #expect(answer.status == 400, "\(path)")
            #expect(answer.body.contains("at \(place)\""), "\(answer.body)")
        }
    }

    @Test func `no role makes a page fail, and nobody gets those of another organisation`() throws {
        let roles = [Role.display, .crew, .shiftManager, .siteManager, .administrator]
        for (number, role) in roles.enumerated() {
            try lobby.add("kari\(number)", role)
            let own = try lobby.logIn("kari\(number)")
            // A stream of someone who may see it doesn't end.
            for path in paths(.get) where !path.hasSuffix("/stream") {
                check(try lobby.ask("GET", path, cookie: own), "\(path) for \(role)")
            }
            #expect(try lobby.ask("GET", "/board/Harbour", cookie: own).status == 200, "\(role)")
            let audit = try lobby.ask("GET", "/people/audit", cookie: own).status
            if role == .administrator { #expect(audit == 200) }
            if role == .display || role == .crew { #expect(audit == 403, "\(role)") }
        }

        _ = try lobby.addElsewhere("ole", organisation: "Other")
        let other = try lobby.logIn("ole")
        for path in paths(.get) where !path.hasSuffix("/stream") {
            let foreign = try lobby.ask("GET", path, cookie: other)
            check(foreign, path)
            for (name, text) in [("site", "Harbour"), ("plan", values["plan"] ?? "")]
            where path.contains("/\(text)") {
                #expect([401, 404].contains(foreign.status), "\(name): \(path): \(foreign.status)")
            }
            for text in ["Harbour", "Seaview"] where !path.contains(text) {
                #expect(!foreign.body.contains(text), "\(path)")
            }
        }
    }
}
