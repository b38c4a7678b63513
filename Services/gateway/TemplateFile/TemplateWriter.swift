import LocalTime
import Messages
import ShiftLog

extension ChecklistTemplate {
    /// The template as a YAML file that people can edit. Reading it gives the same template, except
    /// for its organisation, site, version and change, which a file doesn't have.
    ///
    /// Ids are always written, so that correcting a title doesn't make another task.
    package var yaml: String {
        let text = yaml(hidesStars: false)
        // Otherwise texts that happen to look like an anchor and its alias would be refused.
        return TemplateDocument.lineOfAlias(in: text.utf8) == nil ? text : yaml(hidesStars: true)
    }

    private func yaml(hidesStars: Bool) -> String {
        var lines = TemplateLines(hidesStars: hidesStars)
        lines.add(0, "checklist", name)
        lines.add(0, titles: names)
        lines.add(0, "kind", TemplateWords.kinds.first { $0.kind == kind }?.word ?? "")
        if !dayParts.isEmpty {
            let words = TemplateWords.dayParts.filter { dayParts.contains($0.dayPart) }
            let order = dayParts.compactMap { part in words.first { $0.dayPart == part }?.word }
            lines.text += "day-parts: [\(order.joined(separator: ", "))]\n"
        }
        if !weekdays.isEmpty {
            let words = weekdays.compactMap { day in
                (1...7).contains(day) ? TemplateWords.weekdays[Int(day) - 1] : nil
            }
            lines.text += "weekdays: [\(words.joined(separator: ", "))]\n"
        }
        if let word = TemplateWords.crew.first(where: { $0.may == crew })?.word,
            crew != .unspecified
        {
            lines.text += "crew: \(word)\n"
        }
        lines.text += "sections:\n"
        for section in sections { lines.add(section) }
        return lines.text
    }
}

/// The lines of a template file being written.
private struct TemplateLines {
    /// True to write each `*` as its character code.
    let hidesStars: Bool
    var text = ""

    mutating func add(_ section: ChecklistSection) {
        let tree = TaskTree(section.tasks)
        let usual = tree.usual
        text += "\n"
        add(2, "section", section.name, isFirst: true)
        add(4, "id", section.id)
        add(4, titles: section.names)
        add(4, usual, in: Inherited())
        guard !section.tasks.isEmpty else { return }
        text += "    tasks:\n"
        for task in tree.top { add(task, usual, tree, margin: 6) }
    }

    private mutating func add(
        _ task: ChecklistTask, _ outer: Inherited, _ tree: TaskTree, margin: Int
    ) {
        let own = Inherited(area: task.area, priority: task.priority)
        let inner = margin + 2
        add(margin, "task", task.title, isFirst: true)
        add(inner, "id", task.id)
        add(inner, titles: task.titles)
        if !task.note.isEmpty { add(inner, "note", task.note) }
        add(inner, own, in: outer)
        if let minutes = task.carryOut {
            text += "\(spaces(inner))at: \"\(LocalTime.text(minutes: Int(minutes)))\"\n"
        }
        if task.general { add(inner, flag: "general") }
        if task.timeCritical { add(inner, flag: "time-critical") }
        if task.securityRound { add(inner, flag: "security-round") }
        if !task.link.isEmpty { add(inner, "opens", task.link) }
        if let rule = task.answer { add(inner, rule) }
        let children = tree.children(of: task)
        guard !children.isEmpty else { return }
        text += "\(spaces(inner))tasks:\n"
        for child in children { add(child, own, tree, margin: inner + 2) }
    }

    private mutating func add(_ margin: Int, _ rule: AnswerRule) {
        guard let word = TemplateWords.answers.first(where: { $0.kind == rule.kind })?.word else {
            return
        }
        add(margin, "answer", word)
        if !rule.unit.isEmpty { add(margin, "unit", rule.unit) }
        if let least = rule.least { add(margin, "least", Thousandths.text(least)) }
        if let most = rule.most { add(margin, "most", Thousandths.text(most)) }
        add(margin, "choices", rule.choices.map(\.text))
        add(margin, "not-ok", rule.choices.filter(\.notOk).map(\.text))
    }

