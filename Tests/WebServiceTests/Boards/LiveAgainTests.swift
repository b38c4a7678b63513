import Foundation
import TestSupport
import TestThreads
import Testing

/// Open pages in Chromium after networks, proxies and laptops were away.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct LiveAgainTests {
    enum Trouble: CaseIterable, Sendable {
        /// The network passes nothing and closes nothing.
        case away
        /// The laptop's lid is closed, and the network drops its connections.
        case asleep
        /// A proxy answers in place of the server.
        case denied
        /// The server is killed.
        case killed
    }

    private let browser: Browser

    init() throws { browser = try Browser() }

    /// Records when contact was made again, in milliseconds since 1970.
    private static let note = """
        (globalThis.contacts = [],
            document.addEventListener('live', () => globalThis.contacts.push(Date.now())))
        """

    private static func now() -> Int { Int(Date().timeIntervalSince1970 * 1000) }

    @Test(arguments: Trouble.allCases)
    func `every open page is live within five seconds after a disturbance ends`(
        trouble: Trouble
    ) throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        let way = try browser.relay(to: lobby.port)
        let board = try browser.begin("kari", profile: lobby.system.path("browser-kari"))
        try board.logIn(lobby, as: "kari", by: way.address)
        try board.go(way.address + "/board/Harbour")
        let phone = try board.tab("phone")
        try phone.go(way.address + "/shift/Harbour")
        try phone.click("button.list")
        let alerts = try board.tab("alerts")
        try alerts.go(way.address + "/alerts")
        // One of the pages with a bell has the stream, and passes it on to the other.
        let pages = [board, phone, alerts]
        for page in pages { _ = try page.run(Self.note) }
        try lobby.awaitMarks(0, from: phone)

        var longest = try longestWait(during: trouble, lobby, way, pages) {
            if trouble != .asleep {
                try phone.click("button.good.big")
                try eventually("it waits") { try phone.text("#sending").contains("1 wait") }
            }
            try lobby.command("todo", "add", "Mop the cellar", "--priority", "immediate")
            try lobby.raise("Fire in the kitchen")
        }
        try eventually("the board is up to date") {
            try board.text("#todos").contains("Mop the cellar")
        }
        try eventually("the alert is there") {
            try alerts.text("#list").contains("Fire in the kitchen")
        }
        if trouble != .asleep { try lobby.awaitMarks(1, from: phone) }
        // A busy machine delays some attempts; a page that waits too long delays all of them.
        for _ in 1..<10 where longest > 5_000 {
            longest = min(longest, try longestWait(during: trouble, lobby, way, pages) {})
        }
        #expect(longest <= 5_000)
    }

    /// Returns how long it took until the last page had contact after a trouble, or how long they
    /// waited between two attempts if that is longer, in milliseconds.
    private func longestWait(
        during trouble: Trouble, _ lobby: Lobby, _ way: Browser.Way, _ pages: [Browser.Page],
        act: () throws -> Void
    ) throws -> Int {
        try begin(trouble, lobby, way, pages[0])
        try act()
        let begun = Self.now()
        try eventually("it has lasted long enough for pauses to grow, if they did") {
            // Nothing is heard from a laptop that is asleep. A page that was without contact for
            // less than seven seconds may not have noticed.
            trouble == .asleep
                ? Self.now() - begun > 15_000
                : try Self.now() - begun > 8_000 && way.tries.count >= 6
        }
        let tries = try way.tries

        // There can be contact before the browser's driver has answered, or before this test knows
        // that web-service has started, which takes a while.
        let begunAgain = Self.now()
        try end(trouble, lobby, way, pages[0])
        let over = trouble == .killed ? Self.now() : begunAgain
        var longest = 0
        for page in pages {
            var contact = 0
            try eventually("there is contact again") {
                let first = "globalThis.contacts.find((it) => it >= \(begunAgain))"
                contact = Int(try page.run(first)) ?? 0
                return contact >= begunAgain
            }
            longest = max(longest, contact - over)
        }
        guard trouble == .away else { return longest }
        // The board and the bell take turns to try, and the pauses never grow.
        return zip(tries.dropFirst(), tries).map { $0 - $1 }.reduce(longest, max)
    }

    @Test func `a board says that it is old although its clock was set back`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("wall", .display)
        let way = try browser.relay(to: lobby.port)
        let board = try browser.begin("wall", profile: lobby.system.path("browser-wall"))
        try board.logIn(lobby, as: "wall", by: way.address)
        try board.go(way.address + "/board/Harbour")
        try eventually("it is shown") { try board.text("#head").contains("Harbour") }
        try way.lose()
        let back = "(Date.now = ((real) => () => real() - 3600000)(Date.now.bind(Date)), 'set')"
        #expect(try board.run(back) == "set")
        try eventually("it says so") { try board.text("#state").contains("no connection") }
    }

    /// Sets the clock back just before a beat comes, and records whether the board looks old before
    /// it may.
    private static let beaten = """
        (globalThis.beats = 0, globalThis.wasOld = false, globalThis.since = performance.now(),
            globalThis.stream = new BroadcastChannel('stream/board/Harbour/stream'),
            stream.onmessage = ({ data: [kind] }) => { if (kind === 'beat') beats += 1; },
            new MutationObserver(() => {
                const isOld = document.querySelector('.stale') !== null;
                wasOld ||= isOld && performance.now() - since < 2500;
            }).observe(document.body, { attributes: true, childList: true, subtree: true }),
            Date.now = ((real) => () => real() - 3600000)(Date.now.bind(Date)),
            stream.postMessage(['beat', String(Date.now())]), 'set')
        """

    @Test func `a board in contact never looks old because its clock was set back`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("wall", .display)
        let board = try browser.begin("wall", profile: lobby.system.path("browser-wall"))
        try board.logIn(lobby, as: "wall")
        try board.go(lobby.address + "/board/Harbour")
        try eventually("it is shown") { try board.text("#head").contains("Harbour") }
        #expect(try board.run(Self.beaten) == "set")
        try eventually("there were more beats") { (Int(try board.run("beats")) ?? 0) >= 3 }
        #expect(try board.run("wasOld") == "false")
    }

    private func begin(
        _ trouble: Trouble, _ lobby: Lobby, _ way: Browser.Way, _ page: Browser.Page
    ) throws {
        switch trouble {
        case .away: try way.lose()
        case .asleep:
            try way.lose()
            try page.shutLid()
        case .denied: try way.deny()
        case .killed: lobby.kill()
        }
    }

    private func end(
        _ trouble: Trouble, _ lobby: Lobby, _ way: Browser.Way, _ page: Browser.Page
    ) throws {
        if trouble == .killed { return try lobby.start() }
        try way.restore()
        if trouble == .asleep { try page.openLid() }
    }
}
