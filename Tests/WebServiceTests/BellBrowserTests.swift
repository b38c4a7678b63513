import TestSupport
import TestThreads
import Testing

/// Urgent alerts on every page, one stream for all tabs, and new versions, in Chromium.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct BellBrowserTests {
    private let browser: Browser

    init() throws { browser = try Browser() }

    /// How many tabs have a stream, and how many wait for their turn.
    private static let streams = """
        navigator.locks.query().then(({held, pending}) => [held, pending]
            .map((all) => all.filter(({name}) => name === 'stream/alerts/stream').length))
        """

    @Test func `an urgent alert is on every page until someone acknowledges it`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let page = try browser.begin("kari", profile: lobby.system.path("browser-kari"))
        try page.logIn(lobby, as: "kari")
        let other = try page.tab("other")
        try other.go(lobby.address + "/log-ins")
        try eventually("one tab has the stream and the other waits for it") {
            try other.run(Self.streams) == "1,1"
        }
        try lobby.raise("Fire in the kitchen")
        for it in [page, other] {
            try eventually("it is shown") {
                try it.text("#urgent-alerts").contains("Fire in the kitchen")
            }
            try eventually("it is counted") { try it.text("#bell").contains("one open") }
        }
        #expect(try page.barriers == [])
        // Without a network it stays, and so does the page.
        lobby.kill()
        try page.click("#urgent button")
        try eventually("the page says that it failed") {
            try page.text("#urgent .fault").contains("Not acknowledged")
        }
        #expect(try page.address == lobby.address + "/")
        #expect(try page.barriers == [])
        try lobby.start()
        try eventually("the page is up to date again") {
            try page.run("document.querySelector('#urgent .fault') === null") == "true"
        }
        // It sounds as soon as the browser allows it. Acknowledging it doesn't leave the page.
        try page.click("h1")
        try page.click("#urgent button")
        for it in [page, other] {
            try eventually("it is gone everywhere") {
                try it.run("document.querySelector('#urgent .alert') === null") == "true"
            }
        }
        #expect(try page.address == lobby.address + "/")
        #expect(try page.problems == [])
    }

    @Test func `a page says that there is a new version, and loads nothing by itself`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let page = try browser.begin("kari", profile: lobby.system.path("browser-kari"))
        try page.logIn(lobby, as: "kari")
        try page.go(lobby.address + "/log-ins")
        try lobby.upgrade()
        try eventually("it says so") {
            try page.run("document.querySelector('.version') !== null") == "true"
        }
        #expect(try page.barriers == [])
        try page.click(".version button")
        try eventually("it is the new one") {
            try page.run("document.querySelector('.version') === null") == "true"
        }
    }
}
