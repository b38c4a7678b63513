import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// A day in a kitchen, in real browsers: a board, three phones and a laptop, with everything that
/// goes wrong on such a day. `KITCHEN_PICTURES=folder` keeps a picture of each step.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct KitchenDayTests {
    private static let folder = ProcessInfo.processInfo.environment["KITCHEN_PICTURES"]

    private let lobby: Lobby
    private let browser: Browser
    private let way: Browser.Way

    init() throws {
        lobby = try Lobby()
        browser = try Browser()
        way = try browser.relay(to: lobby.port)
    }

    private static func list(_ name: String, _ tasks: [String]) -> String {
        """
        checklist: \(name)
        kind: pre-shift
        day-parts: [day]
        area: kitchen
        priority: immediate
        sections:
          - section: \(name)
            tasks:

        """ + tasks.map { "      - task: \($0)\n" }.joined()
    }

    /// Takes a picture of each page, named after the step of the day.
    private func shoot(_ step: String, _ pages: [(name: String, page: Browser.Page)]) throws {
        guard let folder = Self.folder else { return }
        for (name, page) in pages { try page.shoot("\(folder)/\(step)-\(name).png") }
    }

    private func begin(
        _ name: String, _ size: [String: String] = [:], by way: String? = nil
    ) throws -> Browser.Page {
        let page = try browser.begin(name, profile: lobby.system.path("browser-\(name)"), size)
        try page.logIn(lobby, as: name, by: way)
        return page
    }

    /// Presses a button of the task that is shown, and waits for the next one.
    private func press(_ button: String, on page: Browser.Page) throws {
        let title = try page.text("h1")
        try page.click(button)
        try eventually("\(title) is marked") {
            try page.text("h1") != title || page.text("#shift").contains("Every task of this list")
        }
    }

    private func openList(_ name: String, on page: Browser.Page) throws {
        try eventually("the list \(name) is there") {
            try page.text("#shift").contains(name)
        }
        try page.click("button.list:has-text('\(name)')")
    }

    private func isSent(_ page: Browser.Page) throws {
        var said = ""
        do {
            try eventually("all was sent") {
                said = try page.text("#sending")
                return said == "All sent"
            }
        } catch { throw Complaint("\(error), but: \(said)") }
    }

    /// The people, and the pages that they look at.
    private struct Crew {
        let board: Browser.Page
        let laptop: Browser.Page
        let kari: Browser.Page
        let ole: Browser.Page
        var mia: Browser.Page

        var all: [(name: String, page: Browser.Page)] {
            [("board", board), ("laptop", laptop), ("kari", kari), ("ole", ole), ("mia", mia)]
        }
    }

    private static let shift = "/shift/Harbour"

    @Test func `nothing that anyone ticks is lost or doubled on a day when everything goes wrong`()
        throws
    {
        var crew = try gather()
        // Everything works: each ticks one task, and one of them reports a problem.
        try press("button.bad.big", on: crew.kari)
        for page in [crew.ole, crew.mia] { try press("button.good.big", on: page) }
        try eventually("the board shows the three") {
            try crew.board.text("#state").contains("3 of 12")
                && crew.board.text("#todos").contains("Milk")
        }
        // Otherwise the page would wait for an answer that is cut off with the network.
        for page in [crew.kari, crew.ole, crew.mia] { try isSent(page) }
        try shoot("2-three", crew.all)
        try darken(&crew)
        try burn(crew)
        try finish(crew)
        for (name, page) in crew.all where name != "ole" { #expect(try page.problems == []) }
    }

    /// Begins the day: three lists, one for each phone.
    private func gather() throws -> Crew {
        try lobby.command("site", "add", "Harbour", "--zone", "Europe/Berlin")
        let lists = [
            ("Fridges", ["Milk fridge", "Meat fridge", "Ice machine", "Cold store"]),
            ("Floor", ["Mop the pass", "Mats", "Drains", "Bins"]),
            ("Counter", ["Glasses", "Coffee machine", "Till roll", "Menus"]),
        ]
        for (name, tasks) in lists { try lobby.importList(Self.list(name, tasks)) }
        try lobby.add("wall", .display)
        try lobby.add("berit", .supervisor)
        for name in ["kari", "ole", "mia"] { try lobby.add(name, .siteManager) }
        let crew = Crew(
            board: try begin("wall", ["width": "1920", "height": "1080"]),
            laptop: try begin("berit", ["width": "1280", "height": "800"]),
            kari: try begin("kari"), ole: try begin("ole", by: way.address),
            mia: try begin("mia"))
        try crew.board.go(lobby.address + "/board/Harbour")
        try crew.laptop.go(lobby.address + "/alerts")
        try crew.kari.go(lobby.address + Self.shift)
        try crew.kari.click(".starting button")
        try crew.ole.go(way.address + Self.shift)
        try crew.mia.go(lobby.address + Self.shift)
        try openList("Fridges", on: crew.kari)
        try openList("Floor", on: crew.ole)
        try openList("Counter", on: crew.mia)
        try eventually("the board shows the shift") {
            try crew.board.text("#state").contains("0 of 12")
        }
        try shoot("1-begun", crew.all)
        return crew
    }

    /// Ole walks into the cold store, where there is no network; checklist-service is killed; and
    /// the battery of Mia's phone runs out.
    private func darken(_ crew: inout Crew) throws {
        let (board, kari, ole) = (crew.board, crew.kari, crew.ole)
        try way.cut()
        for _ in 0..<2 { try press("button.good.big", on: ole) }
        try eventually("it says so") { try ole.text("#sending").contains("2 wait here") }
        lobby.killChecklists()
        for page in [crew.mia, kari] {
            try press("button.good.big", on: page)
            try eventually("it waits") { try page.text("#sending").contains("1 wait") }
        }
        try eventually("the board says that it is old") {
            try board.text("#state").contains("checklist-service")
        }
        try shoot("3-dark", crew.all)
        try crew.mia.kill()
        try lobby.startChecklists()
        try isSent(kari)
        #expect(try ole.text("#sending").contains("2 wait here"))
        let mia = try browser.begin("mia", profile: lobby.system.path("browser-mia"))
        crew.mia = mia
        try mia.go(lobby.address + Self.shift)
        try eventually("what waited is there") { try mia.text("#sending").contains("1 wait") }
        // The session cookie is lost with the browser.
        try mia.logIn(lobby, as: "mia")
        try mia.go(lobby.address + Self.shift)
        try isSent(mia)
        try way.mend()
        try isSent(ole)
        try eventually("the board shows what waited") {
            try board.text("#state").contains("7 of 12")
        }
        try shoot("4-back", crew.all)
    }

    /// Something burns, and the laptop is told; then web-service is killed.
    private func burn(_ crew: Crew) throws {
        try lobby.raise("Fryer on fire")
        try eventually("the laptop shows it") {
            try crew.laptop.text("#list").contains("Fryer on fire")
        }
        try shoot("5-alert", crew.all)
        try crew.laptop.click("#list .alert:has-text('Fryer on fire') button")
        lobby.kill()
        try press("button.good.big", on: crew.kari)
        try lobby.start()
        try isSent(crew.kari)
        try eventually("the board goes on by itself") {
            try crew.board.text("#state").contains("8 of 12")
        }
    }

    /// The rest of the day, and its end.
    private func finish(_ crew: Crew) throws {
        for page in [crew.kari, crew.ole] { try press("button.good.big", on: page) }
        try openList("Counter", on: crew.mia)
        for _ in 0..<2 { try press("button.good.big", on: crew.mia) }
        for page in [crew.kari, crew.ole, crew.mia] { try isSent(page) }
        try eventually("all is done") {
            try crew.board.text("#state").contains("12 of 12")
        }
        let marks = try lobby.marks(at: "Harbour")
        #expect(marks.count == 12)
        #expect(Set(marks.map(\.id)).count == 12)
        let tasks = marks.compactMap { operation -> String? in
            if case .mark(let mark) = operation.change { mark.list + "/" + mark.task } else { nil }
        }
        #expect(Set(tasks).count == 12)
        try shoot("6-done", crew.all)
        try crew.kari.click("header button:has-text('Lists')")
        try crew.kari.click("#shift > button.quiet:has-text('End')")
        try crew.kari.click("#shift form button.main")
        try eventually("the open to-do is named") {
            try !crew.kari.text("form .fault").isEmpty
        }
        try crew.kari.click("#shift form button.main")
        try eventually("the board shows the end") {
            try crew.board.text("#wall").contains("no shift is open")
        }
        try shoot("7-ended", crew.all)
    }
}
