import Bus
import Foundation
import Messages

/// The pages over HTTP: how large they are, how soon a tick is on other screens, and what streams
/// cost.
enum WebBench {
    static func run(_ figures: inout Figures) throws {
        let kitchen = try WebKitchen()
        defer { kitchen.stop() }
        let idle = try kitchen.web.residentMemory()
        let visitor = Visitor(port: kitchen.port)
        try visitor.logIn("kari")
        try sizes(kitchen, visitor, &figures)
        try start(kitchen, &figures)
        let visitors = try streams(kitchen, idle, &figures)
        try farTick(kitchen, visitors, &figures)
        try WebEndurance.run(kitchen, &figures)
        try PageBench.run(kitchen, visitor, visitors, &figures)
    }

    // MARK: Sizes

    /// The bytes of a page and of everything that it loads before it shows its content.
    private static func sizes(
        _ kitchen: WebKitchen, _ visitor: Visitor, _ figures: inout Figures
    ) throws {
        let shift = try kitchen.shift()
        let data = [
            "/shift/\(kitchen.site)/snapshot", "/operations/\(shift)?after=0&device=d&deviceHead=0",
        ]
        let pages: [(name: String, path: String, goal: Double, data: [String])] = [
            ("log-in", "/login", 20, []), ("board", "/board/\(kitchen.site)", 60, []),
            ("alerts", "/alerts", 40, []), ("checklist", "/shift/\(kitchen.site)", 90, data),
        ]
        for page in pages {
            let first = try visitor.ask("GET", page.path)
            let html = try plain(first)
            var names = Set(html.matches(of: /"(\/files\/[^"]+\.(?:css|js))"/).map { String($0.1) })
            var (packed, unpacked) = (first.bytes, html.utf8.count)
            names = names.filter { !$0.isEmpty }
            for path in names.sorted() {
                let file = try visitor.ask("GET", path)
                packed += file.bytes
                unpacked += try plain(file).utf8.count
            }
            for path in page.data {
                let file = try visitor.ask("GET", path, account: kitchen.account)
                guard file.status == 200 else {
                    throw ConfigurationError("\(path): \(file.status)")
                }
                packed += file.bytes
                unpacked += try plain(file).utf8.count
            }
            figures.add(
                "web: first visit, \(page.name)", Double(packed) / 1024, "KB",
                goal: .atMost(page.goal),
                reference: ("KB without compression", Double(unpacked) / 1024))
            figures.add(
                "web: second visit, \(page.name), without its data",
                Double(try visitor.ask("GET", page.path).bytes) / 1024, "KB", goal: .atMost(5))
        }
    }

