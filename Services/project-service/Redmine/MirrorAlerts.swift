import Messages
import Phrases
import ServiceRuntime

/// Alerts the person who logged in at the server when a mirror needs somebody's help, and the
/// administrators when it has stopped because that log-in is gone.
enum MirrorAlerts {
    static var timers: [TimerHandler] { [.init(renewal, atAnyTime: renew)] }

    /// The timer kind for the end of a mirror's alerts, which are raised again then.
    private static let renewal = "mirrorAlert"
    /// The number of failures in a row after which somebody is alerted.
    static let patience = 3
    /// How long an alert stays open if nobody withdraws it, in milliseconds: 30 days.
    private static let life: Int64 = 30 * 86_400_000

    static func subject(_ project: String) -> String { "\(project)/redmine" }

    /// Renews the alerts of mirrors that have stopped, because they have no rounds that do so.
    static func prepare(_ transaction: Transaction) throws {
        for mirror in try MirrorRow.all(transaction.db) where mirror.due == .max {
            try renewSoon(mirror.project, in: transaction)
        }
    }

    /// Renews the alerts of a mirror in one of the next turns.
    static func renewSoon(_ project: String, in transaction: Transaction) throws {
        try transaction.setTimer(renewal, subject: project, due: transaction.now)
    }

    /// Renews the alerts of a mirror. If its project can't be read, that is reported as often as an
    /// alert would be raised again.
    private static func renew(_ id: String, due: Int64, in transaction: Transaction) throws {
        _ = try transaction.sparingOthers("redmine") { () -> ProjectRow? in
            guard let mirror = try MirrorRow.of(id, transaction.db),
                let row = try ProjectRow.ofID(id, transaction.db)
            else {
                try transaction.withdrawAlerts(of: subject(id))
                return nil
            }
            let conflicts = try ConflictStore.all(of: id, transaction.db).count
            try settle(mirror, of: row.project, conflicts, in: transaction)
            return row
        } putAside: { _ in
            try transaction.setTimer(renewal, subject: id, due: transaction.now + life)
        }
    }

    /// Raises and withdraws alerts according to the state of a mirror. A log-in that can't be read
    /// is as good as gone: nobody knows whose it is.
    static func settle(
        _ mirror: MirrorRow, of project: Project, _ conflicts: Int, in transaction: Transaction
    ) throws {
        let subject = subject(mirror.project)
        let logIn = try RedmineLogInRow.readable(mirror.logIn, transaction.db)
        let present = try transaction.standingAlerts(of: subject)
        let now = transaction.now
        var wanted: [StandingAlert] = []
        func alert(
            _ what: String, kind: String, _ title: Said<AlertPhrase>, _ body: Said<AlertPhrase>?
        ) {
            let key = "project/\(mirror.project)/redmine/\(what)"
            var raised = AlertRaised(
                key: key, kind: "project.\(kind)", severity: .warning, subject: subject,
                recipient: logIn?.account ?? "", needsAcknowledgement: true,
                expiresAt: now + life,
                actions: [
                    Action(
                        name: "show", Said(.seeMirror),
                        target: "steward redmine status -p \(mirror.project)")
                ], organisation: project.organisation,
                audience: logIn == nil ? Audience(role: .administrator) : nil)
            raised.say(title, body.map { [PhraseLine([$0])] } ?? [])
            let standing = present.first { $0.key == key }
            if let standing, standing.isAcknowledged, raised.count > standing.raised.count {
                // Someone who has seen some conflicts doesn't know about later ones.
                wanted.append(StandingAlert(raised, occasion: now, since: now))
            } else {
                wanted.append(.lasting(raised, after: standing, at: now))
            }
        }
        if conflicts > 0, logIn != nil {
            alert(
                "mirrorConflict", kind: "mirrorConflict",
                Said(
                    .mirrorConflict, ["project": .text(project.name), "count": .number(conflicts)]),
                nil)
        }
        let name = Said<AlertPhrase>.Value.text(project.name)
        // Earlier versions also stopped a mirror after its first failure.
        if mirror.due == .max {
            let what = logIn == nil ? "mirrorStopped/administrators" : "mirrorStopped"
            alert(what, kind: "mirrorDown", Said(.mirrorStopped, ["project": name]), nil)
        } else if mirror.failures >= patience, let logIn {
            alert(
                "mirrorDown", kind: "mirrorDown", Said(.mirrorDown, ["project": name]),
                Said(.mirrorDownBody, ["server": .text(logIn.server)]))
        }
        try transaction.settle(wanted, of: subject)
        guard let end = wanted.map(\.raised.expiresAt).min() else {
            return try transaction.cancelTimer(renewal, subject: mirror.project)
        }
        try transaction.setTimer(renewal, subject: mirror.project, due: end)
    }
}

extension AlertRaised {
    /// The number in its title; 0 if there is none.
    fileprivate var count: Int64 {
        let argument = titlePhrase?.arguments.first { $0.name == "count" }
        guard case .number(let count)? = argument?.value else { return 0 }
        return count
    }
}
