import Messages
import Phrases
import ShiftLog
@testable import Speech
import Testing

@testable import ShiftClient

/// The screens of the walk and the board, for a shift made here.
struct ShiftScreenTests {
    private static let started: Int64 = 1_795_248_000_000  // 2026-11-21, 09:00 in Berlin

    /// A shift with two sections, a parent with two children, and a general task.
    static func state(
        _ changes: [ShiftOperation.Change] = [], areas: [String: String] = [:]
    ) throws -> ShiftState {
        func task(_ id: String, parent: String = "", general: Bool = false) -> ChecklistTask {
            ChecklistTask(
                id: id, parent: parent, title: "Title of \(id)", note: "look at \(id)",
                general: general, area: areas[id] ?? "kitchen", priority: "immediate")
        }
        let list = ChecklistTemplate(
            id: "list", name: "Opening", kind: .preShift,
            sections: [
                ChecklistSection(
                    id: "a", name: "Grill",
                    tasks: [
                        task("floor", general: true), task("fryers"),
                        task("oil", parent: "fryers"), task("lid", parent: "fryers"),
                    ]),
                ChecklistSection(id: "b", name: "Bar", tasks: [task("beer")]),
            ])
        var shift = Shift(
            id: "0192e4a1-7b3c-7def-8123-456789abcdef", site: "s", siteName: "Harbour",
            managerName: "Ann", dayPart: 1, timeZone: "Europe/Berlin", started: started,
            settings: SiteSettings.standard(for: "s").packed())
        shift.firstTravelPath = started + 75 * 60_000
        var state = try ShiftState(shift: shift, lists: [list])
        for (index, change) in changes.enumerated() {
            var id = [UInt8](repeating: 0, count: 15)
            id.append(UInt8(index + 1))
            state.apply(
                ShiftOperation(
                    id: id, device: "d", deviceSequence: UInt64(index + 1),
                    deviceTime: started + Int64(index), sequence: UInt64(index + 1),
                    time: started + Int64(index), change: change))
        }
        return state
    }

    private static func mark(_ task: String, _ finding: Finding) -> ShiftOperation.Change {
        .mark(MarkTask(list: "list", task: task, finding: finding))
    }

    private func plain(_ lines: [StyledLine], _ width: Int = 80, unicode: Bool = true) -> String {
        let look = Look(hasColours: false, isUnicode: unicode)
        return lines.map { $0.text(width: width, look) }.joined(separator: "\n")
    }

    private func walk(
        _ state: ShiftState, _ mode: WalkView.Mode = .marking, _ size: WindowSize
    ) throws -> [StyledLine] {
        let list = try #require(state.lists.templates.first)
        return WalkView(
            state: state, position: WalkPosition(list, state), mode: mode, message: "",
            sending: .done, now: Self.started
        ).lines(size)
    }

    @Test(arguments: 1...12)
    func `the selected task is visible in the smallest window`(rows: Int) throws {
        let lines = try walk(try Self.state(), .marking, .init(columns: 40, rows: rows))

        #expect(plain(Array(lines.prefix(rows)), 40).contains("▶"))
    }

    @Test func `a list and a walk have the same sign for a finding`() throws {
        let state = try Self.state([Self.mark("oil", .notOk), Self.mark("beer", .ok)])
        let template = try #require(state.lists.templates.first)
        let listing = TaskListing(state, at: Self.started) { _ in true }

        let list = plain(listing.lines(of: template))
        let screen = plain(try walk(state, WindowSize(columns: 80, rows: 24)))

        #expect(list.contains("[✗] Title of oil") && list.contains("[✓] Title of beer"))
        #expect(screen.contains("[✗] Title of oil"))
    }

    @Test func `figures are printed in whole units`() {
        #expect(FigureText.decimal(234_505, 100) == "2345.05")
        #expect(FigureText.decimal(94_000, 1000) == "94")
        #expect(FigureText.decimal(94_250, 1000) == "94.25")
        #expect(FigureText.hours(870) == "14 h 30 min" && FigureText.hours(60) == "1 h")
    }

