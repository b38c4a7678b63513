import Messages
import RideTracking

/// What a passenger is told, and how urgently.
extension JourneyWatch {
    /// How often an alert is repeated until it is acknowledged: milliseconds.
    static let readyRepetition: Int64 = 30_000
    static let nowRepetition: Int64 = 10_000
    /// An alert about a stop is of no use an hour later: milliseconds.
    static let alertLife: Int64 = 3600 * 1000

    /// The key of the alert for a kind of signal.
    func key(_ kind: Signal.Kind) -> String { "journey/\(journey.id)/\(kind.rawValue)" }

    /// The alerts that a new one makes pointless.
    static func superseded(by kind: Signal.Kind) -> [Signal.Kind] {
        switch kind {
        case .now: [.getReady]
        case .passed: [.getReady, .now]
        case .getReady, .wrongDirection, .offRoute: []
        }
    }

    /// The alert for a signal.
    func alert(for signal: Signal, at now: Int64) -> AlertRaised {
        let stop = journey.stop?.name ?? "your stop"
        var alert = AlertRaised(
            key: key(signal.kind), kind: "transit.\(signal.kind.rawValue)", severity: .warning,
            subject: journey.id, recipient: journey.owner, needsAcknowledgement: true,
            repeatEvery: Self.readyRepetition, expiresAt: now + Self.alertLife,
            organisation: organisation)
        switch signal {
        case .getReady(let remaining, let metres, let estimated):
            alert.title = "Get ready: \(stop) in about \(Self.minutes(remaining))"
            alert.body = Self.distance(metres) + Self.doubt(estimated)
        case .now(let remaining, let metres, let estimated):
            alert.severity = .urgent
            alert.repeatEvery = Self.nowRepetition
            alert.title = "Get off at the next stop: \(stop)"
            alert.body =
                "\(Self.distance(metres)), about \(Self.minutes(remaining))" + Self.doubt(estimated)
        case .passed(let metres):
            alert.severity = .urgent
            alert.title = "You have passed \(stop)"
            alert.body = "It is \(Int(metres)) m behind you: get off and go back"
        case .wrongDirection:
            alert.title = "You are riding away from \(stop)"
            alert.body = "The vehicle runs against the direction of the line that you named"
        case .offRoute(let metres):
            alert.title = "The vehicle has left the line to \(stop)"
            alert.body = "The stop is \(Int(metres)) m away as the crow flies; it may be a detour"
        }
        return alert
    }

    /// A time still to go, as it is said: “45 seconds”, “3 min 20 s”.
    static func minutes(_ milliseconds: Int64) -> String {
        let seconds = max(0, (milliseconds + 500) / 1000)
        guard seconds >= 60 else { return "\(seconds) seconds" }
        return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
    }

    private static func distance(_ metres: Double) -> String {
        let metres = max(0, Int(metres))
        return metres < 1000
            ? "\(metres / 10 * 10) m to go" : "\(metres / 1000).\(metres % 1000 / 100) km to go"
    }

    private static func doubt(_ isEstimated: Bool) -> String {
        isEstimated ? " (estimated: there is no fresh position)" : ""
    }
}
