import GRDB
import Messages
import ProjectRecord
import RedmineClient
import RedmineMirror
import ServiceRuntime
import TestStore
import TestSupport
import TestThreads
import Testing

@testable import ProjectService

/// Mirrors that go on with the log-in of somebody else. The log-in that is gone was Ann's, who is
/// user 5 at the server; that of the lead, who is user 6 there, comes after it.
@Suite(.serialized, .waiting) struct TakeoverTests {
    private static let lead = Principal.account(
        "lead", organisation: "o", grants: [Grant(role: .shiftManager)])

    private let store: MemoryStore

    init() throws { store = try MemoryStore(of: .project, ProjectStore.migrator) }

    /// Makes a project that mirrors the first one of a server, and returns its id.
    private func mirror(_ identifier: String = "house", at server: String) throws -> String {
        try store.run(as: Self.lead) { transaction in
            let project = try Projects.create(
                CreateProject(project: Project(identifier: identifier, name: "House")),
                in: transaction)
            var mirror = MirrorRow(
                project: project.id, logIn: "ann", remote: 1, identifier: "house", due: .max)
            mirror.server = server
            try mirror.save(transaction.db)
            return project.id
        }
    }

    private func logIn(_ account: String, user: Int) throws {
        try store.run { transaction in
            try RedmineLogInRow(
                logIn: RedmineLogIn(id: account, server: "https://redmine", account: account),
                organisation: "o", user: user, sealed: [1]
            ).save(transaction.db)
        }
    }

    /// Links the first project of the server, as the lead.
    private func link(_ identifier: String = "house", _ name: String = "House") throws -> String {
        let there = #"{"project":{"id":1,"identifier":"\#(identifier)","name":"\#(name)"}}"#
        let remote = try RedmineReader.project(Array(there.utf8))
        return try store.run(as: Self.lead) {
            try Redmines.link(LinkRedmine(remote: identifier), remote, in: $0).project?.id ?? ""
        }
    }

    // MARK: Servers that aren't known

