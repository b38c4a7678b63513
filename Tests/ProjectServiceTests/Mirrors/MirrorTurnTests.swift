import GRDB
import Messages
import ProjectRecord
import RedmineClient
import RedmineMirror
import TestSupport
import Testing

@testable import ProjectService

/// When mirrors have their rounds.
struct MirrorTurnTests {
    private let store: DatabaseQueue

    init() throws {
        // Log-ins and projects aren't needed here.
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        store = try DatabaseQueue(configuration: configuration)
        try ProjectStore.migrator.migrate(store)
    }

    private func mirror(
        _ project: String = "house", of logIn: String = "ann", due: Int64 = 0
    ) -> MirrorRow {
        MirrorRow(project: project, logIn: logIn, remote: 1, identifier: project, due: due)
    }

    @Test func `a slow server has one worker while mirrors of others have rounds`() throws {
        try store.write { db in
            for (name, server) in [("ann", "slow"), ("bob", "slow"), ("eve", "quick")] {
                try RedmineLogInRow(
                    logIn: RedmineLogIn(id: name, server: "https://\(server)", account: name),
                    organisation: "o", user: 1, sealed: []
                ).save(db)
            }
            var first = mirror("barn", of: "ann", due: 1)
            let second = mirror("shed", of: "bob", due: 2)
            var other = mirror("house", of: "eve", due: 50)
            for one in [first, second, other] { try one.save(db) }
            #expect(try MirrorRow.due(at: 10, db)?.project == "barn")

            first.isUnderWay = true
            try first.save(db)
            #expect(try MirrorRow.due(at: 10, db) == nil)
            #expect(try MirrorRow.due(at: 60, db)?.project == "house")

            // There are no others any more.
            other.due = .max
            try other.save(db)
            #expect(try MirrorRow.due(at: 60, db)?.project == "shed")
        }
    }

    @Test func `a round that has used all its time lets others go first`() throws {
        var mirror = mirror()
        let snapshot = MirrorSnapshot(
            mirror: mirror, mark: "", linksMark: 0, record: try MirrorStateTests.record(),
            bytes: 0, names: MirrorStateTests.names, links: MirrorLinks(), conflicts: [],
            pending: [], withNotes: [], withUnsentNotes: [], now: 1_000)
        let server = RedmineServer(
            try RedmineAddress("http://127.0.0.1:1"), .key("key"), .everywhere)
        let round = MirrorRound(server: server, user: 5, snapshot: snapshot, rest: nil)
        guard case .read(_, let news, _) = round.run(atMost: .zero) else {
            throw Complaint("it has read nothing")
        }
        #expect(news.isOutOfTime && news.problem != nil)
        mirror.due = 2_000
        mirror.giveWay(at: 1_000)
        #expect(mirror.due == 1_000 + Mirrors.interval)
    }

    /// The link of an issue that was changed at the server at second 1,000.
    private func links(notedAt: Int64) -> MirrorLinks {
        var remote = MirrorStateTests.remote(7, "Roof")
        remote.updated = 1_000
        var links = MirrorLinks()
        links.keep(
            MirrorLinks.Link(
                kind: .issue, number: 7, remote: 7, base: RedmineBody.kept(remote), noted: 900,
                notedAt: notedAt))
        return links
    }

    @Test func `a request that lies ahead, because the clock was set back, hurries no round`() {
        var mirror = mirror()
        (mirror.asked, mirror.began) = (5_500, 5_000)
        mirror.rest(at: 6_000)
        #expect(mirror.due == 6_000)
        mirror.asked = 9_000_000
        mirror.rest(at: 6_000)
        #expect(mirror.due == 6_000 + Mirrors.interval)
    }

    @Test func `notes that were read before the clock was set back are read again`() throws {
        func read(at now: Int64) throws -> [Int: Int] {
            var mirror = mirror()
            mirror.began = 5_000_000
            let aim = Mirrors.noteAim(
                of: mirror, links(notedAt: 8_000_000), beside: [7], at: now)
            guard case .readNotes(let numbers) = aim else { throw Complaint("it does \(aim)") }
            return numbers
        }
        #expect(try read(at: 9_000_000).isEmpty)
        #expect(try read(at: 6_000_000) == [7: 7])
    }

    @Test func `after a request to read everything, all notes count as not read`() throws {
        try store.write { db in
            try MirroredStore.save(links(notedAt: 8_000_000), of: "house", db)
            try MirroredStore.readNotesAgain(of: "house", db)
            let link = try MirroredStore.links(of: "house", db)[.issue, 7]
            #expect(link?.noted == 0 && link?.notedAt == 0)
        }
    }
}
