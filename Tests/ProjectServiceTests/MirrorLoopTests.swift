import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// A large mirror works outside the loop.
@Suite(.serialized, .waiting) struct MirrorLoopTests {
    private static let issues = 800

    private let team: Team
    private let other: Client

    /// Makes a mirror of a large project, and waits until both sides are the same.
    init() throws {
        team = try Team()
        other = try team.system.client(of: .project)
        try team.mirrorHouse(issues: Self.issues)
    }

    private func link() throws -> RedmineLink? { try team.houseLink() }

    @Test func `commands are answered while a large mirror is planned and stored`() throws {
        let before = try #require(try link())
        #expect(before.issues == UInt32(Self.issues) && before.waiting == 0)
        try team.make("shed")
        var round = try editDuringRound()
        // Other load on the machine delays an edit in some rounds; the loop would do so in all.
        for _ in 1..<5 where round.longest >= round.whole / 4 { round = try editDuringRound() }
        // In the loop each round would read, plan and merge all issues before the next command.
        #expect(
            round.longest < round.whole / 4,
            "\(round.longest) of \(round.whole), \(round.count) commands")
        #expect(round.count >= 20)
    }

    /// Compares everything once, while another client edits another project, one edit after
    /// another.
    ///
    /// - Returns: the longest wait of that client, how long all of it took, and the number of
    ///   edits.
    private func editDuringRound() throws -> (longest: Duration, whole: Duration, count: Int) {
        let before = try #require(try link())
        let begun = ContinuousClock.now
        _ = try other.ask(
            SyncRedmine(project: "house", everything: true), for: RedmineLink.self,
            deadline: .seconds(60))
        var waits: [Duration] = []
        var busy = true
        while busy {
            let sent = ContinuousClock.now
            _ = try other.ask(
                EditProject(
                    project: "shed",
                    actions: [.keep(.issue(TrackedIssue(subject: "Nail \(waits.count)")))]),
                for: ProjectEdited.self, deadline: .seconds(60))
            waits.append(.now - sent)
            if waits.count.isMultiple(of: 20) {
                busy = try link()?.synced == before.synced
            }
        }
        let whole = begun.duration(to: .now)
        return (try #require(waits.max()), whole, waits.count)
    }

    @Test func `an edit during a round is kept, and sent in the next round`() throws {
        #expect(try #require(try link()).failure == "")
        _ = try team.ask(SyncRedmine(project: "house"), for: RedmineLink.self)
        var issue = try #require(try team.issues()[7])
        for number in 1...10 {
            issue.subject = "Nail \(number)"
            let edited = try team.edit("house", .keep(.issue(issue)))
            guard case .issue(let kept)? = edited.changes.first?.after?.thing else {
                throw Complaint("no issue in \(edited)")
            }
            issue = kept
        }
        try eventually("the server has the edit") {
            guard let link = try link() else { return false }
            return link.waiting == 0 && !link.busy
        }
        // What the server has is read again.
        let before = try #require(try link())
        #expect(before.failure == "" && before.conflicts.isEmpty)
        _ = try team.ask(SyncRedmine(project: "house", everything: true), for: RedmineLink.self)
        try eventually("everything was read") { try link()?.synced ?? 0 > before.synced }
        #expect(try team.issues()[7]?.subject == "Nail 10")
    }
}

extension Team {
    /// Mirrors the project of a server with this many issues, and waits until both sides are the
    /// same.
    func mirrorHouse(issues: Int) throws {
        let server = try system.spawn(
            ["/usr/bin/python3", SMTPServer.fixture("redmine_server.py"), "\(issues)"],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        try eventually("the server listens") {
            guard server.isRunning else { throw Complaint("no server:\n\(server.err)") }
            return server.out.hasSuffix("\n")
        }
        let port = try #require(Int(server.out.dropLast()))
        _ = try ask(
            LogInToRedmine(server: "http://127.0.0.1:\(port)", secret: "key"),
            for: RedmineLogIn.self)
        _ = try ask(LinkRedmine(remote: "house"), for: RedmineLink.self)
        try eventually("both sides are the same", within: .seconds(300)) {
            try houseLink()?.synced ?? 0 > 0
        }
    }

    /// The mirror that ``mirrorHouse(issues:)`` has made.
    func houseLink() throws -> RedmineLink? {
        try ask(ListRedmineLinks(project: "house"), for: RedmineLinks.self).links.first
    }
}