    @Test func `a walk stops only at tasks that can be marked`() throws {
        let state = try Self.state()
        let position = WalkPosition(try #require(state.lists.templates.first), state)

        #expect(position.stops.map(\.task) == ["floor", "oil", "lid", "beer"])
        #expect(position.key?.task == "floor")
    }

    @Test func `a walk goes on to what a crew member may mark, and passes what others do`() throws {
        let areas = ["floor": "service", "lid": "service"]
        let tick = ShiftOperation.Change.letCrew(LetCrew(list: "list", may: 1))
        let cleo = Account(
            name: "Cleo", grants: [Grant(role: .crew, site: "s", area: "kitchen")])
        let crew = try #require(CrewMember(cleo, at: "s"))
        let barred = try Self.state(areas: areas)
        var state = try Self.state([tick], areas: areas)
        let list = try #require(state.lists.templates.first)
        var position = WalkPosition(list, state, crew)

        #expect(!WalkPosition(list, barred, crew).hasOpen(barred) && position.hasOpen(state))
        #expect(position.stops.map(\.task) == ["floor", "oil", "lid", "beer"])
        #expect(position.key?.task == "oil")
        state = try Self.state([tick, Self.mark("oil", .ok)], areas: areas)
        let goesOn = position.goOn(state)
        #expect(goesOn && position.key?.task == "beer")
        state = try Self.state(
            [tick, Self.mark("oil", .ok), Self.mark("beer", .ok)], areas: areas)
        let isLeft = position.goOn(state)
        #expect(!isLeft && !position.hasOpen(state))
        position.step(-1)
        #expect(position.key?.task == "lid")
        let view = WalkView(
            state: state, position: position, mode: .finished, message: "", sending: .done,
            now: Self.started, language: .english)
        let shown = plain(view.lines(WindowSize(columns: 80, rows: 24)))
        #expect(shown.contains("The other tasks of this list are for others."))
        #expect(!shown.contains("Every task of this list was looked at."))
    }

    @Test func `who leads shifts at a site is no crew member there, whatever their other roles`()
        throws
    {
        func crew(_ grants: Grant...) -> CrewMember? {
            CrewMember(Account(name: "Cleo", grants: grants), at: "s")
        }
        let state = try Self.state(
            [.letCrew(LetCrew(list: "list", may: 1))], areas: ["floor": "", "oil": "service"])
        func mayMark(_ crew: CrewMember?) -> [Bool] {
            ["floor", "oil", "beer"].map {
                crew?.mayMark(TaskKey(list: "list", task: $0), in: state) ?? true
            }
        }

        #expect(crew(Grant(role: .crew, site: "s"), Grant(role: .shiftManager, site: "s")) == nil)
        #expect(crew(Grant(role: .owner)) == nil)
        let everywhere = crew(Grant(role: .crew, site: "s"), Grant(role: .siteManager, site: "t"))
        #expect(everywhere != nil && mayMark(everywhere) == [true, true, true])
        let kitchen = crew(Grant(role: .crew, site: "s", area: "kitchen"))
        #expect(kitchen != nil && mayMark(kitchen) == [false, false, true])
        let none = crew(Grant(role: .crew, site: "t"), Grant(role: .display, site: "s"))
        #expect(none != nil && mayMark(none) == [false, false, false])

        let both = crew(
            Grant(role: .crew, site: "s", area: "service"),
            Grant(role: .crew, site: "s", area: "kitchen"))
        let managers = crew(
            Grant(role: .crew, site: "s", area: "manager"),
            Grant(role: .crew, site: "s", area: "kitchen"))
        #expect(both?.usualArea == "kitchen" && managers?.usualArea == "manager")
        #expect(everywhere?.usualArea == "manager" && none?.usualArea == "manager")
    }

    @Test func `going to a task with subtasks goes to the first of them`() throws {
        let state = try Self.state()
        var position = WalkPosition(try #require(state.lists.templates.first), state)

        position.go(to: TaskKey(list: "list", task: "fryers"), state)
        #expect(position.key?.task == "oil")
        position.go(toSection: "b", state)
        #expect(position.key?.task == "beer")
        position.step(-99)
        #expect(position.key?.task == "floor")
    }

    @Test func `a walk continues after the last mark, and from the top for what was left`() throws {
        var state = try Self.state([Self.mark("lid", .ok)])
        var position = WalkPosition(try #require(state.lists.templates.first), state)
        #expect(position.key?.task == "beer")
        state = try Self.state([Self.mark("lid", .ok), Self.mark("beer", .ok)])

        let goesOn = position.goOn(state)

        #expect(goesOn && position.key?.task == "floor")
        state = try Self.state(
            ["lid", "beer", "floor", "oil"].map { Self.mark($0, .ok) })
        let isLeft = position.goOn(state)
        #expect(!isLeft)
    }

    @Test(arguments: [(80, 24), (120, 40), (200, 60), (20, 5)])
    func `a walk and a board fill the window exactly`(columns: Int, rows: Int) throws {
        let state = try Self.state([Self.mark("oil", .notOk)])
        let size = WindowSize(columns: columns, rows: rows)

        for lines in [
            try walk(state, size), try walk(state, .help, size),
            BoardView(
                site: "Harbour", state: state, obstacle: nil, lastHeard: 1, now: Self.started
            ).lines(size),
        ] {
            #expect(rows < 10 || lines.count == rows)
            for line in plain(lines, columns).split(separator: "\n") {
                #expect(String(line).columns <= columns)
            }
        }
    }

    private func walk(_ state: ShiftState, _ size: WindowSize) throws -> [StyledLine] {
        try walk(state, .marking, size)
    }

    @Test(arguments: Language.allCases)
    func `the keys of a walk fit into 80 columns in every language`(language: Language) {
        let words = Words<ScreenPhrase>(language)
        let keys: [ScreenPhrase] = [
            .keysShort, .keysTyping, .keysChoosing, .keysFinished, .keysHelp, .helpOk, .helpStep,
            .helpSection, .helpGeneral, .helpSending, .finishedNotOk,
        ]
        for key in keys { #expect(words.say(key).columns <= 78, "\(key)") }
    }

    @Test func `a walk and a board are in the language of the terminal`() throws {
        let state = try Self.state([Self.mark("oil", .notOk)])
        let size = WindowSize(columns: 80, rows: 24)
        let list = try #require(state.lists.templates.first)
        let walk = plain(
            WalkView(
                state: state, position: WalkPosition(list, state), mode: .marking, message: "",
                sending: .kept(2, obstacle: "away"), now: Self.started, language: .norwegian
            ).lines(size))
        #expect(walk.contains("Grill   del 1 av 2, 1 av 3"))
        #expect(walk.contains("1 ikke ok  1 av 4  25 % "))
        #expect(walk.contains("lagret her, 2 venter: away"))
        let board = plain(
            BoardView(
                site: "Harbour", state: state, obstacle: nil, lastHeard: 1, now: Self.started,
                language: .swedish
            ).lines(size))
        #expect(board.contains("Harbour   dagpass   Ann") && board.contains("KÖK  1"))
        #expect(board.contains("till rundan kl. 10:15"))
        #expect(board.contains("0 av 1 att göra-punkter klara"))
    }

    @Test func `a walk shows the section, the progress, the note and general tasks`() throws {
        let text = plain(
            try walk(try Self.state(), WindowSize(columns: 80, rows: 24)))

        #expect(text.contains("Grill   section 1 of 2, 0 of 3"))
        #expect(text.contains("0 of 4  0 %"))
        #expect(text.contains("▶ [ ] Title of floor  general"))
        #expect(text.contains("look at floor") && !text.contains("look at oil"))
        #expect(text.contains("   Title of fryers\n"))
    }

    @Test func `a terminal with only ASCII gets only ASCII`() throws {
        let state = try Self.state([Self.mark("floor", .ok)])
        let size = WindowSize(columns: 80, rows: 24)
        let board = BoardView(
            site: "Café", state: state, obstacle: nil, lastHeard: 1, now: Self.started)

        for lines in [try walk(state, size), board.lines(size)] {
            #expect(plain(lines, unicode: false).utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test func `the board counts down, then up, and is red if the travel path is late`() throws {
        let state = try Self.state()
        let due = state.schedule.first

        let before = TravelPathSign(state, at: due - 61_000)
        #expect(before.big == "01:01" && before.words == "until the travel path at 10:15")
        let now = TravelPathSign(state, at: due + 30_000)
        #expect(now.big == "00:30" && !now.isLate && now.style == .yellow)
        let late = TravelPathSign(state, at: due + 11 * 60_000)
        #expect(late.isLate && late.style == .alarm && late.words.contains("LATE"))
        #expect(TravelPathSign(state, at: due - 4_000_000).big == "1:06:40")
    }

    @Test func `the board shows to-dos by area, and is grey with its time if it is stale`() throws {
        let state = try Self.state([
            Self.mark("oil", .notOk),
            .addTodo(AddTodo(title: "Napkins", area: "service", priority: "next-shift")),
        ])
        let size = WindowSize(columns: 80, rows: 30)
        let board = { (obstacle: String?) in
            BoardView(
                site: "Harbour", state: state, obstacle: obstacle, lastHeard: Self.started,
                now: Self.started
            ).lines(size)
        }

        let text = plain(board(nil))
        #expect(text.contains("KITCHEN  1") && text.contains("SERVICE  1"))
        #expect(text.contains("Title of oil") && text.contains("Napkins"))
        let old = board("checklist-service is not running")
        #expect(plain(old).contains("as of 09:00: checklist-service is not running"))
        #expect(old.dropLast().allSatisfy { $0.pieces.allSatisfy { $0.style == .dim } })
    }

    @Test
    func `tasks and to-dos are given by number, id or words; a wrong one names the nearest`()
        throws
    {
        let state = try Self.state([
            Self.mark("oil", .notOk), .addTodo(AddTodo(title: "Napkins", area: "service")),
        ])
        let names = ShiftNames(state)

        #expect(try names.task("3").key.task == "oil")
        #expect(try names.task("list/beer").key.task == "beer")
        #expect(try names.task("of bee").key.task == "beer")
        #expect(try names.todo("3").task?.task == "oil")
        #expect(try names.todo("1001").title == "Napkins")
        #expect(try names.todo("napk").title == "Napkins")
        #expect(throws: Failure.self) { try names.task("9") }
        do {
            _ = try names.task("fliers")
            Issue.record("it was found")
        } catch {
            #expect(error.advice?.contains("2 “Title of fryers”") == true)
        }
        do {
            _ = try names.task("title")
            Issue.record("it was found")
        } catch {
            #expect(error.sentence == "“title” may be any of 5 tasks")
        }
    }
}
