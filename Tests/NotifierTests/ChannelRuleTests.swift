import Foundation
import GRDB
import Messages
import TestStore
import TestSupport
import Testing
import Transfers

@testable import Notifier

struct ChannelRuleTests {
    private static let noon: Int64 = 1_795_348_800_000  // 2026-11-22T12:00:00Z

    @Test(arguments: [
        ("https://ntfy.sh/alerts", "https://ntfy.sh", "alerts", "ntfy.sh"),
        ("http://10.0.0.5:8080/a/b/", "http://10.0.0.5:8080/a", "b", "10.0.0.5"),
        ("https://[fe80::1]:2586/x", "https://[fe80::1]:2586", "x", "fe80::1"),
        ("https://Gotify.Example.org", "https://Gotify.Example.org", nil, "gotify.example.org"),
        ("https://hook.example.org/?key=a/b", "https://hook.example.org", nil, "hook.example.org"),
    ])
    func `an address is split into its parts`(
        text: String, server: String, topic: String?, host: String
    ) throws {
        let address = try ChannelAddress(text)

        #expect(address.server == server && address.topic == topic && address.host == host)
    }

    @Test(arguments: [
        "", "ntfy.sh/alerts", "ftp://ntfy.sh/alerts", "https:///alerts", "https://a b.example.org",
        "https://ann:secret@ntfy.sh/alerts", "https://ntfy.sh/alerts#top", "https://ntfy.sh:0/a",
        "https://ntfy.sh:70000/a", "https://ntfy.sh/\r\nHost: x", "file:///etc/passwd",
        "https://ntfy.sh/" + String(repeating: "a", count: 2_000),
    ])
    func `an address that isn't a web server's is refused`(text: String) {
        #expect(throws: Refusal.self) { _ = try ChannelAddress(text) }
    }

    @Test(
        arguments: [
            ([:], "http://localhost:8093/alerts", true), ([:], "http://[::1]:8093/", true),
            ([:], "http://127.0.0.1:8094/", false), ([:], "http://10.0.0.5:8093/", false),
            (["STEWARD_WEB_LISTEN": "[::1]:9000"], "http://localhost:9000/hook", true),
            (["STEWARD_WEB_LISTEN": "[::1]:9000"], "http://localhost:8093/hook", false),
            (["STEWARD_WEB_PORT": "9001"], "http://localhost:9001/hook", true),
            (
                ["STEWARD_WEB_ORIGIN": "https://Steward.example.org"],
                "https://steward.example.org/", true
            ),
            (
                ["STEWARD_WEB_ORIGIN": "http://localhost:80 https://a.example.org:444"],
                "https://a.example.org:444/hook", true
            ),
            (["STEWARD_WEB_ORIGIN": "https://a.example.org"], "https://b.example.org/hook", false),
            (["STEWARD_WEB_ORIGIN": "https://a.example.org"], "https://a.example.org:8443/", false),
            // Behind a proxy other programs may have paths of the same host.
            (
                [
                    "STEWARD_WEB_ORIGIN": "https://a.example.org",
                    "STEWARD_CHANNEL_HOSTS": "a.example.org",
                ], "https://a.example.org/gotify", false
            ),
            (["STEWARD_CHANNEL_HOSTS": "localhost"], "http://localhost:8093/", true),
            // All addresses of this machine, and web-service's name in a container network.
            ([:], "http://0.0.0.0:8093/", true), ([:], "http://[::]:8093/alerts", true),
            ([:], "http://0.0.0.0:8094/", false), ([:], "http://web-service:8093/alerts", true),
            (["STEWARD_WEB_PORT": "9001"], "http://web-service:8093/alerts", true),
            (["STEWARD_WEB_PORT": "9001"], "http://web-service:9001/alerts", false),
            ([:], "https://web-service/", false),
        ] as [([String: String], String, Bool)])
    func `no channel leads to Steward's own pages`(
        settings: [String: String], text: String, isRefused: Bool
    ) throws {
        let channel = AlertChannel(name: "loop", kind: .webhook, address: text)
        let pages = StewardPages(settings)

        if isRefused {
            #expect(throws: Refusal.self) { try channel.validate(apartFrom: pages) }
        } else {
            #expect(throws: Never.self) { try channel.validate(apartFrom: pages) }
        }
    }

