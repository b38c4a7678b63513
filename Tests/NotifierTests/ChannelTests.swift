import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime
import TestSupport
import TestThreads
import Testing

@testable import Notifier

/// Alerts from a service, sent through channels to a real web server.
@Suite(.serialized, .waiting) struct ChannelTests {
    let office: PostOffice
    let server: WebServer

    init() throws {
        office = try PostOffice(hasServer: false)
        server = try WebServer(in: office.system)
    }

    func add(
        _ name: String = "phone", _ kind: ChannelKind = .webhook, _ path: String = "/hook",
        from severity: Severity = .info, spare: Bool = false, secret: String? = nil
    ) throws {
        _ = try office.ask(
            KeepChannel(
                channel: AlertChannel(
                    name: name, kind: kind, address: server.url(path), from: severity,
                    spare: spare),
                secret: secret), for: AlertChannel.self)
    }

    func raise(
        _ key: String, _ severity: Severity = .urgent, title: String = "Get off", again: Int64 = 0
    ) throws {
        try office.raise(
            AlertRaised(
                key: key, kind: "test", severity: severity, title: title, body: "Nå",
                recipient: Principal.machineOwner.account, needsAcknowledgement: true,
                repeatEvery: again))
    }

    /// Raises an alert that is about no person's own rides or days.
    func raiseByAccounts(_ key: String, _ severity: Severity) throws {
        try office.raiseByAccounts(
            AlertRaised(
                key: key, kind: "test", severity: severity, title: "Get off",
                recipient: Principal.machineOwner.account, needsAcknowledgement: true))
    }

    /// The deliveries in the notifier's store, oldest first.
    func deliveries() throws -> [AlertDelivery] {
        try office.system.reading(.notifier) { db in
            try Data.fetchAll(db, sql: "SELECT delivery FROM delivery ORDER BY id")
                .map { try AlertDelivery(unpacking: [UInt8]($0)) }
        }
    }

    func wait(for count: Int) throws {
        try eventually("the server has \(count) requests") {
            try server.requests().count >= count
        }
    }

    struct Told: Decodable {
        struct Alert: Decodable {
            let key: String
            let title: String
            let state: String
            let severity: String
        }

        let id: String
        let reason: String
        let feedSequence: UInt64
        let alert: Alert
    }

    func told() throws -> [Told] {
        try server.requests().map {
            try JSONDecoder().decode(Told.self, from: Data($0.body.utf8))
        }
    }

    @Test func `a webhook gets signed notices of an alert, of its change and of its end`() throws {
        try add(secret: "key")
        try raise("a")
        try wait(for: 1)
        try raise("a", title: "Get off now")
        try wait(for: 2)
        let id = try #require(try office.ask(ListAlerts(), for: Alerts.self).alerts.first).id
        _ = try office.ask(AcknowledgeAlert(id: id), for: AlertAcknowledged.self)
        try wait(for: 3)

        let heard = try told()
        #expect(heard.map(\.reason) == ["raised", "changed", "closed"])
        #expect(heard.map(\.alert.title) == ["Get off", "Get off now", "Get off now"])
        #expect(heard.map(\.alert.state) == ["open", "open", "acknowledged"])
        #expect(heard.map(\.feedSequence) == [1, 2, 3])
        for (request, body) in zip(try server.requests(), heard) {
            #expect(request.path == "/hook" && request.headers["idempotency-key"] == body.id)
            #expect(request.headers["content-type"] == "application/json")
            #expect(try request.isSigned(by: "key", in: office.system))
        }
    }

