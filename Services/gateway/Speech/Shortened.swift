/// Texts in a column, cut to fit so that different ones stay different.
enum Shortened {
    /// The texts, each cut at its end if it then still differs from the others, else in its middle:
    /// `Pre-…ning, kitchen`. `…` marks a cut.
    static func texts(_ texts: [String], to width: Int) -> [String] {
        var cut = Dictionary(
            texts.map { ($0, $0.truncated(to: width)) }, uniquingKeysWith: { first, _ in first })
        let alike = Dictionary(grouping: cut.keys) { cut[$0] ?? "" }.values.filter { $0.count > 1 }
        for group in alike {
            for (text, short) in apart(group.sorted(), to: width) { cut[text] = short }
        }
        return texts.map { cut[$0] ?? $0 }
    }

    /// Splits texts with the same beginning: for each a little of the beginning, and the rest from
    /// where it first differs from a neighbour in sorted order.
    private static func apart(_ sorted: [String], to width: Int) -> [(String, String)] {
        let letters = sorted.map(Array.init)
        let shared = zip(letters, letters.dropFirst()).map { pair in
            zip(pair.0, pair.1).prefix { $0 == $1 }.count
        }
        return sorted.indices.map { index in
            let before = index > 0 ? shared[index - 1] : 0
            let after = index < shared.count ? shared[index] : 0
            // Begin a few letters before the first that differs, at the beginning of a word.
            let all = letters[index]
            var start = min(max(before, after), max(0, all.count - 1))
            for _ in 0..<width / 4 where start > 0 && all[start - 1] != " " { start -= 1 }
            let rest = String(all[start...])
            let room = max(1, width - 1 - min(rest.columns, width * 2 / 3))
            let head = String(all).beginning(of: room)
            return (sorted[index], head + "…" + rest.truncated(to: width - 1 - head.columns))
        }
    }
}
