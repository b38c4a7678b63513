import Markup
import Messages
import Phrases
import TestSupport
import TestThreads
import Testing

@testable import WebService

/// What doesn't work, on boards.
@Suite(.waiting) struct BoardEquipmentTests {
    private static func piece(_ name: String, _ state: EquipmentState, _ text: String) -> Equipment
    {
        Equipment(name: name, state: state, history: [EquipmentEntry(state: state, text: text)])
    }

    @Test func `what must not be used comes first on a board, and is counted`() {
        let state = BoardState(
            shift: nil, heard: 1, obstacle: nil,
            equipment: [
                Self.piece("Dishwasher", .faulty, "leaks"),
                Self.piece("Fryer 2", .outOfOrder, "smells of gas"),
                Self.piece("Grill", .outOfOrder, ""),
            ])
        let items = BoardItem.attention(state, at: 1, zone: "Europe/Oslo", .english)
        // The reason wraps with the rest: in front of it, it would leave no room on a line.
        let texts = [
            "Out of order · Fryer 2: smells of gas", "Out of order · Grill",
            "Faulty · Dishwasher: leaks",
        ]
        #expect(items.map(\.text) == texts)
        #expect(items.map(\.kind) == [.late, .late, .review])
        let site = Site(id: "1", name: "Harbour", timeZone: "Europe/Oslo")
        let page = BoardPage(site: site, state: state, now: 1, isLive: true, fallback: .english)
        let column = page.parts.first { $0.name == "overdue" }?.node.html ?? ""
        #expect(column.contains("> 3</span>") && column.contains("Fryer 2: smells of gas"))
    }

    @Test func `equipment that is out of order is on the board, with and without a shift`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("wall", .display)
        let cookie = try lobby.logIn("wall")
        let peer = try HTTPPeer(port: lobby.port)
        try peer.send(
            "GET /board/Harbour/stream HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                + "Cookie: \(cookie)\r\n\r\n")
        try peer.receive(1, of: "\"overdue\"")
        try lobby.command("equipment", "report", "Fryer 2", "out-of-order", "smells of gas")
        try peer.receive(1, of: "Fryer 2: smells of gas")
        // Equipment isn't overdue.
        try peer.receive(1, of: "Problems")
        func board() throws -> String {
            try lobby.ask("GET", "/board/Harbour", cookie: cookie).body
        }
        #expect(try board().contains("Fryer 2: smells of gas"))
        try lobby.command("shift", "end", "--despite-open")
        try eventually("the shift is over") { try board().contains("no shift is open") }
        #expect(try board().contains("Fryer 2: smells of gas"))
        try lobby.command("equipment", "report", "Fryer 2", "working", "new hose")
        #expect(try !board().contains("Fryer 2"))
    }
}
