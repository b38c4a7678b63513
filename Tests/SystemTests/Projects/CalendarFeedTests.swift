import Foundation
import TestSupport
import TestThreads
import Testing

/// People's calendars, fetched from a real server on loopback that fails on request.
@Suite(.serialized, .waiting) struct CalendarFeedTests {
    private let user: ProjectUser
    private let server: WebServer

    init() throws {
        user = try ProjectUser()
        server = try WebServer(in: user.system)
        try user.run("project person add Kari --zone Europe/Oslo")
        try user.run("project person add Ola --zone Europe/Oslo")
        try server.serve(Self.calendar("20270315T090000", "20270315T150000"))
    }

    /// A calendar with one event, in Oslo.
    private static func calendar(
        _ start: String, _ end: String, _ lines: String...
    ) -> String {
        let lines =
            [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//T//T//EN", "BEGIN:VEVENT", "UID:1@t",
                "DTSTAMP:20270101T000000Z", "DTSTART;TZID=Europe/Oslo:\(start)",
                "DTEND;TZID=Europe/Oslo:\(end)", "SUMMARY:Interview at Globex",
            ] + lines + ["END:VEVENT", "END:VCALENDAR", ""]
        return lines.joined(separator: "\r\n")
    }

    /// The hours in Oslo at which Kari is free on the Monday of the calendar.
    private func hours() throws -> [Int] {
        try user.rows("meet find Kari --step 60m --from 2027-03-15 --until 2027-03-15 --limit 50")
            .compactMap { ($0["begin"] as? String)?.dropFirst(11).prefix(2) }
            .compactMap { Int($0).map { $0 + 1 } }.sorted()
    }

    private func calendars() throws -> [[String: Any]] { try user.rows("meet calendar list") }

    private func add(_ path: String = "/kari.ics") throws {
        try user.run("meet calendar add Kari \(server.url(path))")
    }

    @Test func `P8: a calendar makes its owner busy, and its changes are followed`()
        throws
    {
        #expect(try hours() == [8, 9, 10, 11, 13, 14, 15, 16])
        let said = try user.run("meet calendar add Kari \(server.url("/kari.ics"))")
        #expect(said.contains("Kari is busy 1 time until") && !said.contains("kari.ics"))
        #expect(try hours() == [8, 15, 16])
        // Nobody else is busy.
        #expect(
            try user.rows("meet find Ola --from 2027-03-15 --until 2027-03-15 --limit 50").count
                > 10)

