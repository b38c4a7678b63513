import FloorPlan
import Markup
import Messages
import Phrases
import PlanDrawing

/// The findings of a plan's check, as its page lists them beside the drawing.
struct PlanFindings: Sendable {
    /// Nil if the check has not answered in time.
    let check: PlanCheck?
    let language: Language
    /// The address of the page with repairs; nil if this is that page.
    let repairs: String?

    /// The most rooms that are named because the chair doesn't get into them.
    private static let mostRooms = 20

    private var words: Words<WebPhrase> { Words(language) }
    private var judged: Words<FindingPhrase> { Words(language) }

    /// The findings that are listed, and marked in the drawing.
    var listed: [PlanFinding] { (check?.findings ?? []).filter { !$0.passes } }

    /// How a finding is marked.
    static func kind(_ finding: PlanFinding) -> String {
        finding.verdict == .fail ? "fail" : finding.fails ? "chair" : "doubt"
    }

    /// The section of the page.
    var section: Node {
        var content = [tag("h2", ["id": "findings"], .text(words.say(.findings)))]
        if let check {
            content += result(of: check)
        } else {
            content.append(tag("p", ["class": "note"], .text(words.say(.findingsLate))))
        }
        return tag("section", ["class": "beside", "aria-labelledby": "findings"], content)
    }

    private func result(of check: PlanCheck) -> [Node] {
        let kept = check.reach?.rooms.filter { $0.reached == .fail } ?? []
        let over = check.passedOver.map(judged.passedOver) ?? []
        var content = [tag("p", ["class": "hint"], .text(judged.summary(check)))]
        content += over.map { tag("p", ["class": "note"], .text($0)) }
        content += kept.prefix(Self.mostRooms).map {
            tag("p", ["class": "note obstruction"], .text(keptOut(of: $0)))
        }
        let findings = listed
        if !findings.isEmpty {
            content.append(
                tag(
                    "ol", ["class": "findings"],
                    findings.enumerated().map { item($1, number: $0 + 1) }))
        } else if kept.isEmpty, check.passedOver?.isEmpty == true {
            content.append(tag("p", ["class": "fine"], .text(words.say(.noFinding))))
        }
        if let repairs, findings.contains(where: \.fails) {
            content.append(
                tag(
                    "p", [:],
                    tag("a", ["class": "button", "href": repairs], .text(words.say(.findRepairs)))))
        }
        return content
    }

    /// A line that says that the chair doesn't get into a room.
    private func keptOut(of room: RoomReach) -> String {
        let name = room.name.isEmpty ? room.room : room.name
        let said = Words<ReportPhrase>(language)
            .say(.keptOut, ["obstruction": room.obstruction])
        return "\(name): \(said)"
    }

    private func item(_ finding: PlanFinding, number: Int) -> Node {
        let verdict = judged.say(family: "verdict", "\(finding.verdict)") ?? ""
        var content = [
            tag(
                "h3", [:],
                tag("span", ["class": "number"], .text("\(number)")),
                tag(
                    "span", ["class": finding.verdict == .pass ? "verdict fine" : "verdict"],
                    .text(verdict)),
                tag(
                    "span", [:],
                    .text(finding.itemName.isEmpty ? finding.item : finding.itemName))),
            tag("p", [:], .text(finding.text)),
        ]
        if let person = finding.person {
            let word = judged.say(family: "verdict", "\(person.verdict)") ?? ""
            content.append(
                fact(
                    .forPerson, [word, person.text].filter { !$0.isEmpty }.joined(separator: ": "))
            )
        }
        content.append(fact(.required, finding.required))
        if let measured = finding.measuredValue { content.append(fact(.measured, measured)) }
        if let margin = finding.margin, margin < 0 {
            content.append(fact(.missing, "\(margin.magnitude) mm"))
        }
        content += finding.repairs.map { repair in
            let effort = judged.effort(of: repair).map { $0 + ": " } ?? ""
            return fact(.repairText, effort + repair.text)
        }
        content.append(tag("p", ["class": "hint"], .text(judged.clause(of: finding))))
        return tag(
            "li",
            [
                "class": "finding " + Self.kind(finding), "id": "finding-\(number)",
                "data-finding": "\(number)",
            ], content)
    }

    private func fact(_ phrase: WebPhrase, _ text: String) -> Node {
        tag("p", ["class": "fact"], tag("b", [:], .text(words.say(phrase))), .text(" " + text))
    }
}
