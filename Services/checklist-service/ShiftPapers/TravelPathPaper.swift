import Messages
import Papers
import Phrases
import ShiftLog

extension ShiftState {
    /// The travel paths of the shift: when each was due, and whether it was walked.
    ///
    /// - Parameter now: the time in milliseconds since 1970; for an ended shift its end is used.
    package func travelPathPaper(at now: Int64) -> Paper {
        let words = self.words
        let paths = travelPaths
        var blocks: [Paper.Block] = slots(at: now).map { slot in
            let walked = paths.filter { $0.slot == slot.due }
            let word = word(of: slot.state)
            return .item(
                Paper.Item(
                    sign: Paper.Sign(slot.state), title: localTime.reading(at: slot.due).time,
                    detail: joined([word, slot.logged.map(said) ?? ""]),
                    notes: walked.flatMap { notes($0, words) }))
        }
        let others = paths.filter { $0.slot == nil && $0.logged != nil }
        if !others.isEmpty { blocks.append(.heading(words.say(.outsideSchedule))) }
        for path in others {
            blocks.append(
                .item(
                    Paper.Item(
                        sign: .ok, title: path.logged.map(said) ?? "", notes: notes(path, words))))
        }
        if blocks.isEmpty { blocks.append(.remark(words.say(.noTravelPaths))) }
        return paper(words.say(.travelPaths), size: .hand, blocks)
    }

    /// The state of a travel path, in a word.
    func word(of state: TravelPathSlot.State) -> String {
        words.say(family: "slot", state.rawValue) ?? state.rawValue
    }

    private func notes(_ path: TravelPath, _ words: Words<PaperPhrase>) -> [String] {
        let text = path.text.isEmpty ? [] : [path.text.shown]
        return text
            + path.findings.compactMap(todo).map { words.say(.found, ["title": $0.title.shown]) }
    }
}

extension Paper.Sign {
    fileprivate init(_ state: TravelPathSlot.State) {
        self =
            switch state {
            case .open: .open
            case .done, .late: .ok
            case .missed: .notOk
            }
    }
}
