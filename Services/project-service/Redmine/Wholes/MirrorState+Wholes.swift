import Dates
import Messages
import ProjectRecord
import RedmineMirror

/// Versions and the project itself, which exist both here and at the server.
extension MirrorState {
    /// The number of the link of the project itself.
    static let itself = 1

    /// Takes the server's project and versions. If they differ and it isn't known what both sides
    /// had, neither side counts.
    mutating func apply(_ project: RemoteProject, _ versions: [RemoteVersion]) {
        if links[.project, Self.itself] == nil {
            links.keep(
                MirrorLinks.Link(
                    kind: .project, number: Self.itself, remote: project.id,
                    base: RedmineBody.kept(RemoteWhole(.project, id: project.id, [:]))))
        }
        merge(.project, Self.itself, with: RemoteWhole(project))
        for version in versions where !isKnown(RemoteWhole(version)) { join(version) }
        for version in versions {
            guard let number = links.number(.version, remote: version.name.id) else { continue }
            merge(.version, number, with: RemoteWhole(version))
        }
        let present = Set(versions.map(\.name.id))
        for link in links.all(.version) where link.remote > 0 {
            guard !present.contains(link.remote) || links.isFormer(.version, link.number) else {
                continue
            }
            loseVersion(link)
        }
    }

    /// Whether a version of the server is here, rather than an earlier one with the same number.
    private func isKnown(_ remote: RemoteWhole) -> Bool {
        guard let number = links.number(.version, remote: remote.id) else { return false }
        let base = links[.version, number].flatMap { Self.base(of: $0) }
        return !(base.map { remote.hasNumber(of: $0) } ?? false)
    }

    /// The version that an issue has at the server, in place of an earlier one with the same number
    /// that the issue had on both sides.
    func successor(of version: Int?, _ base: RemoteIssue, _ remote: RemoteIssue) -> Int? {
        guard let version, let new = remote.version, base.version?.id == new.id,
            links.remote(.version, version) == new.id
        else { return version }
        return links.number(.version, remote: new.id)
    }

    /// Links a version of the server to ours with the same name, if that isn't there yet, or else
    /// adds it.
    private mutating func join(_ version: RemoteVersion) {
        let same = record.versions.values.first {
            $0.name == version.name.name && links[.version, $0.id] == nil
        }
        guard let same else {
            _ = addVersion(version.name)
            return
        }
        links.keep(
            MirrorLinks.Link(
                kind: .version, number: same.id, remote: version.name.id,
                base: RedmineBody.kept(RemoteWhole(.version, id: version.name.id, [:]))))
    }

    /// What both sides last had.
    static func base(of link: MirrorLinks.Link) -> RemoteWhole? {
        RedmineReader.whole(link.kind == .project ? .project : .version, link.base)
    }

    private mutating func merge(
        _ kind: MirrorLinks.Kind, _ number: Int, with remote: RemoteWhole
    ) {
        guard var link = links[kind, number] else { return }
        func name(_ field: String) -> String { MirrorConflict.whole(kind, number, field) }
        guard let ours = terms.values(of: kind, number, like: remote, in: self) else {
            // It was removed here, and is removed there too unless somebody has changed it.
            if decision(0, name(MirrorConflict.removed)) == .theirs {
                links.remove(kind, number)
                settle(0, name(MirrorConflict.removed), nil)
            } else {
                let isSame = Self.base(of: link).map { $0.values == remote.values } ?? true
                let isRefused = isRefused(0, name(MirrorConflict.removed))
                guard !isSame || !isRefused else { return }
                settle(0, name(MirrorConflict.removed), isSame ? nil : ("removed", "changed", ""))
            }
            return
        }
        // A base kept before versions were sent to servers means nothing, so the server's value
        // counts.
        let base = Self.base(of: link) ?? RemoteWhole(remote.kind, id: remote.id, ours)
        let merge = WholeMerge(base: base, ours: ours, theirs: remote)
        var (mine, next) = (ours, remote)
        for field in RemoteWhole.Field.allCases {
            let isOpen = merge.conflicts.contains(field) || merge.pushed.contains(field)
            if isOpen, decision(0, name(field.rawValue)) == .theirs {
                mine[field] = remote.values[field]
                settle(0, name(field.rawValue), nil)
            } else if merge.conflicts.contains(field) {
                next.values[field] = base.values[field]
                settle(
                    0, name(field.rawValue),
                    (
                        MirrorPlan.words(ours[field], field),
                        MirrorPlan.words(remote.values[field], field), ""
                    ))
            } else if !merge.pushed.contains(field) {
                if merge.taken.contains(field) { mine[field] = remote.values[field] }
                settle(0, name(field.rawValue), nil)
            }
        }
        guard put(mine, of: kind, number, ours) else { return }
        link.base = RedmineBody.kept(next)
        links.keep(link)
    }

