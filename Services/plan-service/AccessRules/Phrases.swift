import Messages

/// What is said to a person, in one language. The words are in `Phrases`, one file a language.
struct Phrases: Sendable {
    /// ISO 639-1.
    let language: String
    private let words: [Phrase: String]

    static let all: [Phrases] = [
        Phrases("en", PackageResources.en_yaml), Phrases("nb", PackageResources.nb_yaml),
        Phrases("sv", PackageResources.sv_yaml),
    ]

    private init(_ language: String, _ file: [UInt8]) {
        self.language = language
        var words: [Phrase: String] = [:]
        for (key, text) in Embedded.value([String: String].self, file) {
            guard let phrase = Phrase(rawValue: key) else {
                preconditionFailure("\(language) has a phrase that nobody says: \(key)")
            }
            words[phrase] = text
        }
        self.words = words
    }

    /// The phrases of a language, English when none is named.
    /// - Throws: for a language that isn't there, with those that are.
    static func of(_ language: String) throws(Refusal) -> Phrases {
        let wanted = language.isEmpty ? "en" : language
        guard let found = all.first(where: { $0.language == wanted }) else {
            throw .invalid(
                "findings aren't written in “\(language)”; they are in "
                    + all.map(\.language).joined(separator: ", "))
        }
        return found
    }

    /// A phrase with values in the places of their `{names}`.
    func say(_ phrase: Phrase, _ values: KeyValuePairs<String, String> = [:]) -> String {
        let text = words[phrase] ?? ""
        guard !values.isEmpty else { return text }
        var said = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            said += rest[..<open]
            let name = rest[rest.index(after: open)..<close]
            said += values.first { $0.key == name }?.value ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return said + rest
    }

    /// True when the language has the phrase.
    func has(_ phrase: Phrase) -> Bool { words[phrase]?.isEmpty == false }

    /// The names of the places for values in a phrase.
    func places(in phrase: Phrase) -> Set<String> {
        Set((words[phrase] ?? "").matches(of: /\{(\w+)\}/).map { String($0.1) })
    }
}

/// Everything that is said.
enum Phrase: String, CaseIterable, Sendable {
    // What a rule measures, as a noun.
    case doorWidth, doorHeight, threshold, latchSpace, pushSpace, hingeSpace, swing, turningSpace
    case floorSpace, passage
    case ceiling, sideSpace, oneSideSpace, frontSpace, toiletZone, centreLine, size

    // What is required.
    case atLeast, atMost, between, or, none, outward, sides, sizes

    // What was found.
    case passes, fails, exceeds, isUncertain, isUnknown, shapeFits, noNumber, opensInward
    case opensOutward, noWay, sidesFound, guessed, noThreshold

    // What it means for a chair.
    case chairPasses, chairStops, chairPerhaps, chairTurns, chairManoeuvres, chairTurnsNot
    case chairTurnsPerhaps, chairGoes, chairGoesNot, chairGoesPerhaps, chairStands
    case chairStandsNot, chairStandsPerhaps

    // What can be done.
    case move, turnLeft, turnRight, hangOtherSide, hangOtherEnd, hangBoth, widen, lower, hangOut

    // Where to.
    case north, south, east, west

    // What there is, with its article as something that is moved.
    case thing, bed, toilet, washbasin, shower, bath, kitchenBench, table, seat, cupboard
    case appliance, aid, door, slidingDoor, opening, room, named

    // What keeps a chair out.
    case noWayThere, tooMuch, and
}
