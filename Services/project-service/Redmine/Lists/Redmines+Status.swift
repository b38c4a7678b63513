import Messages
import ServiceRuntime

extension Redmines {
    /// The maximum number of conflicts in what is reported about a mirror, and about how many
    /// bytes.
    private static let mostConflicts = 500
    private static let conflictBytes = Projects.partBytes / 2

    /// The status of mirrors. What waits to be written is counted outside the loop.
    struct Status: Sendable {
        fileprivate var mirrors: [(link: RedmineLink, waiting: WaitingChanges)] = []

        func links() -> RedmineLinks {
            let links: [RedmineLink] = mirrors.map { link, waiting in
                var link = link
                link.waiting = UInt32(clamping: waiting.count)
                return link
            }
            return RedmineLinks(links: Redmines.cut(links, to: 2 * Projects.partBytes))
        }
    }

    static func prepareStatus(
        _ query: ListRedmineLinks, in transaction: Transaction
    ) throws -> Status {
        let mirrors =
            query.project.isEmpty
            ? try MirrorRow.all(transaction.db)
            : [try mirror(of: query.project, in: transaction)]
        var status = Status()
        for mirror in mirrors where status.mirrors.count < 100 {
            guard let row = try ProjectRow.ofID(mirror.project, transaction.db),
                transaction.principal.scope.includes(row.project.organisation)
            else { continue }
            let notes = try Mirrors.pendingNotes(
                of: mirror, MirroredStore.links(of: mirror.project, transaction.db),
                in: transaction)
            status.mirrors.append(
                (
                    try told(mirror, in: transaction),
                    try WaitingChanges(of: mirror, row, notes, in: transaction)
                ))
        }
        return status
    }

    /// What is reported about a mirror, except how much is waiting.
    static func told(
        _ mirror: MirrorRow, in transaction: Transaction
    ) throws -> RedmineLink {
        let row = try ProjectRow.ofID(mirror.project, transaction.db)
        let logIn = try RedmineLogInRow.ofID(mirror.logIn, transaction.db)
        let links = try MirroredStore.links(of: mirror.project, transaction.db)
        let all = try ConflictStore.all(of: mirror.project, transaction.db)
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
            skipped: Array(mirror.skipped.prefix(50)),
            times: UInt32(clamping: links.count(.entry)),
            notes: UInt32(clamping: links.count(.note)),
            moreConflicts: UInt32(clamping: all.count - conflicts.count))
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
        }
        return told
    }
}
