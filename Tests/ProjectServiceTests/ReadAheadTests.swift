import RedmineClient
import RedmineMirror
import Synchronization
import TestSupport
import Testing

@testable import ProjectService

/// Reading the next part of a list while the last one is put into a project.
@Suite struct ReadAheadTests {
    private typealias Ahead = ReadAhead<RemoteIssue>

    /// A list of 20 issues in parts of 4, and the places from which it was read.
    private final class Server: Sendable {
        private let asked = Mutex<[Int]>([])
        private let problem: RedmineProblem?

        init(problem: RedmineProblem? = nil) { self.problem = problem }

        var places: [Int] { asked.withLock(\.self) }

        func read(_ walk: PartWalk) -> ListPart<RemoteIssue> {
            asked.withLock { $0.append(walk.offset) }
            var part = ListPart<RemoteIssue>(walk: walk)
            part.problem = problem
            var page = RedmineReader.Page<RemoteIssue>()
            page.items = (walk.start..<min(walk.start + 4, 20)).map {
                MirrorStateTests.remote($0 + 1, "")
            }
            (page.total, page.offset) = (20, walk.start)
            do { try part.walk.note(page, of: "the list") } catch {
                part.problem = .strange(error.description)
            }
            part.items = page.items
            return part
        }
    }

    private func place(
        _ walk: PartWalk = PartWalk(), of project: String = "house", sweep: Int = 1
    ) -> Ahead.Place {
        let mirror = MirrorRow(
            project: project, logIn: "ann", remote: 7, identifier: project, due: 0)
        return Ahead.Place(mirror, sweep: sweep, offset: walk.offset, last: walk.last)
    }

    @Test func `each part is read once, and the next one before it is requested`() throws {
        let (ahead, server) = (Ahead(), Server())
        var walk = PartWalk()
        var seen: [Int] = []
        while !walk.isDone {
            let part = ahead.part(at: place(walk)) { server.read($0) }
            #expect(part.problem == nil)
            seen += part.items.map(\.id)
            walk = part.walk
            let count = server.places.count
            guard !walk.isDone else { break }
            try eventually("the next part is asked for") {
                server.places.last == walk.offset && server.places.count >= count
            }
        }
        #expect(Set(seen) == Set(1...20))
        #expect(server.places == [0, 4, 7, 10, 13, 16, 19])
    }

    @Test func `a part read ahead counts only for its own place, reading and project`() throws {
        let (ahead, server) = (Ahead(), Server())
        let first = ahead.part(at: place()) { server.read($0) }
        try eventually("the next part is read") { server.places == [0, 4] }
        for other in [place(sweep: 2), place(first.walk, sweep: 3), place(PartWalk(), sweep: 1)] {
            let count = server.places.filter { $0 == other.walk.offset }.count
            _ = ahead.part(at: other) { server.read($0) }
            #expect(server.places.filter { $0 == other.walk.offset }.count > count)
        }
        let garden = ahead.part(at: place(first.walk, of: "garden")) { server.read($0) }
        #expect(garden.items.first?.id == 4)
    }

    @Test func `a part read too long ago is read again, and a failure stops reading ahead`() throws
    {
        let (late, server) = (Ahead(patience: .zero), Server())
        let first = late.part(at: place()) { server.read($0) }
        try eventually("the next part is read") { server.places == [0, 4] }
        _ = late.part(at: place(first.walk)) { server.read($0) }
        try eventually("it was read again, and the next one") { server.places == [0, 4, 4, 7] }
        let broken = Server(problem: .missing)
        #expect(Ahead().part(at: place()) { broken.read($0) }.problem == .missing)
        #expect(broken.places == [0])
    }
}
