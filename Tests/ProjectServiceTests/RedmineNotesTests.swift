import RedmineClient
import RedmineMirror
import TestSupport
import TestThreads
import Testing

@testable import ProjectService

/// Tests how much of a server is in memory at a time.
@Suite(.serialized, .waiting) struct RedmineNotesTests {
    private let system: System
    private let server: RedmineServer

    /// Starts a server with ten issues, each with 9 MB of notes.
    init() throws {
        system = try System()
        server = try Self.server(in: system, "10")
    }

    static func server(in system: System, _ arguments: String...) throws -> RedmineServer {
        let program = try system.spawn(
            ["/usr/bin/python3", SMTPServer.fixture("redmine_server.py")] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        try eventually("the server listens") {
            guard program.isRunning else { throw Complaint("no server:\n\(program.err)") }
            return program.out.hasSuffix("\n")
        }
        let address = try RedmineAddress("http://127.0.0.1:\(program.out.dropLast())")
        return RedmineServer(address, .key("key"), .everywhere)
    }

    static func run(_ aim: MirrorTask.Aim, at server: RedmineServer) -> MirrorNews {
        let mirror = MirrorRow(
            project: "house", logIn: "1", remote: 1, identifier: "house", due: 0)
        return MirrorTask(mirror: mirror, server: server, user: 5, aim: aim).run()
    }

    private func read(_ numbers: [Int: Int]) -> MirrorNews {
        Self.run(.readNotes(numbers), at: server)
    }

    @Test func `a round ends when it has as much as an answer may have, not when all is read`() {
        // The first issue no longer exists.
        let asked = [1: 11, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 7, 9: 8, 10: 9, 11: 10]

        let first = read(asked)

        #expect(first.problem == nil && !first.isAtEnd)
        #expect(first.notes.keys.sorted() == [2])
        #expect(first.notes[2]?.notes.count == 150)
        // An issue that wasn't read yet isn't taken for one that doesn't exist.
        #expect(first.unseen == [1])
        let next = read([11: 10, 12: 12])
        #expect(!next.isAtEnd && next.notes.keys.sorted() == [11] && next.unseen == [])
        let rest = read([12: 12])
        #expect(rest.isAtEnd && rest.notes.isEmpty && rest.unseen == [12])
    }

    @Test func `a round ends after thousands of notes, however short they are`() throws {
        let server = try Self.server(in: system, "3", "[]", "[]", "0", "5000", "1")
        let news = Self.run(.readNotes([1: 1, 2: 2, 3: 3]), at: server)
        #expect(news.problem == nil && !news.isAtEnd)
        #expect(news.notes.keys.sorted() == [1])
        #expect(news.notes[1]?.notes.count == 5_000)
    }

    @Test func `a project of tens of thousands isn't read`() throws {
        let server = try Self.server(in: system, "1", "[]", "[]", "10001")
        let news = Self.run(.readAll(offset: 0, last: 0), at: server)
        #expect(news.problem == .strange("the project has more than 10000 members"))
        #expect(news.whole == nil && news.issues.isEmpty)
    }
}
