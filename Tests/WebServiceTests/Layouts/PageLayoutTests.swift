import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Every page with longer words, at 400 %, in forced colours, and with a keyboard, in Chromium.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct PageLayoutTests {
    private let browser: Browser
    private let lobby: Lobby

    init() throws {
        browser = try Browser()
        lobby = try Lobby(with: ["plan-service", "transit-alert-service"], locale: "en_XA")
    }

    private static let list = """
        checklist: Cold store
        kind: pre-shift
        day-parts: [day]
        area: kitchen
        priority: immediate
        sections:
          - section: Fridges
            tasks:
              - task: Milk fridge beside the door to the yard
              - task: Meat fridge
        """

    /// What the pages show that isn't from the files of phrases: what people typed, names of
    /// products and formats, and what other services have written.
    private static let names = [
        "Steward", "kari", "Harbour", "Home", "K-7", "Mop the cellar", "Cold store", "Fridges",
        "Milk fridge beside the door to the yard", "Meat fridge", "Chromium", "Linux", "PDF", "PNG",
        "SVG", ".nav", "Europe/Berlin",
        // The site's priorities.
        "Immediately", "Before the rush", "During the shift", "Next shift",
    ]

    /// Opens a site and draws a plan.
    ///
    /// - Returns: the id of the plan, and the names on pages.
    private func prepare() throws -> (plan: String, names: [String]) {
        try lobby.command("site", "add", "Harbour", "--zone", "Europe/Berlin")
        try lobby.importList(Self.list)
        try lobby.command("shift", "start", "day")
        try lobby.command("todo", "add", "Mop the cellar", "--priority", "immediate")
        try lobby.add("kari", .administrator)
        let plan = try lobby.drawBathroom()
        let shift = try lobby.system.client(of: .checklist)
            .ask(ReadShift(site: "Harbour"), for: ShiftSnapshot.self).shift
        let plans = try lobby.system.client(of: .plan).ask(ListPlans(), for: Plans.self).plans
        let others = [shift?.managerName ?? ""] + plans.map(\.changedBy)
        return (plan, Self.names + others.filter { !$0.isEmpty })
    }

    @Test func `each page has room for its words, which are all translated, in any colours`()
        throws
    {
        let (plan, names) = try prepare()
        let page = try browser.begin(
            "kari", profile: lobby.system.path("browser-kari"),
            ["width": "320", "colours": "active"])
        func look(_ what: String, isOurs: Bool = true) throws {
            // The browser shows the system's colours, but axe-core judges those of the page.
            let barriers = try page.barriers.filter { !$0.hasPrefix("color-contrast:") }
            let widths = try page.widthsToScroll
            #expect(barriers == [], "\(what)")
            #expect(widths == [], "\(what)")
            let (cut, told) = (try page.run(Self.cut), try page.run(Self.told))
            let small = try page.run(Self.small)
            #expect(small == "", "\(what)")
            #expect(cut == "", "\(what)")
            #expect(told == "", "\(what)")
            let plain = isOurs ? try page.run(Self.plain(but: names)) : ""
            #expect(plain == "", "\(what)")
            // From here on the focus comes from the keyboard.
            try page.press("Tab")
            let unmarked = try page.run(Self.unmarked)
            #expect(unmarked == "", "\(what)")
        }
        try page.go(lobby.address + "/login")
        // Otherwise every word would be missing below.
        let isDebug = try page.text("button.main").hasPrefix("[")
        try #require(isDebug, "a release build of web-service lacks the language for tests")
        try look("log-in")
        try page.logIn(lobby, as: "kari")
        for (path, element) in [
            ("/", "h1"), ("/alerts", "#list"), ("/alerts/preferences", "h1"), ("/log-ins", "h1"),
            ("/people", "h1"), ("/people/audit", "h1"), ("/sign-up", "h1"), ("/plans", "h1"),
            ("/plan/\(plan)", "#plan"), ("/ride", "#ride button.main"), ("/ride/favourites", "h1"),
            ("/todos/Harbour", "h1"),
            ("/board/Harbour", "#head"), ("/nothing", "h1"), ("/gallery", "main"),
        ] {
            try page.go(lobby.address + path)
            try eventually("\(path) is shown") { try !page.text(element).isEmpty }
            // The gallery has texts as people write them.
            try look(path, isOurs: path != "/gallery")
        }
        try page.go(lobby.address + "/shift/Harbour")
        try page.click("button.list")
        try look("task")
        try page.click("button.good.big")
        #expect(try page.text("#shift .undo").contains("Milk fridge"))
        try look("the next task")
        try page.click("#shift header button")
        try look("lists")
        try page.click("[data-key='#todos']")
        try look("to-dos")
        #expect(try page.text("#shift .todo .where").hasSuffix("Immediately"))
        try page.click("#shift > button.main")
        try look("a new to-do")
        for (list, form) in [
            ("#todos", ".todo button.quiet"), ("#sales", "button.list"),
            ("#equipment", "#shift > button.main"),
        ] {
            try page.go(lobby.address + "/shift/Harbour")
            try page.click("[data-key='\(list)']")
            try eventually("\(list) is shown") { try page.text("#shift header") != "" }
            try look(list)
            try page.click(form)
            try look("a form of \(list)")
        }
        #expect(try page.problems == [])
    }

    /// The elements whose text is wider than they are. On a board that is wider than a phone, what
    /// doesn't fit is cut on purpose, as is the end of the name of what can be undone.
    private static let cut = """
        (() => {
            const begin = (it) => {
                const text = document.createRange();
                text.selectNodeContents(it);
                return text.getBoundingClientRect().left;
            };
            const kinds = 'button, .button, a, label, summary, h1, h2, h3, p, li, td';
            return [...document.querySelectorAll(kinds)]
                .filter((it) => it.checkVisibility() && getComputedStyle(it).display !== 'inline'
                    && !it.closest('.away, .skip') && (it.matches('.undo')
                        ? begin(it) < it.getBoundingClientRect().left
                        : it.scrollWidth > it.clientWidth + 1))
                .map((it) => it.outerHTML.slice(0, 150)).join('\\n');
        })()
        """

    /// What can be pressed but is less than 44 pixels wide or high. A field is pressed by its label
    /// too, and a card by what it leads to. Links in sentences are as high as their lines.
    private static let small = """
        [...document.querySelectorAll('a, button, input, select, textarea, summary')]
            .filter((it) => {
                if (!it.checkVisibility() || it.closest('.away, .skip, p > a:not(.button)')) {
                    return false;
                }
                const target = it.closest('label') ?? it.closest('.card:has(h2 > a)') ?? it;
                const { width, height } = target.getBoundingClientRect();
                return Math.min(width, height) < 44;
            })
            .map((it) => it.outerHTML.slice(0, 150)).join('\\n')
        """

    /// The texts that have plain letters besides these names: they are not translated. Findings,
    /// and what keeps a chair out of a room, are texts of another service, and the days of shifts
    /// those of the browser.
    private static func plain(but names: [String]) throws -> String {
        let list = String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
        return """
            ((names) => {
                const found = new Set();
                const check = (text) => {
                    const rest = names.reduce((rest, name) => rest.replaceAll(name, ' '), text);
                    if (/[A-Za-z]{2}/.test(rest)) found.add(text.trim());
                };
                const others = 'script, style, noscript, .finding p, .finding h3 > :last-child, '
                    + '.obstruction, #shift > .where';
                check(document.title);
                for (const it of document.body.querySelectorAll('*')) {
                    const isOurs = it.closest('[lang]') === document.documentElement;
                    if (!isOurs || it.closest(others)) continue;
                    for (const name of ['aria-label', 'alt', 'title', 'placeholder']) {
                        check(it.getAttribute(name) ?? '');
                    }
                    for (const node of it.childNodes) {
                        if (node.nodeType === Node.TEXT_NODE) check(node.data);
                    }
                }
                return [...found].join('\\n');
            })(\(list))
            """
    }

    /// The elements whose states differ by nothing but their colours, and the severities of alerts
    /// that have no word of their own.
    private static let told = """
        (() => {
            const look = (it) => {
                const own = getComputedStyle(it);
                return [it.innerText, own.fontWeight, own.borderStyle, own.textDecorationLine,
                    ...['::before', '::after'].map((part) => getComputedStyle(it, part).content),
                ].join();
            };
            const set = (it, name, value) =>
                value === null ? it.removeAttribute(name) : it.setAttribute(name, value);
            const found = [];
            for (const [name, on, off] of [
                ['aria-pressed', 'true', 'false'], ['aria-current', 'page', null]]) {
                for (const it of document.querySelectorAll(`[${name}]`)) {
                    const value = it.getAttribute(name);
                    const [one, other] = [on, off].map((state) => {
                        set(it, name, state);
                        return look(it);
                    });
                    set(it, name, value);
                    if (one === other) found.push(it.outerHTML.slice(0, 150));
                }
            }
            const alerts = [...document.querySelectorAll('.alert')];
            const words = alerts.map((it) => it.querySelector('.severity').textContent);
            const kinds = new Set(alerts.map((it) => it.className));
            if (new Set(words).size < kinds.size) found.push(words.join());
            return found.join('\\n');
        })()
        """

    /// The elements that don't look different with the focus.
    private static let unmarked = """
        (() => {
            const found = [];
            for (const it of document.querySelectorAll(
                'a[href], button, input, select, textarea, summary, [tabindex="0"]')) {
                it.focus();
                if (document.activeElement !== it) continue;
                const { outlineStyle, outlineWidth } = getComputedStyle(it);
                if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) {
                    found.push(it.outerHTML.slice(0, 150));
                }
            }
            return found.join('\\n');
        })()
        """
}
