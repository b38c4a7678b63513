import Bus
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

@testable import WebService

/// Hostile texts in all fields that the pages have and take. Pages and forms are found by the table
/// of routes and in the pages themselves, so that a new one is tried too.
@Suite(.waiting) struct HostileTextTests {
    /// What scripts send, not as a form, and the form for a channel, which nobody has.
    private static let noForms: Set = [
        "/shift/{site}/start", "/shift/{site}/end", "/ride", "/ride/{journey}/finish",
        "/alerts/channels/{channel}/{change}",
    ]

    private let lobby: Lobby
    private let kari: String

    init() throws {
        lobby = try Lobby(with: ["plan-service", "transit-alert-service"])
        kari = try lobby.add("kari", .administrator)
    }

    /// Asks the server, and waits while it says that there are too many requests.
    private func ask(
        _ method: Request.Method, _ path: String, cookie: String?, form: String? = nil
    ) throws -> Lobby.Answer {
        var answer: Lobby.Answer?
        try eventually("\(path) is answered") {
            answer = try lobby.ask(method.rawValue, path, cookie: cookie, form: form)
            return answer?.status != 429
        }
        return try #require(answer)
    }

    private func isPage(_ answer: Lobby.Answer) -> Bool {
        answer.header("Content-Type")?.hasPrefix("text/html") == true
    }

    /// Checks that a page has no elements but its own, and shows texts as they were typed.
    private func check(_ answer: Lobby.Answer, _ what: String) {
        #expect(answer.status != 500, "\(what)")
        guard isPage(answer) else { return }
        #expect(HostileText.faults(in: answer.body, of: lobby.address) == [], "\(what)")
    }

    /// The paths of all that can be loaded. A stream doesn't end.
    private func paths(_ values: [String: String]) -> [String] {
        Place.routes.paths(.get, with: values).filter { !$0.hasSuffix("/stream") }
    }

    /// Does something that the service may refuse.
    private func isTaken(_ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch ClientError.refused(_) {
            return false
        } catch is Complaint {
            return false
        }
    }

    /// Raises an alert as soon as the notifier knows someone to tell.
    private func raise(_ title: String) throws {
        try eventually("it is raised") { try isTaken { try lobby.raise(title) } }
    }

    // MARK: Forms

    /// The forms of all pages that a person sees, or someone who isn't logged in.
    private func forms(_ cookie: String, _ values: [String: String]) throws -> [PageForm] {
        var forms: [PageForm] = []
        for path in paths(values) {
            for cookie in [cookie, nil] {
                let page = try ask(.get, path, cookie: cookie)
                if isPage(page) { forms += PageForm.all(in: page.body) }
            }
        }
        return forms
    }