    @Test(arguments: ["", "mail", "my phone", "phøne", String(repeating: "a", count: 41)])
    func `a name that can't be typed is refused`(name: String) {
        let channel = AlertChannel(name: name, kind: .webhook, address: "https://example.org/")

        #expect(throws: Refusal.self) { try channel.validate(secret: nil) }
    }

    @Test(arguments: [
        "a b", "key\r\nX-Injected: 1", "schlüssel", String(repeating: "k", count: 1_001),
    ])
    func `a secret that could break out of its header is refused`(secret: String) {
        let channel = AlertChannel(name: "phone", kind: .webhook, address: "https://example.org/")

        #expect(throws: Refusal.self) { try channel.validate(secret: secret) }
        #expect(throws: Never.self) { try channel.validate(secret: "tk_0123456789+/=") }
    }

    @Test func `a failing channel is tried less and less often, but at least every ten minutes`() {
        var channel = AlertChannel()

        let waits = (0..<12).map { _ in (channel.fail("down", pause: 0, at: 1_000) - 1_000) / 1_000
        }

        #expect(waits == [5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600, 600])
        #expect(channel.fail("busy", pause: 1_800, at: 0) == 1_800_000)
        #expect(channel.fail("busy", pause: .max, at: 0) == 3_600_000)
    }

    @Test func `a channel is dead once it has failed for ten minutes, until it works`() {
        var channel = AlertChannel()
        for second: Int64 in [0, 5, 15] { _ = channel.fail("down", pause: 0, at: second * 1_000) }

        #expect(!channel.isDead(at: 599_999) && channel.isDead(at: 600_000))
        channel.succeed(at: 600_000)
        #expect(!channel.isDead(at: 9_000_000) && channel.error.isEmpty)
    }

    @Test func `a failure since a time ahead of the clock counts from now`() {
        var channel = AlertChannel()
        for second: Int64 in [90_000, 5, 15] {
            _ = channel.fail("down", pause: 0, at: second * 1_000)
        }

        #expect(channel.failingSince == 5_000 && channel.isDead(at: 605_000))
    }

    @Test(arguments: [
        // From 22:00 to 7:00 in Oslo, an hour ahead of UTC.
        ("2026-11-22T20:59:59Z", nil), ("2026-11-22T21:00:00Z", "2026-11-23T06:00:00Z"),
        ("2026-11-23T03:00:00Z", "2026-11-23T06:00:00Z"), ("2026-11-23T06:00:00Z", nil),
        // The clock goes forward that night, so seven o'clock comes an hour sooner.
        ("2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"),
    ])
    func `in quiet hours everything but urgent alerts waits until they are over`(
        now: String, end: String?
    ) throws {
        let hours = QuietHours(from: 22 * 60, until: 7 * 60, timeZone: "Europe/Oslo")
        func milliseconds(_ text: String) throws -> Int64 {
            Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970) * 1_000
        }
        let time = try milliseconds(now)

