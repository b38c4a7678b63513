import Bisection
import TransitFeed

/// Finds stops by parts of their names, using an index in memory.
///
/// Every word typed must be the beginning of a word of the name, in any order. A word of four or
/// more letters may have one typo: a wrong, missing or extra letter, or two exchanged ones.
struct FeedSearch: Sendable {
    /// How closely a name matches, the best first.
    enum Closeness: Int, Comparable, Sendable, CaseIterable {
        /// The stop's id is what was typed.
        case id
        /// The name is what was typed.
        case exact
        /// The name begins with what was typed.
        case prefix
        /// Each word typed begins a word of the name.
        case words
        /// The same, with a typo.
        case typo

        static func < (left: Closeness, right: Closeness) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// The number of a stop and how it matches.
    struct Match: Equatable, Sendable {
        var stop: Int
        var closeness: Closeness
        var metres: Double?
    }

    /// The distinct words in order, concatenated, and the end of each.
    private var units: [UInt16] = []
    private var wordEnds: [Int32] = []

    /// For each stop, the most important first: its number, its position, the end of its words in
    /// `wordNumbers`, and how many of them are its name.
    private var stops: [Int32] = []
    private var positions: [Feed.Position] = []
    private var ends: [Int32] = []
    private var nameCounts: [UInt8] = []
    private var wordNumbers: [Int32] = []

    /// The words that a typed word matches.
    private struct Token {
        var exact: Int32
        var prefix: Range<Int>
    }

    /// The maximum number of typed words that are used; nobody types more.
    private static let tokenLimit = 16

    /// Makes the index from its written form (see ``FeedSearchIndex``); `nil` when it is damaged.
    init?(words: [UInt8], entries: [UInt8]) {
        for word in words.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
            units += String(decoding: word, as: UTF8.self).utf16
            wordEnds.append(Int32(units.count))
        }
        let bytes = entries[...]
        var position = 0
        while position < bytes.endIndex {
            guard let stop = Varint.read(bytes, &position), stop <= UInt64(Int32.max),
                let latitude = Varint.readSigned(bytes, &position),
                let longitude = Varint.readSigned(bytes, &position),
                latitude.magnitude <= 900_000_000, longitude.magnitude <= 1_800_000_000
            else { return nil }
            stops.append(Int32(stop))
            positions.append(.init(latitude: Int32(latitude), longitude: Int32(longitude)))
            for part in 0..<2 {
                guard let count = Varint.read(bytes, &position) else { return nil }
                if part == 0 { nameCounts.append(UInt8(min(count, 255))) }
                for _ in 0..<count {
                    guard let word = Varint.read(bytes, &position), word < wordEnds.count else {
                        return nil
                    }
                    wordNumbers.append(Int32(word))
                }
            }
            ends.append(Int32(wordNumbers.count))
        }
    }

    /// The matching stops, the closest match first.
    ///
    /// Equal matches are ordered by distance when a position is given, and then by the number of
    /// trips, the most first.
    func find(_ text: String, near position: Feed.Position?, limit: Int) -> [Match] {
        let typed = FeedSearchIndex.words(text).prefix(Self.tokenLimit)
        guard !typed.isEmpty, limit > 0 else { return [] }
        // For each word, one bit for each typed word that it matches: without and with a typo.
        var fits = [UInt16](repeating: 0, count: wordEnds.count)
        var nearlyFits = fits
        var tokens: [Token] = []
        for (number, word) in typed.enumerated() {
            let bit = UInt16(1) << UInt16(number)
            let token = self.token(word)
            for place in token.prefix {
                fits[place] |= bit
                nearlyFits[place] |= bit
            }
            if Self.mayHaveTypo(word) {
                for place in wordEnds.indices where isTypo(word, place) {
                    nearlyFits[place] |= bit
                }
            }
            tokens.append(token)
        }
        let all = UInt16(truncatingIfNeeded: (1 << tokens.count) - 1)
        var best = Closeness.allCases.map { _ in [Match]() }
        var start = 0
        for index in stops.indices {
            let end = Int(ends[index])
            var nearly: UInt16 = 0
            var full: UInt16 = 0
            for place in start..<end {
                nearly |= nearlyFits[Int(wordNumbers[place])]
                full |= fits[Int(wordNumbers[place])]
            }
            if nearly == all {
                let name = wordNumbers[start..<(start + Int(nameCounts[index]))]
                let closeness = full == all ? closeness(name, tokens) : .typo
                let metres = position.map { $0.metres(to: positions[index]) }
                let match = Match(stop: Int(stops[index]), closeness: closeness, metres: metres)
                Self.insert(match, into: &best[closeness.rawValue], limit: limit)
            }
            start = end
        }
        return Array(best.joined().prefix(limit))
    }

