import Messages
import Phrases

extension Words<WebPhrase> {
    /// The text of a refusal: a phrase if there is one for its reason, else the sentence of the
    /// service, which is English.
    func text(of refusal: Refusal) -> String {
        guard let phrase = Self.phrase(of: refusal) else { return refusal.message }
        let role = say(family: "role", refusal.subject) ?? refusal.subject
        let time = refusal.arguments["seconds"].flatMap { Int($0) }
            .map { language.duration(seconds: $0) }
        return say(phrase, ["subject": refusal.subject, "role": role, "time": time ?? ""])
    }

    /// True if the text of a refusal is in this language.
    func knows(_ refusal: Refusal) -> Bool {
        language == .english || Self.phrase(of: refusal) != nil
    }

    private static func phrase(of refusal: Refusal) -> WebPhrase? {
        key(family: "refusal", refusal.reason)
    }
}
