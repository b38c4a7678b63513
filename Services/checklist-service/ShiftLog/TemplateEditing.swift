import Messages

extension ChecklistTemplate {
    /// The template after one edit. The service sets its version and author, and ``ChecklistRules``
    /// validates the result.
    ///
    /// - Throws: when the edited task or section, or the place for it, does not exist.
    package func edited(_ edit: EditTemplate.Edit) throws(Refusal) -> ChecklistTemplate {
        var template = self
        switch edit {
        case .addTask(let place): try template.add(place)
        case .changeTask(let task): try template.change(task)
        case .moveTask(let place): try template.move(place)
        case .removeTask(let id):
            let place = try template.place(of: id)
            template.sections[place.section].tasks.removeSubrange(
                template.subtree(at: place))
        case .addSection(let place): try template.add(place)
        case .changeSection(let place): try template.change(place)
        case .removeSection(let id):
            template.sections.remove(at: try template.section(id))
        case .rename(let name): template.name = name
        case .crew(let may): template.crew = may
        }
        return template
    }

    private struct Place {
        var section: Int
        var task: Int
    }

    private func section(_ id: String) throws(Refusal) -> Int {
        guard let section = sections.firstIndex(where: { $0.id == id }) else {
            throw .notFound("the template “\(name)” has no section “\(id)”")
        }
        return section
    }

    private func place(of id: String) throws(Refusal) -> Place {
        for (section, part) in sections.enumerated() {
            if let task = part.tasks.firstIndex(where: { $0.id == id }) {
                return Place(section: section, task: task)
            }
        }
        throw .notFound("the template “\(name)” has no task “\(id)”")
    }

    /// A task and its descendants, which follow it.
    private func subtree(at place: Place) -> Range<Int> {
        let tasks = sections[place.section].tasks
        var family: Set = [tasks[place.task].id]
        var end = place.task + 1
        while end < tasks.count, family.contains(tasks[end].parent) {
            family.insert(tasks[end].id)
            end += 1
        }
        return place.task..<end
    }

    private mutating func add(_ place: PlaceTask) throws(Refusal) {
        let task = place.task
        guard !sections.contains(where: { $0.tasks.contains { $0.id == task.id } }) else {
            throw .conflict("there is a task “\(task.id)” already")
        }
        try insert([task], place)
    }

    private mutating func change(_ task: ChecklistTask) throws(Refusal) {
        let place = try place(of: task.id)
        var changed = task
        let parent = sections[place.section].tasks[place.task].parent
        guard changed.parent.isEmpty || changed.parent == parent else {
            throw .invalid(
                "the task “\(task.id)” stays where it is; move it to make it belong to "
                    + "“\(changed.parent)”")
        }
        changed.parent = parent
        sections[place.section].tasks[place.task] = changed
    }

    private mutating func move(_ place: PlaceTask) throws(Refusal) {
        let task = place.task
        let from = try self.place(of: task.id)
        let range = subtree(at: from)
        let family = Array(sections[from.section].tasks[range])
        let ids = Set(family.map(\.id))
        guard !ids.contains(place.after), !ids.contains(task.parent) else {
            throw .invalid("the task “\(task.id)” can't be moved into or after itself")
        }
        sections[from.section].tasks.removeSubrange(range)
        var target = place
        target.task.parent = task.parent
        try insert(family, target)
    }

    /// Inserts a task and its descendants: after a sibling and its descendants, or first under the
    /// parent.
    private mutating func insert(_ family: [ChecklistTask], _ place: PlaceTask) throws(Refusal) {
        let section = try section(place.section)
        let tasks = sections[section].tasks
        let wanted = place.task.parent
        var parent = wanted
        var position = 0
        if !place.after.isEmpty {
            guard let after = tasks.firstIndex(where: { $0.id == place.after }) else {
                throw .notFound("the section “\(place.section)” has no task “\(place.after)”")
            }
            guard wanted.isEmpty || tasks[after].parent == wanted else {
                throw .invalid("the task “\(place.after)” doesn't belong to “\(wanted)”")
            }
            parent = tasks[after].parent
            position = subtree(at: Place(section: section, task: after)).upperBound
        } else if !wanted.isEmpty {
            guard let above = tasks.firstIndex(where: { $0.id == wanted }) else {
                throw .notFound("the section “\(place.section)” has no task “\(wanted)”")
            }
            position = above + 1
        }
        var family = family
        family[0].parent = parent
        sections[section].tasks.insert(contentsOf: family, at: position)
    }

    private mutating func add(_ place: PlaceSection) throws(Refusal) {
        var section = place.section
        guard !sections.contains(where: { $0.id == section.id }) else {
            throw .conflict("there is a section “\(section.id)” already")
        }
        section.tasks = []
        try insert(section, after: place.after)
    }

    private mutating func change(_ place: PlaceSection) throws(Refusal) {
        var section = place.section
        let old = sections.remove(at: try self.section(section.id))
        section.tasks = old.tasks
        if section.name.isEmpty { (section.name, section.names) = (old.name, old.names) }
        try insert(section, after: place.after)
    }

    private mutating func insert(_ section: ChecklistSection, after: String) throws(Refusal) {
        let position = after.isEmpty ? 0 : try self.section(after) + 1
        sections.insert(section, at: position)
    }
}
