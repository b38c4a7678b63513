import Messages
import ShiftLog

extension Fields {
    /// The answer that a task asks for; nil if the finding alone is asked for.
    func answer() throws(TemplateFileError) -> AnswerRule? {
        let word = try text("answer", atMost: TemplateLimits.name)
        for key in ["unit", "least", "most"] where entry(key) != nil && word != "number" {
            throw error(key, "belongs to a number", cure: "write answer: number above it")
        }
        for key in ["choices", "not-ok"] where entry(key) != nil && word != "choice" {
            throw error(key, "belongs to a choice", cure: "write answer: choice above it")
        }
        guard let word else { return nil }
        guard let kind = TemplateWords.answers.first(where: { $0.word == word })?.kind else {
            throw error(
                "answer", "“\(word)” isn't a kind of answer",
                cure: "use one of \(TemplateWords.answers.map(\.word).joined(separator: ", "))")
        }
        return AnswerRule(
            kind: kind, unit: try text("unit", atMost: 20) ?? "", least: try number("least"),
            most: try number("most"), choices: try choices())
    }

    private func number(_ key: String) throws(TemplateFileError) -> Int64? {
        guard let text = try text(key, atMost: TemplateLimits.name) else { return nil }
        guard let number = Thousandths.read(text) else {
            throw error(
                key, "“\(text)” isn't a number",
                cure: "write it with at most three decimals, e.g. 4.5")
        }
        return number
    }

    /// The choices, those under `choices` before those under `not-ok`, which may repeat some.
    private func choices() throws(TemplateFileError) -> [AnswerChoice] {
        let failing = try texts("not-ok")
        let all = try texts("choices")
        return (all + failing.filter { !all.contains($0) })
            .map { AnswerChoice(text: $0, notOk: failing.contains($0)) }
    }

    private func texts(_ key: String) throws(TemplateFileError) -> [String] {
        var texts: [String] = []
        for entry in try list(key) {
            texts.append(try text(of: entry, key, atMost: TemplateLimits.name))
        }
        return texts
    }
}
