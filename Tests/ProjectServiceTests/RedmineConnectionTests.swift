import RedmineClient
import RedmineMirror
import TestSupport
import TestThreads
import Testing

/// Tests over which connections a Redmine server is asked. The server answers with a calendar, so
/// every request fails; what matters is how it arrives.
@Suite(.serialized, .waiting) struct RedmineConnectionTests {
    private let system: System
    private let web: WebServer
    private let server: RedmineServer

    init() throws {
        system = try System()
        web = try WebServer(in: system)
        try web.serve("BEGIN:VCALENDAR")
        let address = try RedmineAddress(web.url(""))
        server = RedmineServer(address, .key("key"), .everywhere)
    }

    private func ask(_ path: String) {
        #expect(throws: RedmineProblem.self) {
            try server.get(path, read: RedmineReader.user)
        }
    }

    private func change(_ path: String) {
        #expect(throws: RedmineProblem.self) { try server.send("POST", path) }
    }

    /// The connection of each request so far, numbered from 0 in order of appearance.
    private func connections() throws -> [Int] {
        let ports = try web.requests().map(\.connection)
        return ports.map { port in
            Set(ports.prefix { $0 != port }).count
        }
    }

    @Test func `questions go over one connection, and each change over its own`() throws {
        ask("/first")
        ask("/second")
        change("/made")
        change("/made")
        ask("/third")

        #expect(try connections() == [0, 0, 1, 2, 0])
        #expect(try web.requests().allSatisfy { $0.headers["x-redmine-api-key"] == "key" })
    }

    @Test func `a question is asked over a new connection if the server has closed the last one`()
        throws
    {
        try web.behave("cut")
        ask("/first")
        try web.behave("200")
        ask("/second")

        #expect(try web.requests().map(\.path) == ["/first", "/second"])
        #expect(try connections() == [0, 1])
    }

    @Test func `nothing is asked after the deadline`() throws {
        ask("/first")
        var late = server
        late.deadline = ContinuousClock.now
        let problem = #expect(throws: RedmineProblem.self) {
            try late.get("/second", read: RedmineReader.user)
        }
        #expect(problem == .unreachable("its answers take too long"))
        #expect(try web.requests().map(\.path) == ["/first"])
    }

    @Test func `a change whose answer is lost isn't sent a second time`() throws {
        ask("/first")
        try web.behave("cut")

        change("/made")

        #expect(try web.requests().map(\.path) == ["/first", "/made"])
    }

    @Test func `the type of an answer is reported without endless marks`() throws {
        try web.behave("marks")

        let problem = #expect(throws: RedmineProblem.self) {
            try server.get("/first", read: RedmineReader.user)
        }

        let most = String(repeating: "\u{301}", count: 30)
        #expect(problem == .strange("it sends text/e\(most), not JSON"))
    }
}
