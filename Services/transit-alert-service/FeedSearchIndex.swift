import Texts
import TransitFeed

/// The index of stop names in the form in which it is written into a feed file.
///
/// `words` contains the distinct words in order, each ended by a line feed, in UTF-8. `entries`
/// contains the stops that a passenger may look for, the most important first: for each its number,
/// its latitude and longitude (zigzag), the number of words in its name, the numbers of these
/// words, the number of other words that find it, and their numbers.
struct FeedSearchIndex {
    /// A word in UTF-16 units, in which almost every letter is one unit.
    typealias Word = [UInt16]

    private(set) var words: [UInt8] = []
    private(set) var entries: [UInt8] = []

    init(_ feed: Feed) {
        var numbers: [Word: Int] = [:]
        var found: [(stop: Int, name: [Int], others: [Int])] = []
        func number(_ word: Word) -> Int {
            if let number = numbers[word] { return number }
            numbers[word] = numbers.count
            return numbers.count - 1
        }
        for stop in Self.byImportance(feed) {
            let name = Self.words(feed.stops[stop].name)
            let others = Self.others(feed.stops[stop], name)
            found.append((stop, name.map(number), others.map(number)))
        }
        let sorted = numbers.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        var place = [Int](repeating: 0, count: sorted.count)
        for (position, word) in sorted.enumerated() {
            place[word.value] = position
            words += String(decoding: word.key, as: UTF16.self).utf8
            words.append(UInt8(ascii: "\n"))
        }
        for entry in found {
            let position = feed.stops[entry.stop].position
            Varint.append(UInt64(entry.stop), to: &entries)
            Varint.append(signed: Int64(position.latitude), to: &entries)
            Varint.append(signed: Int64(position.longitude), to: &entries)
            for part in [entry.name, entry.others] {
                Varint.append(UInt64(part.count), to: &entries)
                for word in part { Varint.append(UInt64(place[word]), to: &entries) }
            }
        }
    }

    /// The words of a text as the stop search compares them.
    static func words(_ text: String) -> [Word] {
        FoldedText.words(text, .placeNames).map { Array($0.utf16) }
    }

    /// The words that find a stop besides its name: its code, and the two halves of a word divided
    /// by an apostrophe, joined ("lenfant").
    private static func others(_ stop: Feed.Stop, _ name: [Word]) -> [Word] {
        var others: [Word] = []
        if let code = stop.code { others += words(code) }
        let isDivided = stop.name.contains { $0 == "'" || $0 == "’" }
        if isDivided, name.count > 1 {
            for position in 1..<name.count where name[position - 1].count <= 2 {
                others.append(name[position - 1] + name[position])
            }
        }
        return others.filter { !name.contains($0) }
    }

    /// The stops and stations, those with the most trips first; a station has the trips of its
    /// stops.
    private static func byImportance(_ feed: Feed) -> [Int] {
        var trips = [Int](repeating: 0, count: feed.stops.count)
        for pattern in feed.patterns {
            var places: Set<Int> = []
            for call in pattern.calls {
                places.insert(Int(call.stop))
                if let parent = feed.stops[Int(call.stop)].parent { places.insert(parent) }
            }
            for place in places { trips[place] += pattern.trips.count }
        }
        return feed.stops.indices
            .filter { feed.stops[$0].kind == .stop || feed.stops[$0].kind == .station }
            .sorted { (-trips[$0], $0) < (-trips[$1], $1) }
    }
}
