import Messages
import Phrases
import ServiceRuntime

/// Alerts the person who logged in at the server when a mirror needs somebody's help.
enum MirrorAlerts {
    /// The number of failures in a row after which somebody is alerted.
    static let patience = 3
    /// How long an alert stays open if nobody withdraws it, in milliseconds: 30 days.
    private static let life: Int64 = 30 * 86_400_000

    static func subject(_ project: String) -> String { "\(project)/redmine" }

    /// Raises and withdraws alerts according to the state of a mirror.
    static func settle(
        _ mirror: MirrorRow, of project: Project, _ conflicts: Int, in transaction: Transaction
    ) throws {
        let subject = subject(mirror.project)
        guard let logIn = try RedmineLogInRow.ofID(mirror.logIn, transaction.db) else {
            return try transaction.withdrawAlerts(of: subject)
        }
        let present = try transaction.standingAlerts(of: subject)
        var wanted: [StandingAlert] = []
        func alert(_ what: String, _ title: Said<AlertPhrase>, _ body: Said<AlertPhrase>?) {
            let key = "project/\(mirror.project)/redmine/\(what)"
            var raised = AlertRaised(
                key: key, kind: "project.\(what)", severity: .warning, subject: subject,
                recipient: logIn.logIn.account, needsAcknowledgement: true,
                expiresAt: transaction.now + life,
                actions: [
                    Action(
                        name: "show", Said(.seeMirror),
                        target: "steward redmine status -p \(mirror.project)")
                ], organisation: project.organisation)
            raised.say(title, body.map { [PhraseLine([$0])] } ?? [])
            let standing = present.first { $0.key == key }
            // The same matter isn't reported again just because time has passed.
            if let standing, standing.raised.title == raised.title {
                wanted.append(standing)
            } else {
                wanted.append(StandingAlert(raised, since: standing?.since ?? transaction.now))
            }
        }
        if conflicts > 0 {
            alert(
                "mirrorConflict",
                Said(
                    .mirrorConflict, ["project": .text(project.name), "count": .number(conflicts)]),
                nil)
        }
        if mirror.failures >= patience {
            let hasStopped = mirror.due == .max
            let title: AlertPhrase = hasStopped ? .mirrorStopped : .mirrorDown
            alert(
                "mirrorDown", Said(title, ["project": .text(project.name)]),
                hasStopped
                    ? nil : Said(.mirrorDownBody, ["server": .text(logIn.logIn.server)]))
        }
        try transaction.settle(wanted, of: subject)
    }
}
