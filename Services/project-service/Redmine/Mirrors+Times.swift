import Messages
import ProjectRecord
import RedmineMirror
import ServiceRuntime

/// The rounds that read and write time entries and notes.
extension Mirrors {
    /// The maximum number of items that a round requests one by one.
    private static let mostAtOnce = 50
    /// For more issues than this, the server is first asked which of them have notes.
    private static let fewIssues = 3
    /// How long after a change of an issue its notes are read again, in seconds: longer than two
    /// clocks can differ, because times at the server have no fractions of a second.
    private static let doubt: Int64 = 120
    /// How long after looking at an issue the second of its last change is certainly over, in
    /// milliseconds.
    private static let certainty: Int64 = 2_000

    /// The last change up to which the notes of an issue are known. While another note may still
    /// come in the second of that change, the change itself isn't included, so its notes are read
    /// again.
    ///
    /// - Parameters:
    ///   - updated: the time of the last change, in seconds since 1970.
    ///   - link: what is known about the issue.
    ///   - began: when the rounds in which its notes were read began, in milliseconds since 1970.
    static func noted(
        _ updated: Int64, _ link: MirrorLinks.Link, since began: Int64
    ) -> Int64 {
        let isOld = began / 1_000 - updated > doubt
        // The server had reached that second when the notes were last read.
        let wasRead = link.noted == updated - 1 && began - link.notedAt >= certainty
        return isOld || wasRead ? updated : updated - 1
    }

    static func timeAim(
        of mirror: inout MirrorRow, _ links: MirrorLinks
    ) -> MirrorTask.Aim {
        let known = links.all(.entry).filter { $0.remote > 0 }
        guard mirror.phase == .times else {
            let missing = known.filter { $0.seen != mirror.timeSweep }.prefix(mostAtOnce)
            return .lookAfterTimes(
                Dictionary(missing.map { ($0.number, $0.remote) }, uniquingKeysWith: max))
        }
        if mirror.timeOffset == nil, known.count <= smallProject {
            (mirror.timeOffset, mirror.timeLast) = (0, 0)
        }
        guard let offset = mirror.timeOffset else {
            return .readTimes(offset: 0, last: 0, isWhole: false)
        }
        if offset == 0 {
            mirror.timeSweep += 1
            mirror.timeSkipped = 0
        }
        return .readTimes(offset: offset, last: mirror.timeLast, isWhole: true)
    }

    static func applyTimes(
        _ news: MirrorNews, of task: MirrorTask, into state: inout MirrorState,
        _ mirror: inout MirrorRow
    ) {
        switch task.aim {
        case .readTimes(_, _, true):
            state.apply(news.times, sweep: mirror.timeSweep)
            (mirror.timeOffset, mirror.timeLast) = (news.offset, news.last)
            mirror.timeSkipped += state.skippedTimes + news.skipped.count
            if news.isAtEnd {
                (mirror.phase, mirror.timeOffset) = (.lookAfterTimes, nil)
            }
        case .readTimes:
            state.apply(news.times, sweep: nil)
            let known = state.links.all(.entry).count { $0.remote > 0 }
            if let total = news.total, total != known + mirror.timeSkipped {
                // Something was removed or missed, so everything is read.
                (mirror.timeOffset, mirror.timeLast) = (0, 0)
            } else if news.isAtEnd {
                mirror.phase = .notes
            }
        default:
            applyDone(news.done, sweep: mirror.timeSweep, into: &state)
            let isMissing = state.links.all(.entry).contains {
                $0.remote > 0 && $0.seen != mirror.timeSweep
            }
            if news.problem == nil, !isMissing { mirror.phase = .notes }
        }
    }

    // MARK: Notes

    /// `known` are the issues with notes, by their numbers here. Notes that were read later than
    /// now were read before the clock was set back.
    static func noteAim(
        of mirror: MirrorRow, _ links: MirrorLinks, beside known: Set<Int>, at now: Int64
    ) -> MirrorTask.Aim {
        let open = links.all(.issue).filter { link in
            guard link.remote > 0, let base = link.issue else { return false }
            guard link.notedAt < mirror.began || link.notedAt > now else { return false }
            return link.noted < base.updated
        }
        let unknown = open.filter {
            $0.noted != MirrorLinks.Link.hasNotes && !known.contains($0.number)
        }
        guard unknown.count <= fewIssues else {
            return .findNotes(Set(unknown.map(\.remote)))
        }
        return .readNotes(
            Dictionary(
                open.prefix(mostAtOnce).map { ($0.number, $0.remote) }, uniquingKeysWith: max))
    }

