import Foundation
import Messages

/// A to-do: generated from a task that is not ok, or added by a person.
package struct Todo: Hashable, Sendable {
    /// `list/task` for a generated one, else the UUID of the operation that added it.
    package let id: String
    /// Its number for people, which stays the same: that of its task in the lists of the shift, or
    /// a number above 1000 for one that a person added or that an earlier shift left open.
    package let number: Int
    /// The task of this shift that it was generated from; nil for any other.
    package let task: TaskKey?
    /// What to do, in the site's language.
    package let title: String
    /// The section's name in the site's language; may be empty.
    package let section: String
    /// The area.
    package let area: String
    /// The name of the priority.
    package let priority: String
    /// Who should do it: the name of an account, or any name; empty for nobody in particular.
    package let assignee: String
    /// When it is due, in milliseconds since 1970; nil when it has no time.
    package let due: Int64?
    /// Open, done or removed.
    package let mark: TodoMark
    /// The standing note of its task; may be empty.
    package let standingNote: String
    /// The notes that were written at its task in this shift.
    package let taskNotes: [ShiftNote]
    /// Its own notes.
    package let notes: [ShiftNote]
    /// The photos that show what to do: its own, or those of the answer to its task.
    package let photos: [Photo]
    /// Who made it, or made it again, and when.
    package let made: Stamp
    /// Who completed it, and when; nil unless it is done.
    package let done: Stamp?
    /// Who removed it, and when; nil unless it is removed.
    package let removed: Stamp?
    /// True when its task's marks contradict each other and nobody has decided.
    package let isInReview: Bool
    /// The operation that began the travel path on which it was found; empty for none.
    package let travelPath: [UInt8]
    /// Where it comes from; nil if it was made in this shift.
    package let origin: TodoOrigin?
}

extension ShiftState {
    /// The to-dos, except removed ones, ordered by priority, by section as in the lists, and by
    /// title.
    package var todos: [Todo] { allTodos.filter { $0.mark != .removed } }

    /// The to-dos of some areas, in the same order.
    package func todos(areas: Set<String>) -> [Todo] {
        todos.filter { areas.contains($0.area) }
    }

    /// The to-dos of each area, areas by name.
    package var todosByArea: [(area: String, todos: [Todo])] {
        Dictionary(grouping: todos, by: \.area).sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// The to-dos that were removed, in the same order.
    package var removedTodos: [Todo] { allTodos.filter { $0.mark == .removed } }

    /// The to-do with an id, even if removed; nil when there is none now.
    package func todo(_ id: String) -> Todo? {
        if let own = ownTodoPositions[id] { return todo(own: ownTodos[own]) }
        return TaskKey(todo: id).flatMap(lists.position).flatMap(generatedTodo)
    }

    /// The to-dos that people added in this shift, each once, in the form in which they can be
    /// added in another: without what belongs to one occasion.
    package var remembered: [AddTodo] {
        var known: Set<AddTodo> = []
        return ownTodos.filter { $0.origin == nil }.compactMap { own in
            let content = AddTodo(
                title: own.content.title, section: own.content.section, area: own.content.area,
                priority: own.content.priority)
            return known.insert(content).inserted ? content : nil
        }
    }

    /// The to-dos to follow up on the next travel path: those completed after the last walked
    /// travel path was begun.
    ///
    /// - Parameter beginning: the operation that began the travel path on which they are followed
    ///   up; nil when it isn't recorded yet.
    package func todosToFollowUp(from beginning: [UInt8]? = nil) -> [Todo] {
        let began = Dictionary(
            beginnings.map { ($0.id, $0.stamp.sequence) }, uniquingKeysWith: { first, _ in first })
        let until = beginning.flatMap { began[$0] }
        let last =
            walks.filter { $0.begun != beginning || beginning == nil }
            .map { began[$0.begun] ?? $0.stamp.sequence }
            .filter { sequence in until.map { sequence < $0 } ?? true }.max() ?? 0
        return todos.filter {
            guard let done = $0.done?.sequence else { return false }
            return done > last && until.map { done < $0 } ?? true
        }
    }

    private var allTodos: [Todo] {
        let generated = lists.tasks.indices.compactMap(generatedTodo)
        return TodoOrder(self).sorted(generated + ownTodos.map(todo))
    }

    func generatedTodo(at position: Int) -> Todo? {
        let listed = lists.tasks[position]
        let record = tasks[position]
        guard listed.isLeaf, record.state == .notOk, let made = record.todo.made,
            !isCovered(listed.key, record)
        else { return nil }
        let shown = record.todo.shown
        return Todo(
            id: listed.key.todo, number: position + 1, task: listed.key,
            title: listed.task.title(in: language),
            section: lists.section(of: listed).name(in: language), area: listed.task.area,
            priority: record.todo.priority.isEmpty ? listed.task.priority : record.todo.priority,
            assignee: record.todo.assignee, due: record.todo.due == 0 ? nil : record.todo.due,
            mark: record.todo.mark, standingNote: listed.task.note, taskNotes: record.notes,
            notes: record.todo.notes, photos: record.shown?.answer?.photos ?? [], made: made,
            done: shown.stamp(of: .done), removed: shown.stamp(of: .removed),
            isInReview: record.isInReview, travelPath: [], origin: nil)
    }

    /// True while the to-do of a task that an earlier shift left open replaces the task's own, so
    /// that the same thing isn't done twice. A task that is found not ok after that one was done
    /// has a to-do again.
    private func isCovered(_ key: TaskKey, _ record: TaskRecord) -> Bool {
        let found = record.marks.last { $0.state == .notOk }?.stamp.sequence ?? 0
        return ownTodos.contains { own in
            guard own.origin?.task == key else { return false }
            return own.record.mark == .open
                || own.record.shown.map { found <= $0.stamp.sequence } ?? false
        }
    }

    func todo(own: OwnTodo) -> Todo {
        let shown = own.record.shown
        return Todo(
            id: own.id, number: own.number, task: nil, title: own.content.title,
            section: own.content.section, area: own.content.area,
            priority: own.record.priority.isEmpty ? own.content.priority : own.record.priority,
            assignee: own.record.assignee, due: own.record.due == 0 ? nil : own.record.due,
            mark: own.record.mark, standingNote: "", taskNotes: [], notes: own.record.notes,
            photos: own.content.photos, made: own.made, done: shown.stamp(of: .done),
            removed: shown.stamp(of: .removed), isInReview: false,
            travelPath: own.content.travelPath, origin: own.origin)
    }
}

extension TodoEntry? {
    /// Who made the entry, and when, if it sets this state.
    fileprivate func stamp(of mark: TodoMark) -> Stamp? { self?.mark == mark ? self?.stamp : nil }
}

/// The order of to-dos: by priority as in the settings, by section as in the lists with new ones
/// after them by name, and by title in the order of the language.
private struct TodoOrder {
    private let priorities: [String: Int]
    private let sections: [String: Int]
    private let locale: Locale

