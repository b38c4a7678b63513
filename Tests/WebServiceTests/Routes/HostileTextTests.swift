import Bus
import Foundation
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

@testable import WebService

/// Hostile texts in all fields that the pages have and take. Pages and forms are found by the table
/// of routes and in the pages themselves, so that a new one is tried too.
@Suite(.waiting) struct HostileTextTests {
    /// What scripts send, not as a form.
    private static let noForms: Set = [
        "/shift/{site}/start", "/shift/{site}/end", "/ride", "/ride/stops",
        "/ride/{journey}/finish", "/ride/{journey}/feedback", "/ride/{journey}/acknowledge",
        "/ride/{journey}/continue",
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

    /// Gives kari a channel, and a mailbox that waits for its code.
    private func addChannel() throws {
        let notifier = try lobby.system.client(of: .notifier)
        notifier.token = try lobby.system.client(of: .account).logIn("kari", for: .notifier)
        let channel = AlertChannel(
            name: "siren", kind: .webhook, address: "http://127.0.0.1:9/siren")
        try eventually("the notifier knows kari") {
            try isTaken {
                _ = try notifier.ask(KeepChannel(channel: channel), for: AlertChannel.self)
            }
        }
        let wish = PreferAlerts(mail: "kari@example.org", from: .urgent)
        _ = try notifier.ask(wish, for: AlertPreference.self)
    }

    /// Imports a timetable, and makes one of its stops a favourite.
    private func addFavourite(_ cookie: String) throws {
        let demo = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../deploy/demo/harbour-line").standardized.path
        try lobby.command("transit", "import", demo)
        let form = "feed=harbour-line&stop=4131&change=add"
        try eventually("the stop is a favourite") {
            try ask(.post, "/ride/favourites", cookie: cookie, form: form).status == 303
        }
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
        try addChannel()
        let plan = try lobby.drawBathroom("Seaview")
        try lobby.add("ole", .crew)
        try raise("Fire in the kitchen")
        let cookie = try lobby.logIn("kari")
        try eventually("there is an alert") {
            try ask(.get, "/alerts", cookie: cookie).body.contains("Fire in the kitchen")
        }
        // The form for a mailbox's code is shown while a mailbox waits for one.
        let mailbox = "mail=kari%40example.org&from=urgent&language="
        let kept = try ask(.post, "/alerts/preferences", cookie: cookie, form: mailbox)
        #expect(kept.status == 303)
        try addFavourite(cookie)
        forms += try self.forms(cookie, ["site": "Harbour", "plan": plan])

        var (tried, posted): (Set<String>, Set<String>) = ([], [])
        for form in forms {
            let pattern = try #require(
                Place.routes.pattern(form.method, form.action), "\(form.action)")
            if form.method == .post { posted.insert(pattern) }
            let place = Target(form.action).flatMap {
                Place.routes.find(form.method, $0.parts).place
            }
            let hasKey = form.fields.contains { $0.name == FormKey.name }
            #expect(hasKey == place?.sendsCommand, "\(pattern)")
            let last = form.action.split(separator: "/").last.map { String($0) } ?? ""
            let names = Set(form.fields.map(\.name)).sorted()
            // One's own account would be locked out.
            guard !form.action.contains(kari),
                tried.insert(([pattern, last] + names).joined(separator: " ")).inserted
            else { continue }
            for (name, groups) in zip(names, HostileText.dealt(to: names.count, upTo: 3000)) {
                for group in groups {
                    let sent = form.sent(HostileText.joined(group), in: name)
                    let isPost = form.method == .post
                    let answer = try ask(
                        form.method, isPost ? form.action : form.action + "?" + sent,
                        cookie: cookie, form: isPost ? sent : nil)
                    check(answer, "\(pattern): \(name)")
                }
            }
        }
        // The form for a channel has no field but the name in its path.
        let parts = HostileText.all.filter { !$0.contains(/[\/\\]/) }
        for group in HostileText.groups(of: parts, upTo: 3000) {
            let name = Target.encoded(HostileText.joined(group))
            for change in ["test", "remove"] {
                let path = "/alerts/channels/\(name)/\(change)"
                check(try ask(.post, path, cookie: cookie, form: ""), path)
            }
        }
        let all = Place.routes.routes.filter { $0.method == .post && $0.bodyLimit == 4096 }
        #expect(Set(all.map(\.pattern)).subtracting(posted) == Self.noForms)
    }

