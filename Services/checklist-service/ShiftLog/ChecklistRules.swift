import Messages

/// The names that the templates of a site may use.
package struct ChecklistRules: Hashable, Sendable {
    /// The names of the priorities; empty when any is allowed.
    package let priorities: Set<String>
    /// The names of the areas.
    package let areas: Set<String>
    /// The names of the templates that a task may open, in addition to the template itself.
    package let templates: Set<String>

    /// The areas of every site.
    package static let standardAreas: Set<String> = ["manager", "kitchen", "service"]

    /// - Parameters:
    ///   - settings: the settings of the site, for its priorities.
    ///   - areas: the site's own areas, in addition to those of every site.
    ///   - templates: the names of the other templates.
    package init(settings: SiteSettings, areas: Set<String> = [], templates: Set<String> = []) {
        priorities = Set(settings.priorities.map(\.name))
        self.areas = areas.union(Self.standardAreas)
        self.templates = templates
    }

    /// Validates a template.
    ///
    /// - Throws: the first fault, with its place.
    package func validate(_ template: ChecklistTemplate) throws(Refusal) {
        try validateText(template.name, "a template's name", 1...80)
        try validateTranslations(template.names, "the template's name", 80)
        switch template.kind {
        case .preShift, .before, .during, .after, .travelPath: break
        case .unspecified, .unrecognized:
            throw .invalid(
                "a template is for before the shift, before, during or after the rush, or a travel "
                    + "path: its kind is missing")
        }
        if case .unrecognized = template.crew {
            throw .invalid("crew members may do nothing, tick or inspect in a list")
        }
        for part in template.dayParts where part != .day && part != .evening {
            throw .invalid("a part of the day is day or evening")
        }
        try Weekdays.validate(template.weekdays)
        guard template.sections.count <= Self.mostSections else {
            throw .invalid("a template has at most \(Self.mostSections) sections")
        }
        guard template.sections.reduce(0, { $0 + $1.tasks.count }) <= Self.mostTasks else {
            throw .invalid("a template has at most \(Self.mostTasks) tasks")
        }
        var ids: Set<String> = []
        for section in template.sections {
            try validateID(section.id, "a section's id")
            try validateText(section.name, "the name of the section “\(section.id)”", 1...80)
            try validateTranslations(section.names, "the name of the section “\(section.id)”", 80)
            guard ids.insert("section " + section.id).inserted else {
                throw .invalid("two sections have the id “\(section.id)”")
            }
            try validateTasks(of: section, template: template, &ids)
        }
    }

    /// The maximum numbers of sections and tasks, so that a template easily fits into a message.
    static let mostSections = 100
    static let mostTasks = 1_000

    private func validateTasks(
        of section: ChecklistSection, template: ChecklistTemplate, _ ids: inout Set<String>
    ) throws(Refusal) {
        /// The tasks from the first level down to the previous one, which may be the next one's
        /// parent.
        var path: [String] = []
        for task in section.tasks {
            try validateID(task.id, "a task's id")
            guard ids.insert("task " + task.id).inserted else {
                throw .invalid("two tasks have the id “\(task.id)”")
            }
            if task.parent.isEmpty {
                path = []
            } else if let parent = path.lastIndex(of: task.parent) {
                path.removeSubrange((parent + 1)...)
            } else {
                throw .invalid(
                    "the task “\(task.id)” must come after the task “\(task.parent)” that it "
                        + "belongs to, in the same section and together with its other children")
            }
            path.append(task.id)
            try validate(task, template: template)
        }
        let parents = Set(section.tasks.map(\.parent))
        for task in section.tasks where task.answer != nil && parents.contains(task.id) {
            throw .invalid(
                "the task “\(task.id)” asks for an answer, so it can't have tasks under it")
        }
    }

    private func validate(_ task: ChecklistTask, template: ChecklistTemplate) throws(Refusal) {
        let name = "the task “\(task.id)”"
        try validateText(task.title, "the title of \(name)", 1...200)
        try validateTranslations(task.titles, "the title of \(name)", 200)
        try validateText(task.note, "the note of \(name)", 0...1_000)
        guard areas.contains(task.area) else {
            throw .invalid(
                "\(name): the area “\(task.area)” isn't one of "
                    + areas.sorted().joined(separator: ", "))
        }
        guard priorities.isEmpty || priorities.contains(task.priority) else {
            throw .invalid(
                "\(name): the priority “\(task.priority)” isn't one of "
                    + priorities.sorted().joined(separator: ", "))
        }
        if let minutes = task.carryOut, minutes >= 1_440 {
            throw .invalid("\(name): a time of day is before 24:00")
        }
        try task.answer?.validate(name)
        guard task.link.isEmpty || templates.contains(task.link) || task.link == template.name
        else {
            throw .invalid("\(name) opens the list “\(task.link)”, which doesn't exist")
        }
    }
}

/// Refuses a text in what isn't a language, or that is empty or longer than `length` characters.
func validateTranslations(
    _ texts: [String: String], _ name: String, _ length: Int
) throws(Refusal) {
    for (language, text) in texts.sorted(by: { $0.key < $1.key }) {
        guard language.wholeMatch(of: /[a-z]{2}/) != nil else {
            throw .invalid("\(name): “\(language)” isn't a language of ISO 639-1")
        }
        try validateText(text, "\(name) in “\(language)”", 1...length)
    }
}

/// Refuses an id that is not 1 to 60 lower-case letters, digits and `-`.
func validateID(_ id: String, _ name: String) throws(Refusal) {
    guard id.wholeMatch(of: /[a-z0-9-]{1,60}/) != nil else {
        throw .invalid(
            "\(name) is 1 to 60 lower-case letters, digits and “-”, not “\(id.prefix(80))”")
    }
}
