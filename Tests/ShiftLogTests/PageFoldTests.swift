import Foundation
import Messages
import TestSupport
import Testing

@testable import ShiftLog

/// A page folds the operations of a shift in JavaScript, and arrives at the service's state.
struct PageFoldTests {
    private static let node = "/usr/bin/node"
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../WebPages/folds.mjs").standardized.path

    /// A history as a page gets it.
    private struct Told: Encodable {
        let shift: Shift
        let settings: SiteSettings
        let lists: [ChecklistTemplate]
        let operations: [ShiftOperation]
        let times: [Int64]
    }

    private static let hasNode = FileManager.default.isExecutableFile(atPath: node)
    private static let lack: Comment =
        "what pages make of a shift is not tried without node: deploy/setup --tests installs it"

    @Test(.enabled(if: hasNode, lack), arguments: Seed.some(20))
    func `a page computes the same state from any history as the service`(seed: Seed) throws {
        var seed = seed
        var both = Both()
        for _ in 0..<HistoryTests.perSeed {
            var history = try History(&seed)
            for _ in 0..<(20 + seed.below(60)) { try history.step(&seed) }
            if seed.oneIn(3) { history.service.end() }
            if seed.oneIn(2) { try history.settle() }
            // The service's state, or what a device shows with its own operations on top.
            let state = seed.oneIn(2) ? history.service.state : seed.pick(history.devices).view
            try both.add(
                state, begun: Restaurant.state(), Restaurant.lists,
                times: (0..<4).map { _ in Restaurant.started + Int64(seed.below(43_200_000)) })
        }
        try both.compare()
    }

    @Test(.enabled(if: hasNode, lack), arguments: Seed.some(8))
    func `a page carries over open to-dos as the service does`(
        seed: Seed
    ) throws {
        var seed = seed
        var both = Both()
        for _ in 0..<20 {
            var history = try History(&seed)
            for _ in 0..<(20 + seed.below(60)) { try history.step(&seed) }
            var number: UInt32 = 1_100
            var todos = history.service.state.handedOver {
                number += 1
                return number
            }
            for index in todos.indices where seed.oneIn(3) {
                todos[index].mark = seed.pick([.done, .removed])
                todos[index].marked = TodoDeed(
                    account: "a", name: "A", time: Restaurant.started - 1)
            }
            let begun = try Restaurant.state()
            var state = begun
            var ids = MessageID.Generator()
            for (index, change) in Self.changes(todos, begun.shift, &seed).enumerated() {
                let place = UInt64(index + 1)
                state.apply(
                    ShiftOperation(
                        id: ids.next(at: Restaurant.started).bytes, shift: begun.shift.id,
                        device: seed.pick(["a", "b"]), deviceSequence: place,
                        deviceTime: Restaurant.started + Int64(index) * 60_000,
                        seen: UInt64(seed.below(index + 1)), sequence: place,
                        time: Restaurant.started + Int64(index) * 60_000, change: change))
            }
            try both.add(state, begun: begun, Restaurant.lists, times: [])
        }
        try both.compare()
    }

    /// The beginning of a shift that takes over to-dos from earlier ones, and what people then do.
    private static func changes(
        _ todos: [CarriedTodo], _ shift: Shift, _ seed: inout Seed
    ) -> [ShiftOperation.Change] {
        var changes: [ShiftOperation.Change] = [
            .begun(ShiftBegun(shift: shift, todos: Array(todos.dropLast())))
        ]
        if let last = todos.last { changes.append(.carry(CarryTodo(todo: last))) }
        for _ in 0..<30 {
            let task = seed.pick(["grill", "tables", "fryer-oil"])
            let id = todos.isEmpty || seed.oneIn(3) ? "pre/\(task)" : seed.pick(todos).id
            let due = Restaurant.started + Int64(seed.below(36_000_000))
            switch seed.below(5) {
            case 0: changes.append(.mark(task, seed.pick([.ok, .notOk, .notOk])))
            case 1: changes.append(.tick(id, seed.pick([.open, .done, .removed])))
            case 2:
                changes.append(
                    .changeTodo(
                        ChangeTodo(
                            todo: id, assignee: seed.pick([nil, "", "Kari"]),
                            due: seed.pick([0, due]), priority: seed.pick(["", "next-shift"]))))
            case 3:
                changes.append(
                    .changeTodo(ChangeTodo(todo: id, neverDue: true)))
            default:
                changes.append(
                    .addTodo(
                        AddTodo(
                            title: "New", area: "kitchen", priority: "immediate",
                            number: seed.pick([0, 1_001, 1_101, 2_001]),
                            due: seed.pick([0, due]), photos: seed.pick([[], Self.photos]))))
            }
        }
        return changes
    }

