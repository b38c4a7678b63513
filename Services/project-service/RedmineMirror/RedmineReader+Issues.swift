import Dates
import JSONText

extension RedmineReader {
    /// The fields of an issue while it is read.
    private struct Draft {
        var id: Int?
        var project: RemoteName?
        var subject = ""
        var description = ""
        var tracker: RemoteName?
        var status: RemoteName?
        var priority: RemoteName?
        var author: RemoteName?
        var assignee: RemoteName?
        var version: RemoteName?
        var parent: RemoteName?
        var start: CivilDate?
        var due: CivilDate?
        var estimate: Int?
        var done = 0
        var updated: Int64?
        var created: Int64?
        var relations: [RemoteRelation] = []
        var isPrivate = false

        func issue() throws -> RemoteIssue {
            guard let id else { throw RedmineFault("an issue has no number") }
            guard let project, let tracker, let status, let priority, let updated else {
                throw RedmineFault(
                    "#\(id) lacks its project, tracker, status, priority or time of change")
            }
            var issue = RemoteIssue(
                id: id, project: project.id, subject: subject, tracker: tracker, status: status,
                priority: priority, done: done, author: author?.id ?? 0, updated: updated,
                description: description)
            (issue.assignee, issue.version, issue.parent) = (assignee, version, parent?.id)
            (issue.start, issue.due, issue.estimate) = (start, due, estimate)
            issue.relations = relations
            issue.created = created ?? 0
            issue.isPrivate = isPrivate
            return issue
        }
    }

    /// Reads an issue.
    mutating func issue() throws -> RemoteIssue {
        var draft = Draft()
        do {
            try object { reader, key in try reader.take(key, of: &draft) }
        } catch let fault as RedmineFault {
            guard let id = draft.id else { throw fault }
            throw RedmineFault("#\(id): \(fault.description)")
        }
        return try draft.issue()
    }

    /// What a server removes together with an issue, without asking.
    package struct Attached: Hashable, Sendable {
        /// The numbers of its parts, also of those that the asker may not see.
        package var parts: [Int] = []
        /// The hours worked on it and its parts; 0 if the asker may not see them.
        package var hours = 0.0
    }

    /// What is attached to the issue in an answer that includes its children.
    package static func attached(_ bytes: [UInt8]) throws(RedmineFault) -> Attached {
        try one(bytes, "issue") { reader in
            var found = Attached()
            try reader.object { reader, key in
                switch key {
                case "children":
                    try reader.array { reader in
                        guard let part = try reader.nameOrNull("a part") else { return }
                        found.parts.append(part.id)
                    }
                case "spent_hours", "total_spent_hours":
                    found.hours = max(found.hours, try reader.decimal("the hours worked") ?? 0)
                default: return false
                }
                return true
            }
            return found
        }
    }

    private mutating func take(_ key: String, of draft: inout Draft) throws -> Bool {
        switch key {
        case "id": draft.id = try number("the number", in: RedmineLimit.ids)
        case "project": draft.project = try nameOrNull("the project")
        case "subject": draft.subject = try text("the subject", most: RedmineLimit.name)
        case "description":
            draft.description = Self.lines(
                try text("the description", most: RedmineLimit.text))
        case "tracker": draft.tracker = try nameOrNull("the tracker")
        case "status": draft.status = try nameOrNull("the status")
        case "priority": draft.priority = try nameOrNull("the priority")
        case "author": draft.author = try nameOrNull("the author")
        case "assigned_to": draft.assignee = try nameOrNull("the assignee")
        case "fixed_version": draft.version = try nameOrNull("the version")
        case "parent": draft.parent = try nameOrNull("the parent")
        case "start_date": draft.start = try day("the start date")
        case "due_date": draft.due = try day("the due date")
        case "done_ratio": draft.done = try number("the done ratio", in: 0...100) ?? 0
        case "estimated_hours":
            guard let hours = try decimal("the estimate") else { break }
            guard RedmineLimit.hours.contains(hours) else {
                throw RedmineFault("the estimate is \(hours) hours")
            }
            draft.estimate = Int((hours * 60).rounded())
        case "updated_on": draft.updated = try moment("the time of the change")
        case "created_on": draft.created = try moment("the time at which it was made")
        case "is_private": draft.isPrivate = try flag("is_private")
        case "relations":
            try array { reader in
                if let relation = try reader.relation() { draft.relations.append(relation) }
            }
        default: return false
        }
        return true
    }

    /// The relation in an answer; nil for one of an unknown kind.
    package static func relation(_ bytes: [UInt8]) throws(RedmineFault) -> RemoteRelation? {
        try one(bytes, "relation") { try $0.relation() }
    }

    /// A relation; nil for one of an unknown kind.
    private mutating func relation() throws -> RemoteRelation? {
        var (id, from, to): (Int?, Int?, Int?) = (nil, nil, nil)
        var kind: RemoteRelation.Kind?
        var delay = 0
        try object { reader, key in
            switch key {
            case "id": id = try reader.number("the number of a relation", in: RedmineLimit.ids)
            case "issue_id":
                from = try reader.number("the first issue of a relation", in: RedmineLimit.ids)
            case "issue_to_id":
                to = try reader.number("the second issue of a relation", in: RedmineLimit.ids)
            case "relation_type":
                kind = RemoteRelation.Kind(
                    rawValue: try reader.text("the kind of a relation", most: 100))
            case "delay":
                delay = try reader.number("the delay of a relation", in: RedmineLimit.delays) ?? 0
            default: return false
            }
            return true
        }
        guard let id, let from, let to else {
            throw RedmineFault("a relation lacks its number or an issue")
        }
        guard let kind, from != to else { return nil }
        return RemoteRelation(
            id: id, kind: kind, from: from, to: to, delay: kind == .precedes ? delay : 0)
    }

    /// A text whose lines end with line feeds, whatever they ended with.
    static func lines(_ text: String) -> String {
        guard text.utf8.contains(13) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var isAfterReturn = false
        for byte in text.utf8 {
            if byte == 13 {
                bytes.append(10)
            } else if byte != 10 || !isAfterReturn {
                bytes.append(byte)
            }
            isAfterReturn = byte == 13
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
