import Texts

/// What a label of a catalogue's technical facts measures.
struct SizeLabel: Hashable {
    /// What is measured.
    enum Quantity: Hashable {
        case width
        case depth
        case height
        case turningDiameter
        /// Room that it needs besides its own size.
        case clearance
        /// How high a threshold it copes with.
        case threshold
        /// The width of its seat, from which that of a chair can be guessed.
        case seatWidth
        /// The width of what one lies on.
        case lyingWidth
        /// The length of what one lies on.
        case lyingLength
        /// How far it reaches into the room when it is folded up.
        case parkedDepth
    }

    /// Which end of the range it tells.
    enum Bound: Hashable {
        case least
        case most
        /// It is the only one.
        case only
    }

    let quantity: Quantity
    let bound: Bound
    /// The label that is meant, when it was spelt otherwise; empty when it was spelt so.
    var meant = ""

    /// What a label measures; nil for one that tells no size that counts here.
    ///
    /// Case, accents, blanks and the place of “min” and “maks” make no difference. A long label
    /// with one letter too many, too few, wrong, or swapped is taken for the one that is meant.
    init?(_ label: String) {
        let (plain, bound) = Self.divided(label)
        if let quantity = Self.quantities[plain] {
            self.init(quantity: quantity, bound: bound)
            return
        }
        let letters = Array(plain.utf8)
        guard letters.count >= Self.shortestMisspelt,
            let meant = Self.longLabels.first(where: { Self.isNear($0.letters, letters) })
        else { return nil }
        self.init(quantity: meant.quantity, bound: bound, meant: meant.label)
    }

    init(quantity: Quantity, bound: Bound, meant: String = "") {
        (self.quantity, self.bound, self.meant) = (quantity, bound, meant)
    }

    /// Shorter labels are too like others to be guessed.
    private static let shortestMisspelt = 9

    /// The label without case, accents, blanks and bounds; and the bound.
    private static func divided(_ label: String) -> (plain: String, bound: Bound) {
        var bound = Bound.only
        var plain = ""
        for word in FoldedText.words(label) {
            switch word {
            case "min", "minimum": bound = .least
            case "maks", "max", "maksimum", "maximum": bound = .most
            default: plain += word
            }
        }
        return (plain, bound)
    }

    /// True when one is the other with one letter added, left out or changed, or two neighbours
    /// swapped (a distance of 1 after Damerau).
    private static func isNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard abs(one.count - other.count) <= 1 else { return false }
        let same = zip(one, other).prefix { $0 == $1 }.count
        let (rest, otherRest) = (one.dropFirst(same), other.dropFirst(same))
        if rest.count != otherRest.count {
            let (short, long) =
                rest.count < otherRest.count ? (rest, otherRest) : (otherRest, rest)
            return short.elementsEqual(long.dropFirst())
        }
        if rest.dropFirst().elementsEqual(otherRest.dropFirst()) { return true }
        guard rest.count >= 2 else { return false }
        return rest.prefix(2).elementsEqual(otherRest.prefix(2).reversed())
            && rest.dropFirst(2).elementsEqual(otherRest.dropFirst(2))
    }

    /// The labels of the Norwegian catalogue that tell how much room something takes, without their
    /// bounds.
    private static let labels: [(Quantity, [String])] = [
        (
            .width,
            [
                "Totalbredde", "Bredde", "Bredde utvendig", "Yttermål bredde", "Stolbredde",
                "Stolbredde utvendig", "Sengebredde", "Løfterens bredde", "Understell bredde",
                "Bredde understell", "Understellbredde", "Plattformbredde", "Bredde plattform",
            ]
        ),
        (
            .depth,
            [
                "Totallengde", "Lengde", "Lengde utvendig", "Yttermål lengde", "Stollengde",
                "Stollengde utvendig", "Løfterens lengde", "Plattformlengde", "Totaldybde", "Dybde",
                "Dybde plattform", "Totaldybde fra vegg",
            ]
        ),
        (.height, ["Totalhøyde", "Høyde", "Løfterens høyde"]),
        (.turningDiameter, ["Snudiameter"]),
        (.clearance, ["Trappebredde", "Trappeløpsbredde"]),
        (.threshold, ["Terskelhøyde"]),
        (.seatWidth, ["Setebredde"]),
        (.lyingWidth, ["Madrass bredde", "Liggeflate bredde"]),
        (.lyingLength, ["Madrass lengde", "Liggeflate lengde"]),
        (.parkedDepth, ["Parkeringsdybde (oppslått)"]),
    ]

    private static let quantities: [String: Quantity] = labels.reduce(into: [:]) { table, row in
        for label in row.1 { table[divided(label).plain] = row.0 }
    }

    private static let longLabels: [(label: String, letters: [UInt8], quantity: Quantity)] =
        labels.flatMap { row in
            row.1.map { (label: $0, letters: Array(divided($0).plain.utf8), quantity: row.0) }
        }.filter { $0.letters.count >= shortestMisspelt }
}
