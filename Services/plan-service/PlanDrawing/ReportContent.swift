import FloorPlan
import Foundation
import Messages
import Papers
import Phrases

/// What a report says, block by block.
struct ReportContent {
    let plan: FloorPlan
    let details: PlanDetails
    let check: PlanCheck
    /// The same without movable aids; nil if there are none.
    let cleared: PlanCheck?
    let words: Words<DrawingPhrase>

    /// The most findings that are listed one by one.
    private static let most = 200
    /// The most rows of a table, far more than a home has rooms, doors or aids.
    private static let mostRows = 500

    var report: Words<ReportPhrase> { Words(words.language) }

    /// The findings that are numbered in the drawing.
    var numbered: [(number: Int, finding: PlanFinding)] {
        check.findings.filter { !$0.passes }.enumerated().map { ($0 + 1, $1) }
    }

    /// How many are met, how many fail and how many are undecided.
    var summary: String {
        let hollow = check.findings.count(where: \.failsForChairAlone)
        let doubtful = check.findings.count(where: \.failsForChairUndecided)
        let sentences = [
            report.say(
                hollow > 0 ? .metButNotForChair : .met,
                ["count": "\(check.passed)", "hollow": "\(hollow)"]),
            report.say(.failed, ["count": "\(check.failed)"]),
            report.say(
                doubtful > 0 ? .undecidedNotForChair : .undecided,
                ["count": "\(check.undecided)", "hollow": "\(doubtful)"]),
        ]
        return sentences.joined(separator: " ")
    }

    /// The blocks before the drawing.
    var opening: [Paper.Block] {
        var blocks: [Paper.Block] = []
        let description = details.description.written
        if !description.isEmpty { blocks.append(.paragraph(description)) }
        if usedStandards.isEmpty { blocks.append(.paragraph(report.say(.withoutStandard))) }
        if !hasChair {
            blocks.append(.paragraph(report.say(.withoutChair)))
        } else if check.reach == nil {
            blocks.append(.paragraph(report.say(.withoutEntrance)))
        }
        return blocks + conclusion
    }

    /// True if the check was for a chair.
    private var hasChair: Bool {
        check.reach != nil || plan.elements[details.chair]?.kind == .wheelchair
            || check.findings.contains { $0.person != nil }
    }

    /// The standards that were checked, and those of the findings, with their editions.
    private var usedStandards: Set<[String]> {
        Set(check.standards.map { [$0.id.uppercased(), $0.edition] }).union(
            check.findings.map { [$0.standard.uppercased(), $0.edition] })
    }

    /// The blocks after the drawing.
    var rest: [Paper.Block] {
        findings + rooms + doors + aids + standards + [
            .heading(report.say(.notChecked)), .paragraph(report.say(.notCheckedText)),
        ] + outsideRooms + roomsWithoutUse + clauses + [
            .heading(report.say(.disclaimer)), .paragraph(report.say(.disclaimerText)),
        ]
    }

    /// Says of each standard which of its clauses were applied, so that nobody takes another one
    /// for one that is met.
    private var clauses: [Paper.Block] {
        // What aids need by their own sizes isn't a standard, and has no edition.
        let standards = usedStandards.filter { !$0[1].isEmpty }.map { $0[0] }
        // An answer doesn't have all findings of a large plan: those that pass are last.
        let all = [check.passed, check.failed, check.undecided].reduce(0) { $0 + Int($1) }
        let lacksSome = check.findings.count < all
        return Set(standards).sorted().compactMap { standard -> Paper.Block? in
            let found = check.findings.filter { $0.standard.uppercased() == standard }
            let clauses = Set(found.map(\.clause.written)).sorted {
                $0.compare($1, options: .numeric) == .orderedAscending
            }
            if lacksSome, clauses.isEmpty { return nil }
            let phrase: ReportPhrase =
                lacksSome
                ? .someClausesApplied : clauses.isEmpty ? .noClauseApplied : .clausesApplied
            return .paragraph(
                report.say(
                    phrase,
                    ["standard": standard, "clauses": clauses.joined(separator: "; ")]))
        }
    }

    /// What the rules passed over, from the check or, if an earlier version made that, from the
    /// plan.
    var passedOver: PassedOver { check.passedOver ?? PassedOver(plan) }

    /// Says that there are no rooms, and names the things that are in none.
    private var outsideRooms: [Paper.Block] {
        var over = passedOver
        over.roomCount = 0
        return Words<FindingPhrase>(words.language).passedOver(over)
            .map { .paragraph($0.written) }
    }

