import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// A shift from start to end on a phone, in Chromium.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct PhoneBrowserTests {
    private let browser: Browser

    init() throws { browser = try Browser() }

    /// A list whose first tasks ask for answers.
    private static let list = """
        checklist: Cold store
        kind: pre-shift
        day-parts: [day]
        area: kitchen
        priority: immediate
        sections:
          - section: Fridges
            tasks:
              - task: Milk fridge
                answer: number
                unit: °C
                least: 0
                most: 5
              - task: Frying oil
                answer: choice
                choices: [golden, black]
                not-ok: [black]
              - task: Floor
        """

    @Test func `a shift is started, answered, handed a to-do and ended on a phone`() throws {
        let lobby = try Lobby()
        try lobby.command("site", "add", "Harbour", "--zone", "Europe/Berlin")
        try lobby.importList(Self.list)
        try lobby.add("kari", .siteManager)
        let phone = try browser.begin(
            "phone", profile: lobby.system.path("browser-phone"), ["width": "320"])
        try phone.logIn(lobby, as: "kari")
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click(".starting button")
        try phone.click("button.list:has-text('Cold store')")

        // A number outside its limits is not ok, and text that isn't a number isn't kept.
        try phone.click("button.good.big")
        try phone.fill("#line", "cold")
        try phone.click("#shift form button.main")
        #expect(try phone.text("form .fault").contains("4.2"))
        try phone.fill("#line", "7,5")
        #expect(try phone.barriers == [])
        try phone.click("#shift form button.main")
        try eventually("the next task is there") { try phone.text("h1") == "Frying oil" }
        try phone.click("button.good.big")
        #expect(try phone.barriers == [])
        try phone.click(".options button:has-text('golden')")
        try eventually("the last task is there") { try phone.text("h1") == "Floor" }
        try phone.click("button.good.big")
        try lobby.awaitMarks(3, from: phone)
        try undoAndRepeat(phone, lobby)
        let marks = try lobby.marks(at: "Harbour").compactMap { operation -> MarkTask? in
            if case .mark(let mark) = operation.change { mark } else { nil }
        }
        #expect(marks.map(\.finding) == [.notOk, .ok, .ok, .unspecified, .unspecified, .ok, .ok])
        let values = marks.map(\.answer?.value)
        #expect(values[...2] == [.number(7_500), .choice("golden"), nil])
        #expect(values[3...] == [nil, nil, .choice("golden"), nil])

        try phone.click("header button:has-text('Lists')")
        try phone.click("button.list:has-text('To do')")
        #expect(try phone.text("#shift").contains("Milk fridge"))
        try phone.click("#shift > button.main")
        #expect(try phone.barriers == [])
        // A phone's keyboard has a key for another line.
        try phone.fill("#line", "Call the\nelectrician ")
        try phone.click("#shift form button.main")
        try eventually("it is there") {
            try phone.text("#shift").contains("Call the electrician")
        }
        try eventually("it was sent") { try phone.text("#sending") == "All sent" }
        try phone.click(".undo:has-text('Call the electrician')")
        try eventually("it is gone") {
            try !phone.run("document.querySelector('#shift').textContent")
                .contains("Call the electrician")
        }

        // Open tasks are listed before the shift is ended nevertheless.
        try phone.click("header button:has-text('Lists')")
        try phone.click("#shift > button.quiet:not(.undo)")
        #expect(try phone.barriers == [])
        try phone.click("#shift form button.main")
        try eventually("it says what is open") { try !phone.text("form .fault").isEmpty }
        #expect(try phone.text("#shift form button.main") == "End it all the same")
        try phone.click("#shift form button.main")
        try eventually("it is over") { try phone.text("#shift").contains("No shift is open") }
        #expect(try phone.problems == [])
    }

    /// Undoes the last two marks, each where it was made, and makes them again.
    private func undoAndRepeat(_ phone: Browser.Page, _ lobby: Lobby) throws {
        #expect(try phone.text(".undo") == "Undo: Floor")
        try phone.click(".undo")
        try eventually("the previous one is named") {
            try phone.text(".undo") == "Undo: Frying oil"
        }
        #expect(try phone.text("h1") == "Floor")
        try phone.click(".undo")
        try eventually("it is where the mark was made") { try phone.text("h1") == "Frying oil" }
        #expect(try phone.run("document.querySelector('.marked') === null") == "true")
        #expect(try phone.barriers == [])
        try phone.click("button.good.big")
        try phone.click(".options button:has-text('golden')")
        try eventually("the last task is there") { try phone.text("h1") == "Floor" }
        try phone.click("button.good.big")
        try lobby.awaitMarks(7, from: phone)
    }

    /// A list of which a task opens another one.
    private static let round = """
        checklist: Round
        kind: pre-shift
        day-parts: [day]
        area: kitchen
        priority: immediate
        sections:
          - section: Rooms
            tasks:
              - task: Lamp
              - task: Cold store
                opens: Cold store
        """

    @Test func `a list that a task opens begins after what others have done meanwhile`() throws {
        let lobby = try Lobby()
        try lobby.command("site", "add", "Harbour", "--zone", "Europe/Berlin")
        try lobby.importList(Self.list)
        try lobby.importList(Self.round)
        try lobby.command("shift", "start", "day")
        try lobby.add("kari", .siteManager)
        let (phone, other) = try (begin("phone", lobby), begin("other", lobby))
        try phone.click("button.list:has-text('Round')")
        lobby.killChecklists()
        try phone.click("button.good.big")
        try eventually("it waits") { try phone.text("#sending").contains("1 wait here") }
        try lobby.startChecklists()
        try lobby.awaitMarks(1, from: phone)
        try other.click("button.list:has-text('Cold store')")
        try other.click("button.good.big")
        try other.fill("#line", "3")
        try other.click("#shift form button.main")
        try lobby.awaitMarks(2, from: other)
        let looks = """
            performance.getEntriesByType('resource')
                .filter(({name}) => name.includes('/operations/')).length
            """
        let before = try #require(Int(try phone.run(looks)))
        try eventually("it has looked twice since") {
            (Int(try phone.run(looks)) ?? 0) >= before + 2
        }
        try phone.click("button:has-text('Open the list')")
        #expect(try phone.text("h1") == "Frying oil")
    }

    private func begin(_ name: String, _ lobby: Lobby) throws -> Browser.Page {
        let phone = try browser.begin(name, profile: lobby.system.path("browser-\(name)"))
        try phone.logIn(lobby, as: "kari")
        try eventually("the site is known") {
            try phone.go(lobby.address + "/shift/Harbour") == 200
        }
        return phone
    }

    @Test func `twenty tasks that are ok take one tap each, and one to open their list`() throws {
        let lobby = try Lobby()
        try lobby.command("site", "add", "Harbour", "--zone", "Europe/Berlin")
        let tasks = (1...20).map { "      - task: Thing \($0)" }.joined(separator: "\n")
        try lobby.importList(
            """
            checklist: Walk
            kind: pre-shift
            day-parts: [day]
            area: kitchen
            priority: immediate
            sections:
              - section: All
                tasks:
            \(tasks)
            """)
        try lobby.add("kari", .siteManager)
        let phone = try browser.begin("phone", profile: lobby.system.path("browser-phone"))
        try phone.logIn(lobby, as: "kari")
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click(".starting button")
        try phone.click("button.list:has-text('Walk')")
        for number in 1...20 {
            try eventually("it is the turn of \(number)") {
                try phone.text("h1") == "Thing \(number)"
            }
            try phone.click("button.good.big")
        }
        try lobby.awaitMarks(20, from: phone)
        let marked = try lobby.marks(at: "Harbour").compactMap { operation -> String? in
            if case .mark(let mark) = operation.change { mark.task } else { nil }
        }
        #expect(Set(marked).count == 20)
    }

    /// Presses the element of a selector twice, and once more as soon as the page has changed.
    private static func doubleTap(_ selector: String) -> String {
        """
        (async () => {
            const find = () => document.querySelector("\(selector)");
            // What was pressed before this isn't part of it.
            await new Promise((go) => { setTimeout(go, 400); });
            const changed = new Promise((done) => {
                new MutationObserver((_, watch) => { watch.disconnect(); done(); })
                    .observe(document.getElementById('shift'), { childList: true });
            });
            find().click();
            find().click();
            await changed;
            find().click();
            return 'pressed';
        })()
        """
    }

    /// Starts a shift whose list has three tasks, and opens it on a phone.
    private func beginWalk(_ lobby: Lobby) throws -> Browser.Page {
        try lobby.command("site", "add", "Harbour", "--zone", "Europe/Berlin")
        try lobby.importList(
            """
            checklist: Walk
            kind: pre-shift
            day-parts: [day]
            area: kitchen
            priority: immediate
            sections:
              - section: All
                tasks:
                  - task: Lamp
                  - task: Stove
                  - task: Floor
            """)
        try lobby.command("shift", "start", "day")
        try lobby.add("kari", .siteManager)
        return try begin("phone", lobby)
    }

    @Test func `a double tap marks one task, and undoes one mark`() throws {
        let lobby = try Lobby()
        let phone = try beginWalk(lobby)
        try phone.click("button.list:has-text('Walk')")
        try eventually("the first task is there") { try phone.text("h1") == "Lamp" }
        #expect(try phone.run(Self.doubleTap("button.good.big")) == "pressed")
        // What the double tap has done comes before this.
        try phone.click("button.good.big")
        try lobby.awaitMarks(2, from: phone)
        #expect(try phone.text("h1") == "Floor")
        #expect(try phone.run(Self.doubleTap(".undo")) == "pressed")
        try phone.click("button.bad.big")
        try lobby.awaitMarks(4, from: phone)
        let findings = try lobby.marks(at: "Harbour").compactMap { operation -> Finding? in
            if case .mark(let mark) = operation.change { mark.finding } else { nil }
        }
        #expect(findings == [.ok, .ok, .unspecified, .notOk])
        let problems = try phone.problems
        #expect(problems == [])
    }

    @Test func `a double tap leaves a to-do done`() throws {
        let lobby = try Lobby()
        let phone = try beginWalk(lobby)
        try lobby.command("todo", "add", "Mop the cellar", "--priority", "immediate")
        try phone.click("button.list:has-text('To do')")
        try eventually("it is there") { try phone.text("#shift").contains("Mop the cellar") }
        #expect(try phone.run(Self.doubleTap(".todo button")) == "pressed")
        // What the double tap has done comes before this.
        try phone.click(".todo button")
        var marks: [TodoMark] = []
        try eventually("both arrived") {
            marks = try lobby.operations(of: lobby.shift()).compactMap { operation -> TodoMark? in
                if case .markTodo(let mark) = operation.change { mark.mark } else { nil }
            }
            return marks.count >= 2
        }
        #expect(marks == [.done, .open])
        let problems = try phone.problems
        #expect(problems == [])
    }

    @Test func `two people who marked a task differently are told, and one decides`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        let phones = try ["one", "two"].map { try begin($0, lobby) }
        for phone in phones { try phone.click("button.list") }
        lobby.killChecklists()
        try phones[0].click("button.good.big")
        try phones[1].click("button.bad.big")
        for phone in phones {
            try eventually("it waits") { try phone.text("#sending").contains("1 wait here") }
        }
        try lobby.startChecklists()
        for phone in phones {
            try eventually("it was sent") { try phone.text("#sending") == "All sent" }
            try phone.click("header button:has-text('Lists')")
            try eventually("it is told") {
                try phone.text("#shift").contains("Marked differently: 1")
            }
        }
        try phones[0].click("button.review")
        #expect(try phones[0].text(".fault").contains("Marked differently on two devices"))
        #expect(try phones[0].barriers == [])
        try phones[0].click("button.good.big")
        for phone in phones {
            try eventually("it is decided") {
                try phone.run("document.querySelector('button.review, .fault') === null") == "true"
            }
        }
    }
}
