import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// The plan viewer in Chromium, with plan-service.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct PlanBrowserTests {
    private let browser: Browser
    private let lobby: Lobby

    init() throws {
        browser = try Browser()
        lobby = try Lobby(with: ["plan-service"])
        try lobby.add("kari", .siteManager)
    }

    private func begin(_ more: [String: String] = [:]) throws -> Browser.Page {
        let page = try browser.begin("kari", profile: lobby.system.path("browser-kari"), more)
        try page.logIn(lobby, as: "kari")
        return page
    }

    private func zoom(_ page: Browser.Page) throws -> Double {
        let text = try page.run(
            "Math.round(100 * document.querySelector('.paper').clientWidth"
                + " / document.getElementById('view').clientWidth)")
        return try #require(Double(text)) / 100
    }

    @Test(arguments: [
        ("en-GB", "light", "360"), ("nb-NO", "dark", "1280"), ("sv-SE", "light", "320"),
    ])
    func `a plan is found, and shown to scale with its findings`(
        locale: String, scheme: String, width: String
    ) throws {
        let plan = try lobby.drawBathroom()
        let page = try begin(["locale": locale, "scheme": scheme, "width": width])
        func look(_ what: String) throws {
            #expect(try page.barriers == [], "\(what)")
            #expect(try page.widthsToScroll == [], "\(what)")
        }
        try page.go(lobby.address + "/plans?text=nowhere")
        #expect(try !page.text("main").contains("Home"))
        try look("nothing found")
        try page.go(lobby.address + "/plans")
        try look("list")
        try page.fill("#text", "K-7")
        try page.click(".search button")
        try page.click(".card a")
        try eventually("the plan is open") {
            try page.address == lobby.address + "/plan/\(plan)"
        }
        try eventually("the drawing is there") {
            try page.run("document.querySelector('.paper img').naturalWidth > 100") == "true"
        }
        try look("plan")
        // Each finding that has a place is marked there, with the same number as next to the
        // drawing.
        let texts = Int(try page.run("document.querySelectorAll('li.finding').length")) ?? 0
        let marks = Int(try page.run("document.querySelectorAll('g.mark').length")) ?? 0
        #expect(texts > 0 && marks > 0 && marks <= texts)
        #expect(try page.text("li.finding.fail").contains("mm"))
        #expect(try page.problems == [])
    }

    @Test func `a plan is zoomed by buttons, keys and a pinch, and a finding leads to its place`()
        throws
    {
        let plan = try lobby.drawBathroom()
        let page = try begin(["width": "1280", "height": "900"])
        try page.go(lobby.address + "/plan/\(plan)")
        try eventually("it is zoomable") {
            try page.run("document.getElementById('tools').hidden") == "false"
        }
        let whole = try zoom(page)
        try page.click("[data-zoom=larger]")
        #expect(try zoom(page) > whole * 1.4)
        try page.click("[data-zoom=all]")
        #expect(try zoom(page) == whole)
        _ = try page.run("document.getElementById('view').focus()")
        try page.press("+")
        #expect(try zoom(page) > whole * 1.4)
        try page.press("0")
        try page.pinch(-300, over: "#view")
        try eventually("it is larger") { try zoom(page) > whole * 1.4 }
        try page.click("[data-zoom=all]")

        try page.click("li.finding button.number")
        let inside = """
            (() => { const at = document.querySelector('g.mark.chosen').getBoundingClientRect();
            const view = document.getElementById('view').getBoundingClientRect();
            return at.left >= view.left && at.right <= view.right && at.top >= view.top
            && at.bottom <= view.bottom; })()
            """
        try eventually("its place is seen") { try page.run(inside) == "true" }
        #expect(try zoom(page) > whole)
        // Loading the page again shows the same part.
        let before = try zoom(page)
        try page.go(lobby.address + "/plan/\(plan)")
        try eventually("it is as it was") { try zoom(page) == before }

        // Once locked, it stays so, even when the page is loaded again.
        try page.click("[data-lock]")
        for _ in 0..<2 {
            _ = try page.run("document.getElementById('view').focus()")
            try page.press("0")
            #expect(try zoom(page) == before)
            #expect(
                try page.run("getComputedStyle(document.getElementById('view')).overflow")
                    == "hidden")
            try page.go(lobby.address + "/plan/\(plan)")
            try eventually("it is locked") {
                try page.run("document.querySelector('[data-lock]').ariaPressed") == "true"
            }
        }
        try page.click("[data-lock]")
        try page.click("[data-zoom=all]")
        #expect(try zoom(page) == whole)
        #expect(try page.problems == [])
    }

    @Test func `a plan is saved as the command line saves it`() throws {
        let plan = try lobby.drawBathroom()
        let page = try begin()
        try page.go(lobby.address + "/plan/\(plan)")
        for (file, magic) in [
            ("plan.pdf", "%PDF-"), ("plan.png", "\u{89}PNG"), ("plan.svg", "<?xml"),
            ("report.pdf", "%PDF-"),
        ] {
            #expect(try page.download("a[href*='\(file)']").hasPrefix(magic), "\(file)")
        }
        // Files that people have drawn are never served as pages.
        let cookie = try lobby.logIn("kari")
        for file in ["plan.svg", "plan.nav"] {
            let answer = try lobby.ask("GET", "/plan/\(plan)/\(file)?chosen=1", cookie: cookie)
            #expect(answer.header("Content-Disposition")?.hasPrefix("attachment") == true)
            #expect(
                answer.headers.contains {
                    $0.name == "Content-Security-Policy" && $0.value.hasPrefix("sandbox")
                })
        }
        for file in ["plan.svg", "plan.png", "plan.nav"] {
            let exported = lobby.system.path(file)
            try lobby.command(
                "plan", "export", exported, "--check", "--no-dimensions", "--no-labels",
                "--no-corners")
            let here = try lobby.ask("GET", "/plan/\(plan)/\(file)?chosen=1", cookie: cookie)
            let there = try Data(contentsOf: URL(filePath: exported))
            #expect(there == Data(here.bytes), "\(file)")
        }
    }

    @Test func `whoever has a plan open is told of a change, and sees it after a tap`() throws {
        let plan = try lobby.drawBathroom()
        let page = try begin()
        try page.go(lobby.address + "/plan/\(plan)")
        try lobby.command("plan", "room", "Study", "--at", "3500,0", "--size", "2000x2000")
        try eventually("it is told") { try page.text("#state").contains("was changed") }
        try page.click("#state button")
        try eventually("the new revision is shown") {
            let revision = try page.run("document.getElementById('plan').dataset.revision")
            let newest = try lobby.system.client(of: .plan)
                .ask(ListPlans(), for: Plans.self).plans.first?.revision
            return revision == "\(newest ?? 0)"
        }
    }

    @Test func `whoever opens a plan that doesn't exist is told that it isn't there`() throws {
        let answer = try lobby.ask(
            "GET", "/plan/Nope", cookie: lobby.logIn("kari"), ["Accept-Language: en"])
        #expect(answer.status == 404)
        #expect(answer.body.contains("<h1>Page not found</h1>"), "\(answer.body)")
    }

    @Test func `a plan of another organisation is not found`() throws {
        let plan = try lobby.drawBathroom()
        _ = try lobby.addElsewhere("ole", organisation: "Other")
        let cookie = try lobby.logIn("ole")
        for path in ["", "/drawing.svg", "/plan.pdf", "/stream"] {
            let answer = try lobby.ask("GET", "/plan/\(plan)\(path)", cookie: cookie)
            #expect(answer.status == 404, "\(path): \(answer.status)")
            #expect(!answer.body.contains("K-7"))
        }
        #expect(try !lobby.ask("GET", "/plans", cookie: cookie).body.contains("K-7"))
    }
}