    @Test func `ntfy and Gotify get title, text, priority and token in their own forms`() throws {
        try add("phone", .ntfy, "/base/my-alerts", secret: "tk_1")
        try add("tablet", .gotify, "/push", secret: "app-2")

        try raise("a")
        try wait(for: 2)

        let requests = try server.requests().sorted { $0.path < $1.path }
        #expect(requests.map(\.path) == ["/base/", "/push/message"])
        #expect(requests[0].headers["authorization"] == "Bearer tk_1")
        #expect(requests[1].headers["x-gotify-key"] == "app-2")
        let bodies = try requests.map {
            try #require(
                JSONSerialization.jsonObject(with: Data($0.body.utf8)) as? [String: Any])
        }
        #expect(bodies.map { $0["title"] as? String } == ["Get off", "Get off"])
        #expect(bodies.map { $0["message"] as? String } == ["Nå", "Nå"])
        #expect(bodies.map { $0["priority"] as? Int } == [5, 8])
        #expect(bodies[0]["topic"] as? String == "my-alerts")
    }

    @Test func `a tap on a phone leads to the page on which its alert is acknowledged`() throws {
        struct Push: Decodable {
            struct Extra: Decodable {
                let click: [String: String]?
            }

            let click: String?
            let actions: [[String: String]]?
            let extras: [String: Extra]?
        }
        office.killNotifier()
        try office.startNotifier(adding: [
            "STEWARD_WEB_ORIGIN": "http://localhost:8093 https://steward.example.org",
            "STEWARD_LANG": "sv",
        ])
        try add("phone", .ntfy, "/base/my-alerts")
        try add("tablet", .gotify, "/push", secret: "app-2")

        try raise("a")
        try wait(for: 2)

        let pushes = try server.requests().sorted { $0.path < $1.path }.map {
            try JSONDecoder().decode(Push.self, from: Data($0.body.utf8))
        }
        let page = "https://steward.example.org/alerts"
        #expect(pushes[0].click == page)
        #expect(pushes[0].actions == [["action": "view", "label": "Kvittera", "url": page]])
        #expect(pushes[1].extras?["client::notification"]?.click == ["url": page])
    }

    @Test func `ntfy and Gotify get the same id when a delivery is repeated`() throws {
        struct Push: Decodable {
            let sequence_id: String?
            let extras: [String: [String: String]]?

            var id: String? { sequence_id ?? extras?["steward::delivery"]?["id"] }
        }
        try server.behave("500")
        try add("phone", .ntfy, "/base/my-alerts")
        try add("tablet", .gotify, "/push", secret: "app-2")
        try raise("a")
        try eventually("both failures are stored") {
            try deliveries().filter { $0.attempts > 0 && $0.state == .waiting }.count == 2
        }
        try server.behave("200")
        try office.setClock(60)
        try eventually("both are sent") { try deliveries().map(\.state) == [.sent, .sent] }

        let ids = try server.requests().map {
            try JSONDecoder().decode(Push.self, from: Data($0.body.utf8)).id ?? ""
        }
        let known = try deliveries().map(\.id)
        #expect(ids.count >= 4 && Set(ids) == Set(known))
    }

    @Test func `a channel delivers from its severity up, and no secret is shown`() throws {
        try add("loud", .webhook, "/loud", from: .urgent, secret: "hush")
        try add("all", .webhook, "/all")

        try raise("quiet", .info)
        try raise("loud", .urgent)
        try wait(for: 3)

        let paths = try server.requests().map(\.path).sorted()
        #expect(paths == ["/all", "/all", "/loud"])
        let listed = try office.ask(ListChannels(), for: AlertChannels.self)
        #expect(listed.channels.map(\.name) == ["all", "loud"])
        #expect(listed.channels.map(\.hasSecret) == [false, true])
        #expect(!String(decoding: listed.packed(), as: UTF8.self).contains("hush"))
    }

    @Test(arguments: ["500", "cut", "429 1", "404"])
    func `a failed request is repeated under the same id until the server accepts it`(
        fault: String
    ) throws {
        try add()
        try server.behave(fault)
        try raise("a")
        try wait(for: 1)
        try eventually("the failure is stored") {
            try deliveries().first.map { $0.state == .waiting && !$0.note.isEmpty } ?? false
        }

        try server.behave("200")
        try office.setClock(30)
        try wait(for: 2)
        try eventually("it is sent") { try deliveries().map(\.state) == [.sent] }

        let keys = try server.requests().map { $0.headers["idempotency-key"] }
        #expect(Set(keys).count == 1 && keys.count == 2)
        #expect(try deliveries().map(\.attempts) == [2])
    }

    @Test func `what failed while the clock was ahead is tried again once the clock is set back`()
        throws
    {
        try add()
        try office.setClock(7_200)
        try server.behave("500")
        try raise("a")
        try wait(for: 1)
        try eventually("the failure is stored") {
            try deliveries().first.map { $0.state == .waiting && !$0.note.isEmpty } ?? false
        }

        try server.behave("200")
        try office.setClock(0)
        try wait(for: 2)
        try eventually("it is sent") { try deliveries().map(\.state) == [.sent] }
    }

    @Test func `what the server refuses for good is not tried again, and that is shown`() throws {
        try add()
        try server.behave("422")
        try raise("a")
        try eventually("it is refused") { try deliveries().map(\.state) == [.refused] }

        try office.setClock(3_600)
        try raise("b")
        try wait(for: 2)

        let alerts = try office.system.reading(.notifier) { db in
            try String.fetchAll(db, sql: "SELECT id FROM alert WHERE key = 'a'")
        }
        #expect(try deliveries().first?.alert == alerts.first)
        #expect(try deliveries().first?.note == "the server answers with status 422")
        #expect(try told().map(\.alert.key) == ["a", "b"])
    }

    @Test func `a redirect isn't followed, and an endless response is abandoned`() throws {
        try add("one", .webhook, "/one")
        try server.behave("to \(server.url("/elsewhere"))")
        try raise("a")
        try wait(for: 1)
        try eventually("it has failed") {
            try deliveries().first?.note == "the server answers with status 302"
        }
        try server.behave("flood")
        try office.setClock(60)

        try eventually("it is sent") { try deliveries().map(\.state) == [.sent] }
        #expect(try Set(server.requests().map(\.path)) == ["/one"])
    }

    @Test func `a channel that hangs doesn't delay the others`() throws {
        try add("broken", .webhook, "/first")
        try server.behave("hang")
        try raise("a")
        try wait(for: 1)
        try server.behave("200")
        try add("works", .webhook, "/second")

        try raise("b")
        try wait(for: 2)

        #expect(try server.requests().map(\.path) == ["/first", "/second"])
    }

    @Test func `while a server is away, only the newest state of an alert waits`() throws {
        try add()
        try server.behave("503")
        try raise("a", title: "One")
        try wait(for: 1)
        for title in ["Two", "Three", "Four"] { try raise("a", title: title) }
        try eventually("the last waits") {
            try deliveries().filter { $0.state == .waiting }.count == 1 && deliveries().count == 4
        }

        try server.behave("200")
        try office.setClock(60)
        try eventually("it is sent") { try deliveries().last?.state == .sent }

        #expect(try told().map(\.alert.title).last == "Four")
        #expect(try deliveries().map(\.state) == [.skipped, .skipped, .skipped, .sent])
    }

    @Test func `a backup channel takes over urgent alerts immediately`() throws {
        try add("phone", .webhook, "/broken")
        try add("spare", .webhook, "/spare", spare: true)

        try raise("a", .urgent)
        try wait(for: 2)
        try raise("calm", .info)
        try wait(for: 3)

        #expect(try server.requests().map(\.path).prefix(2) == ["/broken", "/spare"])
        #expect(try server.requests().filter { $0.path == "/spare" }.count == 1)
    }

    @Test func `a channel that fails for ten minutes raises an alert, until it works`() throws {
        try add()
        try server.behave("500")
        try raise("a")
        for (count, time) in [(2, 10), (3, 30), (4, 700)] {
            try wait(for: count - 1)
            try office.setClock(time)
        }
        func open() throws -> [String] {
            try office.system.reading(.notifier) { db in
                try String.fetchAll(
                    db, sql: "SELECT key FROM alert WHERE state = 1 AND source = 'notifier'")
            }
        }
        try eventually("its owner is alerted") {
            try open().contains { $0.hasPrefix("channel/") }
        }

        try server.behave("200")
        try office.setClock(1_400)
        try eventually("the alert is withdrawn") { try open() == [] }
    }

    @Test func `if the notifier is killed in between, nothing is lost and the id stays`() throws {
        try add()
        try server.behave("hang")
        for number in 0..<5 { try raise("\(number)") }
        try wait(for: 1)
        office.killNotifier()
        try server.behave("200")

        try office.startNotifier()
        try eventually("all are sent") {
            try deliveries().map(\.state) == Array(repeating: .sent, count: 5)
        }

        let keys = try told().map(\.alert.key)
        #expect(keys == ["0", "0", "1", "2", "3", "4"])
        #expect(try Set(told().map(\.id)).count == 5)
    }
}
