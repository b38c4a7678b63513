import Messages
import ShiftLog
import Speech

/// How the tasks and to-dos of a shift are named at the terminal: by the short number that every
/// listing shows, by id, or by words of the title.
///
/// A task's number is its place among all tasks of the shift, so it stays the same while the shift
/// lasts. The to-do of a task has the task's number; any other to-do has a number above 1000 from
/// the block of the device that added it, which it keeps as long as it lives.
package struct ShiftNames {
    private let state: ShiftState

    /// The names in a shift in its present state.
    package init(_ state: ShiftState) { self.state = state }

    /// The number of a task.
    package func number(of key: TaskKey) -> Int { (state.lists.position(of: key) ?? 0) + 1 }

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
            let found = todos.filter { $0.number == number }
            guard let todo = found.first else {
                let known = todos.map(\.number).sorted()
                let near = known.min { abs($0 - number) < abs($1 - number) }
                throw Failure(
                    .refused, "there is no to-do \(number)",
                    advice: near.map { "the nearest is \($0); see steward todo list" }
                        ?? "there are none now")
            }
            // Lists of more than a thousand tasks have such numbers too.
            guard found.count == 1 else {
                throw Failure(
                    .refused, "several to-dos have the number \(number)",
                    advice: "name it by words of its title")
            }
            return todo
        }
        let choices = todos.map { Choice(ids: [$0.id], title: $0.title, number: $0.number) }
        let found = try Choice.find(text, among: choices, what: "to-do")
        guard let todo = todos.first(where: { found.ids == [$0.id] }) else {
            throw Failure(.refused, "there is no to-do “\(text.printable)”")
        }
        return todo
    }

    /// Refuses areas that the site doesn't have.
    ///
    /// - Throws: ``Failure`` that names those that it has.
    package func validate(areas: [String]) throws(Failure) {
        let known = state.shift.areas
        // A shift begun by an earlier version doesn't say which areas there are.
        for area in areas where !known.isEmpty && !known.contains(area) {
            throw Failure(
                .refused, "the site has no area “\(area.printable)”",
                advice: "it has " + known.map(\.printable).joined(separator: ", "))
        }
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