    /// Keeps the nearest matches; of equal ones the first, which is more important.
    private static func insert(_ match: Match, into list: inout [Match], limit: Int) {
        guard let metres = match.metres else {
            if list.count < limit { list.append(match) }
            return
        }
        if list.count == limit, let last = list.last?.metres, metres >= last { return }
        let place = list.firstIndex { ($0.metres ?? 0) > metres } ?? list.count
        list.insert(match, at: place)
        if list.count > limit { list.removeLast() }
    }

    /// How closely a name matches when every typed word is the beginning of one of its words.
    private func closeness(_ name: ArraySlice<Int32>, _ tokens: [Token]) -> Closeness {
        guard name.count >= tokens.count else { return .words }
        let last = tokens.count - 1
        for number in 0..<last where name[name.startIndex + number] != tokens[number].exact {
            return .words
        }
        let word = name[name.startIndex + last]
        if name.count == tokens.count, word == tokens[last].exact { return .exact }
        return tokens[last].prefix.contains(Int(word)) ? .prefix : .words
    }

    private func word(_ place: Int) -> ArraySlice<UInt16> {
        units[(place == 0 ? 0 : Int(wordEnds[place - 1]))..<Int(wordEnds[place])]
    }

    /// The words that begin with what was typed, which are consecutive.
    private func token(_ typed: FeedSearchIndex.Word) -> Token {
        let words = wordEnds.indices
        let first = words.bisect { !word($0).lexicographicallyPrecedes(typed) }
        let last = words.bisect {
            let letters = word($0)
            return !letters.prefix(typed.count).lexicographicallyPrecedes(typed)
                && !letters.starts(with: typed)
        }
        let isExact = first < last && word(first).count == typed.count
        return Token(exact: isExact ? Int32(first) : -1, prefix: first..<max(first, last))
    }

    /// Words with a digit name platforms and streets, where another digit means another place.
    private static func mayHaveTypo(_ word: FeedSearchIndex.Word) -> Bool {
        word.count >= 4 && !word.contains { (48...57).contains($0) }
    }

    /// Whether one edit makes the typed word the beginning of a word.
    private func isTypo(_ typed: FeedSearchIndex.Word, _ place: Int) -> Bool {
        let start = place == 0 ? 0 : Int(wordEnds[place - 1])
        let end = Int(wordEnds[place])
        guard end - start >= typed.count - 1 else { return false }
        var same = 0
        while same < typed.count, start + same < end, units[start + same] == typed[same] {
            same += 1
        }
        guard same < typed.count else { return false }
        let at = start + same
        return continues(typed, same + 1, at + 1, end) || continues(typed, same + 1, at, end)
            || continues(typed, same, at + 1, end)
            || (same + 1 < typed.count && at + 1 < end && typed[same] == units[at + 1]
                && typed[same + 1] == units[at] && continues(typed, same + 2, at + 2, end))
    }

    /// Whether the rest of the typed word continues in a word.
    private func continues(
        _ typed: FeedSearchIndex.Word, _ from: Int, _ place: Int, _ end: Int
    ) -> Bool {
        guard end - place >= typed.count - from else { return false }
        for offset in 0..<max(0, typed.count - from)
        where typed[from + offset] != units[place + offset] {
            return false
        }
        return true
    }
}
