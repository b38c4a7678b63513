/// A unit of length as catalogues spell it.
struct LengthUnit: Hashable {
    /// What it is called.
    let name: String
    /// Millimetres in it: a fraction, so that nothing is lost. An inch has 254/10.
    let numerator: Int
    let denominator: Int

    static let millimetre = LengthUnit(name: "mm", numerator: 1, denominator: 1)
    static let centimetre = LengthUnit(name: "cm", numerator: 10, denominator: 1)
    static let decimetre = LengthUnit(name: "dm", numerator: 100, denominator: 1)
    static let metre = LengthUnit(name: "m", numerator: 1_000, denominator: 1)
    static let inch = LengthUnit(name: "in", numerator: 254, denominator: 10)

    /// The unit of a spelling; nil when it is none of length.
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

    /// How they are spelt, without regard to case, blanks around them and a final stop.
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

/// A number as it is written, exactly: digits and how many of them are behind the decimal mark.
struct WrittenNumber: Hashable {
    /// The digits without the mark, below 10⁹.
    let digits: Int
    /// Of them behind the mark.
    let decimals: Int

    /// Whole millimetres.
    ///
    /// - Parameter isFree: true for what is free to pass, which is rounded down; sizes and needs
    ///   are rounded up.
    func millimetres(_ unit: LengthUnit, isFree: Bool = false) -> Int {
        let above = digits * unit.numerator
        let below = (0..<decimals).reduce(unit.denominator) { product, _ in product * 10 }
        return (above + (isFree ? 0 : below - 1)) / below
    }
}