    private mutating func add(_ margin: Int, _ key: String, _ values: [String]) {
        guard !values.isEmpty else { return }
        text += "\(spaces(margin))\(key):\n"
        for value in values {
            text += "\(spaces(margin + 2))- \(QuotedText.of(value, hidesStars: hidesStars))\n"
        }
    }

    /// Adds a line. `margin` is the indentation of the key; the first key of an entry has a dash
    /// before it.
    mutating func add(_ margin: Int, _ key: String, _ value: String, isFirst: Bool = false) {
        let written = QuotedText.of(value, hidesStars: hidesStars)
        text += "\(spaces(margin))\(isFirst ? "- " : "")\(key): \(written)\n"
    }

    mutating func add(_ margin: Int, titles: [String: String]) {
        guard !titles.isEmpty else { return }
        text += "\(spaces(margin))titles:\n"
        for (language, title) in titles.sorted(by: { $0.key < $1.key }) {
            add(margin + 2, language, title)
        }
    }

    private mutating func add(_ margin: Int, _ own: Inherited, in outer: Inherited) {
        if own.area != outer.area { add(margin, "area", own.area) }
        if own.priority != outer.priority { add(margin, "priority", own.priority) }
    }

    private mutating func add(_ margin: Int, flag: String) {
        text += "\(spaces(margin))\(flag): true\n"
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}

/// The tasks of a section by their parents.
private struct TaskTree {
    let top: [ChecklistTask]
    private let children: [String: [ChecklistTask]]

    /// A task whose parent doesn't precede it is treated as having none, so that nothing is left
    /// out.
    init(_ tasks: [ChecklistTask]) {
        var seen: Set<String> = []
        var top: [ChecklistTask] = []
        var children: [String: [ChecklistTask]] = [:]
        for task in tasks {
            if seen.contains(task.parent) {
                children[task.parent, default: []].append(task)
            } else {
                top.append(task)
            }
            seen.insert(task.id)
        }
        self.top = top
        self.children = children
    }

    func children(of task: ChecklistTask) -> [ChecklistTask] { children[task.id] ?? [] }

    /// The area and priority that most of the outermost tasks have; the earlier of two equally
    /// frequent.
    var usual: Inherited {
        let pairs = top.map { Inherited(area: $0.area, priority: $0.priority) }
        let counts = Dictionary(grouping: pairs) { $0 }.mapValues(\.count)
        let most = counts.values.max()
        return pairs.first { counts[$0] == most } ?? Inherited()
    }
}

/// A text in YAML: as it is if nothing in it has a meaning, else in quotation marks.
private enum QuotedText {
    static func of(_ text: String, hidesStars: Bool) -> String {
        if isPlain(text), !(hidesStars && text.utf8.contains(UInt8(ascii: "*"))) { return text }
        let scalars = text.unicodeScalars.map { scalar in
            scalar == "*" && hidesStars ? "\\x2a" : escaped(scalar)
        }
        return "\"" + scalars.joined() + "\""
    }

    /// Words that other YAML readers would interpret.
    private static let reserved: Set = [
        "true", "false", "yes", "no", "on", "off", "y", "n", "null",
    ]

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.properties.isAlphabetic,
            text.utf8.last != UInt8(ascii: " "), !reserved.contains(text.lowercased())
        else { return false }
        return text.unicodeScalars.allSatisfy { $0 != ":" && $0 != "#" && !isHidden($0) }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        default:
            guard isHidden(scalar) else { return String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
    }

    /// True for characters that are invisible in an editor, or that YAML treats as the end of a
    /// line.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // The joiner connects the parts of an emoji.
        case .format: scalar.value != 0x200D
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
            true
        default: false
        }
    }
}