    /// Records which issues have notes that have to be read.
    ///
    /// - Parameters:
    ///   - found: the issues that have some at the server, by their numbers there; nil if it wasn't
    ///     asked.
    ///   - asked: the issues that the server was asked about, by their numbers there.
    ///   - known: the issues that had some, by their numbers here.
    ///   - links: the links of the mirror, which record it.
    ///   - began: when the rounds in which it was asked began, in milliseconds since 1970.
    ///   - now: when it was asked, in milliseconds since 1970.
    static func apply(
        withNotes found: Set<Int>?, of asked: Set<Int>, beside known: Set<Int>,
        into links: inout MirrorLinks, since began: Int64, at now: Int64
    ) {
        guard let found else { return }
        for var link in links.all(.issue) where asked.contains(link.remote) {
            guard let base = link.issue else { continue }
            if found.contains(link.remote) || known.contains(link.number) {
                link.noted = MirrorLinks.Link.hasNotes
            } else {
                (link.noted, link.notedAt) = (noted(base.updated, link, since: began), now)
            }
            links.keep(link)
        }
    }

    /// Takes over the notes that were read, as many as the loop may store in one turn.
    ///
    /// - Returns: the notes of the issues that have more; those that are stored already are passed
    ///   over when this is done again.
    static func apply(
        notes news: MirrorNews, into links: inout MirrorLinks,
        _ mirror: MirrorRow, in transaction: Transaction
    ) throws -> [Int: RemoteNotes] {
        // Notes that are no longer visible aren't requested again at once.
        for number in news.unseen {
            guard var link = links[.issue, number] else { continue }
            link.notedAt = transaction.now
            links.keep(link)
        }
        var room = NoteRoom()
        var left: [Int: RemoteNotes] = [:]
        for (issue, read) in news.notes.sorted(by: { $0.key < $1.key }) {
            guard try apply(read, of: issue, into: &links, mirror, &room, in: transaction) else {
                left[issue] = read
                continue
            }
            guard var link = links[.issue, issue] else { continue }
            (link.noted, link.notedAt) = (
                noted(read.updated, link, since: mirror.began), transaction.now
            )
            links.keep(link)
        }
        return left
    }

    /// How many bytes of notes the loop may still store in a turn.
    private struct NoteRoom {
        var bytes = MirrorTask.mostNoteBytes

        /// Counts a note of a size; false if there is no room left.
        mutating func spend(_ size: Int) -> Bool {
            guard bytes > 0 else { return false }
            bytes -= max(size, MirrorTask.leastNote)
            return true
        }
    }

    /// - Returns: false if there is no room for all that has to be stored.
    private static func apply(
        _ read: RemoteNotes, of issue: Int, into links: inout MirrorLinks, _ mirror: MirrorRow,
        _ room: inout NoteRoom, in transaction: Transaction
    ) throws -> Bool {
        let (project, db) = (mirror.project, transaction.db)
        let numbers = try JournalStore.numbers(of: issue, in: project, db)
        let own = Set(numbers)
        for note in read.notes {
            let text = Array(note.text.utf8)
            if let number = links.number(.note, remote: note.id), !own.contains(number) {
                guard room.bytes > 0 else { return false }
                try forgetFormer(note, &links, but: issue, mirror, in: transaction)
            }
            if let number = links.number(.note, remote: note.id) {
                guard var link = links[.note, number], link.base != text else { continue }
                guard room.spend(text.count) else { return false }
                try JournalStore.change(
                    number, of: issue, in: project, to: note.text, by: "Redmine",
                    at: transaction.now, db)
                link.base = text
                links.keep(link)
                continue
            }
            guard room.spend(text.count) else { return false }
            let entry = IssueEntry(
                time: note.created * 1_000,
                by: note.user.name.isEmpty ? "Redmine" : note.user.name.prefix(bytes: 400),
                note: note.text)
            let kept = try JournalStore.add(entry, to: issue, of: project, db)
            links.keep(
                MirrorLinks.Link(
                    kind: .note, number: Int(clamping: kept.number), remote: note.id, base: text))
        }
        let present = Set(read.notes.map(\.id))
        for number in numbers {
            guard let link = links[.note, number], link.remote > 0,
                !present.contains(link.remote)
            else { continue }
            guard room.spend(0) else { return false }
            try JournalStore.change(
                number, of: issue, in: project, to: "", by: "Redmine", at: transaction.now, db)
            links.remove(.note, number)
        }
        return true
    }

