import Bus
import Foundation

/// The pages in Chromium, if it is installed: first content on a slow phone, a person's own tick,
/// and a page's memory after many events.
enum PageBench {
    static func run(
        _ kitchen: WebKitchen, _ visitor: Visitor, _ crowd: [Visitor],
        _ figures: inout Figures
    ) throws {
        guard let driver = try Driver() else {
            return print("no page is measured without Chromium: make .build/browser")
        }
        // A relay that can fail, at an address of its own.
        try driver.ask("relay", "way", "\(kitchen.port)")
        let address = "http://127.0.0.1:\(kitchen.port)"
        func begin(_ name: String, width: String, height: String) throws {
            let folder = "\(kitchen.scratch.directory)/browser-\(name)"
            try driver.ask(
                "begin", name, more: ["profile": folder, "width": width, "height": height])
            for place in [address, "http://[::1]:\(kitchen.port)"] {
                try driver.ask("plant", name, visitor.cookie, more: ["at": place])
            }
        }
        try begin("phone", width: "360", height: "740")
        try phone(kitchen, driver, address, &figures)
        try begin("wall", width: "1920", height: "1080")
        try drawn(kitchen, driver, address, crowd, &figures)
        try driver.ask("kill", "phone")
        try wall(kitchen, driver, address, &figures)
        try BackBench.run(kitchen, driver, &figures)
        try driver.ask("kill", "wall")
    }

    /// JavaScript that waits until an element exists and is painted, and returns when that was, in
    /// milliseconds since the page began to load.
    private static func shown(_ selector: String) -> String {
        """
        new Promise((done) => {
            const look = () => {
                if (!document.querySelector('\(selector)')) return false;
                \(painted)(() => done(performance.now()));
                return true;
            };
            if (look()) return;
            const watch = new MutationObserver(() => look() && watch.disconnect());
            watch.observe(document, {childList: true, subtree: true});
        })
        """
    }

    /// A JavaScript function that calls another after the page's next frame.
    private static let painted = """
        ((then) => requestAnimationFrame(() => {
            const {port1, port2} = new MessageChannel();
            port1.onmessage = then;
            port2.postMessage(0);
        }))
        """

    private static func phone(
        _ kitchen: WebKitchen, _ driver: Driver, _ address: String,
        _ figures: inout Figures
    ) throws {
        let path = "\(address)/shift/\(kitchen.site)"
        try driver.ask("slow", "phone", "6")
        try driver.ask("go", "phone", path, more: ["until": "commit"])
        let first = try driver.number("run", "phone", shown("button.list"))
        let kept = "caches.match('/shift/\(kitchen.site)').then((it) => it !== undefined)"
        let end = ContinuousClock.now + .seconds(60)
        while try driver.ask("run", "phone", "(async () => String(await \(kept)))()") != ["true"] {
            guard ContinuousClock.now < end else { throw ConfigurationError("it is not kept") }
            usleep(50_000)
        }
        try driver.ask("go", "phone", path, more: ["until": "commit"])
        let again = try driver.number("run", "phone", shown("button.list"))
        figures.add(
            "web: checklist on a slow phone, first visit", first / 1000, "s", goal: .atMost(2))
        figures.add(
            "web: checklist on a slow phone, kept", again / 1000, "s", goal: .atMost(0.8),
            reference: ("s, first visit", first / 1000))
        // The cached page is included, because browsers count what a service worker serves.
        let came = """
            [...performance.getEntriesByType('navigation'),
                ...performance.getEntriesByType('resource')]
                .reduce((sum, it) => sum + it.transferSize, 0) / 1024
            """
        figures.add(
            "web: second visit, checklist in a browser, all in",
            try driver.number("run", "phone", came), "KB", goal: .atMost(5))
        kitchen.web.stop()
        try driver.ask("go", "phone", path, more: ["until": "commit"])
        figures.add(
            "web: checklist on a slow phone, kept, offline",
            try driver.number("run", "phone", shown("button.list")) / 1000, "s",
            goal: .atMost(0.8), reference: ("s, with a network", again / 1000))
        try kitchen.restart()
        try ticks(driver, path, &figures)
    }

    private static func ticks(
        _ driver: Driver, _ path: String, _ figures: inout Figures
    ) throws {
        try driver.ask("slow", "phone", "1")
        try driver.ask("go", "phone", path)
        // From lifting the finger until the next task is on the screen: by then the tick is kept.
        // A press within 350 ms of the last tick counts as the second one of a double tap, and
        // nobody ticks in step with the frames of a screen.
        let ticks = """
            (async () => {
                const root = document.getElementById('shift');
                const find = (selector) => root.querySelector(selector);
                const rest = () => new Promise((done) =>
                    setTimeout(done, 400 + Math.random() * 100));
                const times = [];
                const passed = new Set();
                for (let list = 0; times.length < 100;) {
                    if (find('button.list')) {
                        await rest();
                        root.querySelectorAll('button.list')[list].click();
                    }
                    const title = find('h1').textContent;
                    const good = find('button.good.big');
                    if (find('.marked') || !good || good.textContent === 'Answer') {
                        // A task that is ticked, or asks for an answer.
                        if (passed.has(list + title)) {
                            list += 1;
                            find('header button').click();
                        } else {
                            passed.add(list + title);
                            find('.small button:last-child').click();
                        }
                        continue;
                    }
                    await rest();
                    const before = find('progress').value;
                    const isTicked = new Promise((done) => {
                        const watch = new MutationObserver(() => {
                            if (!(find('progress')?.value > before)) return;
                            watch.disconnect();
                            \(painted)(done);
                        });
                        watch.observe(root, {childList: true});
                    });
                    const start = performance.now();
                    find('button.good.big').click();
                    await isTicked;
                    times.push(performance.now() - start);
                }
                times.sort((a, b) => a - b);
                return [times[50], times[98]].map(String);
            })()
            """
        _ = try driver.number("run", "phone", shown("button.list"))
        let times = try driver.ask("run", "phone", ticks).compactMap(Double.init)
        guard times.count == 2 else { throw ConfigurationError("no ticks were measured") }
        figures.add("web: own tick to drawn as kept, p50", times[0], "ms", goal: .atMost(20))
        figures.add("web: own tick to drawn as kept, p99", times[1], "ms", goal: .atMost(60))
    }

