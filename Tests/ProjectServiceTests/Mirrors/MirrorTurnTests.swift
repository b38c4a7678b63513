import GRDB
import ProjectRecord
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

    private func mirror(_ project: String = "house") -> MirrorRow {
        MirrorRow(project: project, logIn: "ann", remote: 1, identifier: project, due: 0)
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
