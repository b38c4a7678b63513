import Bus
import Foundation
import GRDB
import Messages

/// How long people wait for an alert while the notifier has much to do: one alert for ten thousand
/// people, and an urgent one in the middle of a storm.
enum AlertBench {
    private static let people = 10_000
    private static let storm = 100_000
    /// How many commands of the storm are under way at a time.
    private static let window = 1_000

    static func run(_ figures: inout Figures) throws {
        let scratch = try Scratch("ipc")
        try Child("notifier", scratch).stop()
        try enrol(scratch)
        let follower = try Child("notifier", scratch)
        let producer = try Child("bench-service", scratch)
        let connection = try scratch.connection()
        let client = try Client(connection, to: .transitAlert, isPatient: true)
        let notifier = try Client(connection, to: .notifier, isPatient: true)
        try warmUp(client, "warm", scratch)
        // Another service, from which urgent alerts come during the storm.
        let other = try Child(
            "bench-service", scratch, adding: ["BENCH_NAME": ServiceName.checklist.rawValue])
        let otherClient = try Client(connection, to: .checklist, isPatient: true)
        try warmUp(otherClient, "ready", scratch)

        let start = ContinuousClock.now
        let command = AlertRaised(
            key: "1/everyone", kind: "bench", severity: .warning, title: "Come",
            organisation: "o", audience: Audience())
        _ = try client.ask(command, for: AlertWithdrawn.self)
        while try count(scratch, "feed LIKE 'alert.o.%'") < people {
            guard ContinuousClock.now - start < .seconds(120) else {
                throw ConfigurationError("not everyone was told")
            }
            usleep(20_000)
        }
        figures.add(
            "an alert for 10,000 people, until the last is told",
            (ContinuousClock.now - start) / .seconds(1), "s", goal: .atMost(5))

        var (byHand, byService) = ([Double](), [Double]())
        try rage(client) {
            let alert = RaiseAlert(
                audience: Audience(account: "dan"), severity: .urgent, title: "Fire")
            let first = try delay(of: "alert.local.dan.", scratch) {
                _ = try notifier.ask(alert, for: Call.self)
            }
            byHand.append(first)
            let raised = AlertRaised(
                key: "\(byService.count)/fire", kind: "bench", severity: .urgent, title: "Fire",
                recipient: "eve", organisation: "o")
            let second = try delay(of: "alert.o.eve.", scratch) {
                _ = try otherClient.ask(raised, for: AlertWithdrawn.self)
            }
            byService.append(second)
        }
        for (name, delays) in [("a person", byHand), ("another service", byService)] {
            figures.add(
                "urgent alert of \(name) in a storm of 100,000, slowest of \(delays.count)",
                delays.max() ?? .nan, "ms", goal: .atMost(2_000))
        }
        other.stop()
        producer.stop()
        follower.stop()
    }

    /// How long it takes until an alert is in a feed, in milliseconds.
    private static func delay(
        of feed: String, _ scratch: Scratch, raise: () throws -> Void
    ) throws -> Double {
        let before = try count(scratch, "feed = '\(feed)'")
        let start = ContinuousClock.now
        try raise()
        while try count(scratch, "feed = '\(feed)'") == before {
            guard ContinuousClock.now - start < .seconds(60) else {
                throw ConfigurationError("nothing was told in \(feed)")
            }
            usleep(1_000)
        }
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    /// Raises a storm of alerts as fast as they are answered.
    ///
    /// - Parameters:
    ///   - client: the client of the service that raises them.
    ///   - now: called a few times during the storm.
    private static func rage(_ client: Client, now: () throws -> Void) throws {
        var (sent, answered) = (0, 0)
        while answered < storm {
            while sent < storm, sent - answered < window {
                let command = AlertRaised(
                    key: "\(sent % 1_000)/storm/\(sent)", kind: "bench", severity: .info,
                    title: "Wind", recipient: "p\(sent % people)", organisation: "o")
                _ = try client.send(command, deadline: .seconds(60))
                sent += 1
            }
            answered += try client.receive(within: .seconds(60)).count
            if answered % (storm / 10) < window { try now() }
        }
    }

    /// Stores the people as if account-service had published them.
    private static func enrol(_ scratch: Scratch) throws {
        let store = try DatabaseQueue(path: scratch.directory + "/notifier.sqlite")
        try store.write { db in
            for number in 0..<people {
                let account = Account(id: "p\(number)", organisation: "o")
                try db.execute(
                    sql: "INSERT INTO member (account, organisation, member) VALUES (?, ?, ?)",
                    arguments: [account.id, "o", Data(account.packed())])
            }
        }
        try store.close()
    }

    private static func count(_ scratch: Scratch, _ condition: String) throws -> Int {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let store = try DatabaseQueue(
            path: scratch.directory + "/notifier.sqlite", configuration: configuration)
        defer { try? store.close() }
        return try store.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM notice WHERE \(condition)") ?? 0
        }
    }

    /// Waits until the notifier follows the service of a client.
    private static func warmUp(
        _ client: Client, _ recipient: String, _ scratch: Scratch
    ) throws {
        let command = AlertRaised(
            key: "0/first", kind: "bench", title: "First", recipient: recipient, organisation: "w")
        _ = try client.ask(command, for: AlertWithdrawn.self)
        let end = ContinuousClock.now + .seconds(30)
        while try count(scratch, "feed = 'alert.w.\(recipient).'") == 0 {
            guard ContinuousClock.now < end else {
                throw ConfigurationError("the notifier doesn't follow")
            }
            usleep(20_000)
        }
    }
}
