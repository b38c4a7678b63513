import Messages

extension Words<WebPhrase> {
    /// The text of a refusal: a phrase if there is one for its reason, else the sentence of the
    /// service, which is English.
    package func text(of refusal: Refusal) -> String { said(refusal) ?? refusal.message }

    /// True if the text of a refusal is in this language.
    package func knows(_ refusal: Refusal) -> Bool { language == .english || said(refusal) != nil }

    /// The phrase for a refusal; nil if there is none, or the service hasn't sent all its parts.
    private func said(_ refusal: Refusal) -> String? {
        var parts = refusal.arguments
        if !refusal.subject.isEmpty {
            parts["subject"] = refusal.subject
            parts["role"] = say(family: "role", refusal.subject) ?? refusal.subject
        }
        if let seconds = refusal.arguments["seconds"].flatMap({ Int($0) }) {
            parts["time"] = language.duration(seconds: seconds)
        }
        parts["field"] = say(family: "field", parts["field"] ?? "") ?? say(.fieldOther)
        parts["thing"] = say(family: "thing", parts["thing"] ?? "") ?? say(.thingOther)
        let open = ["lists", "todos", "reviews", "travelPath", "devices"].compactMap { part in
            refusal.arguments[part].flatMap { say(family: "open", part, ["count": $0, part: $0]) }
        }
        if !open.isEmpty { parts["things"] = open.joined(separator: ", ") }
        return say(family: "refusal", refusal.reason, parts)
    }
}
