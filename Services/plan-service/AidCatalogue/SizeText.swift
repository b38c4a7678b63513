/// A size as catalogues write it: `66,5`, `62-68`, `ca. 65`, `640 mm`, `maks 70`.
struct SizeText: Hashable {
    /// The minimum, in millimetres; nil if the text has none.
    private(set) var least: Int?
    /// The maximum, in millimetres; nil if the text has none.
    private(set) var most: Int?
    /// Why it is only an estimate; empty if it is stated plainly.
    private(set) var doubt = ""

    /// The maximum size of anything in a home, in millimetres.
    static let largest = 50_000
    /// The largest number without a unit that counts as centimetres; larger ones are millimetres.
    static let mostCentimetres = 400

    /// Reads the value and the unit of a measure.
    ///
    /// - Parameters:
    ///   - unit: as the catalogue spells it; may be empty.
    ///   - isFree: true for clear widths, which are rounded down.
    /// - Throws: ``SizeTextFault`` if there is no size in it.
    init(_ value: String, unit: String, isFree: Bool = false) throws(SizeTextFault) {
        var words = SizeWords(value)
        try words.read()
        guard !words.numbers.isEmpty else {
            throw SizeTextFault(words.isBlank ? "is empty" : "has no number in it")
        }
        let stated = LengthUnit(unit)
        if stated == nil, unit.contains(where: { !$0.isWhitespace }) {
            let unit = CatalogueText.short(CatalogueText.clean(unit), 20)
            throw SizeTextFault("has the unit “\(unit)”, which isn't a unit of length")
        }
        doubt = words.doubt
        let factor = choose(stated, words)
        if factor == .inch, words.hasSlash { throw SizeTextFault("has a slash in inches") }
        if words.numbers.contains(where: \.isGrouped), factor.numerator <= 10 {
            doubt("the mark in it may separate thousands")
        }
        let sizes = words.numbers.map { number in
            (number.isGrouped && factor == .millimetre ? number.grouped : number.plain)
                .millimetres(factor, isFree: isFree)
        }
        guard let low = sizes.min(), let high = sizes.max(), low > 0, high <= Self.largest else {
            throw SizeTextFault("is not between 1 mm and \(Self.largest / 1_000) m")
        }
        if !words.saysLeast || low < high { most = high }
        if words.saysLeast || low < high { least = low }
        if words.saysMost, low == high { least = nil }
    }

    private mutating func doubt(_ reason: String) {
        doubt += doubt.isEmpty ? reason : ", \(reason)"
    }

    private mutating func choose(_ stated: LengthUnit?, _ words: SizeWords) -> LengthUnit {
        switch (stated, words.unit) {
        case (let unit?, nil): return unit
        case (nil, let unit?): return unit
        case (let unit?, let other?):
            guard unit != other else { return unit }
            doubt("the unit is \(unit.name) and the value says \(other.name)")
            return unit.numerator * other.denominator > other.numerator * unit.denominator
                ? unit : other
        case (nil, nil):
            let isLarge = words.numbers.contains {
                $0.plain.millimetres(.millimetre) > Self.mostCentimetres
            }
            doubt("without a unit, taken for \(isLarge ? "mm" : "cm")")
            return isLarge ? .millimetre : .centimetre
        }
    }
}

/// Why a text isn't a size: the end of a sentence that begins with the text.
struct SizeTextFault: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The numbers, units and words in a size.
struct SizeWords {
    /// A number in the text.
    struct Number: Hashable {
        /// The number if a single mark is a decimal mark.
        let plain: WrittenNumber
        /// The number if the mark separates thousands.
        let grouped: WrittenNumber
        /// True if the mark may be either: `1.200`.
        let isGrouped: Bool
    }

    private(set) var numbers: [Number] = []
    private(set) var unit: LengthUnit?
    private(set) var saysLeast = false
    private(set) var saysMost = false
    private(set) var hasSlash = false
    private(set) var isBlank: Bool
    private(set) var doubt = ""
    private let text: [Character]
    private var position = 0

    /// The maximum length of a size; longer texts are prose.
    static let longest = 80

    init(_ value: String) {
        text = Array(value.lowercased().prefix(Self.longest + 1))
        isBlank = value.allSatisfy(\.isWhitespace)
    }

