import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// The pages in Chromium, served by real services.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack)) struct BrowserTests {
    private let browser: Browser

    init() throws { browser = try Browser() }

    private func begin(
        _ name: String, _ lobby: Lobby, _ more: [String: String] = [:]
    ) throws -> Browser.Page {
        try browser.begin(name, profile: lobby.system.path("browser-\(name)"), more)
    }

    @Test(arguments: [
        ("en-GB", "light", "360"), ("nb-NO", "dark", "320"), ("sv-SE", "light", "1280"),
    ])
    func `each page can be read by everyone, and asks nothing of other hosts`(
        locale: String, scheme: String, width: String
    ) throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        let page = try begin(
            "kari", lobby, ["locale": locale, "scheme": scheme, "width": width])
        func look(_ what: String) throws {
            #expect(try page.barriers == [], "\(what)")
            #expect(try page.widthsToScroll == [], "\(what)")
            #expect(try page.run("document.documentElement.lang") == String(locale.prefix(2)))
        }
        try page.go(lobby.address + "/login")
        try look("log-in")
        try page.logIn(lobby, as: "kari")
        try look("home")
        for (path, element) in [
            ("/alerts", "#list"), ("/gallery", "main"), ("/nothing", "h1"), ("/people", "h1"),
            ("/alerts/preferences", "h1"), ("/todos/Harbour", "h1"), ("/sign-up", "h1"),
        ] {
            try page.go(lobby.address + path)
            try eventually("\(path) is shown") { try !page.text(element).isEmpty }
            try look(path)
        }
        // It speaks the language of the site.
        try page.go(lobby.address + "/board/Harbour")
        try eventually("the board is shown") { try page.text("#head").contains("Harbour") }
        #expect(try page.widthsToScroll == [])
        try page.go(lobby.address + "/shift/Harbour")
        try page.click("button.list")
        try page.click("button.big")
        try look("task")
        try page.click(".small button:nth-child(4)")
        try page.fill("textarea", "Later")
        try look("note")
        #expect(try page.problems == [])
    }

    /// The height of the smallest capital letter in elements with text: 25 or 15 millimetres if it
    /// has at least that, otherwise its height. A capital is 0.7 times as high as its font size.
    private static func capitals(_ selector: String) -> String {
        """
        (() => {
            const least = Math.min(...[...document.querySelectorAll('\(selector)')]
                .filter((it) => it.textContent.trim() && it.getClientRects().length)
                .map((it) => parseFloat(getComputedStyle(it).fontSize) * 0.7 * 300 / innerHeight));
            return least >= 25 ? 25 : least >= 14.9 ? 15 : least;
        })()
        """
    }

    @Test func `a board is read by everyone, and shows at once what was added`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("wall", .display)
        let wall = try begin("wall", lobby, ["width": "1920", "height": "1080"])
        try wall.logIn(lobby, as: "wall")
        try wall.go(lobby.address + "/board/Harbour")
        #expect(try wall.barriers == [])
        try lobby.command(
            "todo", "add", "Mop the cellar", "--area", "kitchen", "--priority", "immediate")
        try eventually("the board shows it") {
            try wall.text("#todos").contains("Kitchen Mop the cellar")
        }
        // Next to its area, a long text would have only half of the column.
        #expect(try wall.run("document.querySelectorAll('.wall li > .before').length") == "0")
        // On a screen 300 mm high, capitals of 25 mm are easy to read from 5 m, and those of 15 mm
        // just legible.
        #expect(try wall.run(Self.capitals("#path .count, #path .sign")) == "25")
        #expect(try wall.run(Self.capitals("#wall :is(h1, h2, .words, li, #state)")) == "15")
        #expect(try wall.run("document.documentElement.scrollHeight <= innerHeight") == "true")
        // Nobody presses anything, so the screen must not go dark by itself.
        let asked = """
            new Promise((done) => {
                navigator.wakeLock.request = (kind) => { done(kind); return Promise.resolve(); };
                document.dispatchEvent(new Event('visibilitychange'));
            })
            """
        #expect(try wall.run(asked) == "screen")

        lobby.kill()
        try eventually("the board says that it is not up to date") {
            try wall.text("#state").contains("no connection")
        }
        #expect(try wall.text("#todos").contains("Mop the cellar"))
        try lobby.command("todo", "add", "Fetch the ice", "--priority", "immediate")
        try lobby.start()
        try eventually("it goes on by itself") {
            try wall.text("#todos").contains("Fetch the ice")
        }
        try eventually("it is up to date") {
            try !wall.text("#state").contains("no connection")
        }
    }

    @Test(arguments: [("1280", "800"), ("1920", "1080")])
    func `the head of a board is one line with its clock, however long the name of the site is`(
        width: String, height: String
    ) throws {
        let lobby = try Lobby()
        let site = "Harbour-" + String(repeating: "restaurant-", count: 8)
        try lobby.openShift(at: site)
        try lobby.command("todo", "add", "Mop the cellar", "--priority", "immediate")
        try lobby.add("wall", .display)
        let wall = try begin("wall", lobby, ["width": width, "height": height])
        try wall.logIn(lobby, as: "wall")
        try wall.go(lobby.address + "/board/" + site)
        try eventually("the board counts") { try wall.text("#state").contains("0 of 1 to-dos") }
        func box(_ selector: String, _ edge: String) -> String {
            "document.querySelector('\(selector)').getBoundingClientRect().\(edge)"
        }
        #expect(try wall.run(box("#head .clock", "right") + " <= innerWidth") == "true")
        for part in ["h1", ".shift", ".clock"] {
            let isInside = box("#head \(part)", "bottom") + " <= " + box("#head", "bottom")
            #expect(try wall.run(isInside) == "true", "\(part)")
        }
        // What is below isn't covered by the button for sound.
        #expect(
            try wall.run(
                "parseFloat(getComputedStyle(document.querySelector('#state')).paddingRight) >= "
                    + "innerWidth - " + box(".sound", "left")) == "true")
    }

    @Test func `a kept page is shown at once, but not after a form that may have changed it`()
        throws
    {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        let ola = try lobby.add("ola", .siteManager)
        let phone = try begin("phone", lobby)
        try phone.logIn(lobby, as: "kari")
        let shift = lobby.address + "/shift/Harbour"
        try phone.go(shift)
        try eventually("the page is kept") {
            try phone.run("caches.match('/shift/Harbour').then((it) => it !== undefined)") == "true"
        }
        try phone.go(shift)
        let bytes = "performance.getEntriesByType('navigation')[0].transferSize"
        #expect(try phone.run(bytes) == "0")
        let look = "document.documentElement.dataset.look"
        try phone.go(lobby.address + "/")
        _ = try phone.run("document.getElementById('look').value = 'dark'")
        try phone.click("form.look button")
        try eventually("pages are dark") { try phone.run(look) == "dark" }
        try eventually("the checklist is dark") {
            try phone.go(shift)
            return try phone.run(look) == "dark"
        }
        // Someone who logs in without the other person having logged out gets their own page, as
        // soon as the service answers within three seconds.
        try phone.logIn(lobby, as: "ola")
        try eventually("the page is Ola's") {
            try phone.go(shift)
            return try phone.run("document.getElementById('shift').dataset.account") == ola
        }
    }

    @Test func `what is ticked without a network arrives once, even after the phone was off`()
        throws
    {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        var phone = try begin("phone", lobby)
        try phone.logIn(lobby, as: "kari")
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list")
        try phone.click("button.good.big")
        try lobby.awaitMarks(1, from: phone)
        try eventually("the page is kept") {
            try phone.run("caches.match('/shift/Harbour').then((it) => it !== undefined)") == "true"
        }

        lobby.kill()
        for count in 1...3 {
            try phone.click("button.good.big")
            try eventually("it waits") { try phone.text("#sending").contains("\(count) wait here") }
        }
        try phone.kill()
        phone = try begin("phone", lobby)
        try phone.go(lobby.address + "/shift/Harbour")
        try eventually("what waits is still there") {
            try phone.text("#sending").contains("3 wait here")
        }

        // The cookie may have been lost with the battery; what waits is sent after a log-in.
        try lobby.start()
        try phone.go(lobby.address + "/login?next=%2Fshift%2FHarbour")
        try phone.fill("#name", "kari")
        try phone.fill("#password", Lobby.password)
        try phone.click("button.main")
        try lobby.awaitMarks(4, from: phone)
        let marks = try lobby.marks(at: "Harbour")
        #expect(marks.map(\.deviceSequence) == [1, 2, 3, 4])
        #expect(Set(marks.map(\.change)).count == 4)
    }
}
