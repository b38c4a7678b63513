import Messages

/// A language in which Steward addresses people.
package enum Language: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case norwegian = "nb"
    case swedish = "sv"

    /// Reads a code or a locale, such as `nb`, `nn_NO.UTF-8` or `sv-FI`; nil when there are no
    /// texts in that language.
    package init?(_ code: String) {
        switch code.prefix(while: { $0.isASCII && $0.isLetter }).lowercased() {
        case "en": self = .english
        case "nb", "nn", "no": self = .norwegian
        case "sv": self = .swedish
        default: return nil
        }
    }

    /// The language with a code; nil if the code is empty, which names none.
    ///
    /// - Throws: a `Refusal` for any other text, naming the languages that there are.
    package static func required(_ code: String) throws(Refusal) -> Language? {
        if code.isEmpty { return nil }
        guard let language = Language(rawValue: code) else { throw unknown(code) }
        return language
    }

    /// The refusal of a language in which there are no texts.
    package static func unknown(_ code: String) -> Refusal {
        let known = allCases.map(\.rawValue).joined(separator: ", ")
        let shown = code.prefix(bytes: 40)
        return .invalid(
            "there are no texts in the language “\(shown)”; there are some in \(known)"
        ).because(.languageUnknown, of: shown, ["known": known])
    }

    /// The language of a code or a locale; English when there are no texts in it.
    package static func of(_ code: String) -> Language { Language(code) ?? .english }

    /// The language for a person: the one that the person prefers, else that of `STEWARD_LANG`,
    /// else that of `LANG`. The first that is set decides; English when there are no texts in it,
    /// or none is set.
    ///
    /// - Parameters:
    ///   - preference: a code or a locale; empty for none.
    ///   - environment: the environment variables.
    package static func chosen(
        preference: String = "", environment: [String: String]
    ) -> Language {
        let wishes = [preference, environment["STEWARD_LANG"] ?? "", environment["LANG"] ?? ""]
        return wishes.first { !$0.isEmpty }.map(of) ?? .english
    }

    /// The character between a whole number and its fraction.
    package var decimalSeparator: String { self == .english ? "." : "," }

    /// Formats a number of tenths, hundredths and so on: 1234 with two decimals is `12.34`.
    package func decimal(_ value: Int64, decimals: Int) -> String {
        let digits = String(value.magnitude)
        let sign = value < 0 ? "−" : ""
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return sign + padded.dropLast(decimals) + decimalSeparator + padded.suffix(decimals)
    }
}
