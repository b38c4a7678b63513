import RedmineMirror
import Testing

/// Reading a list in parts, each of which is kept before more is read.
@Suite struct PartWalkTests {
    /// A server's list, some of whose items can't be read.
    private struct Server {
        var ids: [Int]
        var unreadable: Set<Int> = []

        func page(_ start: Int, most: Int) -> RedmineReader.Page<RemoteIssue> {
            var page = RedmineReader.Page<RemoteIssue>()
            let name = RemoteName(id: 1, name: "")
            for id in ids.dropFirst(start).prefix(most) {
                if unreadable.contains(id) {
                    page.skipped.append(RedmineFault("#\(id)"))
                } else {
                    page.items.append(
                        RemoteIssue(
                            id: id, project: 1, subject: "", tracker: name, status: name,
                            priority: name))
                }
            }
            (page.total, page.offset) = (ids.count, start)
            return page
        }
    }

    /// Reads a list, and may change it before each page. Returns what was seen since the last
    /// beginning.
    private func read(
        _ server: inout Server, most: Int, before: (Int, inout Server) -> Void = { _, _ in }
    ) throws -> (seen: Set<Int>, begins: Int) {
        var walk = PartWalk()
        var (seen, begins, pages): (Set<Int>, Int, Int) = ([], 1, 0)
        while !walk.isDone {
            before(pages, &server)
            pages += 1
            try #require(pages < 1_000)
            let page = server.page(walk.start, most: most)
            do {
                try walk.note(page, of: "the list")
                seen.formUnion(page.items.map(\.id))
            } catch {
                guard walk == PartWalk() else { throw error }
                (seen, begins) = ([], begins + 1)
            }
        }
        return (seen, begins)
    }

    @Test(arguments: [2, 3, 7, 100]) func `a list is read completely, whatever the page size`(
        most: Int
    ) throws {
        for count in [0, 1, 2, 3, 14, 15, 100] {
            var server = Server(ids: Array(0..<count).map { 3 * $0 + 1 })
            let (seen, begins) = try read(&server, most: most)
            #expect(seen == Set(server.ids) && begins == 1)
        }
    }

    @Test func `if something was removed meanwhile, the list is read again`() throws {
        var server = Server(ids: Array(1...50))
        let (seen, begins) = try read(&server, most: 10) { page, server in
            if page == 2 { server.ids.remove(at: 3) }
        }
        #expect(seen == Set(server.ids) && begins == 2)
        // Removing what comes later, or adding at the end, doesn't affect what was read.
        var other = Server(ids: Array(1...50))
        let end = try read(&other, most: 10) { page, server in
            if page == 2 { server.ids[40...] = [60, 61, 62] }
        }
        #expect(end.seen == Set(other.ids) && end.begins == 1)
    }

    @Test(arguments: 1...24) func `an unreadable item doesn't hold up the rest`(
        unreadable: Int
    ) throws {
        var server = Server(ids: Array(1...24), unreadable: [unreadable])
        let (seen, begins) = try read(&server, most: 6)
        #expect(seen == Set(server.ids).subtracting([unreadable]) && begins == 1)
    }

    @Test func `a server that contradicts itself is refused`() {
        for (total, offset, items) in [(nil, 0, 5), (50, 7, 5), (50, 0, 1), (50, 0, 0)] {
            var page = Server(ids: Array(1...50)).page(0, most: items)
            (page.total, page.offset) = (total, offset)
            var walk = PartWalk()
            #expect(throws: RedmineFault.self) { try walk.note(page, of: "the list") }
            #expect(walk == PartWalk())
        }
    }
}
