import Messages
import ServiceRuntime

extension Redmines {
    /// The maximum number of conflicts in what is reported about a mirror, and about how many
    /// bytes.
    private static let mostConflicts = 500
    private static let conflictBytes = Projects.partBytes / 2

    /// The maximum number of mirrors in an answer.
    private static let mostMirrors = 100
    /// About how many bytes are read for an answer, inside the loop. The mirror that exceeds this
    /// is the last in the answer.
    private static let mostRead = 4_000_000

    /// The status of mirrors. What waits to be written is counted outside the loop.
    struct Status: Sendable {
        fileprivate var mirrors: [(link: RedmineLink, waiting: WaitingChanges)] = []
        /// Whether there are more mirrors.
        fileprivate var hasMore = false

        func links() -> RedmineLinks {
            let links: [RedmineLink] = mirrors.map { link, waiting in
                var link = link
                let found = waiting.found
                link.waiting = UInt32(clamping: found.count)
                let room = max(0, MirrorRow.mostSkipped - link.skipped.count)
                link.skipped += found.unsent.prefix(room)
                link.moreSkipped = link.moreSkipped || found.unsent.count > room
                return link
            }
            let told = Redmines.cut(links, to: 2 * Projects.partBytes)
            let isLast = !hasMore && told.count == links.count
            return RedmineLinks(links: told, next: isLast ? "" : told.last?.project?.id ?? "")
        }
    }

    static func prepareStatus(
        _ query: ListRedmineLinks, in transaction: Transaction
    ) throws -> Status {
        let mirrors =
            query.project.isEmpty
            ? try MirrorRow.all(
                of: transaction.principal.scope, after: query.after, most: mostMirrors + 1,
                transaction.db)
            : [try mirror(of: query.project, in: transaction)]
        var status = Status()
        var read = 0
        for mirror in mirrors {
            guard status.mirrors.count < mostMirrors, read < mostRead else {
                status.hasMore = true
                break
            }
            guard let row = try ProjectRow.ofID(mirror.project, transaction.db) else { continue }
            let links = try MirroredStore.links(of: mirror.project, transaction.db)
            let conflicts = try ConflictStore.all(of: mirror.project, transaction.db)
            let notes = try Mirrors.pendingNotes(of: mirror, links, in: transaction)
            let waiting = try WaitingChanges(row, links, conflicts, notes: notes, in: transaction)
            read += links.bytes + conflicts.reduce(0) { $0 + $1.bytes }
            if !waiting.isKnown { read += row.bytes }
            status.mirrors.append(
                (try told(mirror, row, links, conflicts, in: transaction), waiting))
        }
        return status
    }

    /// What is reported about a mirror, except how much is waiting.
    static func told(
        _ mirror: MirrorRow, in transaction: Transaction
    ) throws -> RedmineLink {
        let (project, db) = (mirror.project, transaction.db)
        return try told(
            mirror, ProjectRow.ofID(project, db), MirroredStore.links(of: project, db),
            ConflictStore.all(of: project, db), in: transaction)
    }

    private static func told(
        _ mirror: MirrorRow, _ row: ProjectRow?, _ links: MirrorLinks, _ all: [MirrorConflict],
        in transaction: Transaction
    ) throws -> RedmineLink {
        let logIn = try RedmineLogInRow.ofID(mirror.logIn, transaction.db)
        let conflicts = all.prefix(mostConflicts).messages(within: conflictBytes) { one in
            RedmineConflict(
                issue: UInt32(clamping: one.issue),
                remote: UInt32(clamping: links.remote(.issue, one.issue) ?? 0),
                field: one.field, ours: one.ours, theirs: one.theirs, reason: one.reason)
        }
        return RedmineLink(
            project: row?.project.listed, server: logIn?.logIn.server ?? "",
            login: logIn?.logIn.login ?? "", identifier: mirror.identifier,
            busy: mirror.isUnderWay || mirror.due <= transaction.now, synced: mirror.synced,
            due: mirror.due == .max ? 0 : mirror.due, failure: mirror.failure,
            issues: UInt32(clamping: links.count(.issue)), conflicts: conflicts,
            skipped: Array(mirror.skipped.prefix(MirrorRow.mostSkipped)),
            times: UInt32(clamping: links.count(.entry)),
            notes: UInt32(clamping: links.count(.note)),
            moreConflicts: UInt32(clamping: all.count - conflicts.count),
            moreSkipped: mirror.skipped.count >= MirrorRow.mostSkipped)
    }

    /// Cuts what is reported about mirrors to this many bytes. The state of each comes first, then
    /// one after another gets its conflicts and what was skipped, while there is room.
    private static func cut(_ links: [RedmineLink], to bytes: Int) -> [RedmineLink] {
        var told: [RedmineLink] = links.messages(within: bytes) { link in
            var state = link
            state.moreConflicts += UInt32(clamping: link.conflicts.count)
            (state.conflicts, state.skipped) = ([], [])
            return state
        }
        var room = bytes - told.reduce(0) { $0 + $1.packed().count }
        for place in told.indices {
            let conflicts: [RedmineConflict] =
                links[place].conflicts.messages(within: room) { $0 }
            room -= conflicts.reduce(0) { $0 + $1.packed().count }
            told[place].moreConflicts -= UInt32(clamping: conflicts.count)
            told[place].conflicts = conflicts
            for text in links[place].skipped where text.utf8.count <= room {
                room -= text.utf8.count
                told[place].skipped.append(text)
            }
            if told[place].skipped.count < links[place].skipped.count {
                told[place].moreSkipped = true
            }
        }
        return told
    }
}

extension MirrorConflict {
    /// About how many bytes it has.
    fileprivate var bytes: Int {
        100 + field.utf8.count + ours.utf8.count + theirs.utf8.count + reason.utf8.count
    }
}
