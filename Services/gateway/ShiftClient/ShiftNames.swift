import Messages
import ShiftLog
import Speech

/// How the tasks and to-dos of a shift are named at the terminal: by the short number that every
/// listing shows, by id, or by words of the title.
///
/// A task's number is its place among all tasks of the shift, so it stays the same while the shift
/// lasts. The to-do of a task has the task's number; to-dos that people added are numbered from
/// 1001 in the order in which they were added.
package struct ShiftNames {
    /// The number of the first to-do that a person added.
    static let firstOwn = 1001

    private let state: ShiftState
    private let own: [String]

    /// The names in a shift in its present state.
    package init(_ state: ShiftState) {
        self.state = state
        own = state.log.compactMap { operation in
            guard case .addTodo = operation.change else { return nil }
            return MessageID(bytes: operation.id)?.description
        }
    }

    /// The number of a task.
    package func number(of key: TaskKey) -> Int { (state.lists.position(of: key) ?? 0) + 1 }

    /// The number of a to-do.
    package func number(of todo: Todo) -> Int {
        if let task = todo.task { return number(of: task) }
        return (own.firstIndex(of: todo.id) ?? 0) + Self.firstOwn
    }

    /// The task that a person means.
    ///
    /// - Throws: ``Failure`` that names the nearest ones.
    package func task(_ text: String) throws(Failure) -> ListedTask {
        let tasks = state.lists.tasks
        if let number = Int(text) {
            guard tasks.indices.contains(number - 1) else {
                throw Failure(
                    .refused, "there is no task \(number)",
                    advice: "tasks have numbers from 1 to \(tasks.count): steward checklist show")
            }
            return tasks[number - 1]
        }
        let choices = tasks.map {
            Choice(
                ids: [$0.key.task, $0.key.todo], title: $0.task.title(in: state.language),
                number: number(of: $0.key))
        }
        let found = try Choice.find(text, among: choices, what: "task")
        return tasks[found.number - 1]
    }

    /// The to-do that a person means, removed ones included.
    ///
    /// - Throws: ``Failure`` that names the nearest ones.
    package func todo(_ text: String) throws(Failure) -> Todo {
        let todos = state.todos + state.removedTodos
        if let number = Int(text) {
            guard let todo = todos.first(where: { self.number(of: $0) == number }) else {
                let known = todos.map(self.number).sorted()
                let near = known.min { abs($0 - number) < abs($1 - number) }
                throw Failure(
                    .refused, "there is no to-do \(number)",
                    advice: near.map { "the nearest is \($0); see steward todo list" }
                        ?? "there are none now")
            }
            return todo
        }
        let choices = todos.map { Choice(ids: [$0.id], title: $0.title, number: number(of: $0)) }
        let found = try Choice.find(text, among: choices, what: "to-do")
        guard let todo = todos.first(where: { number(of: $0) == found.number }) else {
            throw Failure(.refused, "there is no to-do “\(text.printable)”")
        }
        return todo
    }

    /// The list that a person means, by its name, the beginning of it, or its id.
    ///
    /// - Throws: ``Failure`` that names the lists.
    package func list(_ text: String) throws(Failure) -> ChecklistTemplate {
        let lists = state.lists.templates
        let language = state.language
        let choices = lists.enumerated().map {
            Choice(ids: [$1.id, $1.name], title: $1.name(in: language), number: $0 + 1)
        }
        if let number = Int(text), lists.indices.contains(number - 1) { return lists[number - 1] }
        return lists[try Choice.find(text, among: choices, what: "list").number - 1]
    }
}
