import TestSupport
import TestThreads
import Testing

/// The checklist on a phone with a keyboard or a screen reader, in Chromium.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct PhoneFocusTests {
    private let browser: Browser

    init() throws { browser = try Browser() }

    /// Opens the checklist of a new shift on a phone.
    private func begin(_ lobby: Lobby) throws -> Browser.Page {
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        let phone = try browser.begin("phone", profile: lobby.system.path("browser-phone"))
        try phone.logIn(lobby, as: "kari")
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list")
        return phone
    }

    @Test func `what has the focus keeps it, and a button is read aloud with its task`() throws {
        let lobby = try Lobby()
        let phone = try begin(lobby)
        try eventually("all was sent") { try phone.text("#sending") == "All sent" }
        // The page looks for news every five seconds, and finds none.
        let set = """
            (globalThis.held = document.querySelector('button.good.big'),
                globalThis.said = document.querySelector('#sending').firstChild,
                held.focus(), 'set')
            """
        #expect(try phone.run(set) == "set")
        let looks = """
            performance.getEntriesByType('resource')
                .filter(({name}) => name.includes('/operations/')).length
            """
        let before = try #require(Int(try phone.run(looks)))
        try eventually("it has looked twice") {
            (Int(try phone.run(looks)) ?? 0) >= before + 3
        }
        #expect(try phone.run("document.activeElement === held && held.isConnected") == "true")
        #expect(try phone.run("document.querySelector('#sending').firstChild === said") == "true")

        let first = try phone.text("h1")
        try phone.press("Enter")
        try eventually("the next task is there") { try phone.text("h1") != first }
        #expect(try phone.run("document.activeElement.matches('button.good.big')") == "true")
        let described = """
            document.getElementById(document.activeElement.getAttribute('aria-describedby'))
                .textContent
            """
        #expect(try phone.run(described) == phone.text("h1"))
        try lobby.awaitMarks(1, from: phone)

        try phone.click("header button:has-text('Lists')")
        #expect(try phone.run("document.activeElement.textContent") == "Lists")
        #expect(try phone.run("document.activeElement.tagName") == "H1")
        #expect(try phone.barriers == [])
        #expect(try phone.problems == [])
    }

    /// What has the focus after each of two buttons had it and the page was drawn anew.
    private static let redrawn = """
        (async () => {
            const { href } = document.querySelector("link[href$='/live.js']");
            const { build, fill } = await import(href);
            const box = document.body.appendChild(document.createElement("div"));
            const draw = (text) => fill(box, [build(["section", { "data-key": "task" },
                ["div", { "data-key": "photo" },
                    ["button", { "aria-label": "Look" }, text], ["button", {}, "Remove"]],
                ["button", {}, "Open list"]])]);
            draw("one");
            const found = ["Remove", "Open list"].map((name) => {
                [...box.querySelectorAll("button")].find((it) => it.textContent === name).focus();
                draw(`beside ${name}`);
                return document.activeElement.textContent;
            });
            box.remove();
            return found;
        })()
        """

    @Test func `of several buttons of one thing, the same one keeps the focus`() throws {
        let lobby = try Lobby()
        let phone = try begin(lobby)
        #expect(try phone.run(Self.redrawn) == "Remove,Open list")
        try lobby.awaitMarks(0, from: phone)
    }

    /// Gives the focus to a button that lies where the large buttons cover the page, and says if it
    /// is seen.
    private static let uncovered = """
        (() => {
            const [gap, rest] = ['div', 'div'].map((name) => document.createElement(name));
            const button = document.createElement('button');
            document.querySelector('.task').append(gap, button, rest);
            button.textContent = 'Look';
            rest.style.height = '2000px';
            scrollTo(0, 0);
            gap.style.height = `${innerHeight - 80 - gap.getBoundingClientRect().top}px`;
            button.focus();
            const [own, hand] = [button, document.querySelector('.hand')]
                .map((it) => it.getBoundingClientRect());
            for (const it of [gap, button, rest]) it.remove();
            return own.top >= 0 && own.bottom <= Math.min(hand.top, innerHeight);
        })()
        """

    @Test(arguments: ["360x740", "740x400"])
    func `what has the focus isn't under the large buttons`(size: String) throws {
        let lobby = try Lobby()
        let phone = try begin(lobby)
        try eventually("all was sent") { try phone.text("#sending") == "All sent" }
        try phone.setSize(size)
        #expect(try phone.run(Self.uncovered) == "true")
        #expect(try phone.problems == [])
    }

    @Test func `what follows a form is read from its heading`() throws {
        let lobby = try Lobby()
        let phone = try begin(lobby)
        let focused = "document.activeElement === document.querySelector('#shift h1')"
        let note = ".small button:nth-child(4)"
        try phone.click(note)
        #expect(try phone.run("document.activeElement.tagName") == "TEXTAREA")
        try phone.click("#shift form button:not(.main)")
        #expect(try phone.run(focused) == "true")
        try phone.click(note)
        try phone.fill("textarea", "The seal is loose")
        try phone.click("#shift form button.main")
        try eventually("it is kept") { try phone.text("#shift").contains("The seal is loose") }
        #expect(try phone.run(focused) == "true")
        #expect(try phone.problems == [])
    }

    @Test func `a key that is held down goes from button to button, and presses one once`() throws {
        let lobby = try Lobby()
        let phone = try begin(lobby)
        let goesOn = """
            ['Tab', 'ArrowDown', 'Enter'].filter((key) => document.querySelector('button.good.big')
                .dispatchEvent(new KeyboardEvent(
                    'keydown', { key, repeat: true, bubbles: true, cancelable: true })))
            """
        #expect(try phone.run(goesOn) == "Tab,ArrowDown")
        try lobby.awaitMarks(0, from: phone)
    }
}