    @Test func `what is typed into the log-in, a new account and a search is shown again`() throws {
        let cookie = try lobby.logIn("kari")
        func expect(
            _ what: String, shows texts: [String], _ visit: () throws -> Lobby.Answer
        ) throws {
            var last: Lobby.Answer?
            // Account-service or plan-service may be too busy to answer.
            try eventually("\(what) is answered") {
                last = try visit()
                return last?.status != 503
            }
            let answer = try #require(last)
            check(answer, what)
            let shown = Set(texts.map { Array(HostileText.shown($0).utf8) })
            #expect(HostileText.found(in: answer.body).isSuperset(of: shown), "\(what)")
        }
        for group in HostileText.groups(of: HostileText.all, upTo: 3000) {
            let typed = Target.encoded(HostileText.joined(group))
            let form = "name=\(typed)&password=wrong"
            try expect("log-in", shows: group) {
                try ask(.post, "/login", cookie: nil, form: form)
            }
            for path in ["/plans", "/people/audit"] {
                try expect(path, shows: group) {
                    try ask(.get, "\(path)?text=\(typed)", cookie: cookie)
                }
            }
        }
        // Both are within the limit of a form.
        let fields = HostileText.dealt(to: 2, upTo: 1500)
        for number in 0..<max(fields[0].count, fields[1].count) {
            let groups = fields.map { number < $0.count ? $0[number] : [] }
            let typed = groups.map { Target.encoded(HostileText.joined($0)) }
            let form = "code=&name=\(typed[0])&displayName=\(typed[1])&password=wrong"
            try expect("sign-up", shows: groups[0] + groups[1]) {
                try ask(.post, "/sign-up", cookie: nil, form: form)
            }
        }
    }

    // MARK: Pages

    /// Gives hostile names to everything that has one. Each text is in the names of a site, a plan
    /// and an alert; to-dos and people, which take longer, have one text of each kind.
    ///
    /// - Returns: what the services took, by the paths of pages that show it.
    private func fill() throws -> [String: [String]] {
        try lobby.openShift()
        let accounts = try lobby.system.client(of: .account)
        let plans = try lobby.system.client(of: .plan)
        try raise("Fire in the kitchen")
        var taken: [String: [String]] = [:]
        func note(_ path: String, _ texts: [String], _ body: (String) throws -> Void) throws {
            let name = HostileText.joined(texts)
            if try isTaken({ try body(name) }) { taken[path, default: []] += texts }
        }
        for (number, texts) in HostileText.names(of: HostileText.samples).enumerated() {
            try note("/todos/Harbour", texts) {
                try lobby.command("todo", "add", $0, "--priority", "immediate")
            }
            try note("/people", texts) { name in
                let invitation = try accounts.ask(
                    Invite(grants: [Grant(role: .crew)]), for: Invitation.self,
                    deadline: .seconds(60))
                _ = try accounts.ask(
                    SignUp(
                        name: "guest\(number)", password: Lobby.password, displayName: name,
                        invitation: invitation.code),
                    for: Account.self, deadline: .seconds(60))
            }
        }
        for texts in HostileText.names(of: HostileText.all) {
            try note("/alerts", texts) { try lobby.raise($0) }
            try note("/plans", texts) { name in
                _ = try plans.ask(
                    CreatePlan(details: PlanDetails(name: name, client: name)), for: Plan.self,
                    deadline: .seconds(60))
            }
        }
        // With several sites a command would have to name one.
        for texts in HostileText.names(of: HostileText.all) {
            try note("/", texts) { name in
                _ = try accounts.ask(
                    CreateSite(name: name, timeZone: "UTC"), for: Organisation.self,
                    deadline: .seconds(60))
            }
        }
        return taken
    }

