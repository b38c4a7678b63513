import Bus
import Foundation

/// The pages in Chromium, where it is there: first content on a slow phone, one's own tick, and
/// what a page weighs after many events.
enum PageBench {
    static func run(
        _ kitchen: WebBench.Kitchen, _ visitor: Visitor, _ figures: inout Figures
    ) throws {
        guard let driver = try Driver() else {
            return print("no page is measured without Chromium: make .build/browser")
        }
        let address = "http://127.0.0.1:\(kitchen.port)"
        func begin(_ name: String, width: String, height: String) throws {
            let folder = "\(kitchen.scratch.directory)/browser-\(name)"
            try driver.ask(
                "begin", name, more: ["profile": folder, "width": width, "height": height])
            try driver.ask("plant", name, visitor.cookie, more: ["at": address])
        }
        try begin("phone", width: "360", height: "740")
        try phone(kitchen, driver, address, &figures)
        try begin("wall", width: "1920", height: "1080")
        try wall(kitchen, driver, address, &figures)
    }

    /// Waits in the page until something is there, and tells when, in milliseconds from the
    /// beginning of its loading.
    private static func shown(_ selector: String) -> String {
        """
        new Promise((done) => {
            const look = () => document.querySelector('\(selector)')
                ? requestAnimationFrame(() => done(performance.now())) : setTimeout(look, 5);
            look();
        })
        """
    }

    private static func phone(
        _ kitchen: WebBench.Kitchen, _ driver: Driver, _ address: String,
        _ figures: inout Figures
    ) throws {
        let path = "\(address)/shift/\(kitchen.site)"
        try driver.ask("slow", "phone", "6")
        try driver.ask("go", "phone", path)
        let first = try driver.number("run", "phone", shown("button.list"))
        let kept = "caches.match('/shift/\(kitchen.site)').then((it) => it !== undefined)"
        let end = ContinuousClock.now + .seconds(60)
        while try driver.ask("run", "phone", "(async () => String(await \(kept)))()") != ["true"] {
            guard ContinuousClock.now < end else { throw ConfigurationError("it is not kept") }
            usleep(50_000)
        }
        try driver.ask("go", "phone", path)
        let again = try driver.number("run", "phone", shown("button.list"))
        figures.add(
            "web: checklist on a slow phone, first visit", first / 1000, "s", goal: .atMost(2))
        figures.add(
            "web: checklist on a slow phone, kept", again / 1000, "s", goal: .atMost(0.8),
            reference: ("s, first visit", first / 1000))
        // The kept page is in it, because browsers count what a service worker gives them.
        let came = """
            [...performance.getEntriesByType('navigation'),
                ...performance.getEntriesByType('resource')]
                .reduce((sum, it) => sum + it.transferSize, 0) / 1024
            """
        figures.add(
            "web: second visit, checklist in a browser, all in",
            try driver.number("run", "phone", came), "KB", goal: .atMost(5))
        kitchen.web.stop()
        try driver.ask("go", "phone", path)
        figures.add(
            "web: checklist on a slow phone, kept, offline",
            try driver.number("run", "phone", shown("button.list")) / 1000, "s",
            goal: .atMost(0.8), reference: ("s, with a network", again / 1000))
        try kitchen.restart()
        try ticks(driver, path, &figures)
        try driver.ask("kill", "phone")
    }

    private static func ticks(
        _ driver: Driver, _ path: String, _ figures: inout Figures
    ) throws {
        try driver.ask("slow", "phone", "1")
        try driver.ask("go", "phone", path)
        try driver.ask("click", "phone", "button.list")
        // From the finger's going up until the next task is drawn: by then the tick is kept.
        let ticks = """
            (async () => {
                const times = [];
                for (let count = 0; count < 100; count += 1) {
                    const before = document.getElementById('shift').textContent;
                    const start = performance.now();
                    document.querySelector('button.good.big').click();
                    while (document.getElementById('shift').textContent === before) {
                        await new Promise((next) => requestAnimationFrame(next));
                    }
                    await new Promise((next) => requestAnimationFrame(next));
                    times.push(performance.now() - start);
                }
                times.sort((a, b) => a - b);
                return [times[50], times[98]].map(String);
            })()
            """
        let times = try driver.ask("run", "phone", ticks).compactMap(Double.init)
        guard times.count == 2 else { throw ConfigurationError("no ticks were measured") }
        figures.add("web: own tick to drawn as kept, p50", times[0], "ms", goal: .atMost(20))
        figures.add("web: own tick to drawn as kept, p99", times[1], "ms", goal: .atMost(60))
    }

