import Messages
import Phrases

/// A check in words: the same on the command line, in a report and on a page.
extension Words<FindingPhrase> {
    /// The result of a check in a sentence, in which what certainly doesn't fit the person's chair
    /// is never only a clause that is met or undecided.
    package func summary(_ check: PlanCheck) -> String {
        let hollow = check.findings.count(where: \.failsForChairAlone)
        let doubtful = check.findings.count(where: \.failsForChairUndecided)
        var parts = [
            say(
                .checkSummary,
                [
                    "failed": "\(check.failed)", "undecided": "\(check.undecided)",
                    "passed": "\(check.passed)",
                ])
        ]
        if hollow > 0 { parts.append(say(.checkHollow, ["count": "\(hollow)"])) }
        if doubtful > 0 { parts.append(say(.checkDoubtful, ["count": "\(doubtful)"])) }
        return parts.joined(separator: ", ")
    }

    /// What the rules passed over: a sentence for each kind, so none if there is nothing.
    package func passedOver(_ over: PassedOver) -> [String] {
        var said: [String] = []
        if over.withoutRooms { said.append(say(.passedWithoutRooms)) }
        if over.thingCount > 0 {
            said.append(say(.passedThings, ["items": names(of: over.things, over.thingCount)]))
        }
        if over.roomCount > 0 {
            said.append(say(.passedRooms, ["items": names(of: over.rooms, over.roomCount)]))
        }
        return said
    }

    /// The names of items, and how many more there are.
    private func names(of items: [NamedItem], _ count: UInt32) -> String {
        let names = items.map { $0.name.isEmpty ? $0.id : say(.named, ["name": $0.name]) }
            .joined(separator: ", ")
        let more = Int(count) - items.count
        return more > 0 ? say(.andMore, ["items": names, "count": "\(more)"]) : names
    }

    /// The clause of a finding, whether it binds, and what it requires.
    package func clause(of finding: PlanFinding) -> String {
        let advisory = finding.advisory && !finding.hasStatus ? ", \(say(.advisory))" : ""
        let required = finding.saysRequired ? "" : ", \(finding.required)"
        return "\(finding.standard) \(finding.clause)\(advisory): \(finding.requirement)"
            + required
    }

    /// What has to be done for a repair that can't be made in the plan alone; nil for the others.
    package func effort(of repair: Repair) -> String? {
        repair.actions.isEmpty ? say(repair.kind == .aid ? .toGet : .toBuild) : nil
    }
}

extension PlanFinding {
    /// True if its requirement contains the required measure, as “at most 15 mm” does “≤ 15 mm”.
    package var saysRequired: Bool {
        requirement.contains(required.replacing("≤ ", with: ""))
    }

    /// The measured value, with a tilde if it was not measured itself; nil if there is none.
    package var measuredValue: String? { measured.map { "\(estimated ? "~" : "")\($0) mm" } }
}
