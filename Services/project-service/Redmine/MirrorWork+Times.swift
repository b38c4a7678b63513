import RedmineClient
import RedmineMirror

/// Reads and writes time entries.
extension MirrorTask {
    /// The names of the project's activities, with the one for work without a chosen activity
    /// first.
    func activities(of project: RemoteProject) throws(RedmineProblem) -> [RemoteName] {
        let all: [RemoteName]
        do throws(RedmineProblem) {
            all = try server.get(
                "/enumerations/time_entry_activities.json", read: RedmineReader.activities)
        } catch .missing { return project.activities }
        guard !project.activities.isEmpty else { return all }
        // A project may have activities of its own, with the same names.
        let names = all.map(\.name)
        return project.activities.sorted {
            (names.firstIndex(of: $0.name) ?? names.count, $0.id)
                < (names.firstIndex(of: $1.name) ?? names.count, $1.id)
        }
    }

    /// The people who work for the project; none if the person who is logged in may not see them.
    func members() throws(RedmineProblem) -> [RemoteName] {
        var members: [RemoteName] = []
        var walk = PageWalk()
        do throws(RedmineProblem) {
            while !walk.isDone {
                let page = try server.get(
                    "/projects/\(remote)/memberships.json",
                    ["limit": "\(PageWalk.wanted)", "offset": "\(walk.offset)"],
                    read: RedmineReader.memberships)
                members += page.items.compactMap(\.self)
                guard members.count <= RedmineLimit.items else {
                    throw .strange("the project has more than \(RedmineLimit.items) members")
                }
                do { try walk.note(page) } catch { throw .strange(error.description) }
            }
        } catch .denied { return [] } catch .missing { return [] }
        return members
    }

    private func timeList(
        _ order: String, offset: Int
    ) throws(RedmineProblem) -> RedmineReader.Page<RemoteTime> {
        try server.get(
            "/time_entries.json",
            [
                "project_id": "\(remote)", "subproject_id": "!*", "sort": order,
                "limit": "\(PageWalk.wanted)", "offset": "\(offset)",
            ], read: RedmineReader.times)
    }

    private static let timesAhead = ReadAhead<RemoteTime>()

    func readTimes(
        _ offset: Int, _ last: Int, _ news: inout MirrorNews
    ) throws(RedmineProblem) {
        let place = ReadAhead<RemoteTime>.Place(
            mirror, sweep: mirror.timeSweep, offset: offset, last: last)
        let part = Self.timesAhead.part(at: place) { walk in
            .read("the list of time", from: walk) { start throws(RedmineProblem) in
                try timeList("created_on", offset: start)
            }
        }
        news.times = part.items
        try news.note(part)
    }

    func readNewestTimes(_ news: inout MirrorNews) throws(RedmineProblem) {
        let page = try timeList("created_on:desc", offset: 0)
        news.times = page.items
        news.skipped = page.skipped.map(\.description)
        (news.isAtEnd, news.total) = (true, page.total)
    }

    private func readTime(_ number: Int) throws(RedmineProblem) -> RemoteTime {
        try server.get("/time_entries/\(number).json", read: RedmineReader.time)
    }

    func lookAfterTimes(
        _ numbers: [Int: Int], _ news: inout MirrorNews
    ) throws(RedmineProblem) {
        for (number, there) in numbers.sorted(by: { $0.key < $1.key }) {
            do throws(RedmineProblem) {
                let time = try readTime(there)
                news.done.append(
                    time.project == remote ? .staleTime(time) : .goneTime(number: number))
            } catch .missing {
                news.done.append(.goneTime(number: number))
            } catch .denied {
                news.done.append(.deniedTime(number: number))
            } catch .unusable(let reason) {
                news.done.append(.unusable(.entry, number: number, reason))
            }
        }
        news.isAtEnd = true
    }

    // MARK: Writing