    /// The rooms that the rules didn't examine.
    private var roomsWithoutUse: [Paper.Block] {
        let rooms = plan.roomsWithoutUse
        guard !rooms.isEmpty else { return [] }
        let names = rooms.prefix(Self.mostRows)
            .map { ($0.name.isEmpty ? $0.id : $0.name).written }
        let sentence = report.say(.withoutUse, ["rooms": names.joined(separator: ", ")])
        return [.paragraph(sentence)] + notListed(of: rooms.count)
    }

    /// A table with a row for each thing, up to ``mostRows``.
    private func table<Thing>(
        _ columns: [Paper.Column], of things: [Thing], row: (Thing) -> [String]
    ) -> [Paper.Block] {
        let rows = things.prefix(Self.mostRows).map(row)
        return [.table(Paper.Table(columns: columns, rows: rows))] + notListed(of: things.count)
    }

    /// Says how many are left out, if any.
    private func notListed(of count: Int) -> [Paper.Block] {
        let more = count - Self.mostRows
        return more > 0 ? [.paragraph(report.say(.moreRows, ["count": "\(more)"]))] : []
    }

    func place(of finding: PlanFinding) -> String {
        let name = finding.itemName.written
        return name.isEmpty ? finding.item.written : Self.capitalised(name)
    }

    private static func capitalised(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }

    private func clause(of finding: PlanFinding) -> String {
        [finding.standard.uppercased(), finding.clause].filter { !$0.isEmpty }
            .joined(separator: " ").written
    }

    func said(_ person: PersonFinding) -> String {
        switch person.verdict {
        case .pass: "✓ \(report.say(.fits))"
        case .fail: "✗ \(report.say(.fitsNot))"
        case .uncertain: "? \(report.say(.uncertain))"
        case .unknown: "? \(report.say(.unknown))"
        case .unspecified, .unrecognized: report.say(.noChair)
        }
    }

    private func answer(_ verdict: Verdict) -> String {
        switch verdict {
        case .pass: "✓ \(report.say(.yes))"
        case .fail: "✗ \(report.say(.no))"
        case .uncertain, .unknown: "? \(report.say(.uncertain))"
        case .unspecified, .unrecognized: "–"
        }
    }

    private var findings: [Paper.Block] {
        guard !numbered.isEmpty else { return [] }
        var blocks: [Paper.Block] = [.heading(report.say(.findings))]
        blocks += numbered.prefix(Self.most).map { .item(item($0, $1)) }
        let more = numbered.count - Self.most
        if more > 0 { blocks.append(.paragraph(report.say(.moreFindings, ["count": "\(more)"]))) }
        return blocks
    }

    private func item(_ number: Int, _ finding: PlanFinding) -> Paper.Item {
        let (sign, standing) = standing(of: finding)
        var detail = [standing, clause(of: finding)]
        let requirement = finding.requirement.written
        // Otherwise the title already says it.
        if !finding.required.isEmpty, !finding.saysRequired {
            detail.append(report.say(.required, ["measure": finding.required]))
        }
        if let measured = finding.measuredValue {
            detail.append(report.say(.measured, ["measure": measured]))
        }
        if let margin = finding.margin {
            let lacking: ReportPhrase = finding.required.hasPrefix("≤") ? .tooMuch : .missing
            detail.append(
                report.say(
                    margin < 0 ? lacking : .margin, ["measure": "\(margin.magnitude) mm"]))
        }
        if finding.tolerance > 0 {
            detail.append(report.say(.tolerance, ["measure": "\(finding.tolerance) mm"]))
        }
        if finding.advisory, !finding.hasStatus { detail.append(report.say(.advisory)) }
        var notes = [finding.text].filter { !$0.isEmpty }
        if let person = finding.person, person.verdict != .unspecified {
            notes.append(report.say(.chairSaid, ["verdict": said(person), "text": person.text]))
        }
        if passesCleared(finding) { notes.append(report.say(.passesCleared)) }
        notes += finding.repairs.map { report.say(.repair, ["text": $0.text]) }
        if !finding.source.isEmpty { notes.append(report.say(.source, ["source": finding.source])) }
        return Paper.Item(
            sign: sign,
            title: "\(number)  \(place(of: finding)): \(requirement)",
            detail: detail.filter { !$0.isEmpty }.joined(separator: " · ").written,
            notes: notes.map(\.shown))
    }

