import Messages

extension ChecklistTemplate {
    /// The template in a YAML file; its organisation, site, version and change stay empty.
    ///
    /// A task may be just a text. Without an id it gets one made from its title; its area and
    /// priority default to those of the task, section or checklist around it, or else to `manager`
    /// and `during-shift`.
    package init(yaml bytes: some Sequence<UInt8>) throws(TemplateFileError) {
        let root = try TemplateDocument.root(of: Array(bytes))
        let fields = try Fields(root, of: "checklist", keys: TemplateWords.checklist)
        let name = try fields.required("checklist", atMost: TemplateLimits.name)
        let kind = try Self.kind(fields)
        let dayParts = try Self.dayParts(fields)
        let weekdays = try Self.weekdays(fields)
        let crew = try Self.crew(fields)
        let inherited = try Inherited().overridden(by: fields)
        var sections: [ReadSection] = []
        for entry in try fields.list("sections") {
            sections.append(try ReadSection(entry, inherited))
        }
        guard (1...TemplateLimits.sections).contains(sections.count) else {
            throw fields.error(
                "sections", "\(sections.isEmpty ? "are missing" : "are too many")",
                cure: "give the checklist 1 to \(TemplateLimits.sections) of them")
        }
        self.init(
            name: name, names: try fields.titles(atMost: TemplateLimits.name),
            kind: kind, dayParts: dayParts, sections: try TemplateReader.numbered(sections),
            crew: crew, weekdays: weekdays)
    }

    private static func crew(_ fields: Fields) throws(TemplateFileError) -> CrewMay {
        guard let word = try fields.text("crew", atMost: TemplateLimits.name) else {
            return .unspecified
        }
        guard let found = TemplateWords.crew.first(where: { $0.word == word }) else {
            throw fields.error(
                "crew", "“\(word)” is nothing that crew members may do",
                cure: "use one of \(TemplateWords.crew.map(\.word).joined(separator: ", "))")
        }
        return found.may
    }

    private static func kind(_ fields: Fields) throws(TemplateFileError) -> ListKind {
        let word = try fields.text("kind", atMost: TemplateLimits.name)
        guard let kind = TemplateWords.kinds.first(where: { $0.word == word }) else {
            throw fields.error(
                "kind", word.map { "“\($0)” isn't a kind of checklist" } ?? "is missing",
                cure: "use one of \(TemplateWords.kinds.map(\.word).joined(separator: ", "))")
        }
        return kind.kind
    }

    private static func dayParts(_ fields: Fields) throws(TemplateFileError) -> [DayPart] {
        var found: [DayPart] = []
        for entry in try fields.list("day-parts") {
            let word = try fields.text(of: entry, "day-parts", atMost: TemplateLimits.name)
            guard let part = TemplateWords.dayParts.first(where: { $0.word == word })?.dayPart,
                !found.contains(part)
            else {
                throw TemplateFileError(
                    line: entry.line, key: "day-parts", "“\(word)” is unknown or repeated",
                    cure: "use day and evening, each once, or leave the key out for all")
            }
            found.append(part)
        }
        return found
    }
}

extension ChecklistTemplate {
    private static func weekdays(_ fields: Fields) throws(TemplateFileError) -> [UInt32] {
        var found: Set<UInt32> = []
        for entry in try fields.list("weekdays") {
            let word = try fields.text(of: entry, "weekdays", atMost: TemplateLimits.name)
            guard let index = TemplateWords.weekdays.firstIndex(of: word),
                found.insert(UInt32(index + 1)).inserted
            else {
                throw TemplateFileError(
                    line: entry.line, key: "weekdays", "“\(word)” is unknown or repeated",
                    cure: "use mon, tue, wed, thu, fri, sat and sun, each once, or leave the key "
                        + "out for all")
            }
        }
        return found.sorted()
    }
}

/// A section as read from the file.
private struct ReadSection {
    let line: Int
    let section: ChecklistSection
    let tasks: [ReadTask]

    init(_ entry: Entry, _ outer: Inherited) throws(TemplateFileError) {
        let fields = try Fields(entry, of: "section", keys: TemplateWords.section)
        line = fields.line
        section = ChecklistSection(
            id: try fields.id(), name: try fields.required("section", atMost: TemplateLimits.name),
            names: try fields.titles(atMost: TemplateLimits.name))
        let inherited = try outer.overridden(by: fields)
        var tasks: [ReadTask] = []
        for entry in try fields.list("tasks") {
            tasks.append(try ReadTask(entry, inherited, depth: 1))
        }
        self.tasks = tasks
    }
}

/// A task as read from the file, with its children.
private struct ReadTask {
    let line: Int
    let task: ChecklistTask
    let children: [ReadTask]

    init(_ entry: Entry, _ outer: Inherited, depth: Int) throws(TemplateFileError) {
        guard depth <= TemplateLimits.depth else {
            throw TemplateFileError(
                line: entry.line, key: "tasks", "more than \(TemplateLimits.depth) tasks deep",
                cure: "make a section or a checklist of it")
        }
        let fields = try Fields(entry.asTask, of: "task", keys: TemplateWords.task)
        line = fields.line
        let inherited = try outer.overridden(by: fields)
        task = ChecklistTask(
            id: try fields.id(), title: try fields.required("task", atMost: TemplateLimits.title),
            titles: try fields.titles(atMost: TemplateLimits.title),
            note: try fields.text("note", atMost: TemplateLimits.note) ?? "",
            general: try fields.flag("general"), area: inherited.area,
            priority: inherited.priority, carryOut: try fields.carryOut(),
            timeCritical: try fields.flag("time-critical"),
            securityRound: try fields.flag("security-round"),
            link: try fields.text("opens", atMost: TemplateLimits.name) ?? "",
            answer: try fields.answer())
        var children: [ReadTask] = []
        for entry in try fields.list("tasks") {
            children.append(try ReadTask(entry, inherited, depth: depth + 1))
        }
        self.children = children
    }
}

