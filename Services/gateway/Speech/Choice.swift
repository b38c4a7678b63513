/// One of several objects that a person may mean.
package struct Choice: Hashable {
    /// The ids that identify it.
    package let ids: [String]
    /// Its title for people.
    package let title: String
    /// Its number in listings.
    package let number: Int

    /// One object of several.
    package init(ids: [String], title: String, number: Int) {
        (self.ids, self.title, self.number) = (ids, title, number)
    }

    /// The object that is meant: by id, by title, or by a unique beginning or part of a title.
    ///
    /// - Parameters:
    ///   - text: what was typed.
    ///   - choices: the objects.
    ///   - what: the kind of object, for the error message.
    ///   - isNumbered: whether people see the numbers and may give them.
    /// - Throws: ``Failure`` that names the objects that may be meant, or the nearest.
    package static func find(
        _ text: String, among choices: [Choice], what: String, isNumbered: Bool = true
    ) throws(Failure) -> Choice {
        func list(_ choices: [Choice]) -> String { Self.list(choices, isNumbered: isNumbered) }
        let advice = isNumbered ? "give a number: " : "give the name: "
        // An empty text is a part of every title: the only object would be meant by mistake.
        guard !text.allSatisfy(\.isWhitespace) else {
            throw Failure(
                .refused, "no \(what) was named",
                advice: choices.isEmpty ? "there are none" : advice + list(choices))
        }
        let wanted = text.lowercased()
        let tests: [(Choice) -> Bool] = [
            { $0.ids.contains(text) }, { $0.title.lowercased() == wanted },
            { $0.title.lowercased().hasPrefix(wanted) },
            { $0.title.lowercased().contains(wanted) },
        ]
        for test in tests {
            let found = choices.filter(test)
            if found.count == 1 { return found[0] }
            guard found.isEmpty else {
                throw Failure(
                    .refused, "“\(text.printable)” may be any of \(found.count) \(what)s",
                    advice: advice + list(found))
            }
        }
        let near = choices.map { ($0, distance($0.title.lowercased(), wanted)) }
            .sorted { $0.1 < $1.1 }.prefix(3).map(\.0)
        throw Failure(
            .refused, "there is no \(what) “\(text.printable)”",
            advice: near.isEmpty
                ? "there are none"
                : "the nearest \(near.count == 1 ? "is" : "are") " + list(Array(near)))
    }

    private static func list(_ choices: [Choice], isNumbered: Bool) -> String {
        let names = choices.prefix(5).map {
            (isNumbered ? "\($0.number) " : "") + "“\($0.title.printable)”"
        }
        return names.joined(separator: ", ") + (choices.count > 5 ? ", …" : "")
    }

    /// The number of letters to change, add or remove to turn one text into a part of the other
    /// (Levenshtein; Sellers for the free ends).
    package static func distance(_ text: String, _ wanted: String) -> Int {
        let wanted = Array(wanted)
        var row = Array(0...wanted.count)
        var best = wanted.count
        for letter in text {
            var diagonal = row[0]
            row[0] = 0
            for (index, other) in wanted.enumerated() {
                let above = row[index + 1]
                row[index + 1] = min(
                    above + 1, row[index] + 1, diagonal + (letter == other ? 0 : 1))
                diagonal = above
            }
            best = min(best, row[wanted.count])
        }
        return best
    }

    /// True if the distance is small enough for a typing error.
    package static func isNear(_ distance: Int, _ typed: String) -> Bool {
        distance <= max(1, typed.count / 2)
    }
}
