import Messages
import ProjectRecord
import RedmineMirror

extension MirrorTerms {
    /// The fields of a version or the project itself in a state; nil for a version that it doesn't
    /// have.
    func values(
        of kind: MirrorLinks.Kind, _ number: Int, like other: RemoteWhole?, in state: MirrorState
    ) -> [RemoteWhole.Field: RemoteValue]? {
        kind == .project
            ? Self.values(of: state.details)
            : state.ownVersion(number).map { Self.values(of: $0, like: other) }
    }

    static func values(of details: ProjectDetails) -> [RemoteWhole.Field: RemoteValue] {
        [.name: .text(details.name), .description: RemoteWhole.text(details.description)]
    }

    /// The fields of a version. A name that stands in for that of `other` counts as the same.
    static func values(
        of version: Version, like other: RemoteWhole? = nil
    ) -> [RemoteWhole.Field: RemoteValue] {
        let isStandIn = other.map { MirrorState.isStandIn(version.name, for: $0) } ?? false
        return [
            .name: isStandIn ? other?.values[.name] ?? RemoteValue.none : .text(version.name),
            .description: RemoteWhole.text(version.description),
            .due: version.due.map { .day($0) } ?? .none,
            .closed: .number(version.isClosed ? 1 : 0),
        ]
    }
}

extension MirrorConflict {
    /// Used as a field: that the version exists at all.
    static let itself = "itself"

    /// The name of a field of a version or of the project itself, or of the whole of it.
    static func whole(_ kind: MirrorLinks.Kind, _ number: Int, _ field: String) -> String {
        kind == .project ? "project \(field)" : "version \(number) \(field)"
    }

    /// The number of the version that a name refers to, and its field; nil for any other name.
    static func version(_ field: String) -> (number: Int, field: String)? {
        let words = field.split(separator: " ")
        guard words.count == 3, words[0] == "version", let number = Int(words[1]) else {
            return nil
        }
        return (number, String(words[2]))
    }
}

/// What has to be done about versions and the project itself.
extension MirrorPlan {
    /// Versions are made before issues are assigned to them, and removed when no issue has them any
    /// more.
    var newVersions: [MirrorStep] {
        record.versions.values.sorted { $0.id < $1.id }.compactMap { version in
            let name = MirrorConflict.whole(.version, version.id, MirrorConflict.itself)
            let values = MirrorTerms.values(of: version)
            guard links[.version, version.id] == nil,
                isSettled(name, Self.words(values))
            else { return nil }
            return .makeVersion(number: version.id, values: values)
        }
    }

    var changedWholes: [MirrorStep] {
        (links.all(.project) + links.all(.version)).compactMap { link in
            guard link.remote > 0, !links.isFormer(link.kind, link.number),
                let base = MirrorState.base(of: link),
                let ours = values(of: link, like: base)
            else { return nil }
            var fields: [RemoteWhole.Field] = []
            var forced: Set<RemoteWhole.Field> = []
            for field in RemoteWhole.Field.allCases {
                let name = MirrorConflict.whole(link.kind, link.number, field.rawValue)
                let decision = conflict(name)?.decision
                if decision == .ours { forced.insert(field) }
                guard decision != nil || ours[field] != base.values[field],
                    isSettled(name, Self.words(ours[field], field))
                else { continue }
                fields.append(field)
            }
            guard !fields.isEmpty else { return nil }
            return .changeWhole(
                link.kind, number: link.number, base: base,
                values: ours.filter { fields.contains($0.key) }, forced: forced)
        }
    }

    var goneVersions: [MirrorStep] {
        links.all(.version).compactMap { link in
            let name = MirrorConflict.whole(.version, link.number, MirrorConflict.removed)
            guard link.remote > 0, !links.isFormer(.version, link.number),
                record.versions[link.number] == nil, isSettled(name, "removed")
            else { return nil }
            return .removeVersion(
                number: link.number, remote: link.remote, base: MirrorState.base(of: link),
                isForced: conflict(name)?.decision == .ours)
        }
    }

    private func values(
        of link: MirrorLinks.Link, like base: RemoteWhole
    ) -> [RemoteWhole.Field: RemoteValue]? {
        link.kind == .project
            ? MirrorTerms.values(of: record.details)
            : record.versions[link.number].map { MirrorTerms.values(of: $0, like: base) }
    }

    private func conflict(_ name: String) -> MirrorConflict? {
        conflicts[0]?.first { $0.field == name }
    }

    /// Whether nothing prevents writing a field that has this value here.
    private func isSettled(_ name: String, _ words: String) -> Bool {
        guard let conflict = conflict(name) else { return true }
        if let decision = conflict.decision { return decision == .ours }
        return !conflict.reason.isEmpty && conflict.ours != words
    }

    /// All fields as people read them.
    static func words(_ values: [RemoteWhole.Field: RemoteValue]) -> String {
        RemoteWhole.Field.allCases.map { RemoteWhole.words(values[$0], $0) }
            .filter { !$0.isEmpty }.joined(separator: ", ")
            .prefix(bytes: MirrorConflict.longest)
    }

    /// A field as people read it, for a conflict.
    static func words(_ value: RemoteValue?, _ field: RemoteWhole.Field) -> String {
        RemoteWhole.words(value, field).prefix(bytes: MirrorConflict.longest)
    }
}
