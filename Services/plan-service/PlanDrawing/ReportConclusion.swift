import FloorPlan
import Messages
import Papers
import Phrases

/// The first page of a report: what fails, where, what helps and who pays, the chair, what the
/// author concludes, and the signature.
extension ReportContent {
    /// The most findings on the first page.
    private static let mostConcluded = 10

    /// The findings that need action: what certainly fails, by the clause or for the chair.
    private var failing: [(number: Int, finding: PlanFinding)] { numbered.filter(\.finding.fails) }

    /// The rooms that the chair certainly doesn't get into, whatever the clauses say.
    private var keptOut: [RoomReach] { check.reach?.rooms.filter { $0.reached == .fail } ?? [] }

    /// The blocks of the first page.
    var conclusion: [Paper.Block] {
        var blocks: [Paper.Block] = [.heading(report.say(.conclusion))]
        if failing.isEmpty, keptOut.isEmpty {
            blocks += nothingFails
        } else {
            blocks.append(.table(remedies))
            let more = failing.count - Self.mostConcluded
            if more > 0 {
                blocks.append(.paragraph(report.say(.moreBelow, ["count": "\(more)"])))
            }
            let moreRooms = keptOut.count - Self.mostConcluded
            if moreRooms > 0 {
                blocks.append(.paragraph(report.say(.moreRows, ["count": "\(moreRooms)"])))
            }
        }
        let own = details.assessment.written
        if !own.isEmpty { blocks += [.heading(report.say(.ownWords)), .paragraph(own)] }
        return blocks + chair + signature
    }

    /// Says that nothing fails or, if part of the plan was passed over, says what.
    private var nothingFails: [Paper.Block] {
        let over = Words<FindingPhrase>(words.language).passedOver(passedOver)
        guard !over.isEmpty else { return [.paragraph(report.say(.nothingFails))] }
        return ([report.say(.partlyChecked)] + over.map(\.written)).map { .paragraph($0) }
    }

    private var remedies: Paper.Table {
        var rows = failing.prefix(Self.mostConcluded).map { number, finding in
            [
                "\(number)", place(of: finding), what(finding), remedy(finding), payer(finding),
            ]
        }
        rows += keptOut.prefix(Self.mostConcluded).map { room in
            [
                "–", room.name.isEmpty ? room.room.written : room.name.written,
                report.say(.keptOut, ["obstruction": room.obstruction]).written, "–", "–",
            ]
        }
        let columns: [Paper.Column] = [
            .init(title: report.say(.number), isNumber: true, weight: 2),
            .init(title: report.say(.place), weight: 6),
            .init(title: report.say(.lacks), weight: 11),
            .init(title: report.say(.remedy), weight: 9),
            .init(title: report.say(.payer), weight: 5),
        ]
        return Paper.Table(columns: columns, rows: rows)
    }

    /// What is wrong: by how much the clause isn't met, or what the chair needs.
    private func what(_ finding: PlanFinding) -> String {
        guard finding.verdict == .fail else { return (finding.person?.text ?? "").written }
        let isAdvice = finding.advisory && !finding.hasStatus
        let advice = isAdvice ? " (\(report.say(.advisory)))" : ""
        return "✗ \(report.say(.fail))\(advice): \(finding.text)".written
    }

    /// The first repair. If putting something away is enough, that comes first.
    private func remedy(_ finding: PlanFinding) -> String {
        if passesCleared(finding) { return report.say(.putAway) }
        guard let first = finding.repairs.first else { return report.say(.noRemedy) }
        return first.text.written
    }

    /// Who pays for the first repair. Norwegian rules are known; elsewhere people have to ask.
    private func payer(_ finding: PlanFinding) -> String {
        if passesCleared(finding) { return report.say(.paysNobody) }
        guard let first = finding.repairs.first else { return "–" }
        let isNorwegian = ["tek17", "tek10", "husbanken"].contains(finding.standard)
        switch first.kind {
        case .move: return report.say(.paysNobody)
        case .aid: return report.say(isNorwegian ? .paysNAV : .paysUnknown)
        default: return report.say(isNorwegian ? .paysMunicipality : .paysUnknown)
        }
    }

    /// True if a finding fails only because of what can be put away.
    func passesCleared(_ finding: PlanFinding) -> Bool {
        guard finding.fails, let cleared else { return false }
        return cleared.findings.contains { $0.id == finding.id && $0.passes }
    }

    /// The chair, and the space that the person needs in addition.
    private var chair: [Paper.Block] {
        guard let element = plan.elements[details.chair], element.kind == .wheelchair else {
            return []
        }
        let build = element.wheelchair ?? Wheelchair()
        var lines = [
            report.say(
                .chairSize, ["width": metric(element.width), "length": metric(element.depth)])
        ]
        // The check ignores a stated diameter that can't be right.
        let isStated = build.statesCircle(width: element.width, length: element.depth)
        let known: [(ReportPhrase, UInt32)] = [
            (.chairTurning, isStated ? build.turningDiameter : 0), (.chairHands, build.hands),
            (.chairAssistant, build.assistant), (.chairLegRests, build.legRests),
        ]
        for (phrase, measure) in known where measure > 0 {
            lines.append(report.say(phrase, ["measure": metric(measure)]))
        }
        return [
            .heading(report.say(.chair)), .paragraph(lines.joined(separator: " ").written),
        ]
    }

    private var signature: [Paper.Block] {
        let name = [details.author.written, details.authorTitle.written]
            .filter { !$0.isEmpty }.joined(separator: ", ")
        return [
            .paragraph(report.say(.signature)),
            .paragraph(
                String(repeating: "_", count: 16) + "   " + String(repeating: "_", count: 40)
                    + (name.isEmpty ? "" : "   \(name)")),
        ]
    }

    /// The home after those repairs that only move things and that the check has found to go
    /// together.
    ///
    /// - Throws: if the plan can't be drawn.
    func after() throws(Refusal) -> [Paper.Block] {
        var editor = PlanEditor(plan)
        var made: [String] = []
        for id in check.combined {
            guard let (number, finding) = failing.first(where: { $0.finding.id == id }),
                let repair = finding.repairs.first, !repair.actions.isEmpty
            else { continue }
            do {
                _ = try editor.make(repair.actions)
            } catch {
                // They were checked in another plan, so a picture would show what nobody checked.
                return []
            }
            made.append("\(number): \(repair.text)")
        }
        guard !made.isEmpty else { return [] }
        let picture = try PlanPicture(
            editor.plan, details,
            options: PictureOptions(
                scale: .detailed, paper: .a4, dimensions: false,
                language: words.language.rawValue))
        return [
            .heading(report.say(.afterRepairs)),
            .paragraph(made.joined(separator: "; ").written), .drawing(picture.drawing),
        ]
    }
}

extension PlanFinding {
    /// True if its clause says what it is, such as a pre-accepted performance.
    package var hasStatus: Bool { clause.contains("(") && clause.hasSuffix("ytelse)") }
}