    @Test(.enabled(if: hasNode, lack), arguments: Seed.some(8))
    func `a page finds the same times in each zone, even on days when clocks change`(
        seed: Seed
    ) throws {
        let zones = [
            "Europe/Oslo", "Europe/London", "America/New_York", "America/St_Johns",
            "Australia/Lord_Howe", "Pacific/Chatham", "Asia/Kathmandu", "Africa/Casablanca",
        ]
        var seed = seed
        var both = Both()
        for zone in zones {
            for _ in 0..<20 {
                let lists = [Self.timed(&seed)]
                // Within two years, so that the clock is put forward and back several times.
                let started = Restaurant.started + Int64(seed.below(2 * 365 * 24 * 60)) * 60_000
                let begun = try ShiftState(
                    shift: Restaurant.shift(lists: lists, started: started, zone: zone),
                    lists: lists)
                try both.add(
                    begun, begun: begun, lists,
                    times: (0..<8).map { _ in started + Int64(seed.below(72_000_000)) })
            }
        }
        try both.compare()
    }

    @Test(.enabled(if: hasNode, lack))
    func `a page lets crew members do what the service lets them do`() throws {
        var list = AnswerTests.list
        list.crew = .tick
        let begun = try Restaurant.state(lists: [list])
        var service = Service(begun)
        var both = Both()
        for (may, account) in [(0, "cleo"), (2, ""), (1, "CLEO"), (0, ""), (2, "bob")] {
            try both.add(service.state, begun: begun, [list], times: [])
            try service.take(
                "m", .letCrew(LetCrew(list: list.id, may: UInt32(may), account: account)))
        }
        try both.add(service.state, begun: begun, [list], times: [])
        try both.compare()
    }

    private static func timed(_ seed: inout Seed) -> ChecklistTemplate {
        let tasks = (0..<12).map { number in
            Restaurant.task(
                "t\(number)", "Task \(number)",
                parent: number > 0 && seed.oneIn(4) ? "t\(seed.below(number))" : "",
                carryOut: seed.oneIn(3) ? nil : UInt32(seed.below(1440)))
        }
        return ChecklistTemplate(
            id: "pre", name: "Timed", kind: .before,
            sections: [ChecklistSection(id: "one", name: "One", tasks: tasks)], version: 1)
    }

    private static let photos = [UInt8(1), 2].map {
        Photo(checksum: [UInt8](repeating: $0, count: 32), size: 9, width: 4, height: 3)
    }
    private static let answered = ["fridge", "oil", "batch", "sign", "photo", "swept"]

