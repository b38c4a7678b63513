import RedmineClient
import RedmineMirror

/// Reads and writes the notes of issues.
extension MirrorTask {
    private func notes(of issue: Int) throws(RedmineProblem) -> RemoteNotes {
        try server.get(
            "/issues/\(issue).json", ["include": "journals"], read: RedmineReader.notes)
    }

    /// The maximum number of issues in a request that asks which of them have notes.
    private static let mostNamed = 50
    /// The bytes of notes after which a round reads no more: the loop stores as many in one turn. A
    /// single answer may be larger; the loop stores it in several turns.
    static let mostNoteBytes = 4 << 20
    /// The number of bytes that a shorter note counts as, because storing it in the loop takes as
    /// long.
    static let leastNote = 10_000

    /// Asks which issues have notes, because the server sends notes only issue by issue. A server
    /// that doesn't know the filter lists all issues.
    func findNotes(
        among issues: Set<Int>, _ news: inout MirrorNews
    ) throws(RedmineProblem) {
        var found: Set<Int> = []
        var walk = PageWalk()
        let named = issues.sorted().map(String.init).joined(separator: ",")
        while !walk.isDone {
            let (limit, offset) = ("\(PageWalk.wanted)", "\(walk.offset)")
            let page =
                try issues.count <= Self.mostNamed
                ? list([
                    "project_id": "\(remote)", "subproject_id": "!*", "status_id": "*",
                    "issue_id": named, "notes": "*", "sort": "id", "limit": limit,
                    "offset": offset,
                ])
                : list([
                    "project_id": "\(remote)", "subproject_id": "!*", "status_id": "*",
                    "notes": "*", "sort": "id", "limit": limit, "offset": offset,
                ])
            // Only those that were asked for: the server may list any number of others.
            found.formUnion(page.items.map(\.id).filter(issues.contains))
            do { try walk.note(page) } catch { throw .strange(error.description) }
        }
        news.withNotes = found
        news.isAtEnd = true
    }

    /// Reads the notes of issues, as many as fit into a round. The next round reads the others.
    ///
    /// - Parameters:
    ///   - numbers: the issues, by their numbers here, with those at the server.
    ///   - news: receives the result.
    func readNotes(
        _ numbers: [Int: Int], _ news: inout MirrorNews
    ) throws(RedmineProblem) {
        var bytes = 0
        for (number, there) in numbers.sorted(by: { $0.key < $1.key }) {
            guard bytes < Self.mostNoteBytes else { return }
            do throws(RedmineProblem) {
                let notes = try notes(of: there)
                // It became private since it was copied.
                guard !notes.isPrivate else {
                    news.unseen.insert(number)
                    continue
                }
                bytes += notes.notes.reduce(0) { $0 + max($1.text.utf8.count, Self.leastNote) }
                news.notes[number] = notes
                news.skipped += notes.skipped.map { "#\(there): \($0.description)" }
            } catch .missing { news.unseen.insert(number) } catch .denied {
                news.unseen.insert(number)
            } catch .unusable(let reason) {
                news.unseen.insert(number)
                news.skipped.append("#\(there): \(reason)")
            }
        }
        news.isAtEnd = true
    }

    /// Writes a note. The server has no way to do it only once, so after an attempt this looks for
    /// it first, also as it was sent with the log-in of whoever had the mirror before.
    func write(
        _ note: PendingNote, _ issue: Int, _ known: Set<Int>
    ) throws(RedmineProblem) -> RemoteNote {
        let sent = [note.sending] + note.sent
        let wanted = sent.map { (user: $0.user, text: RemoteNote.plain($0.text)) }
        func find() throws(RedmineProblem) -> RemoteNote? {
            try notes(of: issue).notes.last { there in
                guard !known.contains(there.id) else { return false }
                let text = RemoteNote.plain(there.text)
                return wanted.contains { $0.user == there.user.id && $0.text == text }
            }
        }
        if note.attempted > 0, let found = try find() { return found }
        do throws(RedmineProblem) {
            _ = try server.send("PUT", "/issues/\(issue).json", RedmineBody.note(note.sending.text))
        } catch .refused(let reasons) where reasons.isEmpty {
            // Somebody else wrote at the same moment.
            throw .busy("another change came first", after: nil)
        }
        // “204” doesn't mean that anything was done.
        guard let written = try find() else {
            throw .refused(["it said that it wrote the note, but didn't"])
        }
        return written
    }
}