    /// The paths of all that can be loaded, with each site and each plan, or with some of them.
    private func allPaths(every step: Int = 1) throws -> [String] {
        let organisations = try lobby.system.client(of: .account)
            .ask(ListOrganisations(), for: Organisations.self).organisations
        let plans = try lobby.system.client(of: .plan)
            .ask(ListPlans(limit: 200), for: Plans.self).plans
        let sites = organisations.flatMap(\.sites).map { ["site": $0.id] }
        let drawn = plans.map { ["plan": $0.id] }
        let found = [sites, drawn].flatMap { values -> [String] in
            stride(from: 0, to: values.count, by: step).flatMap { paths(values[$0]) }
        }
        // The to-dos are there.
        return Set(found + paths(["site": "Harbour"])).sorted()
    }

    @Test func `each page shows hostile names as they were typed`() throws {
        let taken = try fill()
        let cookie = try lobby.logIn("kari")
        for path in try allPaths() { check(try ask(.get, path, cookie: cookie), path) }
        let plain = HostileText.all.filter(HostileText.isPlain)
        for path in ["/", "/alerts", "/plans"] {
            #expect(Set(taken[path] ?? []).isSuperset(of: plain), "\(path)")
        }
        let samples = HostileText.samples.filter(HostileText.isPlain)
        for path in ["/people", "/todos/Harbour"] {
            #expect(Set(taken[path] ?? []).isSuperset(of: samples), "\(path)")
        }
        for (path, texts) in taken {
            let wanted = Set(texts.map { Array(HostileText.shown($0).utf8) })
            try eventually("\(path) shows all") {
                let page = try ask(.get, path, cookie: cookie)
                return HostileText.found(in: page.body).isSuperset(of: wanted)
            }
        }
    }

    @Test(.enabled(if: Browser.isHere, Browser.lack))
    func `no page runs what someone gave as a name, or has to be scrolled sideways for it`() throws
    {
        _ = try fill()
        let cookie = try lobby.logIn("kari")
        let browser = try Browser()
        let page = try browser.begin(
            "kari", profile: lobby.system.path("browser-kari"), ["width": "320"])
        try page.logIn(lobby, as: "kari")
        let strange = "script:not([src]),base,iframe,[onload],[onerror],[onfocus]"
        var measured: Set<String> = []
        for path in try allPaths(every: 5) {
            guard isPage(try ask(.get, path, cookie: cookie)) else { continue }
            try page.go(lobby.address + path)
            #expect(try page.run("window.pwned") == "undefined", "\(path)")
            let count = try page.run("document.querySelectorAll('\(strange)').length")
            #expect(count == "0", "\(path)")
            let fits = try page.run("document.documentElement.scrollWidth <= innerWidth")
            #expect(fits == "true", "\(path)")
            // It takes long, and each other page of the same route has the same layout.
            if measured.insert(Place.routes.pattern(.get, path) ?? path).inserted {
                #expect(try page.widthsToScroll == [], "\(path)")
            }
        }
    }
}

struct HostileTextListTests {
    @Test func `there are 200 hostile texts, each once, and each kind in each field`() {
        #expect(HostileText.all.count >= 200)
        #expect(Set(HostileText.all.map { Array($0.utf8) }).count == HostileText.all.count)
        for fields in 1...9 {
            let dealt = HostileText.dealt(to: fields, upTo: 3000).map { $0.flatMap(\.self) }
            #expect(Set(dealt.flatMap(\.self)) == Set(HostileText.all))
            for texts in dealt {
                for kind in HostileText.kinds { #expect(!Set(kind).isDisjoint(with: texts)) }
            }
        }
    }
}
