import Messages
import Phrases
import RideTracking

/// The alerts of a journey, and their severity.
extension JourneyWatch {
    /// How often an alert is repeated until it is acknowledged, in milliseconds.
    static let readyRepetition: Int64 = 30_000
    static let nowRepetition: Int64 = 10_000
    /// How long an alert about a stop is of use: an hour in milliseconds.
    static let alertLife: Int64 = 3600 * 1000

    /// The key of the alert for a kind of signal.
    func key(_ kind: Signal.Kind) -> String { "journey/\(journey.id)/\(kind.rawValue)" }

    /// The kinds of alerts that a new one makes obsolete.
    static func superseded(by kind: Signal.Kind) -> [Signal.Kind] {
        switch kind {
        case .now: [.getReady, .coarse, .old]
        case .passed:
            // Alerts about the way there are no longer of use, and the ride gives no further ones.
            [
                .getReady, .now, .wrongDirection, .offRoute, .elsewhere, .standing, .skipped,
                .coarse, .old,
            ]
        case .backOnLine: [.wrongDirection, .offRoute, .elsewhere]
        case .servedAgain: [.skipped]
        case .moving: [.standing]
        case .precise: [.coarse]
        case .fresh: [.old]
        case .skipped, .standing, .coarse, .old: []
        case .getReady, .wrongDirection, .offRoute, .elsewhere: []
        }
    }

    /// The alert for a signal; nil for one that only ends others.
    func alert(for timed: Timed, at now: Int64) -> AlertRaised? {
        let signal = timed.signal
        let stop: Said<AlertPhrase>.Value = journey.stop.map { .text($0.name) } ?? .word(.yourStop)
        var alert = AlertRaised(
            key: key(signal.kind), kind: "transit.\(signal.kind.rawValue)", severity: .warning,
            subject: journey.id, recipient: journey.owner, needsAcknowledgement: true,
            repeatEvery: Self.readyRepetition, expiresAt: now + Self.alertLife,
            organisation: organisation, channels: journey.channels)
        switch signal {
        case .getReady(let remaining, let metres, let estimated):
            let time = Self.seconds(remaining)
            alert.say(
                Said(.getReady, ["stop": stop, "time": .seconds(time)]),
                [Self.line(Said(.toGo, ["distance": .metres(Int(metres))]), estimated)])
        case .now(let remaining, let metres, let estimated):
            alert.severity = .urgent
            alert.repeatEvery = Self.nowRepetition
            let time = Self.seconds(remaining)
            let toGo = Said<AlertPhrase>(
                .toGoIn, ["distance": .metres(Int(metres)), "time": .seconds(time)])
            alert.say(Said(.getOff, ["stop": stop]), [Self.line(toGo, estimated)])
        case .passed(let metres):
            alert.severity = .urgent
            let body =
                timed.wayBack.map { way in
                    Said<AlertPhrase>(
                        .passedNext,
                        ["next": .text(way.stop), "distance": .metres(Int(way.metres))])
                } ?? Said<AlertPhrase>(.passedBody, ["metres": .number(Int(metres))])
            alert.say(Said(.passed, ["stop": stop]), [PhraseLine([body])])
        case .wrongDirection:
            let body = Said<AlertPhrase>(.wrongDirectionBody)
            alert.say(Said(.wrongDirection, ["stop": stop]), [PhraseLine([body])])
        case .offRoute(let metres):
            let body = Said<AlertPhrase>(.offRouteBody, ["metres": .number(Int(metres))])
            alert.say(Said(.offRoute, ["stop": stop]), [PhraseLine([body])])
        case .elsewhere(let metres):
            let body = Said<AlertPhrase>(
                .elsewhereBody, ["distance": .metres(Int(min(metres, 21_000_000)))])
            alert.say(Said(.elsewhere, ["stop": stop]), [PhraseLine([body])])
        case .skipped:
            alert.say(
                Said(.skipped, ["stop": stop]),
                [PhraseLine([Said<AlertPhrase>(.skippedBody)])])
        case .standing:
            // It is good to know, but not worth waking anyone.
            (alert.severity, alert.needsAcknowledgement, alert.repeatEvery) = (.info, false, 0)
            alert.say(
                Said(.standing, ["stop": stop]),
                [PhraseLine([Said<AlertPhrase>(.standingBody)])])
        case .coarse(let isArmed):
            let body = Said<AlertPhrase>(isArmed ? .coarseBody : .coarseSilent)
            alert.say(Said(.coarse, ["stop": stop]), [PhraseLine([body])])
        case .old(let isArmed):
            let body = Said<AlertPhrase>(isArmed ? .oldBody : .oldSilent)
            alert.say(Said(.old, ["stop": stop]), [PhraseLine([body])])
        case .backOnLine, .servedAgain, .moving, .precise, .fresh: return nil
        }
        return alert
    }

    /// A remaining time rounded to seconds.
    private static func seconds(_ milliseconds: Int64) -> Int {
        Int(max(0, (milliseconds + 500) / 1000))
    }

    private static func line(_ said: Said<AlertPhrase>, _ isEstimated: Bool) -> PhraseLine {
        PhraseLine(isEstimated ? [said, Said(.estimated)] : [said])
    }
}
