import Bus
import Foundation
import Messages

/// The memory that many events and connections leave in use, and the size of the program.
///
/// With `LONG=1` there are a million events and 100,000 connections; otherwise a fraction of that.
enum WebEndurance {
    static func run(_ kitchen: WebKitchen, _ figures: inout Figures) throws {
        try size(kitchen, &figures)
        try connects(kitchen, &figures)
        try events(kitchen, &figures)
    }

    /// Memory after many connections, compared with that after a tenth of them.
    private static func connects(
        _ kitchen: WebKitchen, _ figures: inout Figures
    ) throws {
        func connect(_ count: Int) throws {
            for number in 0..<count {
                let visitor = Visitor(
                    port: kitchen.port, place: "198.51.\(number / 250 % 250).\(number % 250)")
                guard try visitor.ask("GET", "/health").status == 200 else {
                    throw ConfigurationError("a connection was refused")
                }
            }
        }
        let total = WebKitchen.isLong ? 100_000 : 20_000
        try connect(total / 10)
        let before = try kitchen.web.residentMemory()
        try connect(total - total / 10)
        figures.add(
            "web: memory after \(total) connections", try kitchen.web.residentMemory(), "MiB",
            goal: .atMostTimes(1.1), reference: ("MiB, after a tenth of them", before))
    }

    private static let boards = 50
    /// The changes of one shift.
    private static let inShift = 200

    /// Memory after many events on boards, compared with that after the first ten thousand.
    private static func events(
        _ kitchen: WebKitchen, _ figures: inout Figures
    ) throws {
        let visitors = try (0..<9).map { number in
            let visitor = Visitor(port: kitchen.port, place: "203.0.113.\(number)")
            try visitor.logIn("kari")
            return visitor
        }
        let walls = Crowd()
        for number in 0..<boards {
            walls.add(try visitors[number / 6].stream("/board/\(kitchen.site)/stream"))
        }
        _ = try walls.wait(for: "\"todos\"")
        let shifts = WebKitchen.isLong ? 100 : 4
        var before = 0.0
        for number in 0..<shifts {
            try steward(["shift", "end", "--despite-open"], kitchen.scratch)
            try steward(["shift", "start", "day"], kitchen.scratch)
            walls.drain()
            var ticker = try Ticker(kitchen, visitors[8])
            _ = try walls.wait(for: "\"todos\"")
            for _ in 1..<inShift {
                walls.drain()
                let start = ContinuousClock.now
                try ticker.tick()
                _ = try walls.wait(for: "\"todos\"")
                // A browser that asks more than 60 times a second is told to wait.
                let rest = .milliseconds(20) - (ContinuousClock.now - start)
                if rest > .zero { usleep(useconds_t(rest / .microseconds(1))) }
            }
            try ticker.remove()
            if number == 0 { before = try kitchen.web.residentMemory() }
        }
        figures.add(
            "web: memory after \(shifts * (inShift - 1) * boards) events on boards",
            try kitchen.web.residentMemory(), "MiB", goal: .atMostTimes(1.1),
            reference: ("MiB, after \((inShift - 1) * boards)", before))
    }

    /// How much larger the program is than another service's.
    private static func size(_ kitchen: WebKitchen, _ figures: inout Figures) throws {
        let strip = "/usr/bin/strip"
        guard FileManager.default.isExecutableFile(atPath: strip) else {
            return print("the size of web-service is not measured without strip")
        }
        let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let sizes = try [ServiceName.web, .account].map { name in
            let bare = "\(kitchen.scratch.directory)/stripped"
            let run = try Process.run(
                URL(filePath: strip),
                arguments: ["-o", bare, beside.appending(path: name.rawValue).path])
            run.waitUntilExit()
            let bytes = try FileManager.default.attributesOfItem(atPath: bare)[.size] as? Int
            return Double(bytes ?? 0) / 1_000_000
        }
        figures.add(
            "web: program, stripped, beyond account-service", sizes[0] - sizes[1], "MB",
            goal: .atMost(12), reference: ("MB, account-service", sizes[1]))
    }
}

/// A phone that ticks a to-do of the open shift and takes the tick back, again and again.
struct Ticker {
    private let kitchen: WebKitchen
    /// Sends the ticks to web-service; nil to send them to checklist-service directly.
    private let visitor: Visitor?
    private let client: Client
    private let shift: String
    private let device = "web-\(UInt32.random(in: 0...UInt32.max))"
    private let todo: MessageID
    private var ids = MessageID.Generator()
    private var head: UInt64 = 0

    init(_ kitchen: WebKitchen, _ visitor: Visitor?) throws {
        (self.kitchen, self.visitor) = (kitchen, visitor)
        client = try Client(kitchen.scratch.connection(), to: .checklist, isPatient: true)
        shift = try kitchen.shift()
        todo = ids.next(at: WallClock.milliseconds())
        try send(
            .addTodo(AddTodo(title: "Turn the ice", area: "kitchen", priority: "immediate")),
            todo.bytes)
    }

    /// Ticks the to-do or opens it again, which each board shows.
    mutating func tick() throws { try mark(head % 2 == 1 ? .done : .open) }

    /// Removes the to-do, so that the next shift doesn't get it.
    mutating func remove() throws { try mark(.removed) }

    private mutating func mark(_ mark: TodoMark) throws {
        try send(
            .markTodo(MarkTodo(todo: todo.description, mark: mark)),
            ids.next(at: WallClock.milliseconds()).bytes)
    }

    private struct Recording: Encodable {
        let operations: [ShiftOperation]
        let deviceHead: UInt64
    }

    private mutating func send(_ change: ShiftOperation.Change, _ id: [UInt8]) throws {
        head += 1
        let operation = ShiftOperation(
            id: id, shift: shift, device: device, deviceSequence: head,
            deviceTime: WallClock.milliseconds(), change: change)
        guard let visitor else {
            let command = RecordOperations(operations: [operation], deviceHead: head)
            _ = try client.ask(command, for: OperationsRecorded.self)
            return
        }
        let body = try JSONEncoder().encode(Recording(operations: [operation], deviceHead: head))
        let answer = try visitor.ask(
            "POST", "/operations", json: String(decoding: body, as: UTF8.self),
            account: kitchen.account)
        guard answer.status == 200 else {
            throw ConfigurationError("a tick: \(String(decoding: answer.body, as: UTF8.self))")
        }
    }
}
