import GRDB
import Messages
import ProjectRecord
import RedmineClient
import RedmineMirror
import ServiceRuntime
import TestStore
import Testing

@testable import ProjectService

/// How the notes of an issue that has very many at a server are stored, in a real store.
struct ManyNotesTests {
    /// The maximum number of notes that are stored in one turn.
    private static let mostOfTurn = MirrorTask.mostNoteBytes / MirrorTask.leastNote + 1
    private static let count = 3 * mostOfTurn

    private let store: MemoryStore
    private let project: String
    private let server: RedmineServer

    /// Makes a project with a mirror that reads notes, and an issue that is at the server too.
    init() throws {
        store = try MemoryStore(of: .project, ProjectStore.migrator)
        server = RedmineServer(try RedmineAddress("http://127.0.0.1:1"), .key("key"), .everywhere)
        project = try store.run(as: .system) { transaction in
            let row = ProjectRow(
                project: Project(
                    id: "\(transaction.id)", identifier: "house", name: "House",
                    organisation: "o"), mark: "\(transaction.id)")
            try row.save(transaction.db)
            var mirror = MirrorRow(
                project: row.project.id, logIn: "ann", remote: 1, identifier: "house", due: 0)
            (mirror.phase, mirror.began) = (.notes, transaction.now)
            try mirror.save(transaction.db)
            var remote = MirrorStateTests.remote(7, "Roof")
            remote.updated = 1_000
            var links = MirrorLinks()
            links.keep(
                MirrorLinks.Link(
                    kind: .issue, number: 7, remote: 7, base: RedmineBody.kept(remote)))
            try MirroredStore.save(links, of: row.project.id, transaction.db)
            return row.project.id
        }
    }

    /// The answer of the server with these notes of the issue.
    private func read(_ notes: Range<Int>, _ text: String = "Note") throws -> MirrorNews {
        let time = "2026-01-02T03:04:05Z"
        let journals = notes.map { number in
            """
            {"id":\(number + 1),"user":{"id":5,"name":"Ann"},"notes":"\(text) \(number)",\
            "created_on":"\(time)","private_notes":false}
            """
        }
        let answer = """
            {"issue":{"id":7,"updated_on":"\(time)","is_private":false,\
            "journals":[\(journals.joined(separator: ","))]}}
            """
        var news = MirrorNews()
        news.notes[7] = try RedmineReader.notes(Array(answer.utf8))
        news.isAtEnd = true
        return news
    }

    /// Does one turn with what was read, or is left of it.
    private func turn(_ rest: MirrorRest) throws {
        try store.run(as: .system) { transaction in
            let db = transaction.db
            let row = try #require(try ProjectRow.ofID(project, db))
            let round = MirrorRound(
                server: server, user: 5,
                snapshot: MirrorSnapshot(
                    mirror: try #require(try MirrorRow.of(project, db)), mark: row.mark,
                    linksMark: try MirroredStore.mark(of: project, db),
                    record: try MirrorStateTests.record(), bytes: 0,
                    names: MirrorStateTests.names,
                    links: try MirroredStore.links(of: project, db), conflicts: [], pending: [],
                    withNotes: [], withUnsentNotes: [], now: transaction.now), rest: rest)
            try Mirrors.finish(round, round.run(), in: transaction)
        }
    }

    private func keep(_ news: MirrorNews) throws -> MirrorRest {
        let mirror = try #require(try store.run { try MirrorRow.of(project, $0.db) })
        let task = MirrorTask(mirror: mirror, server: server, user: 5, aim: .readNotes([7: 7]))
        return .merge(task, news, tries: 0)
    }

    /// What is left after a turn.
    private func rest() throws -> MirrorRest? {
        MirrorRests.shared.take(
            try #require(try store.run { try MirrorRow.of(project, $0.db) }))
    }

    /// The number of entries in the journal.
    private func entries() throws -> Int {
        try store.run {
            try Int.fetchOne($0.db, sql: "SELECT count(*) FROM journal") ?? 0
        }
    }

    /// Whether all notes of the issue count as read.
    private func isRead() throws -> Bool {
        try store.run { try MirroredStore.links(of: project, $0.db)[.issue, 7]?.noted != 0 }
    }

    /// Does turns until nothing is left.
    ///
    /// - Returns: the number of entries after each turn.
    private func work(through news: MirrorNews) throws -> [Int] {
        var counts: [Int] = []
        var next: MirrorRest? = try keep(news)
        while let now = next, counts.count < 20 {
            try turn(now)
            counts.append(try entries())
            next = try rest()
            #expect(try isRead() == (next == nil))
        }
        return counts
    }

    @Test func `very many notes of one issue are stored in several turns, each of them once`()
        throws
    {
        let counts = try work(through: read(0..<Self.count))

        #expect(counts.count > 1 && counts.last == Self.count)
        for (before, after) in zip([0] + counts, counts) {
            #expect((0...Self.mostOfTurn).contains(after - before))
        }
    }

    @Test func `after a kill the notes that were stored are not stored again`() throws {
        let news = try read(0..<Self.count)
        try turn(keep(news))
        #expect(try !isRead())
        let stored = try entries()
        #expect((1..<Self.count).contains(stored))
        MirrorRests.shared.forget(project)

        let counts = try work(through: news)

        #expect(counts.last == Self.count)
    }

    @Test func `very many notes that are gone are removed in several turns`() throws {
        _ = try work(through: read(0..<Self.count))
        func notes() throws -> Int {
            try store.run {
                try Int.fetchOne($0.db, sql: "SELECT count(*) FROM journal WHERE isNote") ?? 0
            }
        }
        #expect(try notes() == Self.count)

        try turn(keep(read(0..<1)))
        #expect(try notes() == Self.count - Self.mostOfTurn)
        while let next = try rest() { try turn(next) }

        #expect(try notes() == 1)
    }
}