    @Test func `a mirror whose server isn't known goes on with a project of the same names`()
        throws
    {
        let house = try mirror(at: "")
        try store.run { transaction in
            var links = MirrorLinks()
            let base = try RedmineReader.project(
                Array(#"{"project":{"id":1,"identifier":"house","name":"Home"}}"#.utf8))
            links.keep(
                MirrorLinks.Link(
                    kind: .project, number: MirrorState.itself, remote: 1,
                    base: RedmineBody.kept(RemoteWhole(base))))
            try MirroredStore.save(links, of: house, transaction.db)
        }
        try logIn("lead", user: 6)

        // Another project there may have the same number.
        #expect(try link("shed", "Shed") != house)
        try store.run { try $0.db.execute(sql: "DELETE FROM redmineMirror WHERE logIn = 'lead'") }
        #expect(try link("house", "Home") == house)

        let taken = try store.run { try MirrorRow.of(house, $0.db) }
        #expect(taken?.logIn == "lead" && taken?.server == "https://redmine")
    }

    @Test func `a mirror that hasn't kept the name there goes by the one that its project has`()
        throws
    {
        let house = try mirror(at: "")
        try logIn("lead", user: 6)
        // The first project of another server; its identifier is taken here.
        #expect(throws: Refusal.self) { try link("house", "Holiday home") }
        #expect(try store.run { try MirrorRow.of(house, $0.db) }?.logIn == "ann")

        #expect(try link("house", "House") == house)
    }

    @Test func `a mirror of a server that isn't known stays with a log-in that is there`() throws {
        _ = try mirror(at: "")
        try logIn("ann", user: 5)
        try logIn("lead", user: 6)
        // Its identifier is taken here, so there can't be another one.
        #expect(throws: Refusal.self) { try link() }
    }

    @Test func `of two mirrors of unknown servers, neither is chosen`() throws {
        _ = try mirror(at: "")
        let other = try mirror("home", at: "")
        try logIn("lead", user: 6)

        let refusal = #expect(throws: Refusal.self) { try link() }
        #expect(refusal?.message.contains("of a server that isn't known any more") == true)

        // One whose server is known is the right one.
        try store.run { (transaction: Transaction) throws in
            var mirror = try #require(try MirrorRow.of(other, transaction.db))
            mirror.server = "https://redmine"
            try mirror.save(transaction.db)
        }
        #expect(try link() == other)
    }

    @Test func `if a project has the identifier of its mirror, you are told how to rename it`()
        throws
    {
        let house = try mirror(at: "https://redmine")
        try store.run { try Mirrors.end(house, in: $0) }
        try logIn("lead", user: 6)

        let refusal = #expect(throws: Refusal.self) { try link() }

        #expect(
            refusal?.message.hasSuffix("steward project change -p house --identifier NAME") == true)
    }

    // MARK: Notes

    /// What is written of a note of Ann's in a round of the mirror as it is now.
    private func plan(_ project: String) throws -> PendingNote {
        try store.run { (transaction: Transaction) throws -> PendingNote in
            let mirror = try #require(try MirrorRow.of(project, transaction.db))
            var links = try MirroredStore.links(of: project, transaction.db)
            let notes = try Mirrors.pendingNotes(of: mirror, links, in: transaction)
            let note = try #require(notes.first)
            links.attempt(.note(note, remote: 1), in: 1, at: 1_000)
            try MirroredStore.save(links, of: project, transaction.db)
            return note
        }
    }

    /// Writes a note to a server whose only note is “nnnn”, by Ann, and which accepts no other.
    private func write(_ note: PendingNote) throws -> [String] {
        let program = try store.system.spawn(
            ["/usr/bin/python3", SMTPServer.fixture("redmine_server.py"), "1"]
                + ["[]", "[]", "0", "1", "4"],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        try eventually("the server listens") {
            guard program.isRunning else { throw Complaint("no server:\n\(program.err)") }
            return program.out.hasSuffix("\n")
        }
        let address = try RedmineAddress("http://127.0.0.1:\(program.out.dropLast())")
        let task = MirrorTask(
            mirror: MirrorRow(
                project: "house", logIn: "lead", remote: 1, identifier: "house", due: 0),
            server: RedmineServer(address, .key("key"), .everywhere), user: 6,
            aim: .write(
                [.note(note, remote: 1)],
                known: .init(issues: [:], times: [:], notes: [], activities: [])))
        return task.run().done.map { done in
            guard case .noted(let number, let found) = done else { return "\(done)" }
            return "\(number) is \(found.id)"
        }
    }

    @Test func `a note that was sent with the log-in before isn't written again`() throws {
        let house = try mirror(at: "https://redmine")
        try logIn("ann", user: 5)
        try store.run { transaction in
            let kept = try JournalStore.add(
                IssueEntry(by: "Ann", note: "nnnn", account: "ann"), to: 1, of: house,
                transaction.db)
            var links = MirrorLinks()
            links.keep(MirrorLinks.Link(kind: .issue, number: 1, remote: 1, base: []))
            links.keep(
                MirrorLinks.Link(
                    kind: .note, number: Int(clamping: kept.number), remote: 0, base: []))
            try MirroredStore.save(links, of: house, transaction.db)
        }
        let first = try plan(house)
        #expect(first.attempted == 0 && first.sending.user == 5 && first.sending.text == "nnnn")

        // Its answer is lost, and Ann leaves.
        try store.run { (transaction: Transaction) throws in
            try #require(try RedmineLogInRow.ofID("ann", transaction.db)).delete(transaction.db)
        }
        try logIn("lead", user: 6)
        #expect(try link() == house)
        let second = try plan(house)

        #expect(second.attempted == 1_000 && second.sending.user == 6)
        #expect(second.sending.text == "Ann:\n\nnnnn")
        #expect(try write(second) == ["1 is 10000"])
        // A note that wasn't sent before isn't taken for what Ann has written there.
        var fresh = second
        fresh.sent = []
        #expect(try write(fresh) == [])
        // Whoever comes next looks for what either of them has sent.
        #expect(try plan(house).sent == [first.sending, second.sending])
    }
}
