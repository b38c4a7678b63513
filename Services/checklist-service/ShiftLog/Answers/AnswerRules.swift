import Foundation
import Messages

extension AnswerRule {
    /// The maximum magnitude of a limit and of an answer, in thousandths.
    package static let greatest: Int64 = 10_000_000_000_000

    /// Refuses a rule that nobody could answer.
    ///
    /// - Parameter name: the name of its task, for the error.
    func validate(_ name: String) throws(Refusal) {
        switch kind {
        case .number: try validateNumber(name)
        case .choice: try validateChoices(name)
        case .text, .signature, .photo: break
        case .unspecified, .unrecognized:
            throw .invalid(
                "\(name): the answer is a number, a choice, a text, a signature or a photo")
        }
        if kind != .number, !unit.isEmpty || least != nil || most != nil {
            throw .invalid("\(name): only a number has a unit and limits")
        }
        if kind != .choice, !choices.isEmpty {
            throw .invalid("\(name): only a choice has texts to choose from")
        }
    }

    private func validateNumber(_ name: String) throws(Refusal) {
        try validateText(unit, "\(name): the unit", 0...20)
        for limit in [least, most].compactMap({ $0 })
        where !(-Self.greatest...Self.greatest).contains(limit) {
            throw .invalid("\(name): a limit is at most ten digits before the decimals")
        }
        if let least, let most, least > most {
            throw .invalid(
                "\(name): the least number that is ok, \(Thousandths.text(least)), is above the "
                    + "greatest, \(Thousandths.text(most))")
        }
    }

    private func validateChoices(_ name: String) throws(Refusal) {
        guard (2...20).contains(choices.count) else {
            throw .invalid("\(name): a choice has 2 to 20 texts, not \(choices.count)")
        }
        for choice in choices { try validateText(choice.text, "\(name): a choice", 1...80) }
        guard Set(choices.map(\.text)).count == choices.count else {
            throw .invalid("\(name): two choices have the same text")
        }
        guard choices.contains(where: { !$0.notOk }) else {
            throw .invalid("\(name): a choice has to mean that the task is ok")
        }
    }

    /// True if an answer can mean that the task is not ok.
    package var canFail: Bool { least != nil || most != nil || choices.contains { $0.notOk } }

    /// True if an answer means that the task is not ok: a number outside the limits, or a choice
    /// that says so.
    package func fails(_ answer: Answer) -> Bool {
        switch answer.value {
        case .number(let number):
            return least.map { number < $0 } ?? false || most.map { number > $0 } ?? false
        case .choice(let text): return choices.contains { $0.text == text && $0.notOk }
        case .text, .signature, .photos, nil: return false
        }
    }

    /// Refuses an answer of a kind that isn't asked for, and one that is too long.
    func validate(_ answer: Answer, _ name: String) throws(Refusal) {
        switch (kind, answer.value) {
        case (.number, .number(let number)):
            guard (-Self.greatest...Self.greatest).contains(number) else {
                throw Refusal.invalid(
                    "\(name): a number has at most ten digits before the decimals"
                ).because(.answerWrong)
            }
        case (.choice, .choice(let text)):
            guard choices.contains(where: { $0.text == text }) else {
                throw Refusal.invalid(
                    "\(name): “\(text.prefix(80))” isn't one of "
                        + choices.map(\.text).joined(separator: ", ")
                ).because(.answerWrong)
            }
        case (.text, .text(let text)):
            try validateText(text, "\(name): the answer", 1...1_000)
            guard text.contains(where: { !$0.isWhitespace }) else {
                throw Refusal.invalid("\(name): the answer is empty").because(.answerMissing)
            }
        case (.signature, .signature(let signer)):
            try validateText(signer, "\(name): the name of the person who signs", 1...80)
            guard signer.contains(where: { !$0.isWhitespace }) else {
                throw Refusal.invalid("\(name): the name of the person who signs is missing")
                    .because(.answerMissing)
            }
        case (.photo, .photos(let answer)):
            guard !answer.photos.isEmpty else {
                throw Refusal.invalid("\(name): the photo is missing").because(.answerMissing)
            }
            try Photo.validate(answer.photos, name)
        default: throw Refusal.invalid("\(name) asks for \(wanted)").because(.answerWrong)
        }
    }

    /// What is asked for, in English: `a number from 0 to 5 °C`.
    package var wanted: String {
        switch kind {
        case .number:
            let from = least.map { " from \(Thousandths.text($0))" } ?? ""
            let to = most.map { (least == nil ? " up to " : " to ") + Thousandths.text($0) } ?? ""
            return "a number" + from + to + (unit.isEmpty ? "" : " \(unit)")
        case .choice: return "one of " + choices.map(\.text).joined(separator: ", ")
        case .text: return "a text"
        case .signature: return "the name of the person who signs"
        case .photo: return "a photo"
        case .unspecified, .unrecognized: return "an answer that this version doesn't know"
        }
    }

    /// Reads an answer as typed; nil for text that isn't a number, for empty text, and for a photo,
    /// which nobody types.
    ///
    /// A choice may be typed by its beginning, ignoring case, if no other begins with it.
    package func read(_ typed: String) -> Answer? {
        let text = typed.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty else { return nil }
        switch kind {
        case .number: return Thousandths.read(text).map { Answer(value: .number($0)) }
        case .choice:
            let folded = text.lowercased()
            let whole = choices.filter { $0.text.lowercased() == folded }
            let begun = choices.filter { $0.text.lowercased().hasPrefix(folded) }
            let found = whole.isEmpty ? begun : whole
            return found.count == 1 ? Answer(value: .choice(found[0].text)) : nil
        case .text: return Answer(value: .text(text))
        case .signature: return Answer(value: .signature(text))
        case .photo, .unspecified, .unrecognized: return nil
        }
    }

    /// An answer as people read it: `4.2 °C`.
    ///
    /// - Parameter separator: the decimal separator.
    package func text(of answer: Answer, separator: String = ".") -> String {
        switch answer.value {
        case .number(let number):
            let digits = Thousandths.text(number, separator: separator)
            return unit.isEmpty ? digits : "\(digits) \(unit)"
        case .choice(let text), .text(let text), .signature(let text): return text
        case .photos(let answer): return answer.photos.map(\.name).joined(separator: ", ")
        case nil: return ""
        }
    }
}

extension MarkTask {
    /// The finding that follows from an answer.
    ///
    /// - Parameter said: what the person says, which counts unless the answer means not ok.
    package static func finding(
        of answer: Answer, _ rule: AnswerRule, said: Finding = .ok
    ) -> Finding {
        rule.fails(answer) ? .notOk : said
    }
}
