import Foundation
import Markup
import Messages
import Phrases
import TestSupport
import TestThreads
import Testing

@testable import WebService

/// What pages show of very many open alerts.
@Suite(.serialized, .waiting) struct OpenAlertTests {
    @Test func `the most severe alert stays on the pages while a hundred newer ones are open`()
        throws
    {
        let lobby = try Lobby()
        let kari = try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        let fire = "Fire in the kitchen"
        try lobby.raise(fire)
        try eventually("it is there") {
            try lobby.ask("GET", "/alerts", cookie: cookie).body.contains(fire)
        }
        let notifier = try lobby.system.client(of: .notifier)
        func note(_ number: Int) throws {
            _ = try notifier.ask(
                RaiseAlert(
                    audience: Audience(account: kari), severity: .info, title: "Note \(number)",
                    needsAcknowledgement: true), for: Call.self)
        }
        for number in 1...100 { try note(number) }

        let page = try lobby.ask("GET", "/alerts", cookie: cookie).body
        #expect(page.contains(fire) && page.contains("Note 100"))

        let stream = try HTTPPeer(port: lobby.port)
        try stream.send(
            "GET /alerts/stream HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                + "Cookie: \(cookie)\r\n\r\n")
        try stream.receive(1, of: "Note 100")
        try note(101)
        try stream.receive(1, of: "Note 101")
        stream.discard()
        try note(102)
        try stream.receive(1, of: "Note 102")
        try stream.receive(1, of: fire)
    }

    @Test func `an alert of another day has its date`() {
        let day: Int64 = 1_795_000_000_000
        let alert = Alert(id: "1", raised: AlertRaised(title: "Look"), state: .open, time: day)
        let html = AlertPage(alerts: [alert], language: .english, zone: "UTC").list.html
        #expect(html.contains(">2026-11-18 "))
    }

    @Test func `an alert's time is in the site's zone, which is named if this machine's differs`() {
        let alert = Alert(id: "1", state: .open, time: 1_795_000_000_000)
        let html = AlertPage(alerts: [alert], language: .english, zone: "Asia/Tokyo").list.html
        #expect(html.contains("data-in=\"Asia/Tokyo\">2026-11-18 20:06"))
        let isHere = TimeZone.current.secondsFromGMT() == 32_400
        #expect(html.contains("20:06 Asia/Tokyo</time>") != isHere)
        // On a device it is the device's time.
        let other = AlertPage(alerts: [alert], language: .english, zone: nil).list.html
        #expect(other.contains("<time data-time=\"1795000000000\">2026-11-1"))
        // Without a script it stays that of this machine, so its zone is named.
        #expect(other.contains(" \(TimeZone.current.identifier)</time>"))
    }
}
