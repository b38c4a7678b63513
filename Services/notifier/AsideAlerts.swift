import Messages
import Phrases
import ServiceRuntime

/// Alerts the caretakers of the installation when services put aside what they could not do.
enum AsideAlerts {
    static func setAside(
        _ event: SetAside, _ envelope: Envelope, in transaction: Transaction
    ) throws {
        try report(event, of: envelope.source, in: transaction)
    }

    /// Raises or changes the alerts of the caretakers; withdraws them when nothing is left, also
    /// from those who are no longer caretakers.
    static func report(
        _ event: SetAside, of service: String, in transaction: Transaction
    ) throws {
        let alert = event.alert(of: service)
        guard event.count > 0 else {
            return try AlertHandling.withdrawAll(beginningWith: alert.key + "/", in: transaction)
        }
        try AlertHandling.raise(
            alert, toCaretakersOf: Principal.localOrganisation, in: transaction)
    }
}

extension SetAside {
    /// The alert that reports it, still without a recipient and the rest of its key.
    func alert(of service: String) -> AlertRaised {
        var raised = AlertRaised(
            key: "aside/\(service)/\(kind.rawValue)", kind: "service.setAside",
            severity: .warning, subject: service, needsAcknowledgement: true)
        let name = Said<AlertPhrase>.Value.text(service)
        let title: Said<AlertPhrase>
        switch kind {
        case .job: title = Said(.jobAside, ["service": name])
        case .errand: title = Said(.errandAside, ["service": name])
        case .command: title = Said(.commandAside, ["service": name])
        case .timer:
            title = Said(
                .timersFail, ["service": name, "count": .number(Int(clamping: count))])
        case .letter, .unspecified, .unrecognized:
            title = Said(
                .lettersAside, ["service": name, "count": .number(Int(clamping: count))])
        }
        let line = kind == .job ? "steward jobs list" : "steward dead-letters list"
        if kind == .job || kind == .letter {
            raised.actions = [Action(name: "list", Said(.seeAside), target: line)]
        }
        let body = Said<AlertPhrase>(
            .asideBody, ["type": .text(type), "reason": .text(reason)])
        raised.say(title, [PhraseLine([body])])
        return raised
    }
}