extension Entry {
    /// The task itself, or the one that a plain text represents.
    fileprivate var asTask: Entry {
        guard case .text = value else { return self }
        return Entry(line: line, value: .keys([("task", line, self)]))
    }

    private init(line: Int, value: Value) {
        self.line = line
        self.value = value
    }
}

extension Inherited {
    fileprivate func overridden(by fields: Fields) throws(TemplateFileError) -> Inherited {
        var inner = self
        if let area = try fields.text("area", atMost: TemplateLimits.name) { inner.area = area }
        if let priority = try fields.text("priority", atMost: TemplateLimits.name) {
            inner.priority = priority
        }
        return inner
    }
}

extension Fields {
    /// The id; empty if one has to be made.
    fileprivate func id() throws(TemplateFileError) -> String {
        guard let id = try text("id", atMost: 2 * TemplateLimits.id) else { return "" }
        guard TaskID.isValid(id) else {
            throw error(
                "id", "“\(id)” isn't an id",
                cure: "use lower-case letters, digits and -, at most \(TemplateLimits.id)")
        }
        return id
    }

    fileprivate func titles(atMost limit: Int) throws(TemplateFileError) -> [String: String] {
        guard let entry = entry("titles") else { return [:] }
        guard case .keys(let pairs) = entry.value, pairs.count <= TemplateLimits.languages else {
            throw error(
                "titles", "languages with their texts are expected",
                cure: "write a line such as nb: TEXT for each, \(TemplateLimits.languages) at most")
        }
        var titles: [String: String] = [:]
        for pair in pairs {
            guard pair.key.wholeMatch(of: /[a-z]{2}/) != nil else {
                throw TemplateFileError(
                    line: pair.line, key: pair.key, "isn't a language code",
                    cure: "use one of ISO 639-1, e.g. nb, sv, de")
            }
            let title = try text(of: pair.value, pair.key, atMost: limit)
            guard !title.isEmpty else {
                throw TemplateFileError(
                    line: pair.line, key: pair.key, "is empty",
                    cure: "write the text, or remove the line")
            }
            titles[pair.key] = title
        }
        return titles
    }

    fileprivate func carryOut() throws(TemplateFileError) -> UInt32? {
        guard let text = try text("at", atMost: TemplateLimits.name) else { return nil }
        guard let minutes = TemplateWords.minutes(text) else {
            throw error(
                "at", "“\(text)” isn't a time of day",
                cure: "write hours and minutes, from 00:00 to 23:59, e.g. 10:15")
        }
        return minutes
    }
}

/// Gives ids to tasks and sections without one, and puts tasks into the order of the message.
private enum TemplateReader {
    static func numbered(
        _ sections: [ReadSection]
    ) throws(TemplateFileError) -> [ChecklistSection] {
        var taken: Set<String> = []
        var count = 0
        for section in sections {
            try reserve(section.tasks, &taken, &count)
        }
        var sectionIDs: Set<String> = []
        for section in sections where !section.section.id.isEmpty {
            guard sectionIDs.insert(section.section.id).inserted else {
                throw .takenID(section.section.id, line: section.line)
            }
        }
        return sections.map { read in
            var section = read.section
            if section.id.isEmpty {
                section.id = TaskID.made(from: section.name, taken: sectionIDs)
                sectionIDs.insert(section.id)
            }
            section.tasks = read.tasks.flatMap { flat($0, parent: "", &taken) }
            return section
        }
    }

    /// Reserves the ids in the file first, so that generated ids don't collide with them.
    private static func reserve(
        _ tasks: [ReadTask], _ taken: inout Set<String>, _ count: inout Int
    ) throws(TemplateFileError) {
        for read in tasks {
            count += 1
            guard count <= TemplateLimits.tasks else {
                throw TemplateFileError(
                    line: read.line, key: "task", "there are more than \(TemplateLimits.tasks)",
                    cure: "split the checklist into several")
            }
            if !read.task.id.isEmpty, !taken.insert(read.task.id).inserted {
                throw .takenID(read.task.id, line: read.line)
            }
            try reserve(read.children, &taken, &count)
        }
    }

    private static func flat(
        _ read: ReadTask, parent: String, _ taken: inout Set<String>
    ) -> [ChecklistTask] {
        var task = read.task
        task.parent = parent
        if task.id.isEmpty {
            task.id = TaskID.made(from: task.title, taken: taken)
            taken.insert(task.id)
        }
        var tasks = [task]
        for child in read.children { tasks += flat(child, parent: task.id, &taken) }
        return tasks
    }
}

extension TemplateFileError {
    fileprivate static func takenID(_ id: String, line: Int) -> Self {
        Self(line: line, key: "id", "“\(id)” occurs twice", cure: "give each its own id")
    }
}