    private static func wall(
        _ kitchen: WebBench.Kitchen, _ driver: Driver, _ address: String,
        _ figures: inout Figures
    ) throws {
        try driver.ask("go", "wall", "\(address)/board/\(kitchen.site)")
        // What another page of this browser with the stream would tell this one.
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
        try driver.ask("run", "wall", events(30_000))
        let after = try driver.ask("heap", "wall").compactMap(Double.init)
        guard before.count == 2, after.count == 2 else {
            throw ConfigurationError("the browser doesn't tell its memory")
        }
        figures.add(
            "web: JavaScript of a board after 31,000 events", after[0], "KB",
            goal: .atMostTimes(1.1), reference: ("KB, after 1,000", before[0]))
        figures.add(
            "web: nodes of a board after 31,000 events", after[1], "", goal: .atMostTimes(1.1),
            reference: ("after 1,000", before[1]))
        try back(kitchen, driver, &figures)
        try driver.ask("kill", "wall")
    }

    /// How long an open board takes to be live again after web-service was killed.
    private static func back(
        _ kitchen: WebBench.Kitchen, _ driver: Driver, _ figures: inout Figures
    ) throws {
        let stale = "String(document.querySelector('#state.stale') !== null)"
        func wait(until wanted: String) throws -> ContinuousClock.Instant {
            let end = ContinuousClock.now + .seconds(60)
            while try driver.ask("run", "wall", stale) != [wanted] {
                guard ContinuousClock.now < end else {
                    throw ConfigurationError("the board is never live again")
                }
                usleep(20_000)
            }
            return .now
        }
        kitchen.web.stop()
        _ = try wait(until: "true")
        try kitchen.restart()
        let start = ContinuousClock.now
        let live = try wait(until: "false")
        figures.add(
            "web: board live again after a kill", (live - start) / .seconds(1), "s",
            goal: .atMost(5))
    }

    /// Chromium, driven by `Tests/WebPages/browser.py`.
    private final class Driver {
        private let process = Process()
        private let (input, output) = (Pipe(), Pipe())
        private var read: [UInt8] = []

        private struct Wish: Encodable {
            let what: String, name: String, text: String, more: [String: String]
        }

        private struct Said: Decodable {
            let texts: [String], fault: String?

            private enum Key: String, CodingKey { case value, fault }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: Key.self)
                fault = try values.decodeIfPresent(String.self, forKey: .fault)
                if let all = try? values.decode([String].self, forKey: .value) {
                    texts = all
                } else if let number = try? values.decode(Double.self, forKey: .value) {
                    texts = [String(number)]
                } else {
                    texts = (try? values.decode(String.self, forKey: .value)).map { [$0] } ?? []
                }
            }
        }

        /// Starts it; nil where browsers can't be driven.
        init?() throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../..").standardized
            let python = root.appending(path: ".build/browser/bin/python").path
            let manager = FileManager.default
            guard [python, "/usr/bin/chromium"].allSatisfy(manager.isExecutableFile) else {
                return nil
            }
            process.executableURL = URL(filePath: python)
            process.arguments = [root.appending(path: "Tests/WebPages/browser.py").path]
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
        }

        deinit {
            try? input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
            process.waitUntilExit()
        }

        @discardableResult
        func ask(
            _ what: String, _ name: String, _ text: String = "", more: [String: String] = [:]
        ) throws -> [String] {
            var line = try JSONEncoder().encode(
                Wish(what: what, name: name, text: text, more: more))
            line.append(UInt8(ascii: "\n"))
            try input.fileHandleForWriting.write(contentsOf: line)
            while !read.contains(UInt8(ascii: "\n")) {
                let bytes = output.fileHandleForReading.availableData
                guard !bytes.isEmpty else { throw ConfigurationError("the browser ended") }
                read += bytes
            }
            let end = read.firstIndex(of: UInt8(ascii: "\n")) ?? read.startIndex
            defer { read.removeFirst(end + 1) }
            let said = try JSONDecoder().decode(Said.self, from: Data(read[..<end]))
            if let fault = said.fault { throw ConfigurationError("\(what) \(text): \(fault)") }
            return said.texts
        }

        func number(_ what: String, _ name: String, _ text: String) throws -> Double {
            guard let number = try ask(what, name, text).first.flatMap(Double.init) else {
                throw ConfigurationError("\(text) is no number")
            }
            return number
        }
    }
}
