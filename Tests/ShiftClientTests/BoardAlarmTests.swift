import Messages
import ShiftLog
@testable import Speech
import Testing

@testable import ShiftClient

/// When the board flashes and rings.
struct BoardAlarmTests {
    private static let started: Int64 = 1_795_248_000_000
    private static let minute: Int64 = 60_000

    /// A shift with a travel path due after 75 minutes and late ten minutes later.
    private func alarm(_ state: ShiftState?, after minutes: Int64) -> BoardAlarm {
        BoardAlarm(state, at: Self.started + minutes * Self.minute)
    }

    @Test func `the board calls for a due travel path, and louder if it is late`() throws {
        var state = try ShiftScreenTests.state()
        #expect(alarm(nil, after: 80) == .none)
        #expect(alarm(state, after: 74) == .none)
        #expect(alarm(state, after: 75) == .due)
        #expect(alarm(state, after: 85) == .late)

        state.apply(
            ShiftOperation(
                id: [UInt8](repeating: 9, count: 16), device: "d", deviceSequence: 1,
                deviceTime: Self.started + 86 * Self.minute, sequence: 1,
                time: Self.started + 86 * Self.minute, change: .logTravelPath(LogTravelPath())))
        #expect(alarm(state, after: 87) == .none)
    }

    @Test func `the board calls for an overdue to-do until it is done, even if acknowledged`()
        throws
    {
        let todo = AddTodo(
            title: "Salt", area: "kitchen", priority: "immediate",
            due: Self.started + 5 * Self.minute)
        var state = try ShiftScreenTests.state([.addTodo(todo)])
        let grace = Int64(state.settings.grace)
        #expect(alarm(state, after: 4 + grace) == .none)
        #expect(alarm(state, after: 5 + grace) == .due)
        let id = try #require(state.todos.first?.id)
        state.apply(
            ShiftOperation(
                id: [UInt8](repeating: 9, count: 16), device: "d", deviceSequence: 2,
                deviceTime: Self.started, seen: 1, sequence: 2, time: Self.started,
                change: .markTodo(MarkTodo(todo: id, mark: .done))))
        #expect(alarm(state, after: 5 + grace) == .none)
    }

    @Test func `the bell rings immediately, then at intervals, and never if nothing is due`() {
        var bell = BoardBell()
        let rings = { (alarm: BoardAlarm, time: Int64) in bell.rings(alarm, at: time) }
        #expect([0, 100].map { rings(.none, $0) } == [false, false])
        #expect([200, 300, 30_199, 30_200].map { rings(.due, $0) } == [true, false, false, true])
        #expect([30_300, 35_200, 40_199].map { rings(.late, $0) } == [false, true, false])
        #expect(!rings(.none, 40_200) && rings(.due, 40_201))
        // The clock was set back.
        #expect(rings(.due, 7) && !rings(.due, 8))
        #expect(!rings(.due, 40))
    }

    @Test func `the head of the board flashes while something is due`() throws {
        let state = try ShiftScreenTests.state()
        let look = Look(hasColours: true, isUnicode: true)
        func head(_ time: Int64) -> String {
            BoardView(site: "Harbour", state: state, obstacle: nil, lastHeard: time, now: time)
                .lines(.init(columns: 80, rows: 24))[0].text(width: 80, look)
        }
        let due = Self.started + 75 * Self.minute
        #expect(head(due) != head(due + 500))
        #expect(head(due - 10_000) == head(due - 9_500))
    }
}