    /// Reads the whole text.
    mutating func read() throws(SizeTextFault) {
        guard text.count <= Self.longest else { throw SizeTextFault("is too long for a size") }
        while position < text.count {
            let sign = text[position]
            if sign.isASCII, sign.isNumber {
                try readNumber()
            } else if sign.isLetter {
                try readWord()
            } else {
                position += 1
                try take(sign)
            }
        }
    }

    private mutating func take(_ sign: Character) throws(SizeTextFault) {
        switch sign {
        case "-", "–", "—", "−":
            let isBefore = numbers.isEmpty && position < text.count && text[position].isNumber
            if isBefore { throw SizeTextFault("is below zero") }
        case "/": hasSlash = true
        case "~", "≈": approximate()
        case "<", "≤": saysMost = true
        case ">", "≥": saysLeast = true
        case "\"", "″", "”": unit = .inch
        case "±", "+", "*", "×", "%", "°", "½", "¼", "¾", "²":
            throw SizeTextFault("has “\(sign)” in it, which isn't a plain size")
        case "(", ")", ":", "=": hint("there is more than a number in it")
        default: break
        }
    }

    private mutating func readWord() throws(SizeTextFault) {
        let start = position
        while position < text.count, text[position].isLetter { position += 1 }
        let word = String(text[start..<position])
        // In “65 m/armlener”, “m” is short for “med” (with).
        let isShortForWith = word == "m" && position < text.count && text[position] == "/"
        if !isShortForWith, let unit = LengthUnit(word) {
            if let before = self.unit, before != unit { hint("there are two units in it") }
            self.unit = unit
            return
        }
        switch word {
        case "ca", "circa", "cirka", "omtrent", "approx", "about": approximate()
        case "maks", "max", "maksimum", "maximum", "opptil", "inntil", "høyst": saysMost = true
        case "min", "minimum", "minst": saysLeast = true
        case "x": throw SizeTextFault("has “x” in it, which isn't a plain size")
        case "fra", "til", "to", "og", "eller", "or", "and", "from": break
        default: hint("there is more than a number in it")
        }
    }

    private mutating func approximate() { hint("an approximate value") }

    private mutating func hint(_ reason: String) {
        guard !doubt.contains(reason) else { return }
        doubt += doubt.isEmpty ? reason : ", \(reason)"
    }

    /// Reads `62`, `66,5`, `1 200`, `1.200,5`.
    private mutating func readNumber() throws(SizeTextFault) {
        var groups: [[Character]] = [[]]
        var marks: [Character] = []
        while position < text.count {
            let sign = text[position]
            if sign.isASCII, sign.isNumber {
                groups[groups.count - 1].append(sign)
            } else if sign == "," || sign == ".", digits(after: position) > 0 {
                marks.append(sign)
                groups.append([])
            } else if sign.isWhitespace, (1...3).contains(groups[0].count),
                marks.allSatisfy(\.isWhitespace), digits(after: position) == 3
            {
                marks.append(" ")
                groups.append([])
            } else {
                break
            }
            position += 1
        }
        guard groups.joined().count <= 9 else { throw SizeTextFault("has too many digits") }
        numbers.append(try Self.number(groups, marks))
    }

    /// The number of digits right after a place.
    private func digits(after place: Int) -> Int {
        text[(place + 1)...].prefix { $0.isASCII && $0.isNumber }.count
    }

    private static func number(
        _ groups: [[Character]], _ marks: [Character]
    ) throws(SizeTextFault) -> Number {
        let digits = Int(String(groups.joined())) ?? 0
        let whole = WrittenNumber(digits: digits, decimals: 0)
        guard let mark = marks.last else {
            return Number(plain: whole, grouped: whole, isGrouped: false)
        }
        let isLastAlone = marks.filter { $0 == mark }.count == 1
        let areThousands = groups.dropFirst().allSatisfy { $0.count == 3 }
        if mark == " " || !isLastAlone {
            guard areThousands else { throw SizeTextFault("has marks that make no sense") }
            return Number(plain: whole, grouped: whole, isGrouped: false)
        }
        let parts = WrittenNumber(digits: digits, decimals: groups.last?.count ?? 0)
        let mayBeThousands =
            marks.count == 1 && areThousands && groups[0].count <= 3 && groups[0].first != "0"
        return Number(plain: parts, grouped: whole, isGrouped: mayBeThousands)
    }
}
