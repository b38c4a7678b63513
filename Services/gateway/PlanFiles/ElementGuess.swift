import Messages

/// Guesses the kind of an item from its name, in the languages of plans.
enum ElementGuess {
    /// Beginnings and ends of words, more specific ones first.
    private static let kinds: [(ElementKind, [String])] = [
        (
            .cupboard,
            [
                "bedside", "nightstand", "nattbord", "sängbord", "wardrobe", "cabinet", "cupboard",
                "bookcase", "shelf", "shelves", "chest", "dresser", "storage", "slidingdoors",
                "skap",
                "skåp", "hylle", "hylla", "kommode", "byrå", "tvunit", "tv unit",
            ]
        ),
        (.wheelchair, ["wheelchair", "rullestol", "rullstol"]),
        (.toilet, ["toilet", "toalett", "wc"]),
        (.washbasin, ["washbasin", "wash basin", "servant", "tvättställ", "handfat", "håndvask"]),
        (.shower, ["shower", "dusj", "dusch"]),
        (.bath, ["bathtub", "bath", "badekar", "badkar"]),
        (
            .appliance,
            [
                "fridge", "refrigerator", "freezer", "cooker", "stove", "oven", "dishwasher",
                "washer", "washing machine", "dryer", "kjøleskap", "komfyr", "vaskemaskin",
                "oppvaskmaskin", "kylskåp", "spis", "tvättmaskin", "diskmaskin",
            ]
        ),
        (.kitchenBench, ["sink", "kitchen bench", "worktop", "kjøkkenbenk", "diskbänk", "benk"]),
        (.table, ["table", "desk", "bord", "skrivebord", "skrivbord"]),
        (.seat, ["chair", "sofa", "stool", "couch", "bench", "stol", "soffa", "pall", "krakk"]),
        (.bed, ["bed", "seng", "säng"]),
        (.stairs, ["stair", "stairs", "trapp", "trappa"]),
        (.structure, ["column", "chimney", "pillar", "søyle", "pipe", "pelare", "skorsten"]),
        (.aid, ["rollator", "walker", "hoist", "lift", "personløfter", "personlyft"]),
    ]

    static func kind(of names: String...) -> ElementKind {
        let text = names.joined(separator: " ").lowercased()
        return kinds.first { $0.1.contains(where: text.contains) }?.0 ?? .unspecified
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