    /// The sign of a finding, and its meaning in words, as in the drawing: what meets the clause
    /// isn't marked like what fails it.
    private func standing(of finding: PlanFinding) -> (Paper.Sign, String) {
        switch finding.sign {
        case .failure: (.notOk, report.say(.fail))
        case .chairFailure:
            (
                .notOkForPerson,
                finding.verdict == .pass ? words.say(.chairFails) : undecided(finding)
            )
        default: (.uncertain, undecided(finding))
        }
    }

    /// The words for an undecided finding: unknown if nothing was measured, otherwise uncertain.
    private func undecided(_ finding: PlanFinding) -> String {
        finding.verdict == .unknown && finding.measured == nil
            ? report.say(.unknown) : report.say(.uncertain)
    }

    func metric(_ millimetres: UInt32) -> String {
        "\(words.exact(millimetres, .centimetres)) cm"
    }

    private var rooms: [Paper.Block] {
        guard let reach = check.reach else { return [] }
        let chair = report.say(
            .chairSize, ["width": metric(reach.width), "length": metric(reach.length)])
        var rooms = reach.rooms
        if rooms.count > Self.mostRows {
            // Those that somebody has to do something about come first.
            func isWell(_ room: RoomReach) -> Bool { room.reached == .pass && room.turned == .pass }
            rooms = rooms.filter { !isWell($0) } + rooms.filter(isWell)
        }
        let columns: [Paper.Column] = [
            .init(title: report.say(.roomName), weight: 3),
            .init(title: report.say(.getsIn), weight: 2),
            .init(title: report.say(.turns), weight: 2),
            .init(title: report.say(.hindered), weight: 6),
        ]
        let rows = table(columns, of: rooms) { room in
            [
                room.name.written, answer(room.reached), answer(room.turned),
                room.obstruction.written,
            ]
        }
        return [.heading(report.say(.rooms)), .paragraph(chair)] + rows
    }

    private var doors: [Paper.Block] {
        let doors = check.reach?.doors ?? []
        guard !doors.isEmpty else { return [] }
        let columns: [Paper.Column] = [
            .init(title: report.say(.place), weight: 4),
            .init(title: report.say(.freeWidth), isNumber: true, weight: 3),
            .init(title: report.say(.lacking), isNumber: true, weight: 3),
        ]
        let rows = table(columns, of: doors) { door in
            let name = door.name.written
            let shown = name.isEmpty ? door.door.written : Self.capitalised(name)
            return [
                door.stoppedBy.isEmpty
                    ? shown
                    : shown + " (" + report.say(.stopped, ["item": door.stoppedBy.written]) + ")",
                (door.measured ? "" : "~") + metric(door.passage),
                door.isCertain ? metric(door.missing) : answer(door.verdict),
            ]
        }
        let isSure = doors.allSatisfy(\.isCertain)
        return [.heading(report.say(isSure ? .narrow : .perhapsNarrow))] + rows
    }

    private var aids: [Paper.Block] {
        let placed = plan.order.compactMap { plan.elements[$0] }.filter {
            $0.product != nil || $0.kind == .aid || $0.kind == .wheelchair
        }
        guard !placed.isEmpty else { return [] }
        let columns: [Paper.Column] = [
            .init(title: report.say(.articleNumber), weight: 2),
            .init(title: report.say(.name), weight: 4),
            .init(title: report.say(.maker), weight: 3),
            .init(title: report.say(.isoCode), weight: 2),
            .init(title: report.say(.size), weight: 3),
        ]
        let rows = table(columns, of: placed) { element in
            let product = element.product ?? PlacedProduct()
            let own = element.label.written
            let name = product.name.written
            let label = own.isEmpty && name.isEmpty ? words.name(of: element.kind) : own
            let size =
                "\(words.exact(element.width, .centimetres)) × "
                + words.exact(element.depth, .centimetres)
            return [
                product.number.written,
                name.isEmpty ? label : label.isEmpty || label == name ? name : "\(name) (\(label))",
                product.maker.written, product.isoCode.written,
                product.sizeEstimated ? "\(size) (\(report.say(.guessed)))" : size,
            ]
        }
        return [.heading(report.say(.aids))] + rows
    }

    private var standards: [Paper.Block] {
        let used = usedStandards
        guard !used.isEmpty else { return [] }
        let rows = used.sorted { $0.lexicographicallyPrecedes($1) }
        let columns: [Paper.Column] = [
            .init(title: report.say(.standard), weight: 2),
            .init(title: report.say(.edition), weight: 5),
        ]
        return [
            .heading(report.say(.standards)), .table(Paper.Table(columns: columns, rows: rows)),
        ]
    }
}
