import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import RedmineMirror

/// Translates issues between the terms of this service and those of a Redmine server.
struct MirrorTerms: Sendable {
    let names: MirrorNames
    let links: MirrorLinks

    /// The fields of an issue. What the server doesn't know, such as a person who is only in this
    /// project, is left out. The base is the issue that both sides last had; nil for one that isn't
    /// there yet.
    func values(of issue: ProjectIssue, _ base: RemoteIssue?) -> [RemoteField: RemoteValue] {
        var values: [RemoteField: RemoteValue] = [
            .subject: .text(issue.subject),
            .description: issue.description.isEmpty ? .none : .text(issue.description),
            .start: issue.span.start.map { .day($0) } ?? .none,
            .due: issue.span.due.map { .day($0) } ?? .none,
            .estimate: issue.estimate.map { .number($0) } ?? .none,
            .done: .number(issue.done),
        ]
        // The server may have turned it off for the project, or have got it only lately.
        values[.tracker] = id(issue.tracker, [base?.tracker].compactMap(\.self) + names.trackers)
        values[.status] = id(issue.status, [base?.status].compactMap(\.self) + names.statuses)
        if let base, names.importance(base.priority.id) == issue.priority {
            values[.priority] = .number(base.priority.id)
        } else {
            let same = names.priorities.first { names.importance($0.id) == issue.priority }
            values[.priority] = same.map { .number($0.id) }
        }
        values[.assignee] = number(.member, issue.assignee)
        values[.version] = number(.version, issue.version)
        // By now, its number at the server may belong to another version.
        if let version = issue.version, links.isFormer(.version, version),
            values[.version] != base?[.version]
        {
            values[.version] = nil
        }
        values[.parent] = number(.issue, issue.parent)
        // At the server, it may be a part of an issue that belongs to another project, or has not
        // arrived yet.
        if issue.parent == nil, let whole = base?.parent,
            links.number(.issue, remote: whole) == nil
        {
            values[.parent] = .number(whole)
        }
        return values
    }

    /// The fields of a time entry. What the server doesn't know is left out.
    func values(of entry: TimeEntry) -> [RemoteTimeField: RemoteValue] {
        var values: [RemoteTimeField: RemoteValue] = [
            .day: .day(entry.day), .minutes: .number(entry.minutes),
            .comment: entry.comment.isEmpty ? .none : .text(entry.comment),
        ]
        values[.issue] = number(.issue, entry.issue)
        values[.member] = number(.member, entry.member)
        return values
    }

    /// Gives a time entry the server's value of a field, if there is a corresponding value here.
    func put(_ field: RemoteTimeField, of remote: RemoteTime, into entry: inout TimeEntry) {
        switch field {
        case .issue:
            if let issue = remote.issue.flatMap({ links.number(.issue, remote: $0) }) {
                entry.issue = issue
            }
        case .member:
            if let member = links.number(.member, remote: remote.user.id) { entry.member = member }
        case .day: entry.day = remote.day
        case .minutes: entry.minutes = remote.minutes
        case .comment: entry.comment = remote.comment
        }
    }

    /// The value of a field of a time entry, as people read it.
    static func words(_ field: RemoteTimeField, of time: RemoteTime) -> String {
        switch field {
        case .issue: time.issue.map { "#\($0)" } ?? ""
        case .member: time.user.name.prefix(bytes: MirrorConflict.longest)
        case .day: time.day.iso
        case .minutes: "\(time.minutes) minutes"
        case .comment: time.comment.prefix(bytes: MirrorConflict.longest)
        }
    }

    private func id(_ name: String, _ names: [RemoteName]) -> RemoteValue? {
        names.first { $0.name == name }.map { .number($0.id) }
    }

    private func number(_ kind: MirrorLinks.Kind, _ number: Int?) -> RemoteValue? {
        guard let number else { return RemoteValue.none }
        return links.remote(kind, number).map { .number($0) }
    }

    /// Gives an issue the server's value of a field.
    func put(_ field: RemoteField, of remote: RemoteIssue, into issue: inout ProjectIssue) {
        switch field {
        case .subject: issue.subject = remote.subject
        case .description: issue.description = remote.description
        case .tracker: issue.tracker = remote.tracker.name
        case .status: issue.status = remote.status.name
        case .priority: issue.priority = names.importance(remote.priority.id)
        case .assignee:
            issue.assignee = remote.assignee.flatMap { links.number(.member, remote: $0.id) }
        case .version:
            issue.version = remote.version.flatMap { links.number(.version, remote: $0.id) }
        case .parent: issue.parent = remote.parent.flatMap { links.number(.issue, remote: $0) }
        case .start: issue.span.start = remote.start
        case .due: issue.span.due = remote.due
        case .estimate: issue.estimate = remote.estimate
        case .done: issue.done = remote.done
        }
    }

    /// The value of a field as people read it.
    static func words(_ field: RemoteField, of issue: RemoteIssue) -> String {
        let text =
            switch field {
            case .subject: issue.subject
            case .description: issue.description
            case .tracker: issue.tracker.name
            case .status: issue.status.name
            case .priority: issue.priority.name
            case .assignee: issue.assignee?.name ?? ""
            case .version: issue.version?.name ?? ""
            case .parent: issue.parent.map { "#\($0)" } ?? ""
            case .start: issue.start?.iso ?? ""
            case .due: issue.due?.iso ?? ""
            case .estimate: issue.estimate.map { "\($0) minutes" } ?? ""
            case .done: "\(issue.done) %"
            }
        return text.prefix(bytes: MirrorConflict.longest)
    }
}

extension RemoteIssue {
    /// Takes the value of a field from another state of the issue.
    mutating func take(_ field: RemoteField, from other: RemoteIssue) {
        switch field {
        case .subject: subject = other.subject
        case .description: description = other.description
        case .tracker: tracker = other.tracker
        case .status: status = other.status
        case .priority: priority = other.priority
        case .assignee: assignee = other.assignee
        case .version: version = other.version
        case .parent: parent = other.parent
        case .start: start = other.start
        case .due: due = other.due
        case .estimate: estimate = other.estimate
        case .done: done = other.done
        }
    }
}