    /// Removes the note whose number at the server now belongs to another one.
    private static func forgetFormer(
        _ note: RemoteNote, _ links: inout MirrorLinks, but issue: Int, _ mirror: MirrorRow,
        in transaction: Transaction
    ) throws {
        guard let number = links.number(.note, remote: note.id),
            let former = try JournalStore.entry(number, in: mirror.project, transaction.db)?.issue,
            former != issue
        else { return }
        try JournalStore.change(
            number, of: former, in: mirror.project, to: "", by: "Redmine", at: transaction.now,
            transaction.db)
        links.remove(.note, number)
    }

    /// The notes that can be written now, as many as a round writes.
    static func pendingNotes(
        of mirror: MirrorRow, _ links: MirrorLinks, in transaction: Transaction
    ) throws -> [PendingNote] {
        guard links.hasUnsentNotes else { return [] }
        let open = MirrorPlan.notesToWrite(
            of: try JournalStore.unsentNotes(of: mirror.project, transaction.db), links,
            try ConflictStore.all(of: mirror.project, transaction.db))
        guard !open.isEmpty else { return [] }
        let logIn = try RedmineLogInRow.ofID(mirror.logIn, transaction.db)
        return try open.compactMap { number in
            guard
                let (issue, entry) = try JournalStore.entry(
                    number, in: mirror.project, transaction.db)
            else { return nil }
            let link = links[.note, number]
            return PendingNote(
                number: number, issue: issue,
                sending: PendingNote.Sending(
                    entry, by: logIn?.user ?? 0, isNamed: entry.account != logIn?.logIn.account),
                attempted: link?.attempted ?? 0,
                sent: (link?.senders ?? []).map { PendingNote.Sending(entry, by: $0) })
        }
    }
}

extension PendingNote.Sending {
    /// At the server, a note is written by the person who is logged in, so it names its author if
    /// that is somebody else.
    fileprivate init(_ entry: IssueEntry, by user: Int, isNamed: Bool) {
        (self.user, self.isNamed) = (user, isNamed)
        text = isNamed ? "\(entry.by):\n\n\(entry.note)" : entry.note
    }

    /// How one of ``MirrorLinks/Link/senders`` has sent it.
    fileprivate init(_ entry: IssueEntry, by sender: Int) {
        self.init(entry, by: Int(clamping: sender.magnitude), isNamed: sender < 0)
    }

    /// The same as one of ``MirrorLinks/Link/senders``.
    fileprivate var sender: Int { isNamed ? -user : user }
}

extension MirrorLinks {
    /// Records that something is about to be made at a server.
    mutating func attempt(_ step: MirrorStep, in project: Int, at now: Int64) {
        switch step {
        case .make(let number, let values, 0, _):
            let nothing = RemoteName(id: 1, name: "")
            var tracker = nothing
            if case .number(let id)? = values[.tracker] { tracker = RemoteName(id: id, name: "") }
            // What is made now gets a higher number there, or that of the newest if the newest was
            // removed.
            var sent = RemoteIssue(
                id: max(highestRemote(.issue), 1), project: project, subject: "", tracker: tracker,
                status: nothing, priority: nothing)
            if case .day(let day)? = values[.start] { sent.start = day }
            if case .day(let day)? = values[.due] { sent.due = day }
            if case .number(let minutes)? = values[.estimate] { sent.estimate = minutes }
            if case .text(let text)? = values[.subject] { sent.subject = text }
            if case .text(let text)? = values[.description] { sent.description = text }
            keep(
                Link(
                    kind: .issue, number: number, remote: 0, base: RedmineBody.kept(sent),
                    attempted: now))
        case .logTime(let number, _, let values, nil):
            guard case .number(let issue)? = values[.issue],
                case .number(let user)? = values[.member], case .day(let day)? = values[.day],
                case .number(let minutes)? = values[.minutes]
            else { return }
            // What is logged now gets a higher number there, or that of the newest if that was
            // removed.
            var sent = RemoteTime(
                id: max(highestRemote(.entry), 1), project: project, issue: issue,
                user: RemoteName(id: user, name: ""), day: day, minutes: minutes)
            if case .text(let text)? = values[.comment] { sent.comment = text }
            keep(
                Link(
                    kind: .entry, number: number, remote: 0, base: RedmineBody.kept(sent),
                    attempted: now))
        case .note(let note, _):
            var link =
                self[.note, note.number]
                ?? Link(kind: .note, number: note.number, remote: 0, base: [])
            if link.attempted == 0 { link.attempted = now }
            let sender = note.sending.sender
            if !link.senders.contains(sender) { link.senders.append(sender) }
            keep(link)
        default: break
        }
    }
}