    @Test func `each field of each form takes hostile text for nothing but text`() throws {
        // The form for the first site is shown while there is none.
        var forms = try self.forms(try lobby.logIn("kari"), [:])
        try lobby.openShift()
        let plan = try lobby.drawBathroom("Seaview")
        try lobby.add("ole", .crew)
        try raise("Fire in the kitchen")
        let cookie = try lobby.logIn("kari")
        try eventually("there is an alert") {
            try ask(.get, "/alerts", cookie: cookie).body.contains("Fire in the kitchen")
        }
        forms += try self.forms(cookie, ["site": "Harbour", "plan": plan])

        var (tried, posted): (Set<String>, Set<String>) = ([], [])
        for form in forms {
            let pattern = try #require(
                Place.routes.pattern(form.method, form.action), "\(form.action)")
            if form.method == .post { posted.insert(pattern) }
            let last = form.action.split(separator: "/").last.map { String($0) } ?? ""
            let names = Set(form.fields.map(\.name)).sorted()
            // One's own account would be locked out.
            guard !form.action.contains(kari),
                tried.insert(([pattern, last] + names).joined(separator: " ")).inserted
            else { continue }
            for name in names {
                for text in HostileText.joined(upTo: 3000) {
                    let sent = form.sent(text, in: name)
                    let isPost = form.method == .post
                    let answer = try ask(
                        form.method, isPost ? form.action : form.action + "?" + sent,
                        cookie: cookie, form: isPost ? sent : nil)
                    check(answer, "\(pattern): \(name)")
                }
            }
        }
        let all = Place.routes.routes.filter { $0.method == .post && $0.bodyLimit == 4096 }
        #expect(Set(all.map(\.pattern)).subtracting(posted) == Self.noForms)
    }

    @Test func `what is typed into the log-in, a new account and a search is shown again`() throws {
        let cookie = try lobby.logIn("kari")
        // Each is within the limit of a form, however often it stands in one.
        for text in HostileText.joined(upTo: 1500) {
            let typed = Target.encoded(text)
            let parts = HostileText.all.filter { text.contains($0) }
            let shown = Set(parts.map { Array(HostileText.shown($0).utf8) })
            let answers = [
                try ask(.post, "/login", cookie: nil, form: "name=\(typed)&password=wrong"),
                try ask(
                    .post, "/sign-up", cookie: nil,
                    form: "code=&name=\(typed)&displayName=\(typed)&password=wrong"),
                try ask(.get, "/plans?text=\(typed)", cookie: cookie),
                try ask(.get, "/people/audit?text=\(typed)", cookie: cookie),
            ]
            for (number, answer) in answers.enumerated() {
                check(answer, "\(number)")
                // Account-service or plan-service may be too busy to answer.
                guard answer.status != 503 else { continue }
                #expect(HostileText.found(in: answer.body).isSuperset(of: shown), "\(number)")
            }
        }
    }

    // MARK: Pages

    /// Gives hostile names to everything that has one.
    ///
    /// - Returns: what the services took, by the paths of pages that show it.
    private func fill() throws -> [String: [String]] {
        try lobby.openShift()
        let accounts = try lobby.system.client(of: .account)
        try raise("Fire in the kitchen")
        var taken: [String: [String]] = [:]
        func note(_ path: String, _ text: String, _ body: () throws -> Void) throws {
            if try isTaken(body) { taken[path, default: []].append(text) }
        }
        for (number, text) in HostileText.all.enumerated() {
            try note("/todos/Harbour", text) {
                try lobby.command("todo", "add", text, "--priority", "immediate")
            }
            try note("/alerts", text) { try lobby.raise(text) }
            try note("/plans", text) {
                try lobby.command("plan", "create", text, "--client", text)
            }
            try note("/people", text) {
                let invitation = try accounts.ask(
                    Invite(grants: [Grant(role: .crew)]), for: Invitation.self,
                    deadline: .seconds(60))
                _ = try accounts.ask(
                    SignUp(
                        name: "guest\(number)", password: Lobby.password, displayName: text,
                        invitation: invitation.code),
                    for: Account.self, deadline: .seconds(60))
            }
        }
        // With several sites a command would have to name one.
        for text in HostileText.all {
            try note("/", text) {
                _ = try accounts.ask(
                    CreateSite(name: text, timeZone: "UTC"), for: Organisation.self,
                    deadline: .seconds(60))
            }
        }
        return taken
    }

    /// The paths of all that can be loaded, with each site and each plan.
    private func allPaths() throws -> [String] {
        let organisations = try lobby.system.client(of: .account)
            .ask(ListOrganisations(), for: Organisations.self).organisations
        let plans = try lobby.system.client(of: .plan)
            .ask(ListPlans(limit: 200), for: Plans.self).plans
        let sites = organisations.flatMap(\.sites).flatMap { paths(["site": $0.id]) }
        return Set(sites + plans.flatMap { paths(["plan": $0.id]) }).sorted()
    }

    @Test func `each page shows hostile names as they were typed`() throws {
        let taken = try fill()
        let cookie = try lobby.logIn("kari")
        for path in try allPaths() { check(try ask(.get, path, cookie: cookie), path) }
        #expect(taken.count == 5)
        for (path, texts) in taken {
            #expect(texts.count > HostileText.all.count / 2, "\(path)")
            let wanted = Set(texts.map { Array(HostileText.shown($0).utf8) })
            try eventually("\(path) shows all") {
                let page = try ask(.get, path, cookie: cookie)
                return HostileText.found(in: page.body).isSuperset(of: wanted)
            }
        }
    }

    @Test(.enabled(if: Browser.isHere, Browser.lack))
    func `no page runs what someone gave as a name`() throws {
        _ = try fill()
        let cookie = try lobby.logIn("kari")
        let browser = try Browser()
        let page = try browser.begin("kari", profile: lobby.system.path("browser-kari"))
        try page.logIn(lobby, as: "kari")
        let strange = "script:not([src]),base,iframe,[onload],[onerror],[onfocus]"
        for path in try allPaths() {
            guard isPage(try ask(.get, path, cookie: cookie)) else { continue }
            try page.go(lobby.address + path)
            #expect(try page.run("window.pwned") == "undefined", "\(path)")
            let count = try page.run("document.querySelectorAll('\(strange)').length")
            #expect(count == "0", "\(path)")
        }
    }
}
