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
        try warmUp(client, scratch)

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

        var delays: [Double] = []
        try rage(client) {
            let start = ContinuousClock.now
            let call = try notifier.ask(
                RaiseAlert(
                    audience: Audience(account: "dan"), severity: .urgent, title: "Fire"),
                for: Call.self)
            while try count(scratch, "feed = 'alert.local.dan.'") <= delays.count {
                guard ContinuousClock.now - start < .seconds(60) else {
                    throw ConfigurationError("\(call.id) was not told")
                }
                usleep(1_000)
            }
            delays.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        figures.add(
            "an urgent alert in a storm of 100,000, the slowest of \(delays.count)",
            delays.max() ?? .nan, "ms", goal: .atMost(2_000))
        producer.stop()
        follower.stop()
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

    /// Waits until the notifier follows the service.
    private static func warmUp(_ client: Client, _ scratch: Scratch) throws {
        let command = AlertRaised(
            key: "0/first", kind: "bench", title: "First", recipient: "warm", organisation: "w")
        _ = try client.ask(command, for: AlertWithdrawn.self)
        let end = ContinuousClock.now + .seconds(30)
        while try count(scratch, "feed = 'alert.w.warm.'") == 0 {
            guard ContinuousClock.now < end else {
                throw ConfigurationError("the notifier doesn't follow")
            }
            usleep(20_000)
        }
    }
}
