import Foundation
import Messages

/// The rules of a template: what it may hold.
extension ChecklistTemplate {
    /// Most tasks of a template.
    static let mostTasks = 1000
    /// Most bytes of a packed template, so that all lists of a shift fit into one message.
    static let mostBytes = 128 << 10
    /// Most levels of tasks below each other.
    static let mostLevels = 5

    /// True when both hold the same, whoever made them and when.
    func holdsTheSame(as other: ChecklistTemplate) -> Bool {
        names == other.names && kind == other.kind && dayParts == other.dayParts
            && sections == other.sections && name == other.name
    }

    /// The tasks of all sections in order.
    var tasks: [ChecklistTask] { sections.flatMap(\.tasks) }

    /// Refuses what no shift could work with.
    ///
    /// - Parameter areas: those that the sites have where it is used.
    func check(areas: [String]) throws(Refusal) {
        try Self.check(name, 1...80, "the name of a checklist")
        switch kind {
        case .preShift, .before, .during, .after, .travelPath: break
        default: throw .invalid("a checklist is pre-shift, before, during, after or travel path")
        }
        guard dayParts.allSatisfy({ $0 == .day || $0 == .evening }),
            Set(dayParts).count == dayParts.count
        else { throw .invalid("a checklist serves the parts day and evening, each named once") }
        guard !tasks.isEmpty else { throw .invalid("the checklist has no task; add one") }
        guard tasks.count <= Self.mostTasks else {
            throw .invalid("a checklist has at most \(Self.mostTasks) tasks")
        }
        try Self.check(names)
        var sectionIDs: Set<String> = []
        var taskIDs: Set<String> = []
        for section in sections {
            try Self.check(id: section.id, "section")
            try Self.check(section.name, 1...100, "the name of section \(section.id)")
            try Self.check(section.names)
            guard sectionIDs.insert(section.id).inserted else {
                throw .invalid("two sections have the id \(section.id)")
            }
            try Self.check(section, areas: areas, &taskIDs)
        }
        let size = packed().count
        guard size <= Self.mostBytes else {
            throw .invalid("the checklist has \(size) bytes, at most \(Self.mostBytes) are kept")
        }
    }

    private static func check(
        _ section: ChecklistSection, areas: [String], _ ids: inout Set<String>
    ) throws(Refusal) {
        var levels: [String: Int] = [:]
        let parents = Set(section.tasks.map(\.parent))
        for task in section.tasks {
            try check(id: task.id, "task")
            guard ids.insert(task.id).inserted else {
                throw .invalid("two tasks have the id \(task.id)")
            }
            if !task.parent.isEmpty, levels[task.parent] == nil {
                throw .invalid(
                    "the parent \(task.parent.prefix(60)) of task \(task.id) doesn't stand before "
                        + "it in its section")
            }
            let level = (levels[task.parent] ?? 0) + 1
            guard level <= mostLevels else {
                throw .invalid("task \(task.id) is nested deeper than \(mostLevels) levels")
            }
            levels[task.id] = level
            try check(task, areas: areas, isLeaf: !parents.contains(task.id))
        }
    }

    private static func check(
        _ task: ChecklistTask, areas: [String], isLeaf: Bool
    ) throws(Refusal) {
        try check(task.title, 1...200, "the title of task \(task.id)")
        try check(task.titles)
        try check(task.note, 0...1000, "the note of task \(task.id)")
        try check(task.link, 0...80, "the link of task \(task.id)")
        try check(task.priority, 0...60, "the priority of task \(task.id)")
        guard !isLeaf || areas.contains(task.area) else {
            throw .invalid(
                "task \(task.id) has no known area; use one of \(areas.joined(separator: ", "))")
        }
        guard (task.carryOut ?? 0) < 24 * 60 else {
            throw .invalid("task \(task.id) is carried out at 0 to 1439 minutes after midnight")
        }
        guard isLeaf || (task.carryOut == nil && !task.timeCritical) else {
            throw .invalid("task \(task.id) has children, so they have the times, not it")
        }
    }

    private static func check(id: String, _ what: String) throws(Refusal) {
        let isGood = id.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
        }
        guard isGood, (1...60).contains(id.utf8.count) else {
            throw .invalid(
                "“\(id.prefix(60))” is no id of a \(what); use up to 60 of a-z, 0-9 and -")
        }
    }

    private static func check(_ names: [String: String]) throws(Refusal) {
        for (language, name) in names {
            guard language.utf8.count == 2 else {
                throw .invalid("“\(language.prefix(20))” is no language; use a code such as nb")
            }
            try check(name, 1...200, "a name in \(language)")
        }
    }

    private static func check(
        _ text: String, _ length: ClosedRange<Int>, _ what: String
    ) throws(Refusal) {
        guard length.contains(text.count), text.utf8.count <= 4 * length.upperBound else {
            throw .invalid(
                "\(what) has \(text.count) characters; it has \(length.lowerBound) to "
                    + "\(length.upperBound)")
        }
    }
}
