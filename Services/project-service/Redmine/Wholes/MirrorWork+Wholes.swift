import RedmineClient
import RedmineMirror

/// Writes versions and the project itself to a server.
extension MirrorTask {
    func writeWhole(_ step: MirrorStep) throws(RedmineProblem) -> [MirrorNews.Done] {
        switch step {
        case .makeVersion(let number, let values):
            return [.changedWhole(.version, number, [], try makeVersion(values))]
        case .changeWhole(let kind, let number, let base, let values, let forced):
            return try change(kind, number, base, values, forced)
        case .removeVersion(let number, let remote, let base, let isForced):
            let before = try readVersion(remote)
            let isSame = base.map { $0.values == before.values } ?? false
            let isOther = base.map { before.hasNumber(of: $0) } ?? false
            guard isForced || isSame, !isOther else {
                return [.staleWhole(.version, number, before)]
            }
            _ = try server.send("DELETE", "/versions/\(remote).json")
            return [.removedVersion(number)]
        default: return []
        }
    }

    private func readVersion(_ id: Int) throws(RedmineProblem) -> RemoteWhole {
        RemoteWhole(try server.get("/versions/\(id).json", read: RedmineReader.version))
    }

    /// A project has only one version with a name, so after a lost answer the one that exists is
    /// the one that was made.
    private func makeVersion(
        _ values: [RemoteWhole.Field: RemoteValue]
    ) throws(RedmineProblem) -> RemoteWhole {
        func present() throws(RedmineProblem) -> RemoteWhole? {
            try server.get(
                "/projects/\(remote)/versions.json", read: RedmineReader.versions
            ).items.map { RemoteWhole($0) }.first { $0.values[.name] == values[.name] }
        }
        if let there = try present() { return there }
        _ = try server.send(
            "POST", "/projects/\(remote)/versions.json", RedmineBody.whole(.version, values))
        guard let made = try present() else {
            throw .refused(["the server said that it did this, but didn't"])
        }
        return made
    }

    private func change(
        _ kind: MirrorLinks.Kind, _ number: Int, _ base: RemoteWhole,
        _ values: [RemoteWhole.Field: RemoteValue], _ forced: Set<RemoteWhole.Field>
    ) throws(RedmineProblem) -> [MirrorNews.Done] {
        func current() throws(RedmineProblem) -> RemoteWhole {
            guard kind == .project else { return try readVersion(base.id) }
            return RemoteWhole(
                try server.get("/projects/\(base.id).json", read: RedmineReader.project))
        }
        let before = try current()
        guard !before.hasNumber(of: base) else { return [.staleWhole(kind, number, before)] }
        let wanted = values.filter { field, value in
            before.values[field] != value
                && (before.values[field] == base.values[field] || forced.contains(field))
        }
        guard !wanted.isEmpty else { return [.staleWhole(kind, number, before)] }
        let path = kind == .project ? "projects" : "versions"
        _ = try server.send(
            "PUT", "/\(path)/\(base.id).json", RedmineBody.whole(base.kind, wanted))
        let after = try current()
        let ignored = wanted.filter { after.values[$0.key] != $0.value }.keys
        var done: [MirrorNews.Done] = [
            .changedWhole(kind, number, wanted.keys.filter { !ignored.contains($0) }, after)
        ]
        if !ignored.isEmpty {
            done.append(
                .refusedWhole(
                    kind, number, wanted.filter { ignored.contains($0.key) }, after,
                    "the server said that it did this, but didn't"))
        }
        return done
    }

    /// The outcome of a step about a version or the project that can't be done.
    static func outcomeOfWhole(
        _ step: MirrorStep, _ problem: RedmineProblem
    ) -> MirrorNews.Done {
        let words = problem.description
        switch step {
        case .makeVersion(let number, let values):
            return .refusedWhole(.version, number, values, nil, words)
        case .changeWhole(let kind, let number, _, let values, _):
            return .refusedWhole(kind, number, values, nil, words)
        case .removeVersion(let number, _, _, _):
            return problem == .missing
                ? .removedVersion(number) : .refusedWhole(.version, number, [:], nil, words)
        default: return .removedVersion(0)
        }
    }
}
