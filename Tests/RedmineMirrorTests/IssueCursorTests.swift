import RedmineMirror
import Testing

/// Reading issues that change meanwhile.
@Suite struct IssueCursorTests {
    /// A server whose issues change between two queries.
    private struct Server {
        var times: [Int: Int64]
        var clock: Int64

        func page(_ cursor: IssueCursor, most: Int) -> RedmineReader.Page<RemoteIssue> {
            let found = times.filter { $0.value >= cursor.since }
                .sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            var page = RedmineReader.Page<RemoteIssue>()
            page.items = found.dropFirst(cursor.offset).prefix(most).map { id, time in
                let name = RemoteName(id: 1, name: "")
                return RemoteIssue(
                    id: id, project: 1, subject: "", tracker: name, status: name, priority: name,
                    updated: time)
            }
            (page.total, page.offset) = (found.count, cursor.offset)
            return page
        }
    }

    @Test func `issues that were changed in the same second don't fill the memory`() throws {
        let server = Server(
            times: Dictionary(uniqueKeysWithValues: (1...100).map { ($0, 7) }), clock: 7)
        var cursor = IssueCursor(since: 7)
        var page = server.page(cursor, most: 10)
        page.bytes = RedmineLimit.list / 2
        try cursor.note(page)
        page = server.page(cursor, most: 10)
        page.bytes = RedmineLimit.list / 2
        try cursor.note(page)
        page = server.page(cursor, most: 10)
        page.bytes = 1
        let fault = #expect(throws: RedmineFault.self) { try cursor.note(page) }
        #expect(fault?.description.hasSuffix("same second have more than 128 MiB") == true)
    }

    @Test(arguments: 1...60)
    func `whatever changes meanwhile, the last change of each issue is seen`(seed: Int) throws {
        var chance = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
        func next(_ count: Int) -> Int {
            chance ^= chance << 13
            chance ^= chance >> 7
            chance ^= chance << 17
            return Int(chance % UInt64(count))
        }
        let count = 5 + next(60)
        var server = Server(times: [:], clock: 1_000)
        // Most of them were imported in the same second.
        for id in 1...count {
            if next(10) == 0 { server.clock += 1 }
            server.times[id] = server.clock
        }
        var seen: [Int: Int64] = [:]
        var cursor = IssueCursor(since: 0)
        var rounds = 0
        while !cursor.isDone {
            rounds += 1
            try #require(rounds < 5_000)
            let page = server.page(cursor, most: 2 + seed % 9)
            for issue in page.items { seen[issue.id] = issue.updated }
            try cursor.note(page)
            if rounds < 40, next(2) == 0 {
                server.clock += Int64(next(2))
                server.times[1 + next(count)] = server.clock
                if next(8) == 0 { server.times[count + rounds] = server.clock }
            }
        }
        // What changed in the second of the last answer comes in the next round.
        var again = IssueCursor(since: cursor.since)
        while !again.isDone {
            let page = server.page(again, most: 7)
            for issue in page.items { seen[issue.id] = issue.updated }
            try again.note(page)
        }
        #expect(seen == server.times)
    }

    @Test func `a server with endless issues of one second is given up`() throws {
        let times = Dictionary((1...30_000).map { ($0, Int64(10)) }) { first, _ in first }
        let server = Server(times: times, clock: 10)
        var cursor = IssueCursor(since: 10)
        for _ in 0..<4 { try cursor.note(server.page(cursor, most: 5_000)) }
        #expect(throws: RedmineFault.self) {
            try cursor.note(server.page(cursor, most: 5_000))
        }
    }

    @Test func `a server that contradicts itself doesn't end the list`() throws {
        var silent = IssueCursor(since: 0)
        #expect(throws: RedmineFault.self) { try silent.note(RedmineReader.Page()) }
        var empty = IssueCursor(since: 0)
        var page = RedmineReader.Page<RemoteIssue>()
        (page.total, page.offset) = (3, 0)
        #expect(throws: RedmineFault.self) { try empty.note(page) }
        var unsorted = IssueCursor(since: 5_000)
        let server = Server(times: [1: 10, 2: 20, 3: 30], clock: 40)
        let wrong = server.page(IssueCursor(since: 0), most: 2)
        #expect(throws: RedmineFault.self) { try unsorted.note(wrong) }
    }
}
