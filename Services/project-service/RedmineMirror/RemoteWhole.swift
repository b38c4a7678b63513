import Dates

/// A version of a project, or the project itself, in the fields that both sides have.
package struct RemoteWhole: Hashable, Sendable {
    /// What it is.
    package enum Kind: String, Hashable, Sendable {
        case project
        case version
    }

    package enum Field: String, Hashable, Sendable, CaseIterable {
        case name
        case description
        /// Only of a version.
        case due
        /// Only of a version: 1 if it is closed to issues.
        case closed
    }

    package let kind: Kind
    package let id: Int
    package var values: [Field: RemoteValue]
    /// When a version was made, in seconds since 1970; 0 if it isn't known.
    package var created: Int64 = 0

    package init(_ kind: Kind, id: Int, _ values: [Field: RemoteValue]) {
        (self.kind, self.id, self.values) = (kind, id, values)
    }

    package init(_ version: RemoteVersion) {
        self.init(
            .version, id: version.name.id,
            [
                .name: .text(version.name.name), .description: Self.text(version.description),
                .due: version.due.map { .day($0) } ?? .none,
                .closed: .number(version.isClosed ? 1 : 0),
            ])
        created = version.created
    }

    /// Whether another version had the same number before.
    package func hasNumber(of former: RemoteWhole) -> Bool {
        id == former.id && created > 0 && former.created > 0 && created != former.created
    }

    package init(_ project: RemoteProject) {
        self.init(
            .project, id: project.id,
            [.name: .text(project.name), .description: Self.text(project.description)])
    }

    /// A text as a value: none for an empty one.
    package static func text(_ text: String) -> RemoteValue { text.isEmpty ? .none : .text(text) }

    /// The value of a field as people read it.
    package static func words(_ value: RemoteValue?, _ field: Field) -> String {
        switch value {
        case .text(let text)?: text
        case .day(let day)?: day.iso
        case .number(let number)?: number == 0 ? "open" : "closed"
        case .some(.none), nil: ""
        }
    }
}

/// What has to happen to each field of a version or a project.
package typealias WholeMerge = FieldMerge<RemoteWhole.Field>

extension FieldMerge<RemoteWhole.Field> {
    /// Compares the sides.
    ///
    /// - Parameters:
    ///   - base: what both sides had last.
    ///   - ours: what we have.
    ///   - theirs: what the server has.
    package init(
        base: RemoteWhole, ours: [RemoteWhole.Field: RemoteValue], theirs: RemoteWhole
    ) {
        self.init()
        for field in RemoteWhole.Field.allCases {
            guard let own = ours[field], let remote = theirs.values[field] else { continue }
            add(field, last: base.values[field], own: own, remote: remote)
        }
    }
}

extension RedmineBody {
    /// A version or a project with the given fields.
    package static func whole(
        _ kind: RemoteWhole.Kind, _ values: [RemoteWhole.Field: RemoteValue]
    ) -> [UInt8] {
        let members = RemoteWhole.Field.allCases.compactMap { field -> String? in
            guard let value = values[field] else { return nil }
            let text =
                switch value {
                case .none: ""
                case .text(let text): text
                case .day(let day): day.iso
                case .number(let number): number == 0 ? "open" : "closed"
                }
            let key =
                switch field {
                case .name: "name"
                case .description: "description"
                case .due: "due_date"
                case .closed: "status"
                }
            return "\(quoted(key)):\(quoted(text))"
        }
        return Array("{\"\(kind.rawValue)\":{\(members.joined(separator: ","))}}".utf8)
    }

    /// A version or a project as in an answer of the server, to be stored and read again.
    package static func kept(_ whole: RemoteWhole) -> [UInt8] {
        let body = String(decoding: Self.whole(whole.kind, whole.values), as: UTF8.self)
        let start = "{\"\(whole.kind.rawValue)\":{"
        let made =
            whole.created > 0
            ? ",\"created_on\":\(quoted(RedmineMoment.text(whole.created)))" : ""
        let identity = "\"id\":\(whole.id),\"identifier\":\"kept\"\(made)"
        let rest = body.dropFirst(start.count)
        return Array((start + identity + (rest == "}}" ? "" : ",") + rest).utf8)
    }
}

extension RedmineReader {
    /// The single version of an answer.
    package static func version(_ bytes: [UInt8]) throws(RedmineFault) -> RemoteVersion {
        try one(bytes, "version") { try $0.version() }
    }

    /// Reads what ``RedmineBody/kept(_:)`` wrote; nil for anything else.
    package static func whole(_ kind: RemoteWhole.Kind, _ bytes: [UInt8]) -> RemoteWhole? {
        do {
            switch kind {
            case .project: return RemoteWhole(try project(bytes))
            case .version: return RemoteWhole(try version(bytes))
            }
        } catch { return nil }
    }
}
