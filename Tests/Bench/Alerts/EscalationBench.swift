import Bus
import Foundation
import Messages
import TestSupport

/// How late an alert that nobody acknowledges reaches the next person, while the notifier is killed
/// each second.
enum EscalationBench {
    /// How many policies there are; one alert escalates by each.
    private static let policies = 1_000
    /// How long an alert waits for an acknowledgement, in milliseconds.
    private static let patience: Int64 = 5_000
    /// The time from one alert to the next, and from one kill to the next.
    private static let (interval, life): (Duration, Duration) = (.milliseconds(20), .seconds(1))
    /// The account to which alerts escalate.
    private static let next = "next"

    static func run(_ figures: inout Figures) throws {
        let scratch = try Scratch("ipc")
        var notifier = try Child(ServiceName.notifier.rawValue, scratch)
        let connection = try scratch.connection()
        let client = try Client(connection, to: .notifier, isPatient: true)
        let reader = try AlertFeedReader(connection, recipient: next)
        for number in 0..<policies {
            _ = try client.ask(KeepPolicy(policy: policy(number)), for: EscalationPolicy.self)
        }

        let start = ContinuousClock.now
        var (raised, told, kills) = (0, 0, 0)
        // When each alert should reach the next person, by its key.
        var due: [String: Int64] = [:]
        var lateness = Samples()
        while told < policies {
            let age = ContinuousClock.now - start
            guard age < .seconds(300) else {
                throw ConfigurationError("only \(told) of \(policies) alerts have escalated")
            }
            if age > life * (kills + 1) {
                notifier.stop()
                notifier = try Child(ServiceName.notifier.rawValue, scratch)
                kills += 1
            }
            if raised < policies, age > interval * raised {
                _ = try client.send(alert(raised), deadline: .seconds(60))
                raised += 1
            }
            for answer in try client.receive(within: .milliseconds(1)) {
                let call = try Client.unpack(answer.result.get(), as: Call.self)
                due["call/\(call.id)"] = call.time + patience
            }
            try reader.turn()
            let now = WallClock.milliseconds()
            for (key, time) in due where reader.ids[key] != nil {
                lateness.add(.milliseconds(now - time))
                due[key] = nil
                told += 1
            }
            usleep(500)
        }
        for (share, word) in [(0.5, "p50"), (0.99, "p99")] {
            figures.add(
                "lateness of \(policies) escalations during \(kills) kills, \(word)",
                lateness.percentile(share) / 1000, "ms", goal: .atMost(1_000))
        }
        notifier.stop()
    }

    private static func policy(_ number: Int) -> EscalationPolicy {
        EscalationPolicy(
            name: "p\(number)", source: ServiceName.notifier.rawValue, kind: "call",
            site: "s\(number)",
            steps: [
                EscalationStep(who: Audience(account: next), after: patience, severity: .urgent)
            ])
    }

    private static func alert(_ number: Int) -> RaiseAlert {
        RaiseAlert(
            audience: Audience(site: "s\(number)"), severity: .warning, title: "Come",
            needsAcknowledgement: true)
    }
}
