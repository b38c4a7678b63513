import Bus
import Foundation

/// How soon an open board is live again after an interruption of any kind, and how much memory many
/// reconnections leave in use.
///
/// With `LONG=1` networks are down for ten minutes and proxies for one; otherwise for a fraction of
/// that.
enum BackBench {
    static func run(
        _ kitchen: WebKitchen, _ driver: Driver, _ figures: inout Figures
    ) throws {
        try driver.ask("go", "wall", "http://[::1]:\(kitchen.port)/board/\(kitchen.site)")
        let (long, short) = WebKitchen.isLong ? (600, 60) : (20, 10)
        let troubles: [(name: String, begin: () throws -> Void, end: () throws -> Void)] = [
            ("after a kill", { kitchen.web.stop() }, { try kitchen.restart() }),
            (
                "after \(long) s without a network", { try driver.ask("lose", "way") },
                { try driver.ask("restore", "way") }
            ),
            (
                "after \(long) s asleep",
                {
                    try driver.ask("lose", "way")
                    try driver.ask("sleep", "wall")
                },
                {
                    try driver.ask("restore", "way")
                    try driver.ask("wake", "wall")
                }
            ),
            (
                "after \(short) s of answers 502", { try driver.ask("deny", "way") },
                { try driver.ask("restore", "way") }
            ),
        ]
        for (index, trouble) in troubles.enumerated() {
            try wait(driver, "String(document.querySelector('#state.stale') === null)", "true")
            try driver.ask(
                "run", "wall",
                """
                (globalThis.contact = new Promise((done) => document.addEventListener(
                    'live', () => done(Date.now()), {once: true})), 'set')
                """)
            try trouble.begin()
            sleep(UInt32([5, long, long, short][index]))
            try trouble.end()
            let end = Date().timeIntervalSince1970
            let live = try driver.number("run", "wall", "contact") / 1000
            figures.add(
                "web: board live again \(trouble.name)", max(0, live - end), "s",
                goal: .atMost(5))
        }
        try returns(kitchen, driver, &figures)
    }

    private static func wait(_ driver: Driver, _ script: String, _ wanted: String) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try driver.ask("run", "wall", script) != [wanted] {
            guard ContinuousClock.now < end else { throw ConfigurationError("\(script) never is") }
            usleep(50_000)
        }
    }

    /// The memory of a board after its stream has ended and begun many times, with a hundredth of
    /// the usual pause in between.
    private static func returns(
        _ kitchen: WebKitchen, _ driver: Driver, _ figures: inout Figures
    ) throws {
        try driver.ask("hasten", "wall", "100")
        try driver.ask("go", "wall", "http://[::1]:\(kitchen.port)/board/\(kitchen.site)")
        let (few, many) = WebKitchen.isLong ? (200, 2000) : (50, 500)
        try driver.ask("drop", "way", "\(few)")
        let before = try driver.ask("heap", "wall").compactMap(Double.init)
        try driver.ask("drop", "way", "\(many - few)")
        let after = try driver.ask("heap", "wall").compactMap(Double.init)
        guard before.count == 2, after.count == 2 else {
            throw ConfigurationError("the browser doesn't tell its memory")
        }
        figures.add(
            "web: JavaScript of a board after \(many) reconnects", after[0], "KB",
            goal: .atMostTimes(1.1), reference: ("KB, after \(few)", before[0]))
        figures.add(
            "web: nodes of a board after \(many) reconnects", after[1], "",
            goal: .atMostTimes(1.1), reference: ("after \(few)", before[1]))
    }
}
