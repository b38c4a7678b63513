import Bus
import Messages
import TestSupport
import TestThreads
import Testing

/// The state of mirrors that have many conflicts.
@Suite(.waiting) struct RedmineStatusTests {
    private let team: Team

    /// Makes five mirrors without rounds, each with 600 conflicts of 6 KB.
    init() throws {
        team = try Team()
        for name in ["a", "b", "c", "d", "e"] { try team.make(name) }
        try team.system.edit(
            .project,
            """
            INSERT INTO redmineMirror (project, logIn, remote, identifier, due, underWay, phase,
                cursor, sweep, sweepLast, swept, synced, asked, began, failures, failure, skipped)
            SELECT id, '', 1, identifier, \(Int64.max), 0, 'read', 0, 1, 0, 0, 0, 0, 0, 0, '', ''
            FROM project;
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 600)
            INSERT INTO mirrorConflict
            SELECT project, n, 'subject', hex(zeroblob(1000)), hex(zeroblob(1000)),
                hex(zeroblob(1000)), ''
            FROM redmineMirror JOIN number
            """)
    }

    @Test func `all mirrors are listed with as many conflicts as fit, and a count of the others`()
        throws
    {
        let pages = try pages()

        let links = pages.flatMap(\.links)
        #expect(links.map(\.identifier).sorted() == ["a", "b", "c", "d", "e"])
        #expect(links.allSatisfy { $0.conflicts.count + Int($0.moreConflicts) == 600 })
        #expect(links.allSatisfy { $0.conflicts.count >= 20 })
        // The conflicts of two mirrors are as much as is read for an answer.
        #expect(pages.map(\.links.count) == [2, 2, 1])
        #expect(pages.allSatisfy { $0.packed().count <= 820_000 })
    }

    /// The state of all mirrors, page by page.
    private func pages() throws -> [RedmineLinks] {
        var pages: [RedmineLinks] = []
        var after = ""
        repeat {
            let page = try team.ask(ListRedmineLinks(after: after), for: RedmineLinks.self)
            pages.append(page)
            after = page.next
        } while !after.isEmpty && pages.count < 10
        return pages
    }

    @Test func `large mirrors are listed a few at a time, until what waits in them is known`()
        throws
    {
        try team.system.edit(
            .project, "DELETE FROM mirrorConflict; UPDATE project SET bytes = 3000000")
        func names() throws -> [[String]] { try pages().map { $0.links.map(\.identifier) } }
        let first = try names()
        #expect(first.map(\.count) == [2, 2, 1])
        #expect(first.joined().sorted() == ["a", "b", "c", "d", "e"])
        // Nothing has changed, so the projects aren't read again.
        let again = try names()
        #expect(again == [Array(first.joined())])
    }

    @Test func `the command shows the mirrors of all pages`() throws {
        try team.system.edit(.project, "UPDATE project SET bytes = 3000000")
        let status = try team.system.run("steward", "redmine", "status")
        for name in ["a", "b", "c", "d", "e"] {
            #expect(status.out.contains("\(name) mirrors \(name) of a server without a log-in"))
        }
    }

    @Test func `a mirror is synchronized, settled and ended however many conflicts it has`() throws
    {
        for link in [
            try team.ask(SyncRedmine(project: "a"), for: RedmineLink.self),
            try team.ask(
                SettleRedmine(project: "b", issue: 600, theirs: true), for: RedmineLink.self),
            try team.ask(UnlinkRedmine(project: "c"), for: RedmineLink.self),
        ] {
            #expect(link.conflicts.count + Int(link.moreConflicts) == 600)
            #expect(link.conflicts.prefix(2).map(\.issue) == [1, 2])
            #expect(link.packed().count <= 250_000)
        }
        #expect(try pages().flatMap(\.links).count == 4)
    }
}