    @Test(.enabled(if: hasNode, lack), arguments: Seed.some(4))
    func `a page keeps the answers that the service keeps`(seed: Seed) throws {
        var seed = seed
        let values: [Answer.Value] = [
            .number(-2_500), .number(5_000), .choice("golden"), .choice("black"), .text("L 4711"),
            .signature("Ann Berg"), .photos(Photos(photos: Self.photos)),
        ]
        var both = Both()
        for _ in 0..<20 {
            let begun = try Restaurant.state(lists: [AnswerTests.list])
            var state = begun
            var ids = MessageID.Generator()
            for place in 1...20 {
                let mark = MarkTask(
                    list: "haccp", task: seed.pick(Self.answered),
                    finding: seed.pick([.ok, .notOk, .unspecified]),
                    answer: seed.oneIn(4) ? nil : Answer(value: seed.pick(values)))
                let time = Restaurant.started + Int64(place) * 60_000
                state.apply(
                    ShiftOperation(
                        id: ids.next(at: time).bytes, shift: begun.shift.id,
                        device: seed.pick(["a", "b"]), deviceSequence: UInt64(place),
                        deviceTime: time, seen: UInt64(seed.below(place)),
                        sequence: UInt64(place), time: time, change: .mark(mark)))
            }
            try both.add(state, begun: begun, [AnswerTests.list], times: [])
        }
        try both.compare()
    }

    @Test(.enabled(if: hasNode, lack), arguments: ["en", "nb", "sv"])
    func `a page shows open tasks in the same order`(language: String) throws {
        let titles = [
            "Zebra", "ærlig", "Æble", "ål", "Ås", "Öl", "ø", "Ødelagt", "apple", "Apple", "APPLE 2",
            "a-b", "ab", "a b", "été", "Etage", "zoo", "10 things", "9 things", "émile", "Ü", "u",
        ]
        var settings = Restaurant.settings
        settings.language = language
        let begun = try Restaurant.state(settings)
        var both = Both()
        for start in 0..<20 {
            var seed = Seed(UInt64(start))
            var service = Service(begun)
            for _ in 0..<30 {
                try service.take(
                    "a",
                    .add(
                        seed.pick(titles), section: seed.pick(["Kitchen", "", "åpent", "Öppet"]),
                        priority: seed.pick(["immediate", "before-rush", "next-shift"])))
            }
            try both.add(service.state, begun: begun, Restaurant.lists, times: [])
        }
        try both.compare()
    }

    @Test(.enabled(if: hasNode, lack))
    func `a page keeps as many independent marks beside each other as the service`() throws {
        var service = try Service()
        let begun = service.state
        let added = try service.take("a", .add("Ice"))
        let todo = try #require(MessageID(bytes: added.id)).description
        for number in 1...80 {
            let device = "device \(number)"
            let findings: [Finding] = [.ok, .notOk, .unspecified]
            try service.take(
                device, .mark("grill", findings[number % 3]), seen: number > 60 ? 20 : 0)
            try service.take(device, .tick(todo, number % 3 == 0 ? .open : .done), seen: 0)
        }
        var both = Both()
        try both.add(service.state, begun: begun, Restaurant.lists, times: [])
        try both.compare()
    }

    /// Histories, and what the service makes of them.
    private struct Both {
        private var expected: [FoldedShift] = []
        private var input: [UInt8] = []

        mutating func add(
            _ state: ShiftState, begun: ShiftState, _ lists: [ChecklistTemplate], times: [Int64]
        ) throws {
            expected.append(FoldedShift(state, times: times))
            input += try JSONEncoder().encode(
                Told(
                    shift: begun.shift, settings: begun.settings, lists: lists,
                    operations: state.log, times: times))
            input.append(UInt8(ascii: "\n"))
        }

        /// Has the page's script fold them, and compares the results.
        func compare() throws {
            let lines = try fold(input).split(separator: UInt8(ascii: "\n"))
            try #require(lines.count == expected.count && !lines.isEmpty)
            for (line, expected) in zip(lines, expected) {
                let folded = try JSONDecoder().decode(FoldedShift.self, from: Data(line))
                #expect(folded.todos.map(\.title) == expected.todos.map(\.title))
                #expect(folded == expected)
            }
        }
    }

    private static func fold(_ input: [UInt8]) throws -> Data {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "steward-folds-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "histories")
        try Data(input).write(to: file)
        let run = Process()
        run.executableURL = URL(filePath: node)
        run.arguments = [script]
        run.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        run.standardOutput = output
        try run.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        run.waitUntilExit()
        try #require(run.terminationStatus == 0)
        return bytes
    }
}