    /// The text of a response, uncompressed.
    private static func plain(_ answer: Visitor.Answer) throws -> String {
        guard answer.head.contains("Content-Encoding: gzip") else {
            return String(decoding: answer.body, as: UTF8.self)
        }
        let unpack = Process()
        unpack.executableURL = URL(filePath: "/bin/gzip")
        unpack.arguments = ["-dc"]
        let (input, output) = (Pipe(), Pipe())
        (unpack.standardInput, unpack.standardOutput) = (input, output)
        try unpack.run()
        let body = Data(answer.body)
        Thread.detachNewThread {
            input.fileHandleForWriting.write(body)
            input.fileHandleForWriting.closeFile()
        }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        unpack.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Start

    /// How long it takes from the start of the program until a page is served, without any other
    /// service and with them.
    private static func start(_ kitchen: WebKitchen, _ figures: inout Figures) throws {
        let folder = try Scratch("ipc", "alone")
        try Child(ServiceName.web.rawValue, folder).stop()
        var (alone, among): ([Double], [Double]) = ([], [])
        func serve(_ port: Int, since begun: ContinuousClock.Instant) throws -> Double {
            guard try Visitor(port: port).ask("GET", "/login").status == 200 else {
                throw ConfigurationError("no page is served")
            }
            return (ContinuousClock.now - begun) / .milliseconds(1)
        }
        for _ in 0..<7 {
            let begun = ContinuousClock.now
            let child = try Child(ServiceName.web.rawValue, folder)
            alone.append(try serve(child.port(), since: begun))
            child.stop()
        }
        for _ in 0..<7 {
            kitchen.web.stop()
            let begun = ContinuousClock.now
            try kitchen.restart()
            among.append(try serve(kitchen.port, since: begun))
        }
        // The reference is another service, which serves no pages.
        let ready = try (0..<7).map { _ in
            let child = try Child(ServiceName.account.rawValue, folder)
            defer { child.stop() }
            return child.timeToReady / .milliseconds(1)
        }
        let reference = ("ms, account-service is ready", ready.sorted()[3])
        figures.add(
            "web: start to first page, no service running (median of 7)", alone.sorted()[3], "ms",
            goal: .atMost(150), reference: reference)
        figures.add(
            "web: start to first page, services running (median of 7)", among.sorted()[3], "ms",
            goal: .atMost(150), reference: reference)
    }

    // MARK: Streams

    private static let ticks = 100

    /// Ticks while 250 streams are open; then 500 streams, and the one after them.
    private static func streams(
        _ kitchen: WebKitchen, _ idle: Double, _ figures: inout Figures
    ) throws -> [Visitor] {
        // At most six streams share a log-in: 9 log-ins for boards, 34 for phones, 43 for the rest.
        let visitors = try (0..<86).map { number in
            let visitor = Visitor(port: kitchen.port, place: "192.0.2.\(number + 2)")
            try visitor.logIn(
                number < 43 ? "kari" : number < 68 ? "ola" : number < 77 ? "per" : "liv")
            return visitor
        }
        let (walls, hands) = try kitchen.crowds(
            walls: visitors, hands: Array(visitors[9...]))
        try tick(kitchen, visitors[0], walls, hands, &figures)
        try event(kitchen, walls, hands, &figures)
        try raise(kitchen, hands, &figures)

        let rest = Crowd()
        // The log-ins that have neither a board nor a phone yet. The last 100 streams are for
        // accounts with fewer than 50.
        for (first, count) in [(43, 150), (68, 50), (77, 50)] {
            for number in 0..<count {
                rest.add(try visitors[first + number / 6].stream("/alerts/stream"))
            }
        }
        _ = try rest.wait(for: "\"bell\"")
        figures.add("web: memory, idle", idle, "MiB", goal: .atMost(25))
        figures.add(
            "web: memory with 500 streams", try kitchen.web.residentMemory(), "MiB",
            goal: .atMost(64), reference: ("MiB, idle", idle))
        let late = try visitors[42].ask("GET", "/alerts/stream")
        figures.add(
            "web: streams when the next is refused", late.status == 503 ? 500 : 0, "",
            goal: .atLeast(500))
        return visitors
    }

    /// How long it takes from the request with a tick until it is on every board.
    private static func tick(
        _ kitchen: WebKitchen, _ visitor: Visitor, _ walls: Crowd, _ hands: Crowd,
        _ figures: inout Figures
    ) throws {
        var ticker = try Ticker(kitchen, visitor)
        _ = try walls.wait(for: "\"todos\"")
        var (all, kept) = (Samples(), Samples())
        for _ in 1...ticks {
            walls.drain()
            let start = ContinuousClock.now
            try ticker.tick()
            kept.add(ContinuousClock.now - start)
            for time in try walls.wait(for: "\"todos\"") { all.add(time - start) }
            hands.drain()
            let rest = .milliseconds(200) - (ContinuousClock.now - start)
            if rest > .zero { usleep(useconds_t(rest / .microseconds(1))) }
        }
        try ticker.remove()
        let bare = try BareStreams.rounds(20, connections: WebKitchen.boards, bytes: 2_000)
        figures.add(
            "web: a tick on 50 boards, 200 phones open, p50", all.percentile(0.5) / 1000, "ms",
            goal: .atMost(30), reference: ("ms, plain sockets", bare.percentile(0.5) / 1000))
        figures.add(
            "web: a tick on 50 boards, 200 phones open, p99", all.percentile(0.99) / 1000, "ms",
            goal: .atMost(100), reference: ("ms, plain sockets", bare.percentile(0.99) / 1000))
        figures.add(
            "web: a tick until the phone knows that it is kept, p99", kept.percentile(0.99) / 1000,
            "ms")
    }

    /// The processor time from an event of checklist-service until it is on every board. It
    /// excludes recording a browser's tick, which is done once and not for each screen.
    private static func event(
        _ kitchen: WebKitchen, _ walls: Crowd, _ hands: Crowd, _ figures: inout Figures
    ) throws {
        var ticker = try Ticker(kitchen, nil)
        _ = try walls.wait(for: "\"todos\"")
        let beats = try beats(kitchen, walls, hands)
        let (begun, before) = (ContinuousClock.now, try kitchen.web.processorTime())
        for _ in 1...ticks {
            walls.drain()
            let start = ContinuousClock.now
            try ticker.tick()
            _ = try walls.wait(for: "\"todos\"")
            hands.drain()
            let rest = .milliseconds(200) - (ContinuousClock.now - start)
            if rest > .zero { usleep(useconds_t(rest / .microseconds(1))) }
        }
        let spent = try kitchen.web.processorTime() - before
        let taken = (ContinuousClock.now - begun) / .seconds(1)
        try ticker.remove()
        let events = ticks * walls.count
        let perEvent = 1_000_000 / Double(events)
        let rest = spent - beats * taken
        figures.add(
            "web: process time for an event on a screen", rest * perEvent, "us", goal: .atMost(40),
            reference: ("us, with the beats of all streams", spent * perEvent))
    }

    /// The same over a radio network on which each byte takes 20 ms in each direction. The phone
    /// opens a connection for its tick; the boards already have theirs.
    private static func farTick(
        _ kitchen: WebKitchen, _ visitors: [Visitor], _ figures: inout Figures
    ) throws {
        try kitchen.awaitQuiet()
        let way = try FarAway(to: kitchen.port, delay: .milliseconds(20))
        let far = visitors.map { $0.moved(to: way.port) }
        let (walls, hands) = try kitchen.crowds(walls: far, hands: Array(visitors[9...]))
        var ticker = try Ticker(kitchen, far[0])
        _ = try walls.wait(for: "\"todos\"")
        var samples = Samples()
        for _ in 1...ticks {
            walls.drain()
            let start = ContinuousClock.now
            try ticker.tick()
            for time in try walls.wait(for: "\"todos\"") { samples.add(time - start) }
            hands.drain()
            let rest = .milliseconds(200) - (ContinuousClock.now - start)
            if rest > .zero { usleep(useconds_t(rest / .microseconds(1))) }
        }
        try ticker.remove()
        figures.add(
            "web: a tick on 50 boards, 20 ms each way, p99", samples.percentile(0.99) / 1000, "ms",
            goal: .atMost(400), reference: ("ms, the way alone", 80))
    }

    /// The share of a processor that it takes to send every stream a heartbeat once a second.
    private static func beats(_ kitchen: WebKitchen, _ walls: Crowd, _ hands: Crowd) throws
        -> Double
    {
        let (begun, before) = (ContinuousClock.now, try kitchen.web.processorTime())
        while ContinuousClock.now - begun < .seconds(5) {
            usleep(500_000)
            walls.drain()
            hands.drain()
        }
        let spent = try kitchen.web.processorTime() - before
        return spent / ((ContinuousClock.now - begun) / .seconds(1))
    }

    /// How long it takes until an urgent alert is on the open pages.
    private static func raise(
        _ kitchen: WebKitchen, _ hands: Crowd, _ figures: inout Figures
    ) throws {
        let notifier = try Client(kitchen.scratch.connection(), to: .notifier, isPatient: true)
        var samples = Samples()
        for number in 0..<20 {
            hands.drain()
            let start = ContinuousClock.now
            _ = try notifier.ask(
                RaiseAlert(
                    audience: Audience(account: kitchen.account), severity: .urgent,
                    title: "Alarm \(number)."),
                for: Call.self)
            for time in try hands.wait(for: "Alarm \(number).") { samples.add(time - start) }
        }
        figures.add(
            "web: an alert on 200 open pages, p99", samples.percentile(0.99) / 1000, "ms",
            goal: .atMost(300))
    }
}
