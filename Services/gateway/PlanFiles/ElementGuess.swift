import Messages

/// Guesses the kind of an item from its name, in the languages of plans.
enum ElementGuess {
    /// Words, ends of words, or phrases. If two end at the same place in a name, the longer one
    /// counts: a bedside table isn't a table.
    private static let kinds: [(ElementKind, [String])] = [
        (
            .cupboard,
            [
                "bedside", "bedside table", "nightstand", "nattbord", "sängbord", "nachttisch",
                "wardrobe", "cabinet", "cupboard", "sideboard", "bookcase", "shelf", "shelves",
                "chest", "chest of drawers", "dresser", "storage", "sliding doors", "skap", "skåp",
                "hylle", "hylla", "kommode", "byrå", "tv unit", "schrank", "regal",
            ]
        ),
        (.wheelchair, ["wheelchair", "rullestol", "rullstol", "rollstuhl"]),
        (.toilet, ["toilet", "toalett", "toalettstol", "toilette", "wc"]),
        (
            .washbasin,
            [
                "washbasin", "wash basin", "bathroom sink", "servant", "tvättställ", "handfat",
                "håndvask", "waschbecken", "waschtisch",
            ]
        ),
        (
            .shower,
            [
                "shower", "shower cabinet", "dusj", "dusjkabinett", "dusch", "duschkabin",
                "dusche", "duschkabine",
            ]
        ),
        (.bath, ["bathtub", "bath", "badekar", "badkar", "badewanne"]),
        (
            .appliance,
            [
                "fridge", "refrigerator", "freezer", "cooker", "stove", "oven", "dishwasher",
                "washer", "washing machine", "dryer", "kjøleskap", "fryseskap", "komfyr", "ovn",
                "vaskemaskin", "oppvaskmaskin", "kylskåp", "frysskåp", "spis", "tvättmaskin",
                "diskmaskin", "kühlschrank", "gefrierschrank", "herd", "backofen",
                "spülmaschine", "geschirrspüler", "waschmaschine", "trockner",
            ]
        ),
        (
            .kitchenBench,
            ["sink", "kitchen bench", "worktop", "kjøkkenbenk", "diskbänk", "benk", "spüle"]
        ),
        (.table, ["table", "desk", "bord", "skrivebord", "skrivbord", "tisch"]),
        (
            .seat,
            [
                "chair", "sofa", "stool", "couch", "bench", "stol", "sittebenk", "soffa", "pall",
                "krakk", "stuhl", "sessel", "hocker",
            ]
        ),
        (.bed, ["bed", "seng", "säng", "bett"]),
        (.stairs, ["stair", "stairs", "staircase", "stairway", "trapp", "trappa", "treppe"]),
        (
            .structure,
            [
                "column", "chimney", "pillar", "søyle", "pipe", "pelare", "skorsten", "säule",
                "schornstein",
            ]
        ),
        (.aid, ["rollator", "walker", "hoist", "lift", "personløfter", "personlyft", "lifter"]),
    ]

    private static let kindOfName = Dictionary(
        kinds.flatMap { kind, names in names.map { ($0, kind) } }
    ) { first, _ in first }
    /// The length of the longest of them.
    private static let longest = kindOfName.keys.reduce(0) { max($0, $1.count) }
    /// Endings of plurals and definite forms.
    private static let inflections = ["s", "es", "en", "et", "er", "ene", "ar", "or"]
    /// They introduce what the thing has or is for.
    private static let prepositions: Set = [
        "with", "without", "for", "med", "uten", "utan", "til", "för", "till", "mit", "ohne", "für",
    ]
    /// These don't end in a noun, although they look so.
    private static let adjectives: Set = ["adjustable", "comfortable", "portable", "vegetable"]

    /// - Parameter names: names of the thing, of which the last says most.
    static func kind(of names: String...) -> ElementKind {
        for name in names.reversed() {
            let words = words(of: name)
            let thing = Array(words.prefix { !prepositions.contains($0) })
            if let kind = kind(of: thing) ?? kind(of: words) { return kind }
        }
        return .unspecified
    }

    /// The kind of the thing named last, because the words before it only say which sort it is.
    private static func kind(of words: [String]) -> ElementKind? {
        for end in words.indices.reversed() where !adjectives.contains(words[end]) {
            let phrase = words[max(0, end - 2)...end].joined(separator: " ")
            let endings = inflections.filter { phrase.hasSuffix($0) }
            let forms = [phrase] + endings.map { String(phrase.dropLast($0.count)) }
            for length in stride(from: min(longest, phrase.count), to: 1, by: -1) {
                for form in forms where form.count >= length {
                    if let kind = kindOfName[String(form.suffix(length))] { return kind }
                }
            }
        }
        return nil
    }

    /// The words of a name, in lower case. In the ids of catalogues, such as `eTeks#coffeeTable`, a
    /// capital begins one.
    private static func words(of name: String) -> [String] {
        var spaced = ""
        var isLower = false
        for character in name.prefix(200) {
            if isLower, character.isUppercase { spaced.append(" ") }
            isLower = character.isLowercase
            spaced.append(character)
        }
        return spaced.lowercased().split { !$0.isLetter }.map(String.init)
    }

    private static let uses: [(RoomUse, [String])] = [
        (.bathroom, ["bathroom", "bath", "shower", "baderom", "bad", "badrum", "dusch"]),
        (.toilet, ["toilet", "wc", "toalett"]),
        (.bedroom, ["bedroom", "soverom", "sovrum"]),
        (.kitchen, ["kitchen", "kjøkken", "kök", "pentry"]),
        (.living, ["living", "lounge", "sitting", "stue", "vardagsrum", "oppholdsrom", "allrum"]),
        (.laundry, ["laundry", "vaskerom", "tvättstuga"]),
        (.hall, ["hall", "corridor", "entrance", "gang", "korridor", "entré", "vindfang"]),
        (.storage, ["storage", "closet", "bod", "förråd", "pantry", "garderobe"]),
        (.balcony, ["balcony", "terrace", "balkong", "terrasse", "altan", "uteplass"]),
    ]

    static func use(of name: String) -> RoomUse {
        let text = name.lowercased()
        return uses.first { $0.1.contains(where: text.contains) }?.0 ?? .unspecified
    }
}
