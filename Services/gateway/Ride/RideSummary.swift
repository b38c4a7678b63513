import Messages
import Speech
import Terminal

/// The summary of a recorded ride after its replay.
enum RideSummary {
    /// Prints which alerts came when, and when the ride was at the stop.
    static func show(_ player: RidePlayer, endsAtStop: Bool, _ printer: Printer) {
        guard let schedule = player.source as? RideSchedule else { return }
        let journey = player.journey
        let stop = (journey.stop?.name ?? "").printable
        if !player.hasHeard {
            printer.remark("steward: the notifier did not answer, so no alert could be shown")
        }
        guard let place = journey.stop?.place, let nearest = schedule.nearest(to: place),
            nearest.metres < 250
        else {
            return printer.remark("this ride does not come near \(stop)")
        }
        for alert in player.alerts {
            let lead = nearest.time - alert.time
            let words = lead >= 0 ? "before" : "after"
            printer.remark(
                "\(player.clock.clock(alert.time))  \(Self.words(alert.kind)): "
                    + "\(Wording.duration(abs(lead) / 1000 * 1000)) \(words) the stop")
        }
        if schedule.hasTaken(upTo: nearest.time) {
            printer.remark("\(player.clock.clock(nearest.time))  at \(stop)")
        } else if endsAtStop, journey.stage == .now {
            printer.remark("\(player.clock.clock(nearest.time))  the recorded ride is at \(stop)")
        } else {
            printer.remark("the replay was ended before the stop")
        }
    }

    /// The name of an alert's kind, such as `transit.getReady`, for people.
    private static func words(_ kind: String) -> String {
        switch kind {
        case "transit.getReady": "get ready"
        case "transit.now": "get off"
        case "transit.passed": "passed"
        case "transit.wrongDirection": "wrong direction"
        case "transit.offRoute": "left the line"
        case "transit.elsewhere": "far from the line"
        case "transit.skipped": "does not stop there"
        case "transit.standing": "stands still"
        case "transit.coarse": "positions too coarse"
        case "transit.old": "positions too old"
        default: kind
        }
    }
}
