import Dates
import RedmineClient
import RedmineMirror
import TestSupport
import TestThreads
import Testing

@testable import ProjectService

/// Time and issues that were sent to a server whose answer was lost.
@Suite(.serialized, .waiting) struct LostAnswerTests {
    private let system: System

    init() throws { system = try System() }

    /// Time of one person, day and issue, as the server lists it.
    private static func listed(_ id: Int, hours: Int, _ comment: String = "") -> String {
        #"{"id":\#(id),"project":{"id":1},"issue":{"id":3},"user":{"id":5,"name":"Ann Ahl"},"#
            + #""spent_on":"2027-03-01","hours":\#(hours),"comments":"\#(comment)"}"#
    }

    /// A step that logs such time, which was sent when 7 was the highest number at the server.
    private static func step(
        _ number: Int, hours: Int, _ comment: String = ""
    ) throws -> MirrorStep {
        let sent = RemoteTime(
            id: 7, project: 1, issue: 3, user: RemoteName(id: 5, name: ""),
            day: try #require(CivilDate(iso: "2027-03-01")), minutes: hours * 60, comment: comment)
        return .logTime(number: number, issue: 1, values: sent.values, sent: sent)
    }

    /// An issue without a description, as the server lists it.
    private static func listed(
        _ id: Int, _ subject: String, by author: Int = 5, due: String = "2027-03-02"
    ) -> String {
        #"{"id":\#(id),"project":{"id":1},"tracker":{"id":1,"name":"Bug"},"#
            + #""status":{"id":1,"name":"New"},"priority":{"id":2,"name":"Normal"},"#
            + #""author":{"id":\#(author),"name":"Ann Ahl"},"subject":"\#(subject)","#
            + #""description":"","#
            + #""due_date":"\#(due)","done_ratio":0,"updated_on":"2027-03-01T08:00:00Z"}"#
    }

    /// A step that makes such an issue, which was sent when 7 was the highest number at the server.
    private static func making(_ number: Int, _ subject: String) throws -> MirrorStep {
        let values: [RemoteField: RemoteValue] = [
            .subject: .text(subject), .description: .none, .tracker: .number(1), .start: .none,
            .due: .day(try #require(CivilDate(iso: "2027-03-02"))), .estimate: .none,
        ]
        var links = MirrorLinks()
        links.keep(MirrorLinks.Link(kind: .issue, number: 1, remote: 7, base: []))
        links.attempt(
            .make(number: number, values: values, attempted: 0, sent: nil), in: 1,
            at: 1_800_000_000_000)
        let link = try #require(links[.issue, number])
        let sent: RemoteIssue = try #require(link.issue)
        return .make(number: number, values: values, attempted: link.attempted, sent: sent)
    }

    /// Makes issues at a server that has some others, of which 7 is known here, and makes none.
    ///
    /// - Returns: which issue of ours is which there then, with its subject.
    private func make(_ steps: MirrorStep..., at others: String...) throws -> [String] {
        try carryOut(steps, issues: others).map { done in
            guard case .made(let number, let issue, .some(_)) = done else { return "none" }
            return "\(number) is \(issue.id), \(issue.subject)"
        }
    }

    /// Logs time at a server that has some, of which 7 is known here.
    ///
    /// - Returns: which time of ours is which there then, with its hours.
    private func write(_ steps: MirrorStep..., to times: String...) throws -> [String] {
        try carryOut(steps, times: times).map { done in
            guard case .logged(let number, let time, .some(_)) = done else { return "\(done)" }
            return "\(number) is \(time.id), \(time.minutes / 60) h"
        }
    }

    /// Carries steps out at a server.
    private func carryOut(
        _ steps: [MirrorStep], times: [String] = [], issues: [String] = []
    ) throws -> [MirrorNews.Done] {
        let program = try system.spawn(
            [
                "/usr/bin/python3", SMTPServer.fixture("redmine_server.py"), "1",
                "[\(times.joined(separator: ","))]", "[\(issues.joined(separator: ","))]",
            ],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        try eventually("the server listens") {
            guard program.isRunning else { throw Complaint("no server:\n\(program.err)") }
            return program.out.hasSuffix("\n")
        }
        let address = try RedmineAddress("http://127.0.0.1:\(program.out.dropLast())")
        let task = MirrorTask(
            mirror: MirrorRow(
                project: "house", logIn: "1", remote: 1, identifier: "house", due: 0),
            server: RedmineServer(address, .key("key"), .everywhere), user: 5,
            aim: .write(
                steps, known: .init(issues: [7: 0], times: [7: 0], notes: [], activities: [])))
        let news = task.run()
        #expect(news.problem == nil)
        return news.done
    }

    @Test func `an issue without a description that was renamed there isn't made again`() throws {
        let done = try make(
            Self.making(2, "Door"), at: Self.listed(7, "Roof"), Self.listed(8, "Gate"))
        #expect(done == ["2 is 8, Gate"])
    }

    @Test func `an issue that was sent with another log-in isn't made again`() throws {
        let door = try Self.making(2, "Door")
        let former = try make(
            door, at: Self.listed(8, "Gate", by: 6), Self.listed(9, "Door", by: 6))
        #expect(former == ["2 is 9, Door"])
        // One with this log-in is more likely, but nobody else's is taken for a renamed one.
        let own = try make(door, at: Self.listed(8, "Door", by: 6), Self.listed(9, "Door"))
        #expect(own == ["2 is 9, Door"])
        #expect(try make(door, at: Self.listed(8, "Gate", by: 6)) == ["none"])
    }

    @Test func `an issue that was there before, or differs, isn't mistaken for one that was sent`()
        throws
    {
        let done = try make(
            Self.making(2, "Door"), at: Self.listed(4, "Gate"), Self.listed(7, "Roof"),
            Self.listed(8, "Fence", due: "2027-03-09"))
        #expect(done == ["none"])
    }

    @Test(arguments: ["Door", "Gate"])
    func `a private issue isn't mistaken for one that was sent`(subject: String) throws {
        let hidden = Self.listed(8, subject)
            .replacing(#""done_ratio":0"#, with: #""done_ratio":0,"is_private":true"#)
        #expect(try make(Self.making(2, "Door"), at: hidden) == ["none"])
    }

    @Test func `an issue that was also sent isn't mistaken for it`() throws {
        let done = try make(
            Self.making(2, "Door"), Self.making(3, "Gate"), at: Self.listed(8, "Gate"))
        #expect(done == ["none", "3 is 8, Gate"])
    }

    @Test(arguments: ["", "Slate"])
    func `time whose hours were changed there meanwhile isn't logged again`(
        comment: String
    ) throws {
        let done = try write(
            Self.step(1, hours: 1, comment),
            to: Self.listed(7, hours: 2, comment), Self.listed(8, hours: 3, comment))
        #expect(done == ["1 is 8, 3 h"])
    }

    @Test func `time that was there before isn't mistaken for what was sent without a comment`()
        throws
    {
        let done = try write(
            Self.step(1, hours: 1), to: Self.listed(4, hours: 3), Self.listed(7, hours: 2))
        #expect(done == ["1 is 8, 1 h"])
    }

    @Test func `time that was also sent isn't mistaken for it, unless it is there once more`()
        throws
    {
        let once = try write(
            Self.step(1, hours: 1), Self.step(2, hours: 2), to: Self.listed(8, hours: 2))
        #expect(once == ["1 is 9, 1 h", "2 is 8, 2 h"])
        let twice = try write(
            Self.step(1, hours: 1), Self.step(2, hours: 2),
            to: Self.listed(8, hours: 2), Self.listed(9, hours: 2))
        #expect(twice == ["1 is 9, 2 h", "2 is 8, 2 h"])
    }

    @Test func `time is sent with the highest number that is known at the server`() throws {
        var links = MirrorLinks()
        guard case .logTime(_, _, let values, let before?) = try Self.step(1, hours: 1) else {
            throw Complaint("not logged")
        }
        for remote in [3, 7, 5] {
            links.keep(
                MirrorLinks.Link(
                    kind: .entry, number: remote, remote: remote, base: RedmineBody.kept(before)))
        }
        links.attempt(
            .logTime(number: 8, issue: 1, values: values, sent: nil), in: 1, at: 1_000)
        #expect(links[.entry, 8]?.time == before)
        #expect(links[.entry, 8]?.attempted == 1_000)
    }
}
