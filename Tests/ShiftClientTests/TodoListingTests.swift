import Messages
import ShiftLog
import Testing

@testable import ShiftClient

struct TodoListingTests {
    /// 2026-11-21, 09:00 in Berlin, when the shift began.
    private static let now: Int64 = 1_795_248_000_000

    @Test(
        arguments: [
            (0, "Ice"), (now + 30 * 60_000, "Ice, due 2026-11-21 09:30"),
            (now - 60_000, "Ice, due 2026-11-21 08:59, which has passed"),
        ] as [(Int64, String)])
    func `a to-do that was added says when it is due`(due: Int64, line: String) throws {
        let ice = AddTodo(title: "Ice", area: "kitchen", priority: "immediate", due: due)
        let state = try ShiftScreenTests.state([.addTodo(ice)])

        let todo = try #require(state.todos.first)

        #expect(TodoListing(state).line(todo, at: Self.now) == "\(todo.number) \(line)")
    }
}
