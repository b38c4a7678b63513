import TestSupport
import TestThreads
import Testing

/// What works in a browser without JavaScript, in Chromium.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct WithoutScriptTests {
    private let browser: Browser
    private let lobby: Lobby

    init() throws {
        browser = try Browser()
        lobby = try Lobby(with: ["plan-service", "transit-alert-service"])
    }

    /// Logs in as `Browser.Page.logIn` does, which runs a script.
    private func begin() throws -> Browser.Page {
        let page = try browser.begin(
            "kari", profile: lobby.system.path("browser-kari"), ["script": "off"])
        try page.go(lobby.address + "/login")
        try page.fill("#name", "kari")
        try page.fill("#password", Lobby.password)
        try page.click("button.main")
        try eventually("kari is logged in") { try page.address == lobby.address + "/" }
        #expect(try page.text("h1") == "Hello, kari")
        return page
    }

    @Test func `without JavaScript a day's work is seen and an alert acknowledged`() throws {
        try lobby.openShift()
        try lobby.command("todo", "add", "Mop the cellar", "--priority", "immediate")
        try lobby.add("kari", .siteManager)
        let plan = try lobby.drawBathroom()
        try lobby.raise("Fryer on fire")
        let page = try begin()
        let board = try page.tab("board")
        try board.go(lobby.address + "/board/Harbour")
        try eventually("the board is shown") {
            try board.text("#todos").contains("Mop the cellar")
        }
        // The board shows it when it loads itself again, while other pages are tried.
        try lobby.command("todo", "add", "Fetch the ice", "--priority", "immediate")

        // What needs JavaScript says so, and leads to what doesn't.
        try page.go(lobby.address + "/shift/Harbour")
        #expect(try page.text("main .fault").contains("needs JavaScript"))
        try page.click("main a.button")
        try eventually("the to-dos are shown") {
            try page.address.contains("/todos/") && page.text("main").contains("Fetch the ice")
        }
        try page.go(lobby.address + "/ride")
        #expect(try page.text("main .fault").contains("needs JavaScript"))
        try page.click("main a.button")
        try eventually("the favourites are shown") {
            try page.text("main h1") == "Favourite stops"
        }

        try page.go(lobby.address + "/plan/\(plan)")
        #expect(try !page.text("li.finding.fail").isEmpty)
        // A picture that can't be shown is as small as its text.
        #expect(
            try page.run("document.querySelector('.paper img').naturalWidth > 100") == "true")

        try page.go(lobby.address + "/alerts")
        #expect(try page.text("main .note").contains("every 15 seconds"))
        try eventually("the alert is there") {
            try page.text("#list").contains("Fryer on fire")
        }
        try page.click("#list .alert:has-text('Fryer on fire') button")
        try eventually("it is acknowledged") { try !page.text("#list").contains("Fryer on fire") }

        try eventually("the board has loaded itself again") {
            try board.text("#todos").contains("Fetch the ice")
        }
        try page.click(".bar form button")
        try eventually("kari is logged out") { try page.address.contains("/login") }
        #expect(try page.text("main .note").contains("logged out"))
        try page.go(lobby.address + "/")
        #expect(try page.address.hasPrefix(lobby.address + "/login"))
        #expect(try page.problems == [])
    }
}
