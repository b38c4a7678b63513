import Messages

/// The rules of a change to a template, one thing at a time.
extension ChecklistTemplate {
    /// Changes one thing. What comes of it still has to be checked.
    mutating func apply(_ edit: EditTemplate.Edit) throws(Refusal) {
        switch edit {
        case .addTask(let place):
            guard let task = place.task else { throw .invalid("name the task to add") }
            guard !tasks.contains(where: { $0.id == task.id }) else {
                throw .conflict("there is a task \(task.id) already; change it, or use another id")
            }
            try insert([task], at: place)
        case .changeTask(let task): try change(task)
        case .moveTask(let place):
            guard let id = place.task?.id else { throw .invalid("name the task to move") }
            var family = try take(id)
            guard !family.contains(where: { $0.id == place.after }) else {
                throw .invalid("task \(id) can't stand behind itself")
            }
            family[0].parent = try parent(behind: place)
            try insert(family, at: place)
        case .removeTask(let id): _ = try take(id)
        case .addSection(let place):
            guard let section = place.section else { throw .invalid("name the section to add") }
            guard !sections.contains(where: { $0.id == section.id }) else {
                throw .conflict("there is a section \(section.id) already")
            }
            try insert(
                ChecklistSection(id: section.id, name: section.name, names: section.names),
                at: place)
        case .changeSection(let place): try change(place)
        case .removeSection(let id):
            sections.remove(at: try section(id))
        case .rename(let name): self.name = name
        }
    }

    private mutating func change(_ task: ChecklistTask) throws(Refusal) {
        let (section, place) = try position(task.id)
        var task = task
        task.parent = sections[section].tasks[place].parent
        sections[section].tasks[place] = task
    }

    private mutating func change(_ place: PlaceSection) throws(Refusal) {
        guard let wanted = place.section else { throw .invalid("name the section to change") }
        var section = sections.remove(at: try section(wanted.id))
        if !wanted.name.isEmpty { section.name = wanted.name }
        if !wanted.names.isEmpty { section.names = wanted.names }
        try insert(section, at: place)
    }

    private mutating func insert(
        _ section: ChecklistSection, at place: PlaceSection
    ) throws(Refusal) {
        let index = place.after.isEmpty ? 0 : try self.section(place.after) + 1
        sections.insert(section, at: index)
    }

    /// Puts tasks, the first with its children behind it, where they are wanted.
    private mutating func insert(_ family: [ChecklistTask], at place: PlaceTask) throws(Refusal) {
        let section = try section(place.section)
        let tasks = sections[section].tasks
        guard !place.after.isEmpty else {
            let parent = tasks.firstIndex { $0.id == family[0].parent }
            sections[section].tasks.insert(contentsOf: family, at: parent.map { $0 + 1 } ?? 0)
            return
        }
        guard let index = tasks.firstIndex(where: { $0.id == place.after }) else {
            throw .notFound("section \(place.section) has no task \(place.after.prefix(60))")
        }
        sections[section].tasks.insert(
            contentsOf: family, at: index + familySize(at: index, in: tasks))
    }

    /// A moved task belongs to the parent that the move names, or else to that of the task before.
    private func parent(behind place: PlaceTask) throws(Refusal) -> String {
        if let parent = place.task?.parent, !parent.isEmpty { return parent }
        let tasks = sections[try section(place.section)].tasks
        return tasks.first { $0.id == place.after }?.parent ?? ""
    }

    /// Takes a task out, with its children.
    private mutating func take(_ id: String) throws(Refusal) -> [ChecklistTask] {
        let (section, place) = try position(id)
        let range = place..<(place + familySize(at: place, in: sections[section].tasks))
        let family = Array(sections[section].tasks[range])
        sections[section].tasks.removeSubrange(range)
        return family
    }

    /// How many tasks a task and all below it are; they stand behind it without a gap.
    private func familySize(at place: Int, in tasks: [ChecklistTask]) -> Int {
        var family: Set = [tasks[place].id]
        let rest = tasks[(place + 1)...]
        for task in rest {
            guard family.contains(task.parent) else { break }
            family.insert(task.id)
        }
        return family.count
    }

    private func position(_ task: String) throws(Refusal) -> (section: Int, task: Int) {
        for (index, section) in sections.enumerated() {
            if let place = section.tasks.firstIndex(where: { $0.id == task }) {
                return (index, place)
            }
        }
        throw .notFound("the checklist has no task \(task.prefix(60))")
    }

    private func section(_ id: String) throws(Refusal) -> Int {
        guard let index = sections.firstIndex(where: { $0.id == id }) else {
            throw .notFound("the checklist has no section “\(id.prefix(60))”")
        }
        return index
    }
}
