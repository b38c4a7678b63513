import Messages

/// The key of a task in a shift: its list and its id there.
package struct TaskKey: Hashable, Sendable, Codable {
    /// The id of the template.
    package let list: String
    /// The task's id in it.
    package let task: String

    package init(list: String, task: String) {
        self.list = list
        self.task = task
    }

    /// Reads the id of a generated to-do, `list/task`; nil when it is another id.
    package init?(todo id: String) {
        guard let slash = id.firstIndex(of: "/") else { return nil }
        self.init(list: String(id[..<slash]), task: String(id[id.index(after: slash)...]))
    }

    /// The id of the to-do that is generated while the task is not ok.
    package var todo: String { "\(list)/\(task)" }
}

/// A task and its place in the lists of a shift.
package struct ListedTask: Hashable, Sendable {
    /// The key of the task.
    package let key: TaskKey
    /// The task in its template.
    package let task: ChecklistTask
    /// The index of its list.
    package let list: Int
    /// The index of its section in the list.
    package let section: Int
    /// The index of its parent among all tasks; nil when it has none.
    package let parent: Int?
    /// The indexes of its children among all tasks.
    package fileprivate(set) var children: [Int] = []

    /// True when it has a state of its own.
    package var isLeaf: Bool { children.isEmpty }
}

/// The lists of a shift, and the place of each task in them.
package struct ShiftLists: Hashable, Sendable {
    /// The templates, in the order of the shift.
    package let templates: [ChecklistTemplate]
    /// Every task in order: list by list, section by section.
    package let tasks: [ListedTask]
    private let positions: [TaskKey: Int]

    /// Makes the lists from templates. If two tasks have the same key, only the first is kept.
    package init(_ templates: [ChecklistTemplate]) {
        var tasks: [ListedTask] = []
        var positions: [TaskKey: Int] = [:]
        for (list, template) in templates.enumerated() {
            for (section, part) in template.sections.enumerated() {
                for task in part.tasks {
                    let key = TaskKey(list: template.id, task: task.id)
                    guard positions[key] == nil else { continue }
                    let parent = positions[TaskKey(list: template.id, task: task.parent)]
                    positions[key] = tasks.count
                    if let parent { tasks[parent].children.append(tasks.count) }
                    tasks.append(
                        ListedTask(
                            key: key, task: task, list: list, section: section, parent: parent))
                }
            }
        }
        self.templates = templates
        self.tasks = tasks
        self.positions = positions
    }

    /// The index of a task; nil when no list has it.
    package func position(of key: TaskKey) -> Int? { positions[key] }

    /// The task with a key; nil when no list has it.
    package func task(_ key: TaskKey) -> ListedTask? { positions[key].map { tasks[$0] } }

    /// The list with an id; nil when the shift doesn't use it.
    package func template(_ id: String) -> ChecklistTemplate? {
        templates.first { $0.id == id }
    }

    /// The section of a task.
    package func section(of task: ListedTask) -> ChecklistSection {
        templates[task.list].sections[task.section]
    }

    /// True when a task may be found not ok: in a pre-shift or travel path list, or if its answer
    /// can mean that.
    package func allowsNotOk(_ task: ListedTask) -> Bool {
        templates[task.list].kind.allowsNotOk || task.task.answer?.canFail ?? false
    }
}

extension ListKind {
    /// True when the tasks of a list of this kind are inspected rather than done, so that they can
    /// be not ok.
    package var allowsNotOk: Bool { self == .preShift || self == .travelPath }
}

extension ChecklistTask {
    /// The title in a language, or else the default one.
    package func title(in language: String) -> String { titles[language] ?? title }
}

extension ChecklistSection {
    /// The name in a language, or else the default one.
    package func name(in language: String) -> String { names[language] ?? name }
}

extension ChecklistTemplate {
    /// The name in a language, or else the default one.
    package func name(in language: String) -> String { names[language] ?? name }
}

extension Priority {
    /// The title in a language, or else the default one.
    package func title(in language: String) -> String { titles[language] ?? title }
}
