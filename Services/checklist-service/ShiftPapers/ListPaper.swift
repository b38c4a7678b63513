import LocalTime
import Messages
import Papers
import Phrases
import ShiftLog

extension ShiftState {
    /// A list as it was filled in: the finding of each task, by whom and when, with its notes.
    ///
    /// - Parameters:
    ///   - list: the id of the template.
    ///   - securityRoundAlone: whether to include only the tasks of the daily security round.
    ///   - photos: those that are shown; the others are only named.
    /// - Returns: nil when the shift doesn't use that list.
    package func listPaper(
        _ list: String, securityRoundAlone: Bool = false, photos: PaperPhotos = [:]
    ) -> Paper? {
        guard let template = lists.template(list) else { return nil }
        let words = self.words
        let results = results(of: list)
        let round = securityRoundAlone ? Self.withParents(results) : nil
        var blocks: [Paper.Block] = []
        var section: Int?
        let listed = results.filter { round?.contains($0.listed.key.task) ?? true }
        for result in listed {
            if result.listed.section != section {
                section = result.listed.section
                blocks.append(.heading(lists.section(of: result.listed).name(in: language).shown))
            }
            blocks.append(.item(item(result, round, words)))
        }
        if blocks.isEmpty { blocks.append(.remark(words.say(.emptyList))) }
        blocks += self.blocks(listed, photos)
        let name = template.name(in: language)
        return paper(
            securityRoundAlone ? words.say(.securityRoundOf, ["list": name]) : name,
            summary: summary(results, round, version: template.version, words), size: .hand, blocks)
    }

    /// The tasks of the security round and their ancestors.
    private static func withParents(_ results: [TaskResult]) -> Set<String> {
        var found: Set<String> = []
        // A parent comes before its children.
        for result in results.reversed()
        where result.listed.task.securityRound || found.contains(result.listed.key.task) {
            found.insert(result.listed.key.task)
            if !result.listed.task.parent.isEmpty { found.insert(result.listed.task.parent) }
        }
        return found
    }

    private func summary(
        _ results: [TaskResult], _ round: Set<String>?, version: UInt32, _ words: Words<PaperPhrase>
    ) -> String {
        let leaves = results.filter {
            $0.listed.isLeaf && round?.contains($0.listed.key.task) ?? true
        }
        let counts: [(TaskState, PaperPhrase)] = [
            (.ok, .countOk), (.notOk, .countNotOk), (.notApplicable, .countNotApplicable),
            (.unchecked, .countUnchecked),
        ]
        let parts = counts.compactMap { state, phrase in
            let count = leaves.count { $0.state == state }
            return count > 0 ? words.say(phrase, ["count": "\(count)"]) : nil
        }
        let tasks = words.say(.tasks, ["count": "\(leaves.count)"])
        return joined([words.say(.version, ["version": "\(version)"]), tasks] + parts)
    }

    private func item(
        _ result: TaskResult, _ round: Set<String>?, _ words: Words<PaperPhrase>
    ) -> Paper.Item {
        let task = result.listed.task
        var detail: [String] = []
        if task.general { detail.append(words.say(.general)) }
        if let minutes = task.carryOut { detail.append(LocalTime.text(minutes: Int(minutes))) }
        detail.append(state(result, words))
        if task.securityRound && round == nil { detail.append("◆ \(words.say(.securityRound))") }
        if result.isInReview { detail.append(words.say(.contradiction)) }
        var notes = result.notes.map(noted)
        if !task.note.isEmpty {
            notes.insert(words.say(.standingNote, ["note": task.note.shown]), at: 0)
        }
        return Paper.Item(
            sign: Paper.Sign(round.map { state(result, within: $0) } ?? result.state),
            title: task.title(in: language).shown,
            depth: depth(of: result.listed), isGeneral: task.general, detail: joined(detail),
            notes: notes)
    }

    /// The finding, with author and time; empty for an unmarked task, whose box is empty.
    private func state(_ result: TaskResult, _ words: Words<PaperPhrase>) -> String {
        guard let mark = result.shown, result.state != .unchecked else { return "" }
        let word =
            switch result.state {
            case .notOk: words.say(.notOk)
            case .notApplicable:
                mark.reason.isEmpty
                    ? words.say(.notApplicable)
                    : words.say(.notApplicableBecause, ["reason": mark.reason.shown])
            case .ok, .unchecked: words.say(.ok)
            }
        let answer = answer(result)
        return (answer.isEmpty ? "" : answer + " · ") + "\(word) \(said(mark.stamp))"
    }

    /// What was answered, e.g. `4,2 °C`, with the limits if it is outside; empty if nothing was.
    private func answer(_ result: TaskResult) -> String {
        let separator = words.language.decimalSeparator
        let text = result.answer(separator: separator).shown
        guard let rule = result.listed.task.answer, let answer = result.shown?.answer else {
            return text
        }
        switch rule.kind {
        case .photo: return joined(answer.photos.map(name))
        case .signature: return words.say(.signedBy, ["name": text])
        case .number where rule.fails(answer):
            let limits = [
                rule.least.map { "≥ " + Thousandths.text($0, separator: separator) },
                rule.most.map { "≤ " + Thousandths.text($0, separator: separator) },
            ]
            return "\(text) (\(joined(limits.compactMap { $0 })))"
        default: return text
        }
    }

    /// The state of a task when only some of its children are shown: it follows from those alone.
    private func state(_ result: TaskResult, within round: Set<String>) -> TaskState {
        let shown = result.listed.children.map { lists.tasks[$0].key }
            .filter { round.contains($0.task) }.compactMap(self.result)
        if shown.isEmpty { return result.state }
        let states = shown.map { state($0, within: round) }
        if states.contains(.notOk) { return .notOk }
        return states.contains(.unchecked) ? .unchecked : .ok
    }

    private func depth(of listed: ListedTask) -> Int {
        var depth = 0
        var parent = listed.parent
        while let position = parent {
            depth += 1
            parent = lists.tasks[position].parent
        }
        return depth
    }
}

extension Paper.Sign {
    fileprivate init(_ state: TaskState) {
        self =
            switch state {
            case .unchecked: .open
            case .ok: .ok
            case .notOk: .notOk
            case .notApplicable: .notApplicable
            }
    }
}
