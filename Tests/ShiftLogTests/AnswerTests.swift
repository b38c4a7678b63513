import Messages
import Testing

@testable import ShiftLog

/// Answers in addition to findings, and what crew members may do.
struct AnswerTests {
    static let list = ChecklistTemplate(
        id: "haccp", name: "Temperatures", kind: .during,
        sections: [
            ChecklistSection(
                id: "cold", name: "Cold store",
                tasks: [
                    task(
                        "fridge",
                        AnswerRule(kind: .number, unit: "°C", least: 0, most: 5_000)),
                    task(
                        "oil",
                        AnswerRule(
                            kind: .choice,
                            choices: [
                                AnswerChoice(text: "golden"), AnswerChoice(text: "brown"),
                                AnswerChoice(text: "black", notOk: true),
                            ])),
                    task("batch", AnswerRule(kind: .text)),
                    task("sign", AnswerRule(kind: .signature)),
                    task("photo", AnswerRule(kind: .photo)),
                    task("swept", nil),
                ])
        ], version: 1)

    private static func task(_ id: String, _ answer: AnswerRule?) -> ChecklistTask {
        ChecklistTask(
            id: id, title: "Task \(id)", area: "kitchen", priority: "immediate", answer: answer)
    }

    private static func mark(
        _ task: String, _ finding: Finding, _ value: Answer.Value? = nil
    ) -> ShiftOperation.Change {
        .mark(
            MarkTask(
                list: "haccp", task: task, finding: finding,
                answer: value.map { Answer(value: $0) }))
    }

    private func service() throws -> Service {
        Service(try Restaurant.state(lists: [Self.list]))
    }

    private func result(_ task: String, _ service: Service) throws -> TaskResult {
        try #require(service.state.result(of: TaskKey(list: "haccp", task: task)))
    }

