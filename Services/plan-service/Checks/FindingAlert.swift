import Messages
import Phrases

/// The rules for what is published after a check of a saved plan.
struct FindingAlert {
    /// The findings that fail now and didn't before.
    let new: [PlanFinding]
    /// The ids of findings that failed before and no longer do.
    let resolved: [String]
    /// The number of findings that fail now.
    let failing: Int

    /// The maximum number of findings listed in an alert.
    static let mostTold = 5
    /// How long an alert that nobody acknowledges stays open, in milliseconds: 30 days.
    static let life: Int64 = 30 * 24 * 3600 * 1000
    /// The maximum number of findings in an event, and about how many bytes of them, so that it can
    /// be sent.
    static let mostPublished = 500
    static let publishedBytes = 400_000

    /// - Parameters:
    ///   - before: the failures when the plan was checked last.
    ///   - now: the present failures.
    init(before: [PlanFinding], now: [PlanFinding]) {
        let (old, present) = (Set(before.map(\.id)), Set(now.map(\.id)))
        new = now.filter { !old.contains($0.id) }
        resolved = before.map(\.id).filter { !present.contains($0) }
        failing = now.count
    }

    /// True if there is nothing to publish.
    var isEmpty: Bool { new.isEmpty && resolved.isEmpty }

    /// The event to publish.
    func event(of plan: Plan) -> FindingsChanged {
        var bytes = 0
        let failing = new.prefix(Self.mostPublished).prefix {
            bytes += $0.packed().count
            return bytes <= Self.publishedBytes
        }
        let ids = resolved.prefix(Self.mostPublished).prefix {
            bytes += $0.utf8.count
            return bytes <= 2 * Self.publishedBytes
        }
        return FindingsChanged(
            plan: plan.id, revision: plan.revision, failing: Array(failing), resolved: Array(ids))
    }

    /// The alert about new failures: one for each plan, for the person who changed it last. Its
    /// title counts all that fails now.
    func raised(
        of plan: Plan, to recipient: String, in organisation: String, at now: Int64
    ) -> AlertRaised {
        let others = failing - new.count
        var lines = new.prefix(Self.mostTold).map(Self.line)
        func add(_ phrase: AlertPhrase, _ count: Int) {
            guard count > 0 else { return }
            lines.append(PhraseLine([Said(phrase, ["count": .number(count)])]))
        }
        add(.moreFindings, new.count - Self.mostTold)
        add(.olderFindings, others)
        var raised = AlertRaised(
            key: Self.key(of: plan.id, to: recipient), kind: "plan.finding", severity: .warning,
            subject: plan.id, recipient: recipient, needsAcknowledgement: true,
            expiresAt: now + Self.life,
            actions: [
                Action(
                    name: "check", Said(.seeFindings), target: "steward plan check \(plan.id)")
            ], organisation: organisation)
        let name = plan.details?.name ?? ""
        raised.say(
            Said(.findings, ["count": .number(failing), "plan": .text(name)]), lines)
        return raised
    }

    /// A failure as one line. If the clause is met, it is the chair that doesn't pass.
    private static func line(of finding: PlanFinding) -> PhraseLine {
        var line = finding.line ?? plainLine(of: finding)
        let clause = Said<AlertPhrase>(.clause, ["clause": .text(finding.clause)])
        line.phrases.append(Phrase(clause))
        return line
    }

    /// The line of a finding that was stored before findings had lines.
    private static func plainLine(of finding: PlanFinding) -> PhraseLine {
        let person = finding.verdict == .fail ? nil : finding.person
        let text = "\(finding.itemName): \(person?.text ?? finding.text)"
        return PhraseLine([Said<AlertPhrase>(.plain, ["text": .text(text)])])
    }

    /// The key of a plan's alert. An alert doesn't move from one person to another: the one for the
    /// person who changed the plan before is withdrawn.
    static func key(of plan: String, to recipient: String) -> String {
        "plan/\(plan)/findings/\(recipient)"
    }
}
