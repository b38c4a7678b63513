import ProjectRecord
import RedmineMirror

/// What has to be done with time entries and notes.
extension MirrorPlan {
    var timeRemovals: [MirrorStep] {
        links.all(.entry).compactMap { link in
            guard link.remote > 0, record.entries[link.number] == nil, let base = link.time else {
                return nil
            }
            let field = MirrorConflict.time(link.number, MirrorConflict.removed)
            let issue = base.issue.flatMap { links.number(.issue, remote: $0) } ?? 0
            guard isSettled(issue, field) else { return nil }
            let isForced = decisions(issue).contains { $0.field == field && $0.decision == .ours }
            return .removeTime(
                number: link.number, issue: issue, base: base, isForced: isForced)
        }
    }

    /// The time entries to log or change.
    var times: [MirrorStep] {
        record.entries.values.sorted { $0.id < $1.id }.compactMap { entry in
            guard let link = links[.entry, entry.id], link.remote > 0 else {
                guard links.remote(.issue, entry.issue) != nil,
                    isSettled(entry.issue, MirrorConflict.time(entry.id)),
                    isSettled(
                        entry.issue, MirrorConflict.time(entry.id, MirrorConflict.removed))
                else { return nil }
                return .logTime(
                    number: entry.id, issue: entry.issue, values: terms.values(of: entry),
                    sent: links[.entry, entry.id]?.time)
            }
            return link.time.flatMap { change(of: entry, $0) }
        }
    }

    private func change(of entry: TimeEntry, _ base: RemoteTime) -> MirrorStep? {
        guard isSettled(entry.issue, MirrorConflict.time(entry.id, MirrorConflict.removed)) else {
            return nil
        }
        let values = terms.values(of: entry)
        let merge = TimeMerge(base: base, ours: values, theirs: base)
        var pushed = Set(
            merge.pushed.filter {
                isSettled(entry.issue, MirrorConflict.time(entry.id, $0.rawValue))
            })
        var forced: Set<RemoteTimeField> = []
        var isDecided = false
        for field in RemoteTimeField.allCases {
            let name = MirrorConflict.time(entry.id, field.rawValue)
            guard let one = decisions(entry.issue).first(where: { $0.field == name }) else {
                continue
            }
            // A decision in favour of the server means that it is only read.
            isDecided = true
            if one.decision == .ours {
                pushed.insert(field)
                forced.insert(field)
            }
        }
        guard isDecided || !pushed.isEmpty else { return nil }
        return .changeTime(
            number: entry.id, issue: entry.issue, base: base,
            values: values.filter { pushed.contains($0.key) }, forced: forced)
    }

    /// Chooses the notes that are written first, by their numbers. Those that the server refused
    /// and those of issues that aren't there would keep all later ones waiting.
    ///
    /// - Parameters:
    ///   - unsent: the notes that the server doesn't have yet, with their issues.
    ///   - links: the links of the mirror.
    ///   - conflicts: its conflicts.
    static func notesToWrite(
        of unsent: [Int: Int], _ links: MirrorLinks, _ conflicts: [MirrorConflict]
    ) -> [Int] {
        let refused = Set(
            conflicts.filter { $0.decision != .ours }
                .compactMap { MirrorConflict.noteNumber($0.field) })
        let gone = Set(conflicts.filter { $0.field == MirrorConflict.removed }.map(\.issue))
        let open = unsent.filter { note, issue in
            !refused.contains(note) && !gone.contains(issue)
                && links.remote(.issue, issue) != nil
        }
        return Array(open.keys.sorted().prefix(most))
    }

    var writtenNotes: [MirrorStep] {
        notes.compactMap { note in
            guard let remote = links.remote(.issue, note.issue),
                isSettled(note.issue, MirrorConflict.note(note.number))
            else { return nil }
            return .note(note, remote: remote)
        }
    }
}
