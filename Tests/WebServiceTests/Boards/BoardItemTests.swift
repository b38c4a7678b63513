import Messages
import Phrases
import ShiftLog
import Testing

@testable import WebService

/// What a board shows of a shift.
struct BoardItemTests {
    private static let started: Int64 = 1_795_248_000_000  // 2026-11-21, 09:00 in Oslo

    @Test(arguments: [(1, "10:00"), (-23, "2026-11-20 10:00")] as [(Int64, String)])
    func `a to-do that is overdue needs attention, as a task does`(
        hours: Int64, moment: String
    ) throws {
        let due = Self.started + hours * 3_600_000
        let shift = Shift(
            id: "shift", site: "s", siteName: "Harbour", date: "2026-11-21",
            timeZone: "Europe/Oslo", started: Self.started,
            settings: SiteSettings.standard(for: "s").packed())
        var state = try ShiftState(shift: shift, lists: [])
        let todo = AddTodo(title: "Order ice", area: "kitchen", priority: "during-shift", due: due)
        state.apply(
            ShiftOperation(
                id: [UInt8](repeating: 9, count: 16), device: "d", deviceSequence: 1,
                deviceTime: Self.started, sequence: 1, time: Self.started,
                change: .addTodo(todo)))
        let overdue = max(due, Self.started) + Int64(state.settings.grace) * 60_000

        func attention(_ time: Int64) -> [BoardItem] {
            BoardItem.attention(
                BoardState(shift: state, heard: 1, obstacle: nil), at: time, zone: "Europe/Oslo",
                .english)
        }
        #expect(attention(overdue - 1) == [])
        #expect(
            attention(overdue) == [BoardItem(kind: .late, before: moment, text: "Order ice")])
        #expect(BoardItem.heading(of: attention(overdue), hasShift: true) == .overdueTasks)

        let id = try #require(state.todos.first?.id)
        state.apply(
            ShiftOperation(
                id: [UInt8](repeating: 8, count: 16), device: "d", deviceSequence: 2,
                deviceTime: Self.started, seen: 1, sequence: 2, time: Self.started,
                change: .markTodo(MarkTodo(todo: id, mark: .done))))
        #expect(attention(overdue) == [])
    }

    @Test(arguments: [(3, 3, 0), (21, 4, 0), (120, 4, 20)])
    func `a board has all to-dos for a phone, and says how many a wall has no room for`(
        count: Int, wall: Int, beyond: Int
    ) throws {
        let shift = Shift(
            id: "shift", site: "s", siteName: "Harbour", timeZone: "Europe/Oslo",
            started: Self.started, settings: SiteSettings.standard(for: "s").packed())
        var state = try ShiftState(shift: shift, lists: [])
        var ids = MessageID.Generator()
        for number in 1...count {
            let todo = AddTodo(title: "x\(number)", area: "k", priority: "next-shift")
            state.apply(
                ShiftOperation(
                    id: ids.next(at: Self.started).bytes, device: "d",
                    deviceSequence: UInt64(number), deviceTime: Self.started,
                    sequence: UInt64(number), time: Self.started, change: .addTodo(todo)))
        }
        let page = BoardPage(
            site: Site(id: "s", name: "Harbour", timeZone: "Europe/Oslo"),
            state: BoardState(shift: state, heard: 1, obstacle: nil), now: Self.started,
            isLive: true, fallback: .english)
        let column = try #require(page.parts.first { $0.name == "todos" }).node.html
        let items = column.components(separatedBy: "<li").filter { $0.contains("\"what\"") }

        #expect(items.count == count - beyond)
        #expect(items.count { !$0.contains("\"rest\"") } == wall)
        #expect(column.contains("<li class=\"more\">and \(count - wall) more") == (wall < count))
        #expect(column.contains("<li class=\"more rest\">and \(beyond) more") == (beyond > 0))
    }
}