    /// How long it takes from lifting a finger on a phone until a board on another screen is
    /// redrawn, while 50 boards and 200 phones are open.
    private static func drawn(
        _ kitchen: WebKitchen, _ driver: Driver, _ address: String, _ crowd: [Visitor],
        _ figures: inout Figures
    ) throws {
        let title = "Turn the ice"
        try steward(["todo", "add", title, "--priority", "immediate"], kitchen.scratch)
        try driver.ask("go", "wall", "\(address)/board/\(kitchen.site)")
        try driver.ask("go", "phone", "\(address)/shift/\(kitchen.site)")
        let others = try kitchen.crowds(walls: crowd, hands: Array(crowd[9...]))
        let todo = """
            [...document.querySelectorAll('section.todo')]
                .find((it) => it.querySelector('h2').textContent === '\(title)')
            """
        _ = try driver.number("run", "phone", shown("button.list"))
        try driver.ask(
            "run", "phone", "document.querySelector('button[data-key=\"#todos\"]').click()")
        _ = try driver.number("run", "phone", shown("section.todo"))
        usleep(400_000)
        var samples = Samples()
        for count in 0..<60 {
            let isOpen = count % 2 == 1
            // Stored in the page, so that the other page can be driven in the meantime.
            try driver.ask(
                "run", "wall",
                """
                (globalThis.change = new Promise((done) => {
                    const wall = document.getElementById('wall');
                    const watch = new MutationObserver(() => {
                        const text = document.getElementById('todos').textContent;
                        if (text.includes('\(title)') !== \(isOpen)) return;
                        watch.disconnect();
                        \(painted)(() => done(performance.timeOrigin + performance.now()));
                    });
                    watch.observe(wall, {childList: true});
                }), 'set')
                """)
            let start = try driver.number(
                "run", "phone",
                """
                (() => {
                    const start = performance.timeOrigin + performance.now();
                    (\(todo)).querySelector('button').click();
                    return start;
                })()
                """)
            samples.add(.milliseconds(try driver.number("run", "wall", "change") - start))
            usleep(useconds_t.random(in: 400_000...450_000))
            others.walls.drain()
            others.hands.drain()
        }
        figures.add(
            "web: a tick on a phone to drawn on a board, p50", samples.percentile(0.5) / 1000,
            "ms", goal: .atMost(30))
        figures.add(
            "web: a tick on a phone to drawn on a board, p99", samples.percentile(0.99) / 1000,
            "ms", goal: .atMost(100))
    }

    private static func wall(
        _ kitchen: WebKitchen, _ driver: Driver, _ address: String,
        _ figures: inout Figures
    ) throws {
        try driver.ask("go", "wall", "\(address)/board/\(kitchen.site)")
        // The events that another page of this browser would pass on if it had the stream.
        func events(_ count: Int) -> String {
            """
            (async () => {
                const teller = new BroadcastChannel(`stream${location.pathname}/stream`);
                for (let count = 0; count < \(count); count += 1) {
                    const rows = Array.from({length: 5}, (_, row) =>
                        ['li', {}, ['span', {class: 'what'}, `To-do ${count} ${row}`]]);
                    teller.postMessage(['part', JSON.stringify({id: 'todos', node:
                        ['section', {id: 'todos', class: 'column'}, ['ul', {}, ...rows]]})]);
                    if (count % 100 === 99) await new Promise((next) => setTimeout(next, 0));
                }
                teller.close();
                return 'done';
            })()
            """
        }
        try driver.ask("run", "wall", events(1_000))
        let before = try driver.ask("heap", "wall").compactMap(Double.init)
        let more = WebKitchen.isLong ? 99_000 : 30_000
        try driver.ask("run", "wall", events(more))
        let after = try driver.ask("heap", "wall").compactMap(Double.init)
        guard before.count == 2, after.count == 2 else {
            throw ConfigurationError("the browser doesn't tell its memory")
        }
        figures.add(
            "web: JavaScript of a board after \(more + 1000) events", after[0], "KB",
            goal: .atMostTimes(1.1), reference: ("KB, after 1,000", before[0]))
        figures.add(
            "web: nodes of a board after \(more + 1000) events", after[1], "",
            goal: .atMostTimes(1.1), reference: ("after 1,000", before[1]))
    }
}
