import JSONText

/// Writes the requests to a Redmine server.
package enum RedmineBody {
    /// An issue with the given fields. A field without a value is cleared.
    ///
    /// - Parameters:
    ///   - values: the fields, in the server's terms.
    ///   - project: the number of the project of a new issue; nil to change an existing one.
    package static func issue(
        _ values: [RemoteField: RemoteValue], project: Int? = nil
    ) -> [UInt8] {
        var members = project.map { ["\"project_id\":\($0)"] } ?? []
        for field in RemoteField.allCases {
            guard let value = values[field] else { continue }
            members.append("\(quoted(key(field))):\(json(value, field))")
        }
        return Array("{\"issue\":{\(members.joined(separator: ","))}}".utf8)
    }

    /// An issue as in an answer of the server, to be stored and read again. Its relations are left
    /// out.
    package static func kept(_ issue: RemoteIssue) -> [UInt8] {
        func name(_ name: RemoteName) -> String {
            "{\"id\":\(name.id),\"name\":\(quoted(name.name))}"
        }
        var members = [
            "\"id\":\(issue.id)", "\"project\":{\"id\":\(issue.project)}",
            "\"subject\":\(quoted(issue.subject))",
            "\"description\":\(quoted(issue.description))",
            "\"tracker\":\(name(issue.tracker))", "\"status\":\(name(issue.status))",
            "\"priority\":\(name(issue.priority))", "\"done_ratio\":\(issue.done)",
            "\"updated_on\":\(quoted(RedmineMoment.text(issue.updated)))",
        ]
        if issue.created > 0 {
            members.append("\"created_on\":\(quoted(RedmineMoment.text(issue.created)))")
        }
        if issue.author > 0 { members.append("\"author\":{\"id\":\(issue.author)}") }
        if let person = issue.assignee { members.append("\"assigned_to\":\(name(person))") }
        if let version = issue.version { members.append("\"fixed_version\":\(name(version))") }
        if let parent = issue.parent { members.append("\"parent\":{\"id\":\(parent)}") }
        if let start = issue.start { members.append("\"start_date\":\(quoted(start.iso))") }
        if let due = issue.due { members.append("\"due_date\":\(quoted(due.iso))") }
        if let estimate = issue.estimate {
            members.append("\"estimated_hours\":\(hours(estimate))")
        }
        return Array("{\"issue\":{\(members.joined(separator: ","))}}".utf8)
    }

    /// A relation to another issue.
    package static func relation(_ kind: RemoteRelation.Kind, to issue: Int, delay: Int) -> [UInt8]
    {
        let delay = kind == .precedes && delay != 0 ? ",\"delay\":\(delay)" : ""
        return Array(
            ("{\"relation\":{\"issue_to_id\":\(issue),\"relation_type\":"
                + "\(quoted(kind.rawValue))\(delay)}}").utf8)
    }

    /// A relation at the server in short, without its number, to be compared with another.
    package static func kept(_ relation: RemoteRelation) -> [UInt8] {
        Array(
            "\(relation.kind.rawValue) \(relation.from) \(relation.to) \(relation.delay)".utf8)
    }

    private static func key(_ field: RemoteField) -> String {
        switch field {
        case .subject: "subject"
        case .description: "description"
        case .tracker: "tracker_id"
        case .status: "status_id"
        case .priority: "priority_id"
        case .assignee: "assigned_to_id"
        case .version: "fixed_version_id"
        case .parent: "parent_issue_id"
        case .start: "start_date"
        case .due: "due_date"
        case .estimate: "estimated_hours"
        case .done: "done_ratio"
        }
    }

    private static func json(_ value: RemoteValue, _ field: RemoteField) -> String {
        switch value {
        case .none: "\"\""
        case .text(let text): quoted(text)
        case .number(let number): field == .estimate ? hours(number) : "\(number)"
        case .day(let day): quoted(day.iso)
        }
    }

    /// Minutes as hours with four decimals, which convert back to the same minutes.
    static func hours(_ minutes: Int) -> String {
        let bounded = min(max(minutes, 0), 6_000_000)
        let parts = (bounded % 60 * 10_000 + 30) / 60
        let digits = "\(parts)"
        return "\(bounded / 60)." + String(repeating: "0", count: 4 - digits.count) + digits
    }

    static func quoted(_ text: String) -> String { JSONString.quoted(text) }
}
