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
        let web: Child
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
        try start(&figures)
        try streams(kitchen, idle, &figures)
        try connects(kitchen, &figures)
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

    /// How long from the start of the program until a page is served, without any other service.
    private static func start(_ figures: inout Figures) throws {
        let folder = try Scratch("ipc", "alone")
        try Child(ServiceName.web.rawValue, folder).stop()
        var times: [Double] = []
        var bare: [Double] = []
        for _ in 0..<7 {
            let begun = ContinuousClock.now
            let child = try Child(ServiceName.web.rawValue, folder)
            let answer = try Visitor(port: child.port()).ask("GET", "/login")
            guard answer.status == 200 else { throw ConfigurationError("no page is served") }
            times.append((ContinuousClock.now - begun) / .milliseconds(1))
            bare.append(child.timeToReady / .milliseconds(1))
            child.stop()
        }
        figures.add(
            "web: start to first page, no service running (median of 7)", times.sorted()[3], "ms",
            goal: .atMost(150), reference: ("ms until ready", bare.sorted()[3]))
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
        let shift = try kitchen.shift()
        var ids = MessageID.Generator()
        var (all, kept) = (Samples(), Samples())
        let before = try kitchen.web.processorTime()
        var events = 0
        for number in 1...ticks {
            let now = WallClock.milliseconds()
            let operation = ShiftOperation(
                id: ids.next(at: now).bytes, shift: shift, device: "phone",
                deviceSequence: UInt64(number), deviceTime: now,
                change: .addTodo(
                    AddTodo(
                        title: "Tick \(number).", area: "kitchen", priority: "immediate")))
            let body = Recording(operations: [operation], deviceHead: UInt64(number))
            let json = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
            walls.drain()
            let start = ContinuousClock.now
            let answer = try visitor.ask(
                "POST", "/operations", json: json, account: kitchen.account)
            kept.add(ContinuousClock.now - start)
            guard answer.status == 200 else {
                throw ConfigurationError("a tick: \(String(decoding: answer.body, as: UTF8.self))")
            }
            // The number of to-dos beside their heading.
            for time in try walls.wait(for: "\" \(number)\"") { all.add(time - start) }
            events += walls.count
            hands.drain()
            let rest = .milliseconds(200) - (ContinuousClock.now - start)
            if rest > .zero { usleep(useconds_t(rest / .microseconds(1))) }
        }
        let spent = try kitchen.web.processorTime() - before
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
        // The beat of each stream, once a second, is in it.
        figures.add(
            "web: process time for an event on a screen, all in",
            spent * 1_000_000 / Double(events), "us")
    }

    private struct Recording: Encodable {
        let operations: [ShiftOperation]
        let deviceHead: UInt64
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
                    audience: Audience(account: "kari"), severity: .urgent,
                    title: "Alarm \(number)."),
                for: Call.self)
            for time in try hands.wait(for: "Alarm \(number).") { samples.add(time - start) }
        }
        figures.add(
            "web: an alert on 200 open pages, p99", samples.percentile(0.99) / 1000, "ms",
            goal: .atMost(300))
    }

    // MARK: Connections

    /// Memory after many connections, compared with that after a tenth of them.
    private static func connects(_ kitchen: Kitchen, _ figures: inout Figures) throws {
        func connect(_ count: Int) throws {
            for number in 0..<count {
                let visitor = Visitor(
                    port: kitchen.port, place: "198.51.\(number / 250 % 250).\(number % 250)")
                guard try visitor.ask("GET", "/health").status == 200 else {
                    throw ConfigurationError("a connection was refused")
                }
            }
        }
        let total = 20_000
        try connect(total / 10)
        let before = try kitchen.web.residentMemory()
        try connect(total - total / 10)
        figures.add(
            "web: memory after \(total) connections", try kitchen.web.residentMemory(), "MiB",
            goal: .atMostTimes(1.1), reference: ("MiB, after a tenth of them", before))
    }
}
