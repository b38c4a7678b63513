import Dates
import Messages
import ProjectRecord
import RedmineMirror

/// Time entries on both sides.
extension MirrorState {
    /// Takes over the server's time entries. `sweep` is the number of the reading in which they
    /// were seen; nil if not everything was read.
    mutating func apply(_ times: [RemoteTime], sweep: Int?) {
        for time in times {
            if time.user.id > 0 { member(time.user) }
            loseFormer(time)
            let number = links.number(.entry, remote: time.id)
            if isOfLostIssue(time) {
                guard let number, var link = links[.entry, number] else {
                    skip(time, "its issue is private or gone there")
                    continue
                }
                if let sweep { link.seen = sweep }
                links.keep(link)
            } else if let number, entry(number) != nil, !isOfKnownIssue(time) {
                lose(time: number, sweep: sweep)
                if links[.entry, number] == nil {
                    skip(time, "it belongs to no issue of this project")
                }
            } else if let number {
                merge(time, number, sweep: sweep)
            } else {
                add(time, sweep: sweep)
            }
        }
    }

    /// Whether somebody has to decide about the issue of a time entry, which is private or gone at
    /// the server. Until then nothing more of it is copied.
    private func isOfLostIssue(_ time: RemoteTime) -> Bool {
        guard let number = time.issue.flatMap({ links.number(.issue, remote: $0) }),
            issue(number) != nil
        else { return false }
        return conflicts.contains { $0.issue == number && $0.field == MirrorConflict.removed }
    }

    /// Whether a time entry belongs to an issue that is on both sides. One that was moved to
    /// another, such as a private one, must not stay with the former issue.
    private func isOfKnownIssue(_ time: RemoteTime) -> Bool {
        time.issue.flatMap { links.number(.issue, remote: $0) } != nil
    }

    private func entry(_ number: Int) -> TimeEntry? {
        if case .entry(let entry)? = items[ProjectItem.Key(kind: .entry, id: number)] {
            return entry
        }
        return record.entries[number]
    }

    private mutating func add(_ time: RemoteTime, sweep: Int?) {
        guard let remote = time.issue, let issue = links.number(.issue, remote: remote),
            self.issue(issue) != nil
        else { return skip(time, "it belongs to no issue of this project") }
        guard let member = links.number(.member, remote: time.user.id) else { return }
        let entry = TimeEntry(
            id: fresh(.entry), issue: issue, member: member, day: time.day,
            minutes: time.minutes, comment: time.comment)
        do { try entry.validate() } catch { return skip(time, error.message) }
        put(.entry(entry))
        links.keep(
            MirrorLinks.Link(
                kind: .entry, number: entry.id, remote: time.id, base: RedmineBody.kept(time),
                seen: sweep ?? 0))
    }

    private mutating func skip(_ time: RemoteTime, _ reason: String) {
        skippedTimes += 1
        skipped.append("the time worked \(time.id) of the server: \(reason)")
    }

    private mutating func merge(_ remote: RemoteTime, _ number: Int, sweep: Int?) {
        guard var link = links[.entry, number] else { return }
        if let sweep { link.seen = sweep }
        let base = link.time ?? remote
        guard var mine = entry(number) else {
            let issue = base.issue.flatMap { links.number(.issue, remote: $0) } ?? 0
            let field = MirrorConflict.time(number, MirrorConflict.removed)
            if decision(issue, field) == .theirs {
                settleTime(number, MirrorConflict.removed, nil)
                links.remove(.entry, number)
                return add(remote, sweep: sweep)
            }
            // It was removed here, and is removed there too unless somebody has changed it.
            let isSame = RemoteTimeField.allCases.allSatisfy { base[$0] == remote[$0] }
            if !isSame || !isRefused(issue, field) {
                settleTime(
                    number, MirrorConflict.removed, isSame ? nil : ("removed", "changed", ""),
                    issue: issue)
            }
            return links.keep(link)
        }
        // It may have belonged to another project or to a private issue for a while.
        settleTime(number, MirrorConflict.removed, nil)
        let merge = TimeMerge(base: base, ours: terms.values(of: mine), theirs: remote)
        let before = mine
        var next = remote
        for field in RemoteTimeField.allCases {
            let name = MirrorConflict.time(number, field.rawValue)
            let isOpen = merge.conflicts.contains(field) || merge.pushed.contains(field)
            if isOpen, decision(before.issue, name) == .theirs {
                terms.put(field, of: remote, into: &mine)
                settleTime(number, field.rawValue, nil)
            } else if merge.conflicts.contains(field) {
                next.take(field, from: base)
                settleTime(
                    number, field.rawValue,
                    (
                        Self.words(name, ofTime: number, in: record),
                        MirrorTerms.words(field, of: remote), ""
                    ), issue: before.issue)
            } else if merge.pushed.contains(field) {
                continue
            } else {
                if merge.taken.contains(field) { terms.put(field, of: remote, into: &mine) }
                settleTime(number, field.rawValue, nil)
            }
        }
        do { try mine.validate() } catch {
            links.keep(link)
            return skip(remote, error.message)
        }
        if mine != before { put(.entry(mine)) }
        link.base = RedmineBody.kept(next)
        links.keep(link)
    }

