import Bus
import Messages

/// An event from its commit to the follower's commit: the bench service publishes an alert, the
/// notifier keeps it and tells a subscriber. The clock starts when the command's reply is here,
/// which is one hop after the producer's commit, and stops when the alert is here, one hop after
/// the follower's.
enum EventBench {
    static func run(_ transport: String, _ figures: inout Figures) throws {
        let scratch = try Scratch(transport)
        let producer = try Child("bench-service", scratch)
        let follower = try Child("notifier", scratch)
        let connection = try scratch.connection()
        let client = try Client(connection, to: .transitAlert, isPatient: true)
        let alerts = try connection.connect(
            .subscriber, to: .notifier, .alerts, subscribing: ["alert."])
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

    /// Until the subscription is known everywhere and events flow.
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
        while true {
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