    init(_ state: ShiftState) {
        priorities = Dictionary(
            state.settings.priorities.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first })
        let names = state.lists.templates.flatMap(\.sections).map { $0.name(in: state.language) }
        sections = Dictionary(
            names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        locale = Locale(identifier: state.language)
    }

    /// What decides the place of a to-do. It is small, so that the dozens of parts of a to-do
    /// aren't moved about while sorting.
    private struct Key {
        let index: Int
        let rank: (Int, Int)
        let section: String
        let title: String
        let id: String
    }

    func sorted(_ todos: [Todo]) -> [Todo] {
        let keys = todos.enumerated().map { index, todo in
            Key(
                index: index, rank: rank(todo), section: todo.section, title: todo.title,
                id: todo.id)
        }
        return keys.sorted(by: isAscending).map { todos[$0.index] }
    }

    private func isAscending(_ first: Key, _ second: Key) -> Bool {
        if first.rank != second.rank { return first.rank < second.rank }
        if first.section != second.section {
            // A to-do without a section comes after all that have one.
            if first.section.isEmpty || second.section.isEmpty { return second.section.isEmpty }
            let order = compare(first.section, second.section)
            if order != .orderedSame { return order == .orderedAscending }
        }
        let order = compare(first.title, second.title)
        return order == .orderedSame ? first.id < second.id : order == .orderedAscending
    }

    private func rank(_ todo: Todo) -> (Int, Int) {
        (priorities[todo.priority] ?? .max, sections[todo.section] ?? .max)
    }

    private func compare(_ first: String, _ second: String) -> ComparisonResult {
        if let (a, b) = Self.initials(first, second), a != b {
            return a < b ? .orderedAscending : .orderedDescending
        }
        return first.compare(second, options: [.caseInsensitive], range: nil, locale: locale)
    }

    /// The first letters of both texts in lower case, if their order is the same in every language.
    /// A comparison by the rules of a language takes a hundred times as long.
    private static func initials(_ first: String, _ second: String) -> (UInt8, UInt8)? {
        guard let a = initial(first), let b = initial(second) else { return nil }
        return (a, b)
    }

    private static func initial(_ text: String) -> UInt8? {
        // What follows might be an accent.
        guard let letter = text.utf8.first.map({ $0 | 32 }), isPlain(letter),
            text.utf8.dropFirst().first.map({ $0 < 128 }) ?? true
        else { return nil }
        return letter
    }

    /// Not `a`, because Norwegian has `aa` as its last letter, and not the letters that some
    /// languages have treated as variants of another.
    private static func isPlain(_ letter: UInt8) -> Bool {
        (UInt8(ascii: "b")...UInt8(ascii: "u")).contains(letter)
    }
}
