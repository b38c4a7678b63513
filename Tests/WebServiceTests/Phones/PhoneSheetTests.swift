import Bus
import Messages
import TestSupport
import TestThreads
import Testing

/// What is needed less often on a phone: sales figures, changes of to-dos, and equipment, in
/// Chromium.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct PhoneSheetTests {
    private let lobby: Lobby
    private let phone: Browser.Page

    init() throws {
        lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        try lobby.command("todo", "add", "Mop the cellar", "--priority", "immediate")
        phone = try Browser().begin("phone", profile: lobby.system.path("browser-phone"))
        try phone.logIn(lobby, as: "kari")
        try phone.go(lobby.address + "/shift/Harbour")
    }

    private func sees(_ text: String) throws {
        var shown = ""
        try eventually("“\(text)” is there: \(shown)") {
            shown = try phone.text("#shift")
            return shown.contains(text)
        }
    }

    /// The changes of the shift of which something can be read, according to checklist-service.
    private func changes<T>(_ read: (ShiftOperation.Change) -> T?) throws -> [T] {
        try lobby.operations(of: lobby.shift()).compactMap { $0.change.flatMap(read) }
    }

    private func enter(_ sales: String) throws {
        try phone.click("button.list")
        try phone.fill("#salesActual", sales)
        try phone.click("#shift form button.main")
    }

    /// Enters sales of the first hour, replaces them and takes that back.
    private func enterSales() throws {
        try phone.click("[data-key='#sales']")
        try eventually("the hours are there") { try phone.text("#shift h1") == "Sales figures" }
        try enter("2345.50")
        try sees("Sales 2345.5")
        try enter("many")
        #expect(try phone.text("#shift form .fault").contains("Type a number"))
        try phone.fill("#salesActual", "2400")
        try phone.click("#shift form button.main")
        try sees("Sales 2400")
        #expect(try phone.barriers == [])
        try phone.click(".undo")
        try sees("Sales 2345.5")
        try eventually("all arrived") {
            let values = try changes { change -> Int64? in
                if case .figure(let figure) = change { figure.value } else { nil }
            }
            return values == [234_550, 240_000, 234_550]
        }
        try phone.click("#shift header button")
    }

    /// Gives a to-do to somebody, until a time, deletes it and takes that back.
    private func changeTodo() throws {
        try phone.click("[data-key='#todos']")
        try sees("Mop the cellar")
        try phone.click(".todo button.quiet")
        try phone.fill("#assignee", "Ola")
        // A year with a digit too many would leave the to-do without a time.
        let isRefused = "((it) => { it.value = '20300-01-02T14:30'; return !it.checkValidity(); })"
        #expect(try phone.run(isRefused + "(document.querySelector('#due'))") == "true")
        try phone.fill("#due", "2083-01-02T14:30")
        #expect(try phone.barriers == [])
        try phone.click("#shift form button.main")
        try sees("Ola")
        var change: ChangeTodo?
        try eventually("it arrived") {
            change = try changes { change -> ChangeTodo? in
                if case .changeTodo(let made) = change { made } else { nil }
            }.last
            return change != nil
        }
        #expect(change?.assignee == "Ola" && change?.due == 3_566_122_200_000)
        #expect(change?.priority == "" && change?.neverDue == false)
        try phone.click(".todo button.quiet")
        try phone.click("#shift form [name='discard']")
        try eventually("it is deleted") {
            try phone.run("document.querySelector('.todo') === null") == "true"
        }
        try phone.click(".undo")
        try sees("Ola")
        try phone.click("#shift header button")
    }

    /// Reports what is broken, and that it was repaired.
    private func reportEquipment() throws {
        func faulty() throws -> [Equipment] {
            try lobby.system.client(of: .checklist).ask(
                ListEquipment(site: "Harbour", faultyOnly: true), for: EquipmentList.self
            ).equipment
        }
        try phone.click("[data-key='#equipment']")
        try sees("Nothing is reported as broken")
        try phone.click("#shift > button.main")
        try phone.fill("#piece", "Fryer 2")
        try phone.fill("#line", "It stays cold")
        #expect(try phone.barriers == [])
        try phone.click("#shift form button.main")
        try sees("It stays cold")
        #expect(try faulty().map(\.name) == ["Fryer 2"])
        #expect(try faulty().map(\.state) == [.faulty])
        #expect(try phone.barriers == [])
        // While the answer isn't there, other buttons do what they say.
        lobby.holdChecklists(true)
        try phone.click(".todo button.main")
        try phone.click("#shift header button")
        try phone.click("[data-key='#todos']")
        try sees("Mop the cellar")
        lobby.holdChecklists(false)
        try eventually("it is repaired") { try faulty() == [] }
        try phone.click("#shift header button")
        try phone.click("[data-key='#equipment']")
        try sees("Nothing is reported as broken")
    }

    @Test func `a phone enters sales figures, changes to-dos and reports equipment`() throws {
        try enterSales()
        try changeTodo()
        try reportEquipment()
        #expect(try phone.problems == [])
    }
}
