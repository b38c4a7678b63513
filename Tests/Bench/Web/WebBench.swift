import Bus
import Foundation
import Messages

/// The pages over HTTP: how large they are, how soon a tick is on other screens, and what streams
/// cost.
enum WebBench {
    static let password = "correct horse battery"

    /// An installation with an open shift.
    final class Kitchen {
        let scratch: Scratch
        private(set) var web: Child
        let port: Int
        let account: String
        let site: String
        private let others: [Child]

        init() throws {
            let scratch = try Scratch("ipc")
            self.scratch = scratch
            others = try [ServiceName.account, .notifier, .checklist].map {
                try Child($0.rawValue, scratch)
            }
            web = try Child(
                ServiceName.web.rawValue, scratch, adding: ["STEWARD_WEB_PROXY": "127.0.0.1"])
            port = try web.port()
            let client = try Client(scratch.connection(), to: .account, isPatient: true)
            let made = try client.ask(
                CreateSite(name: "Harbour", timeZone: "Europe/Berlin"), for: Organisation.self)
            site = made.sites.first { $0.name == "Harbour" }?.id ?? ""
            let invitation = try client.ask(
                Invite(grants: [Grant(role: .siteManager)]), for: Invitation.self)
            account = try client.ask(
                SignUp(name: "kari", password: WebBench.password, invitation: invitation.code),
                for: Account.self
            ).id
            // checklist-service follows account-service, so it may know the site a moment later.
            let end = ContinuousClock.now + .seconds(30)
            while true {
                do { try steward(["site", "settings"], scratch) } catch {
                    guard ContinuousClock.now < end else { throw error }
                    usleep(50_000)
                    continue
                }
                break
            }
            try steward(["template", "restaurant"], scratch)
            try steward(["shift", "start", "day"], scratch)
        }

        /// Starts web-service again on the same port, after it was stopped.
        func restart() throws {
            web = try Child(
                ServiceName.web.rawValue, scratch,
                adding: [
                    "STEWARD_WEB_PROXY": "127.0.0.1", "STEWARD_WEB_LISTEN": "127.0.0.1:\(port)",
                ])
        }

        /// The id of the open shift.
        func shift() throws -> String {
            let client = try Client(scratch.connection(), to: .checklist, isPatient: true)
            let read = try client.ask(ReadShift(site: site), for: ShiftSnapshot.self)
            return read.shift?.id ?? ""
        }

        func stop() {
            web.stop()
            for other in others { other.stop() }
        }
    }

    static func run(_ figures: inout Figures) throws {
        let kitchen = try Kitchen()
        defer { kitchen.stop() }
        let idle = try kitchen.web.residentMemory()
        let visitor = Visitor(port: kitchen.port)
        try visitor.logIn("kari")
        try sizes(kitchen, visitor, &figures)
        try start(kitchen, &figures)
        try streams(kitchen, idle, &figures)
        try WebEndurance.run(kitchen, &figures)
        try PageBench.run(kitchen, visitor, &figures)
    }

    // MARK: Sizes