    /// Keeps, replaces or deletes the conflict about a field of a time entry.
    private mutating func settleTime(
        _ number: Int, _ field: String, _ said: (ours: String, theirs: String, reason: String)?,
        issue: Int = 0
    ) {
        let name = MirrorConflict.time(number, field)
        // It may have belonged to another issue before.
        for one in conflicts where one.field == name && one.issue != issue {
            settle(one.issue, name, nil)
        }
        settle(issue, name, said)
    }

    /// Deletes the conflicts about time entries.
    private mutating func forgive(times numbers: Set<Int>) {
        conflicts.removeAll { conflict in
            MirrorConflict.timeNumber(conflict.field).map(numbers.contains) ?? false
        }
    }

    /// Records that one of our time entries is at the server now. `sent` is what was sent, if an
    /// answer was lost: if its hours there are now different, people decide, because it may be
    /// another entry.
    mutating func join(time number: Int, with remote: RemoteTime, sent: RemoteTime? = nil) {
        forgive(times: [number])
        loseFormer(remote, but: number)
        var base = remote
        if let sent, sent.minutes != remote.minutes {
            let both = [entry(number)?.minutes, remote.minutes]
            base.minutes = [60, 120, 180].first { !both.contains($0) } ?? sent.minutes
        }
        links.keep(
            MirrorLinks.Link(
                kind: .entry, number: number, remote: remote.id, base: RedmineBody.kept(base)))
        apply([remote], sweep: nil)
    }

    /// Records that some fields of a time entry are now the same on both sides, because they were
    /// written there.
    mutating func agree(time number: Int, on fields: [RemoteTimeField], _ remote: RemoteTime) {
        guard var link = links[.entry, number], var base = link.time else { return }
        for field in fields {
            base.take(field, from: remote)
            settleTime(number, field.rawValue, nil)
        }
        link.base = RedmineBody.kept(base)
        links.keep(link)
        apply([remote], sweep: nil)
    }

    /// Removes the time entry whose number at the server now belongs to another one.
    private mutating func loseFormer(_ remote: RemoteTime, but number: Int? = nil) {
        guard let former = links.number(.entry, remote: remote.id), former != number,
            let base = links[.entry, former]?.time, number != nil || remote.hasNumber(of: base)
        else { return }
        lose(time: former, sweep: nil)
        // If it was changed here, it stays, but isn't logged there again until somebody has
        // decided.
        links.remove(.entry, former)
    }

    /// Records that a time entry is no longer at the server.
    mutating func lose(time number: Int, sweep: Int?) {
        guard var link = links[.entry, number], let base = link.time else { return }
        if let entry = entry(number) {
            // Somebody first decides about its issue.
            let isAsked = conflicts.contains {
                $0.issue == entry.issue && $0.field == MirrorConflict.removed
            }
            guard !isAsked else {
                if let sweep { link.seen = sweep }
                return links.keep(link)
            }
            let merge = TimeMerge(base: base, ours: terms.values(of: entry), theirs: base)
            guard merge.pushed.isEmpty else {
                if let sweep { link.seen = sweep }
                links.keep(link)
                return settleTime(
                    number, MirrorConflict.removed, ("changed", "removed", ""),
                    issue: entry.issue)
            }
            remove(.entry, number)
        }
        forget(time: number)
    }

    /// Records that a time entry is on neither side any more, or belongs to this project alone.
    mutating func forget(time number: Int) { forget(times: [number]) }

    /// Records the same of several time entries.
    mutating func forget(times numbers: Set<Int>) {
        forgive(times: numbers)
        for number in numbers { links.remove(.entry, number) }
    }

    /// Records that a time entry exists, but is no longer visible.
    mutating func deny(time number: Int, sweep: Int?) {
        guard var link = links[.entry, number] else { return }
        if let sweep { link.seen = sweep }
        links.keep(link)
        skipped.append(
            "time \(number): whoever is logged in may not see it at the server any more")
    }

    /// Our time entry, or a field of it, as people read it.
    static func words(
        _ field: String, ofTime number: Int, in record: ProjectRecord
    ) -> String {
        guard let entry = record.entries[number] else { return "removed" }
        let values: [(RemoteTimeField, String)] = [
            (.issue, "#\(entry.issue)"), (.member, record.members[entry.member]?.name ?? ""),
            (.day, entry.day.iso), (.minutes, "\(entry.minutes) minutes"),
            (.comment, entry.comment),
        ]
        let name = field.split(separator: " ").dropFirst(2).first.map(String.init) ?? ""
        let wanted = RemoteTimeField(rawValue: name)
        return values.filter { wanted == nil || wanted == $0.0 }.map(\.1).filter { !$0.isEmpty }
            .joined(separator: ", ").prefix(bytes: MirrorConflict.longest)
    }
}
