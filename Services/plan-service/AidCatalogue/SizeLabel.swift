import Texts

/// What a label of a catalogue's technical facts measures.
struct SizeLabel: Hashable {
    /// The quantities that labels measure.
    enum Quantity: Hashable {
        case width
        case depth
        case height
        case turningDiameter
        /// The space that it needs in addition to its own size.
        case clearance
        /// The height of the thresholds that it can pass.
        case threshold
        /// The width of its seat, from which the width of a chair can be estimated.
        case seatWidth
        /// The width of the lying surface.
        case lyingWidth
        /// The length of the lying surface.
        case lyingLength
        /// How far it extends into the room when it is folded.
        case parkedDepth
    }

    /// Which end of the range a label states.
    enum Bound: Hashable {
        case least
        case most
        /// The size isn't a range.
        case only
    }

    let quantity: Quantity
    let bound: Bound
    /// The intended label if this one was misspelt, else empty.
    var meant = ""

    /// Recognises a label; nil if it isn't a relevant size.
    ///
    /// Case, accents, blanks and the position of “min” and “maks” make no difference. A long label
    /// with one letter added, missing, wrong, or swapped still matches.
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

    /// The minimum length of a misspelt label that is recognised; shorter ones are too similar to
    /// others.
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

    /// True if one becomes the other by adding, removing or changing one letter, or swapping two
    /// neighbours (a Damerau distance of 1).
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

    /// The labels of the Norwegian catalogue for the space that a product takes, without their
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