    /// Whether a name is what we call a version whose name at the server is too long, or taken
    /// here.
    static func isStandIn(_ own: String, for whole: RemoteWhole) -> Bool {
        guard whole.kind == .version, case .text(let name)? = whole.values[.name], own != name
        else {
            return false
        }
        return own == name.prefix(60) || own == "\(whole.id)"
            || own == "\(name.prefix(45)) (\(whole.id))"
    }

    /// Gives a version or the project some values.
    ///
    /// - Returns: false if they can't be kept here, which is reported.
    private mutating func put(
        _ values: [RemoteWhole.Field: RemoteValue], of kind: MirrorLinks.Kind, _ number: Int,
        _ before: [RemoteWhole.Field: RemoteValue]
    ) -> Bool {
        guard values != before else { return true }
        func text(_ field: RemoteWhole.Field) -> String {
            if case .text(let text)? = values[field] { text } else { "" }
        }
        do {
            if kind == .project {
                var details = self.details
                (details.name, details.description) = (text(.name), text(.description))
                try details.validate()
                put(.details(details))
            } else if var version = ownVersion(number) {
                if values[.name] != before[.name] { version.name = text(.name) }
                version.description = text(.description)
                version.due = if case .day(let day)? = values[.due] { day } else { nil }
                version.isClosed = values[.closed] == .number(1)
                try version.validate()
                put(.version(version))
            }
            return true
        } catch {
            skipped.append("the \(kind.rawValue) \(text(.name)): \(error.message)")
            return false
        }
    }

    /// Records that a version is no longer at the server.
    private mutating func loseVersion(_ link: MirrorLinks.Link) {
        let name = MirrorConflict.whole(.version, link.number, MirrorConflict.removed)
        let base = Self.base(of: link)
        guard let ours = terms.values(of: .version, link.number, like: base, in: self) else {
            links.remove(.version, link.number)
            settle(0, name, nil)
            return
        }
        let isUsed = record.issues.values.contains { $0.version == link.number }
        let isSame = base.map { $0.values == ours } ?? true
        guard isSame, !isUsed else {
            return settle(0, name, ("changed", "removed", ""))
        }
        remove(.version, link.number)
        links.remove(.version, link.number)
        settle(0, name, nil)
    }

    /// Records that fields of a version or the project are now the same on both sides.
    mutating func agree(
        _ kind: MirrorLinks.Kind, _ number: Int, on fields: [RemoteWhole.Field],
        _ remote: RemoteWhole
    ) {
        if links[kind, number] == nil {
            links.keep(
                MirrorLinks.Link(
                    kind: kind, number: number, remote: remote.id,
                    base: RedmineBody.kept(remote)))
            forgive(0, MirrorConflict.whole(kind, number, MirrorConflict.itself))
        }
        guard var link = links[kind, number], var base = Self.base(of: link) else { return }
        for field in fields {
            base.values[field] = remote.values[field]
            forgive(0, MirrorConflict.whole(kind, number, field.rawValue))
        }
        link.base = RedmineBody.kept(base)
        links.keep(link)
        merge(kind, number, with: remote)
    }

    /// Takes over the server's values, which differ from the last known ones, so nothing was
    /// written.
    mutating func applyStale(
        _ kind: MirrorLinks.Kind, _ number: Int, _ remote: RemoteWhole
    ) {
        // Another version has its number now, which the next reading of everything will show.
        guard kind == .project || isKnown(remote) else { return }
        merge(kind, number, with: remote)
    }

    /// Records that the server did not accept fields of a version or the project, a version as a
    /// whole, or its removal.
    mutating func refuse(
        _ kind: MirrorLinks.Kind, _ number: Int, _ values: [RemoteWhole.Field: RemoteValue],
        _ remote: RemoteWhole?, _ reason: String
    ) {
        let reason = reason.prefix(bytes: MirrorConflict.longest)
        func note(_ field: String, _ ours: String, _ theirs: String) {
            settle(0, MirrorConflict.whole(kind, number, field), (ours, theirs, reason))
        }
        guard !values.isEmpty else { return note(MirrorConflict.removed, "removed", "there") }
        guard links[kind, number] != nil else {
            return note(MirrorConflict.itself, MirrorPlan.words(values), "")
        }
        for (field, value) in values {
            note(
                field.rawValue, MirrorPlan.words(value, field),
                MirrorPlan.words(remote?.values[field], field))
        }
    }

    /// Records that a version that was removed here is no longer at the server.
    mutating func forgetVersion(_ number: Int) {
        links.remove(.version, number)
        settle(0, MirrorConflict.whole(.version, number, MirrorConflict.removed), nil)
    }
}
