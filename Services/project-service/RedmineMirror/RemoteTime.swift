import Dates

/// Time that somebody has worked, as a Redmine server has it. Numbers are those of the server.
package struct RemoteTime: Hashable, Identifiable, Sendable {
    package var id: Int
    package var project: Int
    /// The issue; nil for time worked on the project as a whole.
    package var issue: Int?
    package var user: RemoteName
    package var day: CivilDate
    package var minutes: Int
    package var comment: String
    /// When it was logged, in seconds since 1970; 0 if the server doesn't say. Some servers reuse
    /// the number of removed time for the next entry.
    package var created: Int64 = 0

    package init(
        id: Int, project: Int, issue: Int?, user: RemoteName, day: CivilDate, minutes: Int,
        comment: String = ""
    ) {
        (self.id, self.project, self.issue, self.user) = (id, project, issue, user)
        (self.day, self.minutes, self.comment) = (day, minutes, comment)
    }
}

/// A field of time worked that both sides have.
package enum RemoteTimeField: String, Hashable, Sendable, CaseIterable {
    case issue
    case member
    case day
    case minutes
    case comment
}

extension RemoteTime {
    /// Whether other time worked had the same number before.
    package func hasNumber(of former: RemoteTime) -> Bool {
        id == former.id && created > 0 && former.created > 0 && created != former.created
    }

    /// The value of a field.
    package subscript(_ field: RemoteTimeField) -> RemoteValue {
        switch field {
        case .issue: issue.map { .number($0) } ?? .none
        case .member: .number(user.id)
        case .day: .day(day)
        case .minutes: .number(minutes)
        case .comment: comment.isEmpty ? .none : .text(comment)
        }
    }

    /// All fields with their values.
    package var values: [RemoteTimeField: RemoteValue] {
        Dictionary(uniqueKeysWithValues: RemoteTimeField.allCases.map { ($0, self[$0]) })
    }

    /// Takes the value of a field from another state of the entry.
    package mutating func take(_ field: RemoteTimeField, from other: RemoteTime) {
        switch field {
        case .issue: issue = other.issue
        case .member: user = other.user
        case .day: day = other.day
        case .minutes: minutes = other.minutes
        case .comment: comment = other.comment
        }
    }
}

/// What has to happen to each field of time worked.
package typealias TimeMerge = FieldMerge<RemoteTimeField>

extension FieldMerge<RemoteTimeField> {
    /// Compares the sides.
    ///
    /// - Parameters:
    ///   - base: what both sides had last.
    ///   - ours: what we have, without what the server can't represent.
    ///   - theirs: what the server has.
    package init(base: RemoteTime, ours: [RemoteTimeField: RemoteValue], theirs: RemoteTime) {
        self.init()
        for field in RemoteTimeField.allCases {
            add(field, last: base[field], own: ours[field], remote: theirs[field])
        }
    }
}

/// A note in the journal of an issue, as a Redmine server has it.
package struct RemoteNote: Hashable, Sendable {
    package let id: Int
    package let user: RemoteName
    /// Its lines end with line feeds.
    package let text: String
    /// When it was written, in seconds since 1970.
    package let created: Int64

    package init(id: Int, user: RemoteName, text: String, created: Int64) {
        (self.id, self.user, self.text, self.created) = (id, user, text, created)
    }

    /// A text as it comes back from a server: spaces at its ends may have been cut off.
    package static func plain(_ text: String) -> String {
        var bytes = Array(RedmineReader.lines(text).utf8)[...]
        while let last = bytes.last, [9, 10, 32].contains(last) { bytes.removeLast() }
        while let first = bytes.first, [9, 10, 32].contains(first) { bytes.removeFirst() }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The notes of an issue.
package struct RemoteNotes: Hashable, Sendable {
    /// When the issue was last changed, in seconds since 1970.
    package let updated: Int64
    /// Whether the issue is private.
    package let isPrivate: Bool
    /// The public ones, in the order of the server.
    package let notes: [RemoteNote]
    /// The reasons why notes can't be kept here.
    package let skipped: [RedmineFault]
}