    /// The bytes of a page with everything that is loaded until it shows what it is for.
    private static func sizes(
        _ kitchen: Kitchen, _ visitor: Visitor, _ figures: inout Figures
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

    /// The text of a response.
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

    /// How long from the start of the program until a page is served, without any other service
    /// and with them.
    private static func start(_ kitchen: Kitchen, _ figures: inout Figures) throws {
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
        // The reference is another service of the same kind, which serves no pages.
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

    private static let boards = 50
    private static let phones = 200
    private static let ticks = 100

    /// Ticks while 250 streams are open, and the five hundred and first stream.
    private static func streams(
        _ kitchen: Kitchen, _ idle: Double, _ figures: inout Figures
    ) throws {
        // At most six streams have the same log-in.
        let visitors = try (0..<84).map { number in
            let visitor = Visitor(port: kitchen.port, place: "192.0.2.\(number + 2)")
            try visitor.logIn("kari")
            return visitor
        }
        var opened = 0
        func open(_ path: String) throws -> Int32 {
            defer { opened += 1 }
            return try visitors[opened / 6].stream(path)
        }
        let (walls, hands) = (Crowd(), Crowd())
        for _ in 0..<boards { walls.add(try open("/board/\(kitchen.site)/stream")) }
        for _ in 0..<phones { hands.add(try open("/alerts/stream")) }
        _ = try walls.wait(for: "\"todos\"")
        _ = try hands.wait(for: "\"bell\"")
        try tick(kitchen, visitors[0], walls, hands, &figures)
        try raise(kitchen, hands, &figures)

        let rest = Crowd()
        while opened < 500 { rest.add(try open("/alerts/stream")) }
        _ = try rest.wait(for: "\"bell\"")
        figures.add("web: memory, idle", idle, "MiB", goal: .atMost(25))
        figures.add(
            "web: memory with 500 streams", try kitchen.web.residentMemory(), "MiB",
            goal: .atMost(64), reference: ("MiB, idle", idle))
        let late = try visitors[83].ask("GET", "/alerts/stream")
        figures.add(
            "web: streams when the next is refused", late.status == 503 ? 500 : 0, "",
            goal: .atLeast(500))
    }

    /// How long a tick takes to be on every board, from the request that brings it.
    private static func tick(
        _ kitchen: Kitchen, _ visitor: Visitor, _ walls: Crowd, _ hands: Crowd,
        _ figures: inout Figures
    ) throws {
        var ticker = try Ticker(kitchen, visitor)
        _ = try walls.wait(for: "\"todos\"")
        var (all, kept) = (Samples(), Samples())
        let beats = try beats(kitchen, walls, hands)
        let (begun, before) = (ContinuousClock.now, try kitchen.web.processorTime())
        var events = 0
        for _ in 1...ticks {
            walls.drain()
            let start = ContinuousClock.now
            try ticker.tick()
            kept.add(ContinuousClock.now - start)
            for time in try walls.wait(for: "\"todos\"") { all.add(time - start) }
            events += walls.count
            hands.drain()
            let rest = .milliseconds(200) - (ContinuousClock.now - start)
            if rest > .zero { usleep(useconds_t(rest / .microseconds(1))) }
        }
        try ticker.remove()
        let spent = try kitchen.web.processorTime() - before
        let taken = (ContinuousClock.now - begun) / .seconds(1)
        let bare = try BareStreams.rounds(20, connections: boards, bytes: 2_000)
        figures.add(
            "web: a tick on 50 boards, 200 phones open, p50", all.percentile(0.5) / 1000, "ms",
            goal: .atMost(30), reference: ("ms, plain sockets", bare.percentile(0.5) / 1000))
        figures.add(
            "web: a tick on 50 boards, 200 phones open, p99", all.percentile(0.99) / 1000, "ms",
            goal: .atMost(100), reference: ("ms, plain sockets", bare.percentile(0.99) / 1000))
        figures.add(
            "web: a tick until the phone knows that it is kept, p99", kept.percentile(0.99) / 1000,
            "ms")
        // What it takes to record the tick is in it.
        let perEvent = 1_000_000 / Double(events)
        let rest = spent - beats * taken
        figures.add(
            "web: process time for an event on a screen", rest * perEvent, "us", goal: .atMost(40),
            reference: ("us, with the beats of all streams", spent * perEvent))
    }

    /// The share of a processor that it takes to tell all streams once a second that they live.
    private static func beats(_ kitchen: Kitchen, _ walls: Crowd, _ hands: Crowd) throws -> Double {
        let (begun, before) = (ContinuousClock.now, try kitchen.web.processorTime())
        while ContinuousClock.now - begun < .seconds(5) {
            usleep(500_000)
            walls.drain()
            hands.drain()
        }
        let spent = try kitchen.web.processorTime() - before
        return spent / ((ContinuousClock.now - begun) / .seconds(1))
    }

    /// How long an urgent alert takes to be on open pages.
    private static func raise(
        _ kitchen: Kitchen, _ hands: Crowd, _ figures: inout Figures
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
