import LocalTime
import Messages
import Phrases
import ServiceRuntime

/// The alerts of scheduled shifts that did not begin.
struct StartAlerts {
    /// The site.
    let site: SiteRow
    /// Its local time.
    let localTime: LocalTime

    /// How long an alert stands, in milliseconds: a day from when the shift should have begun.
    static let span: Int64 = 24 * 3_600_000
    /// The maximum number of starts that are reported, and of people for each.
    static let (most, mostPeople) = (5, 10)
    /// How often an alert is repeated until it is acknowledged: every ten minutes, in milliseconds.
    static let repetition: Int64 = 600_000

    /// The alerts that should stand at a time.
    ///
    /// - Parameters:
    ///   - starts: what became of the scheduled shifts.
    ///   - now: milliseconds since 1970.
    ///   - leaders: whom to alert; a person may be in it twice.
    func wanted(
        _ starts: [StartRow], at now: Int64, leaders: (StartRow) throws -> [String]
    ) rethrows -> [StandingAlert] {
        try starts.filter { $0.start.outcome != .begun && $0.start.due > now - Self.span }
            .sorted { $0.start.due > $1.start.due }.prefix(Self.most)
            .flatMap { start in
                var seen: Set<String> = []
                return try leaders(start).filter { seen.insert($0).inserted }
                    .prefix(Self.mostPeople).map { alert(start, to: $0, at: now) }
            }
    }

    private func alert(_ row: StartRow, to recipient: String, at now: Int64) -> StandingAlert {
        let start = row.start
        let isWaiting = start.outcome == .waiting
        var raised = AlertRaised(
            key: "schedule/\(start.schedule)/\(start.date)/\(recipient)",
            kind: "checklist.scheduled", severity: isWaiting ? .warning : .urgent,
            subject: site.site.id, recipient: recipient, needsAcknowledgement: true,
            repeatEvery: Self.repetition, organisation: site.organisation, site: site.site.id)
        let clock = Said<AlertPhrase>.Value.text("\(start.date) \(time(start.due))")
        raised.say(
            Said(isWaiting ? .shiftWaiting : .shiftMissed, ["clock": clock]),
            [PhraseLine([body(row)])])
        return StandingAlert(raised, occasion: isWaiting ? 0 : 1, since: min(start.due, now))
    }

    private func body(_ row: StartRow) -> Said<AlertPhrase> {
        guard row.start.outcome == .waiting else { return row.reason(at: site.site.name) }
        return Said(
            .shiftWaitingBody,
            [
                "site": .text(site.site.name), "manager": .text(row.start.text),
                "until": .text(time(row.start.latest)),
            ])
    }

    private func time(_ time: Int64) -> String { localTime.reading(at: time).time }
}

extension StartRow {
    /// Why the shift did not begin.
    func reason(at site: String) -> Said<AlertPhrase> {
        switch start.reason {
        case .open: Said(.shiftMissedOpen, ["site": .text(site), "manager": .text(start.text)])
        case .manager:
            Said(.shiftMissedManager, ["site": .text(site), "manager": .text(shift.managerName)])
        case .refused:
            Said(.shiftMissedRefused, ["site": .text(site), "reason": .text(start.text)])
        default: Said(.shiftMissedOff, ["site": .text(site)])
        }
    }
}