    @Test func `a number outside its limits is not ok and becomes a to-do, in any list`() throws {
        var service = try service()
        try service.take("a", Self.mark("fridge", .notOk, .number(5_001)))
        #expect(try result("fridge", service).state == .notOk)
        #expect(try result("fridge", service).answer() == "5.001 °C")
        #expect(service.state.todos.map(\.id) == ["haccp/fridge"])

        try service.take("b", Self.mark("fridge", .ok, .number(5_000)))
        #expect(try result("fridge", service).answer(separator: ",") == "5 °C")
        #expect(service.state.todos.isEmpty)
        #expect(
            try result("fridge", service).marks.compactMap(\.answer?.value)
                == [.number(5_001), .number(5_000)])
    }

    @Test func `a photo answer is one to five different prepared photos`() throws {
        var service = try service()
        let photos = (1...6).map {
            Photo(checksum: [UInt8](repeating: $0, count: 32), size: 9, width: 1_600, height: 1)
        }
        let change = { Self.mark("photo", .ok, .photos(Photos(photos: $0))) }
        var others = [Photo](repeating: photos[0], count: 4)
        others[0].checksum.removeLast()
        others[1].size = 512 << 10 + 1
        others[2].width = 1_601
        others[3].height = 0
        for bad in [[], photos, [photos[0], photos[0]]] + others.map({ [$0] }) {
            #expect(throws: Refusal.self) { try service.take("a", change(bad)) }
        }
        #expect(throws: Refusal.self) { try service.take("a", Self.mark("photo", .ok, .text("x"))) }
        // The refused operation has used up this helper's number, so another device goes on.
        try service.take("b", change(Array(photos.prefix(5))))
        let names = try result("photo", service).answer()
        #expect(names.hasPrefix("photo 010101010101, photo 020202020202"))
        #expect(service.state.photos == Array(photos.prefix(5)))
    }

    @Test(
        arguments: [
            (-1, true), (0, false), (4_999, false), (5_000, false), (5_001, true), (.min, true),
            (.max, true),
        ] as [(Int64, Bool)])
    func `the limits themselves are ok`(number: Int64, fails: Bool) {
        let rule = AnswerRule(kind: .number, least: 0, most: 5_000)
        #expect(rule.fails(Answer(value: .number(number))) == fails)
        #expect(
            MarkTask.finding(of: Answer(value: .number(number)), rule) == (fails ? .notOk : .ok))
    }

    @Test(arguments: [
        mark("fridge", .ok), mark("fridge", .ok, .number(5_001)), mark("fridge", .ok, .text("4")),
        mark("fridge", .unspecified, .number(4_000)), mark("fridge", .notOk, .number(.max)),
        mark("oil", .ok, .choice("black")), mark("oil", .ok, .choice("green")),
        mark("oil", .ok, .choice("")), mark("batch", .ok, .text("")),
        mark("batch", .ok, .text(" ")),
        mark("batch", .ok, .text(String(repeating: "x", count: 1_001))),
        mark("sign", .ok, .signature("")), mark("sign", .ok, .signature("\u{1B}[2J")),
        mark("sign", .ok, .text("Ann")), mark("swept", .ok, .number(1)), mark("swept", .notOk),
        mark("batch", .notOk),
    ])
    func `an impossible answer is refused, and harms no replica`(
        change: ShiftOperation.Change
    ) throws {
        var service = try service()
        let operation = service.operation("a", change)
        #expect(throws: Refusal.self) { try service.state.validate(operation) }
        var state = service.state
        state.apply(operation)
        #expect(state.log == [operation])
    }

    @Test func `a task that can't be answered may be not ok, or not apply`() throws {
        var service = try service()
        try service.take("a", Self.mark("fridge", .notOk))
        #expect(try result("fridge", service).state == .notOk)
        try service.take(
            "a",
            .mark(
                MarkTask(list: "haccp", task: "oil", notApplicable: "the fryer is off")))
        #expect(try result("oil", service).state == .notApplicable)
        try service.take("a", Self.mark("fridge", .unspecified))
        #expect(try result("fridge", service).answer().isEmpty)
    }

    @Test func `choices, texts and signatures are answers, with who gave them and when`() throws {
        var service = try service()
        try service.take("a", Self.mark("oil", .notOk, .choice("black")))
        try service.take("a", Self.mark("batch", .ok, .text("L 4711")))
        service.now += 60_000
        try service.take("b", Self.mark("sign", .ok, .signature("Ann Berg")))
        #expect(try result("oil", service).state == .notOk)
        #expect(try result("batch", service).answer() == "L 4711")
        let signed = try #require(try result("sign", service).shown)
        #expect(signed.answer?.value == .signature("Ann Berg"))
        #expect(signed.stamp.name == "b" && signed.stamp.time == service.now)
    }

    @Test(
        arguments: [
            ("4.2", 4_200), ("4,25", 4_250), ("-18", -18_000), ("−18.5", -18_500), ("0", 0),
            ("9999999999.999", 9_999_999_999_999), ("0.001", 1), ("-0.5", -500),
        ] as [(String, Int64)])
    func `a number is read as typed, and printed as short as possible`(
        typed: String, thousandths: Int64
    ) {
        #expect(Thousandths.read(typed) == thousandths)
        #expect(Thousandths.read(Thousandths.text(thousandths)) == thousandths)
    }

    @Test(arguments: ["", " 4", "4.", ".5", "1.2345", "12345678901", "4e3", "+4", "٤", "--4"])
    func `text that isn't a number isn't read as one`(typed: String) {
        #expect(Thousandths.read(typed) == nil)
    }

    @Test func `a choice may be typed by its beginning, if that is unique`() {
        let rule = AnswerRule(
            kind: .choice,
            choices: [AnswerChoice(text: "Black"), AnswerChoice(text: "Brown"), .init(text: "B")])
        #expect(rule.read("bl")?.value == .choice("Black"))
        #expect(rule.read(" brown ")?.value == .choice("Brown"))
        #expect(rule.read("b")?.value == .choice("B"))
        #expect(rule.read("br")?.value == .choice("Brown"))
        #expect(rule.read("x") == nil && rule.read(" ") == nil)
        #expect(AnswerRule(kind: .choice, choices: Array(rule.choices.prefix(2))).read("b") == nil)
    }

    @Test(arguments: [
        AnswerRule(), AnswerRule(kind: .unrecognized(9)),
        AnswerRule(kind: .number, least: 2, most: 1), AnswerRule(kind: .number, most: .max),
        AnswerRule(kind: .number, unit: String(repeating: "x", count: 21)),
        AnswerRule(kind: .number, choices: [AnswerChoice(text: "a")]),
        AnswerRule(kind: .text, unit: "°C"), AnswerRule(kind: .signature, least: 0),
        AnswerRule(kind: .choice), AnswerRule(kind: .choice, choices: [AnswerChoice(text: "a")]),
        AnswerRule(kind: .choice, choices: [.init(text: "a"), .init(text: "a")]),
        AnswerRule(kind: .choice, choices: [.init(text: "a"), .init(text: "")]),
        AnswerRule(
            kind: .choice, choices: [.init(text: "a", notOk: true), .init(text: "b", notOk: true)]),
    ])
    func `a template with a rule that no answer satisfies is refused`(rule: AnswerRule) {
        var list = Self.list
        list.sections[0].tasks = [Self.task("x", rule)]
        let rules = ChecklistRules(settings: Restaurant.settings)
        #expect(throws: Refusal.self) { try rules.validate(list) }
        #expect(throws: Never.self) { try rules.validate(Self.list) }
    }

    @Test func `a task with subtasks asks for no answer`() {
        var list = Self.list
        var child = Self.task("child", nil)
        child.parent = "swept"
        list.sections[0].tasks.append(child)
        let rules = ChecklistRules(settings: Restaurant.settings)
        #expect(throws: Never.self) { try rules.validate(list) }
        list.sections[0].tasks[5].answer = AnswerRule(kind: .text)
        let refusal = #expect(throws: Refusal.self) { try rules.validate(list) }
        #expect(refusal?.message.contains("“swept” asks for an answer") == true)
    }

    @Test func `the template says what crew members may do, and in a shift its manager`()
        throws
    {
        var list = Self.list
        list.crew = .tick
        var service = Service(try Restaurant.state(lists: [list]))
        let tick = Self.mark("swept", .ok)
        let fridge = Self.mark("fridge", .notOk, .number(9_000))
        let notOk = Self.mark("fridge", .notOk)
        let note = ShiftOperation.Change.note(NoteTask(list: "haccp", task: "swept", text: "x"))
        func allowed(_ account: String = "cleo") -> [Bool] {
            [tick, fridge, notOk, note].map { service.state.crewMay($0, account: account) }
        }
        #expect(allowed() == [true, true, false, false])

        try service.take("m", .letCrew(LetCrew(list: "haccp", may: 0)))
        #expect(allowed() == [false, false, false, false])
        try service.take("m", .letCrew(LetCrew(list: "haccp", may: 2, account: "Cleo")))
        #expect(allowed() == [true, true, true, true])
        #expect(allowed("bob") == [false, false, false, false])
        #expect(!service.state.crewMay(.beginTravelPath(BeginTravelPath()), account: "cleo"))

        let unknown = service.operation("m", .letCrew(LetCrew(list: "haccp", may: 7)))
        #expect(throws: Refusal.self) { try service.state.validate(unknown) }
        var state = service.state
        state.apply(unknown)
        #expect(state.crewMay("haccp", account: "cleo") == .inspect)
    }
}
