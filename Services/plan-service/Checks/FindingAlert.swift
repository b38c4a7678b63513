import Messages

/// The rules of what a check of a saved plan tells.
struct FindingAlert {
    /// What fails now and didn't before.
    let new: [PlanFinding]
    /// The ids of what failed before and doesn't any more.
    let resolved: [String]
    /// How many fail now.
    let failing: Int

    /// So many findings are told in full.
    static let mostTold = 5
    /// An alert that nobody acknowledges is kept open so long: 30 days in milliseconds.
    static let life: Int64 = 30 * 24 * 3600 * 1000
    /// Most findings of an event, and about how many bytes of them, so that it can be sent.
    static let mostPublished = 500
    static let publishedBytes = 400_000

    /// - Parameters:
    ///   - before: what failed when the plan was checked last.
    ///   - now: what fails now.
    init(before: [PlanFinding], now: [PlanFinding]) {
        let (old, present) = (Set(before.map(\.id)), Set(now.map(\.id)))
        new = now.filter { !old.contains($0.id) }
        resolved = before.map(\.id).filter { !present.contains($0) }
        failing = now.count
    }

    /// True when nothing is to be told.
    var isEmpty: Bool { new.isEmpty && resolved.isEmpty }

    /// The event that tells it.
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

    /// The alert of what is new: one for a plan, for the person who changed it last.
    func raised(
        of plan: Plan, to recipient: String, in organisation: String, at now: Int64
    ) -> AlertRaised {
        let name = plan.details?.name ?? ""
        let count = new.count == 1 ? "A finding fails" : "\(new.count) findings fail"
        let others = failing - new.count
        var lines = new.prefix(Self.mostTold).map(Self.line)
        if new.count > Self.mostTold { lines.append("And \(new.count - Self.mostTold) more.") }
        if others > 0 { lines.append("\(others) failed before and still fail.") }
        return AlertRaised(
            key: Self.key(of: plan.id, to: recipient), kind: "plan.finding", severity: .warning,
            title: "\(count) in “\(name)”", body: lines.joined(separator: "\n"),
            subject: plan.id, recipient: recipient, needsAcknowledgement: true,
            expiresAt: now + Self.life,
            actions: [
                Action(
                    name: "check", title: "See the findings",
                    target: "steward plan check \(plan.id)")
            ], organisation: organisation)
    }

    /// What fails, in a line. Where the clause is met, it is the chair that doesn't pass.
    private static func line(of finding: PlanFinding) -> String {
        let person = finding.verdict == .fail ? nil : finding.person
        return "\(finding.itemName): \(person?.text ?? finding.text) (\(finding.clause))"
    }

    /// The key of the alert of a plan. An alert doesn't move from one person to another: that of
    /// who changed the plan before is taken back.
    static func key(of plan: String, to recipient: String) -> String {
        "plan/\(plan)/findings/\(recipient)"
    }
}