        try server.serve(Self.calendar("20270315T130000", "20270315T170000"))
        try user.run("meet calendar fetch")
        #expect(try hours() == [8, 9, 10, 11])
        // A tentative event makes nobody busy.
        try server.serve(Self.calendar("20270315T130000", "20270315T170000", "STATUS:TENTATIVE"))
        try user.run("meet calendar fetch")
        #expect(try hours() == [8, 9, 10, 11])
        #expect(
            try user.rows("meet find Kari --tentative --from 2027-03-15 --until 2027-03-15")
                .contains { $0["unsure"] as? [String] == ["Kari"] })

        let id = try #require(try calendars().first?["id"] as? String)
        try user.run("meet calendar remove \(id.prefix(18))")
        #expect(try hours() == [8, 9, 10, 11, 13, 14, 15, 16] && calendars().isEmpty)
    }

    @Test func `P8: an unchanged calendar isn't downloaded again`() throws {
        try add()
        try user.run("meet calendar fetch")
        let requests = try server.requests()
        #expect(requests.count == 2 && requests[0].headers["if-none-match"] == nil)
        #expect(requests[1].headers["if-none-match"]?.hasPrefix("\"") == true)
        #expect(try hours() == [8, 15, 16])
        // In another zone the same file may mean something else.
        try user.run("project person change Kari --zone America/New_York")
        try user.run("meet calendar fetch")
        #expect(try server.requests().last?.headers["if-none-match"] == nil)
    }

    @Test(arguments: [
        ("404", "it answers 404: it isn't there"), ("401", "it wants another user"),
        ("500", "it answers 500"), ("503 120", "it answers 503"),
        ("page", "it sends a web page, not a calendar"), ("cut", "it sends no calendar"),
        ("hang", "imeout was reached"), ("trickle", "imeout was reached"),
        ("large", "more than 10 MiB"), ("to http://127.0.0.2:1/", "which is in a private network"),
        ("to http://9.9.9.9/", "isn't encrypted"), ("to file:///etc/passwd", "than a URL"),
    ])
    func `P8: a calendar that can't be fetched is reported as stale, and its last state counts`(
        behaviour: String, words: String
    ) throws {
        let ways = words == "it sends no calendar" ? [words, "ransferred a partial file"] : [words]
        // A calendar that can't be read isn't added. One that hangs is waited for as long as one
        // that trickles.
        if behaviour != "hang" {
            try server.behave(behaviour)
            let refusal = try user.refusal(
                of: "meet calendar add Kari \(server.url("/secret-1.ics"))")
            #expect(ways.contains { refusal.contains($0) }, "\(refusal)")
            #expect(refusal.contains(server.url("")) && !refusal.contains("secret-1"))
            #expect(try calendars().isEmpty)
        }

        try server.behave("200")
        try add("/secret-2.ics")
        let read = try #require(try calendars().first?["fetched"] as? String)
        try server.behave(behaviour)
        let fetched = try user.say("meet calendar fetch")
        #expect(fetched.end == .exited(1) && ways.contains { fetched.err.contains($0) })
        let listed = try user.run("meet calendar list")
        #expect(ways.contains { listed.contains($0) } && listed.contains(" ago"), "\(listed)")
        #expect(!listed.contains("secret-2"))
        #expect(try calendars().first?["fetched"] as? String == read)
        let found = try user.say("meet find Kari --from 2027-03-15 --until 2027-03-15")
        #expect(found.err.contains("the calendar of Kari at \(server.url("")) is from"))
        #expect(try hours() == [8, 15, 16])

        try server.behave("200")
        if behaviour == "503 120" {
            // It is left alone for as long as it asks.
            let count = try server.requests().count
            #expect(try user.say("meet calendar fetch").end == .exited(1))
            #expect(try server.requests().count == count)
            return
        }
        try user.run("meet calendar fetch")
        #expect(try calendars().first?["failure"] as? String ?? "" == "")
    }

    @Test func `P8: while a calendar server hangs, other commands are answered`() throws {
        try add()
        try server.behave("hang")
        // The service gives up after some seconds, in which a busy machine may get no answer.
        try eventually("others are answered before the fetch has ended") {
            let before = try server.requests().count
            let fetch = try user.begin("meet calendar fetch")
            try eventually("the server is asked") { try server.requests().count > before }
            try user.run("issue create Dig")
            let isBusy = try calendars().first?["busy"] as? Bool == true && fetch.isRunning
            #expect(try fetch.waitForEnd() == .exited(1))
            return isBusy
        }
    }

    @Test func `P8: the address of a calendar is a secret, and so are its contents`() throws {
        let address = server.url("/private-4711/basic.ics")
            .replacing("http://", with: "http://kari:pass-word@")
        let added = try user.feed("meet calendar add Kari", address + "\n")
        #expect(added.end == .exited(0), "\(added.err)")
        // The server gets the path and the password, and nobody else does.
        let request = try #require(try server.requests().last)
        #expect(request.path == "/private-4711/basic.ics")
        #expect(
            request.headers["authorization"] == "Basic "
                + Data("kari:pass-word".utf8).base64EncodedString())
        var said = added.out + added.err
        for line in ["meet calendar list", "meet calendar list --json", "project history"] {
            said += try user.run(line)
        }
        try server.behave("404")
        said += try user.say("meet calendar fetch").err
        user.service.kill()
        let secrets = ["private-4711", "pass-word", "Globex"].map { Data($0.utf8) }
        #expect(!secrets.contains { Data(said.utf8).range(of: $0) != nil })
        #expect(!secrets.contains { Data(user.service.err.utf8).range(of: $0) != nil })
        let data = user.system.path("data")
        let files = try FileManager.default.subpathsOfDirectory(atPath: data)
        #expect(files.contains { $0.contains("project-service.sqlite") })
        for file in files {
            guard let bytes = FileManager.default.contents(atPath: "\(data)/\(file)") else {
                continue
            }
            for secret in secrets {
                #expect(
                    bytes.range(of: secret) == nil,
                    "\(String(decoding: secret, as: UTF8.self)) in \(file)")
            }
        }
    }

    @Test func `P8: an invalid address is refused without being repeated`() throws {
        for address in [
            "ftp://h/secret", "/srv/kari/secret.ics", "https://", "https://h:99999/secret",
            "https://h/\(String(repeating: "secret", count: 400))",
        ] {
            let refusal = try user.refusal(of: "meet calendar add Kari \(address)")
            #expect(
                refusal.contains("is not the address of a calendar")
                    && !refusal.contains("secret"), "\(refusal)")
        }
        #expect(
            try user.refusal(of: "meet calendar add Eva \(server.url("/"))")
                .contains("no person “Eva”"))
        #expect(
            try user.refusal(of: "meet find Kari --calendar Kari=\(server.url("/"))")
                .contains("steward meet calendar add Kari"))
        #expect(
            try user.refusal(of: "meet calendar remove 0123").contains("there is no calendar"))
        #expect(try calendars().isEmpty && server.requests().isEmpty)
    }
}
