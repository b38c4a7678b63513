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
        let links = try team.ask(ListRedmineLinks(), for: RedmineLinks.self).links

        #expect(links.count == 5)
        #expect(links.allSatisfy { $0.conflicts.count + Int($0.moreConflicts) == 600 })
        #expect(links.first?.conflicts.isEmpty == false)
        let size = links.reduce(0) { $0 + $1.packed().count }
        #expect((600_000...820_000).contains(size))
    }

    @Test func `large mirrors are listed a few at a time, until what waits in them is known`()
        throws
    {
        try team.system.edit(.project, "UPDATE project SET bytes = 3000000")
        func pages() throws -> [[String]] {
            var pages: [[String]] = []
            var after = ""
            repeat {
                let page = try team.ask(ListRedmineLinks(after: after), for: RedmineLinks.self)
                pages.append(page.links.map(\.identifier))
                after = page.next
            } while !after.isEmpty && pages.count < 10
            return pages
        }
        let first = try pages()
        #expect(first.map(\.count) == [2, 2, 1])
        #expect(first.joined().sorted() == ["a", "b", "c", "d", "e"])
        // Nothing has changed, so the projects aren't read again.
        let again = try pages()
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
        let left = try team.ask(ListRedmineLinks(), for: RedmineLinks.self).links
        #expect(left.count == 4)
    }
}
