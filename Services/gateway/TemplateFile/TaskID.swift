import Texts

/// Ids of tasks and sections: given in the file, or made from the title.
package enum TaskID {
    /// Lower-case ASCII letters, digits and `-`, 1 to 60 of them.
    static func isValid(_ id: String) -> Bool {
        (1...TemplateLimits.id).contains(id.utf8.count) && id.utf8.allSatisfy(isAllowed)
    }

    /// An id for a title that isn't taken yet: `Fryer oil is golden` becomes `fryer-oil-is-golden`.
    /// The same titles in the same order give the same ids.
    package static func made(from title: String, taken: Set<String>) -> String {
        let words = FoldedText.identifierWords(title)
        var id = ""
        for word in words where id.utf8.count + word.utf8.count < limit {
            id += id.isEmpty ? word : "-" + word
        }
        if id.isEmpty { id = String(words.first?.prefix(limit) ?? "task") }
        guard taken.contains(id) else { return id }
        let number = (2...).first { !taken.contains("\(id)-\($0)") }
        return "\(id)-\(number ?? 2)"
    }

    /// The maximum length of a generated id, which leaves room for a number after it.
    private static let limit = TemplateLimits.id - 5

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
