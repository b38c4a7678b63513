import Foundation
import TestSupport
import TestThreads
import Testing

/// Bad input is refused, with what is wrong and where, and changes nothing at all.
@Suite(.serialized, .waiting) struct BadInputTests {
    private let user: ProjectUser
    private let server: WebServer
    private let kept = Kept()

    /// What the service keeps, as it was after the last command that was refused.
    private final class Kept {
        var state: [String]?
    }

    init() throws {
        user = try ProjectUser()
        server = try WebServer(in: user.system)
        try server.serve("{}")
        try user.makeChain()
        try user.run("project person add Kari")
    }

    /// Everything that the service keeps about projects, as the command line shows it.
    private func state() throws -> [String] {
        try [
            "project list", "project show", "project history", "project person list",
            "issue list --state all", "issue show 1", "issue show 2", "issue show 3", "time list",
            "meet list", "meet calendar list", "redmine status",
        ].map { try user.run("\($0) --json") }
    }

    /// Expects that a command is refused with certain words, and that nothing has changed.
    /// Nothing else may change it between two commands: use ``change(_:)``.
    private func expect(
        _ line: String, typing input: String? = nil, toSay words: String...,
        at source: SourceLocation = #_sourceLocation
    ) throws {
        let before = try kept.state ?? state()
        let said = try input.map { try user.feed(line, $0) } ?? user.say(line)
        let isRefused = [.exited(1), .exited(64), .exited(66)].contains(said.end)
        #expect(isRefused, "\(line): \(said.end)", sourceLocation: source)
        // It is also said beforehand which server is asked.
        let reasons = said.err.split(separator: "\n").filter { !$0.hasPrefix("asking ") }
            .joined(separator: "\n")
        for word in words {
            #expect(reasons.contains(word), "\(line): \(said.err)", sourceLocation: source)
        }
        let after = try state()
        #expect(after == before, "\(line)", sourceLocation: source)
        kept.state = after
    }

    /// Runs a command that changes something.
    private func change(_ line: String) throws {
        try user.run(line)
        kept.state = nil
    }

    @Test func `an unknown server is named, and the log-in isn't kept`() throws {
        try expect(
            "redmine login https://redmine.invalid", typing: "key\n",
            toSay: "https://redmine.invalid", "the server can't be reached")
        try expect(
            "redmine login http://127.0.0.1:1", typing: "key\n",
            toSay: "http://127.0.0.1:1", "the server can't be reached")
        try expect("redmine login redmine", typing: "key\n", toSay: "redmine")
        try expect("redmine projects", toSay: "you are logged in at no Redmine server")
        try expect("redmine link house", toSay: "you are logged in at no Redmine server")
        try expect("redmine sync", toSay: "mirrors no project of a Redmine server")
    }

    @Test func `a wrong key is refused, naming the server that doesn't accept it`() throws {
        try server.behave("401")
        try expect(
            "redmine login \(server.url(""))", typing: "wrong\n",
            toSay: server.url(""), "does not accept the log-in")
        #expect(try server.requests().first?.headers["x-redmine-api-key"] == "wrong")
        #expect(!user.service.err.contains("wrong"))
    }

    @Test func `a server that isn't Redmine is recognised`() throws {
        for behaviour in ["200", "page", "404", "large", "to http://127.0.0.1:1/"] {
            try server.behave(behaviour)
            try expect("redmine login \(server.url(""))", typing: "key\n", toSay: server.url(""))
        }
        try server.behave("page")
        try expect(
            "redmine login \(server.url(""))", typing: "key\n",
            toSay: "it doesn't answer like a Redmine server", "text/html")
    }

    @Test func `a cycle is refused with the issues that would wait for each other`() throws {
        try expect("issue relate 3 precedes 1", toSay: "#1", "#3")
        try expect("issue relate 1 precedes 1", toSay: "#1")
        try expect("issue relate 2 precedes 1", toSay: "#1", "#2")
        try change("issue create Part --parent 1")
        try expect("issue change 1 --parent 4", toSay: "#1", "#4")
        try expect("issue relate 4 precedes 1", toSay: "#4")
    }

    @Test func `a relation to an issue that isn't there is refused`() throws {
        try expect("issue relate 1 precedes 99", toSay: "has no #99")
        try expect("issue create Late --after 99", toSay: "has no #99")
    }

    @Test func `an invalid date is refused with its place`() throws {
        for (line, day) in [
            ("issue create A --start", "2027-02-30"), ("issue change 2 --due", "2027-13-01"),
            ("issue change 2 --start", "tomorow"), ("project version add One --due", "2027-06-31"),
            ("project holiday", "2027-02-29"), ("schedule propose --from", "0000-00-00"),
            ("project person away Kari", "2026-02-29"), ("gantt --from", "99999-01-01"),
            ("meet find Kari --from", "2027-3-1x"),
        ] { try expect("\(line) '\(day)'", toSay: day) }
        let table = user.system.path("bad.csv")
        try "subject,start,due\nDig,2027-03-01,2027-03-02\nFill,2027-02-30,\n"
            .write(toFile: table, atomically: true, encoding: .utf8)
        try expect("project import '\(table)'", toSay: "3", "start", "2027-02-30")
    }

    @Test func `a due date before the start is refused, naming both`() throws {
        try expect(
            "issue create A --start 2027-03-05 --due 2027-03-04", toSay: "2027-03-04",
            "2027-03-05")
        try expect("issue change 2 --due 2027-03-02", toSay: "2027-03-02", "2027-03-03")
        let table = user.system.path("bad.csv")
        try "subject,start,due\nDig,2027-03-01,2027-03-02\nFill,2027-03-05,2027-03-04\n"
            .write(toFile: table, atomically: true, encoding: .utf8)
        try expect("project import '\(table)'", toSay: "2027-03-04")
    }

    @Test func `100 MB of iCalendar are refused, as a file and from a server`() throws {
        let path = user.system.path("large.ics")
        let event = "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270301T090000Z\r\nEND:VEVENT\r\n"
        var text = Data("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n".utf8)
        let events = Data(String(repeating: event, count: 10_000).utf8)
        while text.count < 100_000_000 { text += events }
        text += Data("END:VCALENDAR\r\n".utf8)
        try text.write(to: URL(filePath: path))
        try expect(
            "meet find Kari --calendar 'Kari=\(path)'", toSay: "large.ics",
            "at most 10485760 are read")
        try server.behave("large")
        try expect(
            "meet calendar add Kari \(server.url("/large.ics"))",
            toSay: server.url(""), "more than 10 MiB")
        // A file that isn't a calendar at all is refused too.
        try "<html>".write(toFile: path, atomically: true, encoding: .utf8)
        try expect(
            "meet find Kari --calendar 'Kari=\(path)'", toSay: "large.ics",
            "is not an iCalendar file")
        try expect(
            "meet find Kari --calendar 'Kari=\(path).none'", toSay: "large.ics.none",
            "can't be read")
    }
}
