import Dates

/// Something at a Redmine server that has a number and a name, such as a tracker.
package struct RemoteName: Hashable, Sendable {
    package let id: Int
    package let name: String

    package init(id: Int, name: String) {
        self.id = id
        self.name = name
    }
}

/// A relation between two issues of a Redmine server, in the direction in which the server keeps
/// it.
package struct RemoteRelation: Hashable, Sendable {
    /// What the first issue is to the second.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case relates
        case duplicates
        case blocks
        case precedes
        case copied = "copied_to"
    }

    package let id: Int
    package let kind: Kind
    package let from: Int
    package let to: Int
    /// The working days in between; only for ``Kind/precedes``.
    package let delay: Int

    package init(id: Int, kind: Kind, from: Int, to: Int, delay: Int = 0) {
        (self.id, self.kind, self.from, self.to) = (id, kind, from, to)
        self.delay = delay
    }

    /// Whether it is a relation of its kind from one issue to another. A server turns two issues
    /// that only relate to each other so that the lower number comes first.
    package func joins(_ from: Int, _ to: Int) -> Bool {
        self.from == from && self.to == to
            || kind == .relates && self.from == to && self.to == from
    }
}

/// An issue as a Redmine server has it. Numbers are those of the server.
package struct RemoteIssue: Hashable, Identifiable, Sendable {
    package var id: Int
    package var project: Int
    package var subject: String
    /// Its lines end with line feeds; the server also sends carriage returns.
    package var description: String
    package var tracker: RemoteName
    package var status: RemoteName
    package var priority: RemoteName
    package var assignee: RemoteName?
    package var version: RemoteName?
    package var parent: Int?
    package var start: CivilDate?
    package var due: CivilDate?
    /// The estimated work in minutes.
    package var estimate: Int?
    /// The part that is done, in percent.
    package var done: Int
    /// The number of the user who made it.
    package var author: Int
    /// When it was changed, in seconds since 1970; the server isn't more exact.
    package var updated: Int64
    /// When it was made, in seconds since 1970; 0 if the server doesn't say. Some servers reuse the
    /// number of a removed thing for the next one.
    package var created: Int64 = 0
    package var relations: [RemoteRelation] = []
    /// Whether only some of those who work for the project may see it there.
    package var isPrivate = false

    package init(
        id: Int, project: Int, subject: String, tracker: RemoteName, status: RemoteName,
        priority: RemoteName, done: Int = 0, author: Int = 0, updated: Int64 = 0,
        description: String = ""
    ) {
        (self.id, self.project, self.subject) = (id, project, subject)
        (self.tracker, self.status, self.priority) = (tracker, status, priority)
        (self.done, self.author, self.updated) = (done, author, updated)
        self.description = description
    }
}

/// A field of an issue that both sides have.
package enum RemoteField: String, Hashable, Sendable, CaseIterable {
    case subject
    case description
    case tracker
    case status
    case priority
    case assignee
    case version
    case parent
    case start
    case due
    case estimate
    case done

    /// The fields that Redmine derives from the parts of an issue, if it has any.
    package static let derived: Set<RemoteField> = [.start, .due, .done, .priority]

    /// The fields that only people change.
    ///
    /// - Parameter isWhole: whether the issue has, or had, parts.
    package static func ofPeople(isWhole: Bool) -> [RemoteField] {
        isWhole ? allCases.filter { !derived.contains($0) } : allCases
    }
}

/// The value of a field, in the server's terms.
package enum RemoteValue: Hashable, Sendable {
    case none
    case text(String)
    /// A number, or the number of something that has a name.
    case number(Int)
    case day(CivilDate)
}

extension RemoteIssue {
    /// Whether another issue had the same number before.
    package func hasNumber(of former: RemoteIssue) -> Bool {
        id == former.id && created > 0 && former.created > 0 && created != former.created
    }

    /// The value of a field.
    package subscript(_ field: RemoteField) -> RemoteValue {
        func number(_ number: Int?) -> RemoteValue { number.map { .number($0) } ?? .none }
        func day(_ day: CivilDate?) -> RemoteValue { day.map { .day($0) } ?? .none }
        return switch field {
        case .subject: .text(subject)
        case .description: description.isEmpty ? .none : .text(description)
        case .tracker: .number(tracker.id)
        case .status: .number(status.id)
        case .priority: .number(priority.id)
        case .assignee: number(assignee?.id)
        case .version: number(version?.id)
        case .parent: number(parent)
        case .start: day(start)
        case .due: day(due)
        case .estimate: number(estimate)
        case .done: .number(done)
        }
    }

    /// All fields with their values.
    package var values: [RemoteField: RemoteValue] {
        Dictionary(uniqueKeysWithValues: RemoteField.allCases.map { ($0, self[$0]) })
    }
}
