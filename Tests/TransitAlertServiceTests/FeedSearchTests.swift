import Foundation
import Testing
import TransitFeed

@testable import TransitAlertService

@Suite struct FeedSearchTests {
    /// The names of the stops that a search finds among these.
    private func found(
        _ text: String, among names: [String], near: Feed.Position? = nil, limit: Int = 10
    ) throws -> [String] {
        try StoredFeed(names).stored().search(text, near: near, limit: limit).map(\.stop.name)
    }

    @Test(arguments: [
        "m", "M", "ma", "main", "MAIN STR", "street main", "str ma", "Mäin", "máin stréet",
        "main,street", "  main   street  ", "mian street", "main sreet", "maiin street",
        "mayn stret", "stret",
    ])
    func `a stop is found as its name is typed`(_ text: String) throws {
        #expect(try found(text, among: ["Oak Avenue", "Main Street"]) == ["Main Street"])
    }

    @Test(arguments: [
        "man street", "mxyn", "zz", "main x", "maim strxxt", "ain", "", " ", "-", "mxi",
    ])
    func `a stop that doesn't match isn't found`(_ text: String) throws {
        #expect(try found(text, among: ["Oak Avenue", "Main Street"]).isEmpty)
    }

    @Test(arguments: [
        ("zurich", "Zürich HB"), ("ZÜRICH", "Zürich HB"), ("Zu\u{308}rich", "Zürich HB"),
        ("strasse", "Lange Straße"), ("lodz", "Łódź"), ("oresund", "Øresund"),
        ("queens", "Queen's Park"), ("queen’s", "Queen's Park"), ("enfant", "L'Enfant Plaza"),
        ("lenfant pl", "L'Enfant Plaza"), ("l'enfant", "L'Enfant Plaza"), ("駅", "東京駅"),
        ("東京", "東京駅"), ("αθηνας", "Αθηνάς"), ("киев", "Киевская"), ("istanbul", "İstanbul"),
    ])
    func `case, accents and apostrophes do not matter`(_ text: String, _ name: String) throws {
        #expect(try found(text, among: ["Oak Avenue", name]) == [name])
    }

    @Test func `the closest match comes first`() throws {
        // The worse a match, the more trips it has here, so that only the match can decide.
        let names = ["Mayn", "Old Main Square", "Main Street", "Main"]

        let file = try StoredFeed(names).stored()
        let found = try file.search("main")

        #expect(found.map(\.stop.name) == ["Main", "Main Street", "Old Main Square", "Mayn"])
        #expect(found.map(\.closeness) == [.exact, .prefix, .words, .typo])
    }

    @Test func `a stop with the typed id comes before stops with that name`() throws {
        let names = ["S1 Street", "Elm West", "S1"]
        let file = try StoredFeed(names).stored()

        #expect(try file.search("S1").map(\.stop.id) == ["S1", "S2", "S0"])
        #expect(try file.search("S1", limit: 1).map(\.closeness) == [.id])
        #expect(try file.search("S2").map(\.stop.id) == ["S2"])
        #expect(try file.search("S2").map(\.closeness) == [.id])
    }

    @Test func `of equal matches the stop with the most trips comes first`() throws {
        let names = ["Elm West", "Elm East", "Elm North"]

        #expect(try found("elm", among: names) == names)
        #expect(try found("elm", among: names, limit: 2) == ["Elm West", "Elm East"])
    }

    @Test func `of equal matches the nearest stop comes first if a position is known`() throws {
        let names = ["Elm West", "Elm East", "Elm North", "Big Elm"]
        let stored = try StoredFeed(names)
        let here = stored.feed.stops[2].position

        let found = try stored.stored().search("elm", near: here, limit: 3)

        #expect(found.map(\.stop.name) == ["Elm North", "Elm East", "Elm West"])
        #expect(found[0].metres == 0)
        #expect(abs((found[1].metres ?? 0) - 11.12) < 0.1)
    }

    @Test func `a word of three letters or with a digit must match exactly`() throws {
        #expect(try found("oxk", among: ["Oak", "Elm"]).isEmpty)
        #expect(try found("bay 1235", among: ["Bay 1234", "Bay 1235"]) == ["Bay 1235"])
    }

    @Test func `a stop is found by its code`() throws {
        #expect(try found("91", among: ["Oak", "Elm"]) == ["Elm"])
    }

    @Test func `a station is found, and is as important as its stops`() throws {
        let file = try StoredFeed(["Oak", "Elm"]).stored()

        #expect(try file.search("hub").map(\.stop.kind) == [.station])

        // No trip calls at the eleventh stop, and one at the platform of the station behind it.
        let names = (0..<10).map { "Oak \($0)" } + ["Hubert"]
        let large = try StoredFeed(names).stored()
        #expect(try large.search("hu").map(\.stop.kind) == [.station, .stop])
    }

    @Test func `every word of every name finds its stop`() throws {
        let names = ["Abbey Road", "Abbot Hall", "Zoo", "New Road 12", "A", "Saint-Michel"]
        let file = try StoredFeed(names).stored()

        for name in names {
            for word in name.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                for length in 1...word.count {
                    let found = try file.search(String(word.prefix(length)), limit: 20)
                    #expect(found.contains { $0.stop.name == name }, "\(word.prefix(length))")
                }
            }
        }
    }

    @Test func `very long and odd texts are searched without a crash`() throws {
        let file = try StoredFeed().stored()

        #expect(try file.search(String(repeating: "alder ", count: 5000)).count == 1)
        #expect(try file.search(String(repeating: "x", count: 100_000)).isEmpty)
        #expect(try file.search("\u{0}\u{301}\u{FFFD}%_'\"*").isEmpty)
    }

    @Test func `a damaged index is refused`() {
        #expect(FeedSearch(words: [], entries: [0, 0, 0, 1, 5]) == nil)
        #expect(FeedSearch(words: [97, 10], entries: [0xFF]) == nil)
        // The smallest number has no absolute value.
        let smallest = [UInt8](repeating: 0xFF, count: 9) + [1]
        #expect(FeedSearch(words: [], entries: [0] + smallest + [0]) == nil)
        #expect(FeedSearch(words: [], entries: [0, 0] + smallest) == nil)
    }
}