    func writeTime(
        _ step: MirrorStep, _ known: inout Known
    ) throws(RedmineProblem) -> [MirrorNews.Done] {
        switch step {
        case .logTime(let number, let issue, let values, let sent):
            let field = MirrorConflict.time(number)
            guard values[.member] != nil else {
                return [
                    .refused(
                        number: issue, fields: [field], nil,
                        "the server doesn't know who has worked")
                ]
            }
            if let place = known.sentTimes.firstIndex(where: { $0 == sent }) {
                known.sentTimes.remove(at: place)
            }
            guard let logged = try log(values, sent, known) else {
                return [.unsent(.entry, number: number)]
            }
            known.times[logged.id] = logged.created
            return [.logged(number: number, logged, sent: sent)]
        case .changeTime(let number, let issue, let base, let values, let forced):
            return try change(time: number, issue, base, values, forced)
        case .removeTime(let number, _, let base, let isForced):
            let before = try readTime(base.id)
            // It belongs to another project by now.
            guard before.project == remote else { return [.goneTime(number: number)] }
            let isSame = RemoteTimeField.allCases.allSatisfy { before[$0] == base[$0] }
            guard isSame || isForced, !before.hasNumber(of: base) else {
                return [.staleTime(before)]
            }
            _ = try server.send("DELETE", "/time_entries/\(base.id).json")
            return [.removedTime(number: number)]
        default: return []
        }
    }

    /// Logs time. The server has no way to do it only once, so this first looks for an entry that
    /// was sent before, even with other hours, because somebody may have changed them there since.
    ///
    /// - Returns: the entry; nil if what was sent isn't there, and was changed here since.
    private func log(
        _ values: [RemoteTimeField: RemoteValue], _ sent: RemoteTime?, _ known: Known
    ) throws(RedmineProblem) -> RemoteTime? {
        if let sent {
            if let there = try find(sent, known) { return there }
            guard sent.values == values else { return nil }
        }
        let answer = try server.send(
            "POST", "/time_entries.json",
            RedmineBody.time(values, activity: known.activities.first?.id))
        let made: RemoteTime
        do { made = try RedmineReader.time(answer) } catch {
            throw .unanswered(error.description)
        }
        return try readBack { () throws(RedmineProblem) in try readTime(made.id) }
    }

    /// Looks for time that was sent before: the same one, or else the first that can be it with
    /// other hours.
    private func find(
        _ sent: RemoteTime, _ known: Known
    ) throws(RedmineProblem) -> RemoteTime? {
        let other = RemoteTimeField.allCases.filter { $0 != .minutes }
        var changed: RemoteTime?
        var others = known.sentTimes
        var walk = PageWalk()
        while !walk.isDone {
            let page = try server.get(
                "/time_entries.json",
                [
                    "project_id": "\(remote)", "subproject_id": "!*",
                    "user_id": "\(sent.user.id)", "spent_on": sent.day.iso,
                    "sort": "created_on", "limit": "\(PageWalk.wanted)",
                    "offset": "\(walk.offset)",
                ], read: RedmineReader.times)
            let like = page.items.filter { time in
                !known.has(time) && other.allSatisfy { time[$0] == sent[$0] }
            }
            if let same = like.first(where: { $0.minutes == sent.minutes }) { return same }
            for time in like where changed == nil {
                // Other time that was sent has a search of its own.
                if let place = others.firstIndex(where: { $0.values == time.values }) {
                    others.remove(at: place)
                } else if !sent.comment.isEmpty || time.id >= sent.id {
                    // Without a comment it must have been logged since.
                    changed = time
                }
            }
            do { try walk.note(page) } catch { throw .strange(error.description) }
        }
        return changed
    }

    private func change(
        time number: Int, _ issue: Int, _ base: RemoteTime,
        _ values: [RemoteTimeField: RemoteValue], _ forced: Set<RemoteTimeField>
    ) throws(RedmineProblem) -> [MirrorNews.Done] {
        let before = try readTime(base.id)
        guard before.project == remote else { return [.goneTime(number: number)] }
        guard !before.hasNumber(of: base) else { return [.staleTime(before)] }
        // Write only fields in which the server has what both sides had, or which may differ.
        let wanted = values.filter { field, value in
            before[field] != value && (before[field] == base[field] || forced.contains(field))
        }
        guard !wanted.isEmpty else { return [.staleTime(before)] }
        _ = try server.send(
            "PUT", "/time_entries/\(base.id).json", RedmineBody.time(wanted))
        // “204” doesn't mean that anything was done.
        let after = try readTime(base.id)
        let written = wanted.keys.filter { after[$0] == wanted[$0] }
        let ignored = wanted.keys.filter { after[$0] != wanted[$0] }
        var done: [MirrorNews.Done] = [
            .changedTime(number: number, Array(written), after)
        ]
        if !ignored.isEmpty {
            done.append(
                .refused(
                    number: issue,
                    fields: ignored.map { MirrorConflict.time(number, $0.rawValue) }.sorted(),
                    nil, "the server said that it did this, but didn't"))
        }
        return done
    }
}
