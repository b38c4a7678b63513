import Bus
import Foundation
import GRDBSQLite
import Messages

/// An event from its commit to the follower's commit: the bench service publishes an alert, the
/// notifier keeps it and notifies a subscriber. The clock starts when the command's reply arrives,
/// one hop after the producer's commit, and stops when the alert arrives, one hop after the
/// follower's.
enum EventBench {
    static func run(_ transport: String, _ figures: inout Figures) throws {
        let scratch = try Scratch(transport)
        let producer = try Child("bench-service", scratch)
        let follower = try Child("notifier", scratch)
        let connection = try scratch.connection()
        let client = try Client(connection, to: .transitAlert, isPatient: true)
        _ = try client.ask(Workload.command(-1000), for: AlertWithdrawn.self)
        let alerts = try connection.connect(
            .subscriber, to: .notifier, .alerts,
            subscribing: [try topic(scratch, isShared: transport != "ipc")])
        try warmUp(client, alerts)

        let bare = BareSQLite(scratch.directory + "/bare", bytes: Workload.rowBytes)
        var samples = Samples()
        var references = Samples()
        for number in 0..<2000 {
            let command = Workload.command(number)
            _ = try client.ask(command, for: AlertWithdrawn.self)
            samples.add(try time { try wait(for: command.key, alerts) })
            references.add(time { bare.commit(1, note: Workload.note) })
        }
        let name = "event over \(transport), commit to follower's commit"
        for (label, share) in [("p50", 0.5), ("p99", 0.99)] {
            figures.add(
                "\(name), \(label)", samples.percentile(share), "us",
                reference: ("us bare SQLite commit, \(label)", references.percentile(share)))
        }
        producer.stop()
        follower.stop()
    }

    /// The topic to subscribe to. Over TCP a feed's topic has a secret, which a person's program
    /// gets with an access token; the measurement reads it from the store.
    private static func topic(_ scratch: Scratch, isShared: Bool) throws -> String {
        guard isShared else { return "alert." }
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            if let topic = firstText("SELECT topic || secret FROM feed", scratch), !topic.isEmpty {
                return topic + "."
            }
            usleep(5000)
        }
        throw ConfigurationError("the notifier has kept no feed")
    }

    private static func firstText(_ sql: String, _ scratch: Scratch) -> String? {
        var db: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(db)
        }
        guard
            sqlite3_open_v2(
                scratch.directory + "/notifier.sqlite", &db, SQLITE_OPEN_READONLY, nil)
                == SQLITE_OK,
            sqlite3_prepare_v2(db, sql, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return sqlite3_column_text(statement, 0).map { String(cString: $0) }
    }

    /// Waits until the subscription is known everywhere and events flow.
    private static func warmUp(_ client: Client, _ alerts: Socket) throws {
        for number in 1...200 {
            _ = try client.ask(Workload.command(-number), for: AlertWithdrawn.self)
            try Poller.wait(for: alerts, milliseconds: 50)
            if try alerts.receive() != nil, number > 20 { break }
        }
        while true {
            try Poller.wait(for: alerts, milliseconds: 300)
            if try alerts.receive() == nil { return }
        }
    }

    private static func wait(for key: String, _ alerts: Socket) throws {
        let end = ContinuousClock.now + .seconds(30)
        while true {
            guard ContinuousClock.now < end else {
                throw ConfigurationError("the alert \(key) did not come")
            }
            while let frames = try alerts.receive() {
                guard frames.count == 2 else { continue }
                let envelope = try Envelope(unpacking: frames[1].bytes)
                guard envelope.type == AlertNotice.protobufName else { continue }
                let notice = try AlertNotice(unpacking: envelope.data)
                if notice.alert?.raised?.key == key { return }
            }
            try Poller.wait(for: alerts, milliseconds: 1000)
        }
    }
}
