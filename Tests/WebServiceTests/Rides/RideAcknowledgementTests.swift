import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Whoever has heard the page of a ride has acknowledged its alert.
@Suite(.waiting) struct RideAcknowledgementTests {
    private static let demo = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../deploy/demo").standardized.path
    private let lobby: Lobby
    private let cookie: String
    private let account: String

    init() throws {
        lobby = try Lobby(with: ["transit-alert-service"])
        account = try lobby.add("kari", .siteManager)
        try lobby.command("transit", "import", "\(Self.demo)/harbour-line")
        cookie = try lobby.logIn("kari")
    }

    private func post(_ path: String, _ body: String) throws -> Lobby.Answer {
        try lobby.ask(
            "POST", path, cookie: cookie, form: body, kind: "application/json",
            ["Steward-Account: \(account)"])
    }

    /// Positions of the recorded ride, until about three minutes before the stop, as if they had
    /// just been recorded.
    private func positions(at now: Int64) throws -> String {
        let rows = try String(contentsOfFile: "\(Self.demo)/ride.csv", encoding: .utf8)
            .split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
        let last = 730
        let all = stride(from: 630, through: last, by: 5).map { index in
            #"{"time":\#(now - Int64(last - index) * 1000),"accuracy":10,"#
                + #""latitude":\#(rows[index][1]),"longitude":\#(rows[index][2])}"#
        }
        return all.joined(separator: ",")
    }

    /// Begins a ride to the hospital, and returns its id.
    private func begin(_ ids: inout MessageID.Generator, at now: Int64) throws -> MessageID {
        let stops = try lobby.system.client(of: .transitAlert)
            .ask(FindStops(text: "4131"), for: Stops.self).stops
        let stop = try #require(stops.first)
        let ride = ids.next(at: now)
        let begin =
            #"{"id":"\#(ride)","feed":"\#(stop.feed)","stopId":"\#(stop.id)","policy":2}"#
        #expect(try post("/ride", begin).status == 200)
        return ride
    }

    /// What the page learns of the alerts of a ride.
    private func alerts(of ride: MessageID, since: Int64) throws -> String {
        let account = ["Steward-Account: \(account)"]
        let answer = try lobby.ask(
            "GET", "/ride/\(ride)/alerts?since=\(since)", cookie: cookie, account)
        #expect(answer.status == 200, "\(answer.body)")
        return answer.body
    }

    @Test func `the page learns that its alert was acknowledged elsewhere, and only then`() throws {
        var ids = MessageID.Generator()
        let now = WallClock.milliseconds()
        let ride = try begin(&ids, at: now)
        let other = try begin(&ids, at: now)
        // A minute after the last of them it would be time to get off.
        let here = try positions(at: WallClock.milliseconds())
        let sent = #"{"id":"\#(ids.next(at: now))","positions":[\#(here)]}"#
        #expect(try post("/ride/\(ride)/positions", sent).body.contains(#""stage":"getReady""#))
        var listed = ""
        try eventually("the notifier has the alert") {
            listed = try lobby.ask("GET", "/alerts", cookie: cookie).body
            return listed.contains("Get ready")
        }
        #expect(try alerts(of: ride, since: now - 60_000).contains(#""acknowledged":{}"#))

        // As the page of alerts does in another tab.
        let match = try #require(listed.firstMatch(of: /\/alerts\/[0-9a-f-]+\/acknowledge/))
        let path = String(match.output)
        #expect(try lobby.ask("POST", path, cookie: cookie, form: "").status == 303)

        #expect(
            try alerts(of: ride, since: now - 60_000).contains(#""acknowledged":{"getReady":"#))
        #expect(try alerts(of: other, since: now - 60_000).contains(#""acknowledged":{}"#))
    }

    @Test func `the alert to get ready is acknowledged once the page says that it was heard`()
        throws
    {
        var ids = MessageID.Generator()
        let now = WallClock.milliseconds()
        let ride = try begin(&ids, at: now)
        let batch = ids.next(at: now)
        // Nothing has told the passenger to get ready yet.
        let early = try post("/ride/\(ride)/acknowledge", "{}")
        #expect(early.status == 200 && early.body.contains(#""isFound":false"#), "\(early.body)")

        let here = try positions(at: WallClock.milliseconds())
        let sent = #"{"id":"\#(batch)","positions":[\#(here)]}"#
        let answer = try post("/ride/\(ride)/positions", sent)
        #expect(answer.body.contains(#""stage":"getReady""#), "\(answer.body)")

        try eventually("the notifier has the alert") {
            try post("/ride/\(ride)/acknowledge", "{}").body.contains(#""isFound":true"#)
        }
        #expect(try !lobby.ask("GET", "/alerts", cookie: cookie).body.contains("Get ready"))
        #expect(try post("/ride/\(ride)/acknowledge", "{}").body.contains(#""isFound":false"#))
    }
}
