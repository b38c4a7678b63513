/// A unit of length as catalogues spell it.
struct LengthUnit: Hashable {
    /// Its name.
    let name: String
    /// The unit in millimetres as a fraction, so that no precision is lost: an inch is 254/10.
    let numerator: Int
    let denominator: Int

    static let millimetre = LengthUnit(name: "mm", numerator: 1, denominator: 1)
    static let centimetre = LengthUnit(name: "cm", numerator: 10, denominator: 1)
    static let decimetre = LengthUnit(name: "dm", numerator: 100, denominator: 1)
    static let metre = LengthUnit(name: "m", numerator: 1_000, denominator: 1)
    static let inch = LengthUnit(name: "in", numerator: 254, denominator: 10)

    /// The unit with a spelling; nil if it isn't a unit of length.
    init?(_ spelling: some StringProtocol) {
        var plain = spelling.lowercased()[...]
        while let last = plain.last, last.isWhitespace || last == "." { plain.removeLast() }
        while let first = plain.first, first.isWhitespace { plain.removeFirst() }
        guard let unit = Self.spellings[String(plain)] else { return nil }
        self = unit
    }

    private init(name: String, numerator: Int, denominator: Int) {
        self.name = name
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The spellings of units, ignoring case, surrounding blanks and a full stop.
    private static let spellings: [String: LengthUnit] = [
        "mm": .millimetre, "millimeter": .millimetre, "millimetre": .millimetre,
        "millimetres": .millimetre, "millimeters": .millimetre,
        "cm": .centimetre, "centimeter": .centimetre, "centimetre": .centimetre,
        "centimetres": .centimetre, "centimeters": .centimetre, "sentimeter": .centimetre,
        "dm": .decimetre, "desimeter": .decimetre, "decimeter": .decimetre,
        "m": .metre, "meter": .metre, "metre": .metre, "metres": .metre, "meters": .metre,
        "\"": .inch, "″": .inch, "”": .inch, "''": .inch, "in": .inch, "inch": .inch,
        "inches": .inch, "tomme": .inch, "tommer": .inch, "tum": .inch,
    ]
}

/// A number exactly as written: its digits, and how many of them follow the decimal mark.
struct WrittenNumber: Hashable {
    /// The digits without the mark, below 10⁹.
    let digits: Int
    /// The number of digits after the mark.
    let decimals: Int

    /// The number in whole millimetres.
    ///
    /// - Parameter isFree: true for clear widths, which are rounded down; sizes and required space
    ///   are rounded up.
    func millimetres(_ unit: LengthUnit, isFree: Bool = false) -> Int {
        let above = digits * unit.numerator
        let below = (0..<decimals).reduce(unit.denominator) { product, _ in product * 10 }
        return (above + (isFree ? 0 : below - 1)) / below
    }
}
