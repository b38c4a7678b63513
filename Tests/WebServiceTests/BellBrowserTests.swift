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

    @Test func `a page whose network is lost says soon that an alert isn't acknowledged`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let way = try browser.relay(to: lobby.port)
        let page = try browser.begin("kari", profile: lobby.system.path("browser-kari"))
        try page.logIn(lobby, as: "kari", by: way.address)
        try lobby.raise("Fire in the kitchen")
        try eventually("it is shown") {
            try page.text("#urgent-alerts").contains("Fire in the kitchen")
        }
        // The time is enough for today's alert.
        #expect(try page.text("#urgent time").count == 5)
        try way.lose()
        try page.click("#urgent button")
        // Browsers wait for minutes.
        try eventually("the page says that it failed", within: .seconds(60)) {
            try page.text("#urgent .fault").contains("Not acknowledged")
        }
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

    /// Lets a board do twice a second what it does every minute.
    private static let hurry = """
        {
            const every = setInterval;
            globalThis.setInterval = (act, time) => every(act, time === 60000 ? 500 : time);
        }
        """

    /// Puts a late travel path next to the board, and counts how often the board has moved since it
    /// was told of a new version.
    private static let busy = """
        (() => {
            const due = document.createElement('p');
            [due.id, due.className] = ['path', 'late'];
            document.body.append(due);
            const { href } = document.querySelector('link[rel=stylesheet]');
            let isTold = false;
            globalThis.turns = 0;
            globalThis.stream = new BroadcastChannel('stream/board/Harbour/stream');
            stream.onmessage = ({ data: [kind, version] }) => {
                if (kind === 'version' && !href.includes(version)) isTold = true;
            };
            new MutationObserver(() => { if (isTold) globalThis.turns += 1; }).observe(
                document.getElementById('wall'), { attributes: true, attributeFilter: ['style'] });
            return 'set';
        })()
        """

    @Test func `a board loads a new version by itself, once nothing on it is due`() throws {
        let lobby = try Lobby()
        try lobby.command("site", "add", "Harbour", "--zone", "Europe/Berlin")
        try lobby.add("wall", .display)
        let board = try browser.begin("wall", profile: lobby.system.path("browser-wall"))
        try board.logIn(lobby, as: "wall")
        try board.prepare(Self.hurry)
        try board.go(lobby.address + "/board/Harbour")
        try eventually("it is shown") { try board.text("#head").contains("Harbour") }
        let file = "document.querySelector('link[rel=stylesheet]').href"
        let before = try board.run(file)
        #expect(try board.run(Self.busy) == "set")
        try lobby.upgrade()
        try eventually("it has moved since it was told") {
            (Int(try board.run("globalThis.turns")) ?? 0) >= 3
        }
        #expect(try board.run(file) == before)
        _ = try board.run("document.querySelector('p#path').remove()")
        try eventually("it is the new one") { try board.run(file) != before }
    }

    @Test func `a board opened at night speaks the language of the site in the morning`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.command("site", "settings", "--language", "nb")
        try lobby.command("shift", "end", "--despite-open")
        try lobby.add("wall", .display)
        let board = try browser.begin("wall", profile: lobby.system.path("browser-wall"))
        try board.logIn(lobby, as: "wall")
        try board.prepare(Self.hurry)
        try board.go(lobby.address + "/board/Harbour")
        // Until a shift is known, it speaks the language of the browser.
        try eventually("it is shown") { try board.text("#path").contains("no shift is open") }
        let language = "document.documentElement.lang"
        #expect(try board.run(language) == "en")
        try lobby.command("shift", "start", "day")
        try eventually("it speaks Norwegian") { try board.run(language) == "nb" }
        try lobby.command("shift", "end", "--despite-open")
        try eventually("the shift is over") {
            try board.text("#path").contains("ingen skift er åpne")
        }
        try board.go(lobby.address + "/board/Harbour")
        #expect(try board.run(language) == "nb")
    }
}