        #expect(hours.end(for: .warning, at: time) == (try end.map(milliseconds) ?? time))
        #expect(hours.end(for: .urgent, at: time) == time)
        #expect(QuietHours().end(for: .info, at: time) == time)
    }

    @Test func `quiet hours during the day hold nothing back at night`() {
        let hours = QuietHours(from: 12 * 60, until: 14 * 60, timeZone: "Etc/UTC")

        #expect(hours.end(for: .info, at: Self.noon) == Self.noon + 7_200_000)
        #expect(hours.end(for: .info, at: Self.noon + 7_200_000) == Self.noon + 7_200_000)
        #expect(hours.end(for: .info, at: Self.noon - 1) == Self.noon - 1)
    }

    @Test func `quiet hours end in the hour that comes again when the clock is set back`() {
        let hours = QuietHours(from: 22 * 60, until: 150, timeZone: "Europe/Oslo")
        // 2026-10-25 at 02:10, the second time, and an hour earlier.
        let time: Int64 = 1_792_890_600_000

        #expect(hours.end(for: .info, at: time + 20_000) == time + 1_200_000)
        #expect(hours.end(for: .info, at: time - 3_600_000) == time - 2_400_000)
    }

    @Test func `quiet hours of an unknown zone, or of no length, are refused`() {
        for hours in [
            QuietHours(from: 1, until: 2, timeZone: "Europe/Nowhere"),
            QuietHours(from: 60, until: 60, timeZone: "Etc/UTC"),
        ] { #expect(throws: Refusal.self) { try hours.validate() } }
    }

    @Test func `a silence covers what it names, until it ends, but nothing urgent`() {
        var alert = Alert(
            source: "plan-service",
            raised: AlertRaised(key: "plan/1/findings", kind: "plan.findings"),
            severity: .warning)
        let silence = Silence(source: "plan-service", key: "plan/1", until: 100)

        #expect(silence.silences(alert, at: 99) && !silence.silences(alert, at: 100))
        alert.raised?.key = "plan/2/findings"
        #expect(!silence.silences(alert, at: 0))
        #expect(Silence(kind: "plan.findings", until: 100).silences(alert, at: 0))
        alert.severity = .urgent
        #expect(!Silence(source: "plan-service", until: 100).silences(alert, at: 0))
        #expect(Silence(source: "plan-service", until: 100, urgentToo: true).silences(alert, at: 0))
        alert.source = "notifier"
        #expect(
            !Silence(source: "plan-service", until: 100, urgentToo: true).silences(alert, at: 0))
    }

    @Test func `old notices are deleted in parts, without a look at the others`() throws {
        let store = try DatabaseQueue()
        try NotifierStore.migrator.migrate(store)
        try store.write { db in
            for number in 1...5 {
                try db.execute(
                    sql: "INSERT INTO notice VALUES ('f', ?, ?, x'')",
                    arguments: [number, number * 1000])
            }
            let steps = try db.steps(of: Notice.deletion, [0, 1])
            #expect(!steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")

            #expect(try Notice.prune(before: 4000, most: 2, db))
            #expect(try !Notice.prune(before: 4000, most: 2, db))
            #expect(try Int.fetchAll(db, sql: "SELECT sequence FROM notice") == [4, 5])
        }
    }

    @Test func `it is known whether there are more old deliveries`() throws {
        let store = try DatabaseQueue()
        try NotifierStore.migrator.migrate(store)
        try store.write { db in
            for number in 1...3 {
                try db.execute(
                    sql: """
                        INSERT INTO delivery (
                            id, feed, channel, alert, isUrgent, state, due, changed, delivery)
                        VALUES (?, 'f', 'c', 'a', 0, 3, 0, ?, x'')
                        """, arguments: ["d\(number)", number * 1000])
            }

            #expect(try AlertDelivery.prune(endedBefore: 4000, most: 2, db))
            #expect(try !AlertDelivery.prune(endedBefore: 4000, most: 2, db))
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM delivery") == 0)
        }
    }

    @Test func `a silence that was begun while the clock was ahead is not in force, nor kept`()
        throws
    {
        let (now, hour) = (1_800_000_000_000 as Int64, 3_600_000 as Int64)
        var ids = MessageID.Generator()
        let store = try MemoryStore.ofNotifier()
        let silences = [now - hour, now + 24 * hour].map {
            Silence(id: "\(ids.next(at: $0))", kind: "k", until: $0 + 48 * hour)
        }
        let alert = Alert(raised: AlertRaised(kind: "k"), severity: .warning)

        #expect(silences.map { $0.silences(alert, at: now) } == [true, false])
        try store.run(at: now) { transaction in
            let feed = AlertFeedAddress(organisation: "", recipient: "ann")
            for silence in silences { try silence.save(feed, transaction.db) }
            try Silence.endAhead(in: transaction)
            #expect(try Silence.all(of: feed, at: now, transaction.db) == [silences[0]])
        }
    }

    @Test(arguments: [
        Silence(until: 1), Silence(source: "a", until: 0), Silence(source: "a", until: .max),
    ])
    func `a silence of everything, in the past, or for years is refused`(silence: Silence) {
        #expect(throws: Refusal.self) { try silence.validate(at: 0) }
    }
}
