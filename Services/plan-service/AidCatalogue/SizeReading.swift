import Messages

/// The sizes of a product, gathered from the facts in its catalogue.
struct SizeReading {
    fileprivate struct Stated {
        var least: (size: Int, doubt: String)?
        var most: (size: Int, doubt: String)?
        var label = ""
        /// The size of each label, to detect duplicates.
        var said: [String: SizeText] = [:]
    }

    private let isAccessory: Bool
    private let aidClass: AidClass?
    private var stated: [SizeLabel.Quantity: Stated] = [:]
    private var notes: [String] = []

    init(isAccessory: Bool, class aidClass: AidClass?) {
        self.isAccessory = isAccessory
        self.aidClass = aidClass
    }

    /// Adds a fact.
    mutating func take(_ fact: SourceFact, _ label: SizeLabel) {
        // A chair's threshold is what it can climb; a ramp's is its own height.
        let isRamp = aidClass?.code.hasPrefix("1830") == true
        if label.quantity == .threshold, !isRamp { return }
        let isFree = label.quantity == .threshold
        let key = CatalogueText.short(CatalogueText.clean(fact.key), 100)
        let size: SizeText
        do { size = try SizeText(fact.value, unit: fact.unit, isFree: isFree) } catch {
            let value = CatalogueText.short(CatalogueText.clean(fact.value), 60)
            notes.append(
                value.isEmpty
                    ? "“\(key)” is empty." : "“\(key)”: “\(value)” \(error.reason).")
            return
        }
        var own = stated[label.quantity] ?? Stated()
        if let before = own.said[key], before != size {
            notes.append("“\(key)” occurs more than once; the larger value counts.")
        }
        own.said[key] = size
        let doubt = [
            size.doubt, label.meant.isEmpty ? "" : "the label is read as \(label.meant)",
        ]
        .filter { !$0.isEmpty }.joined(separator: ", ")
        let isNeed = label.quantity == .clearance
        var (least, most) = (size.least, size.most)
        switch label.bound {
        case .only: if isNeed { (least, most) = (nil, most ?? least) }
        case .least: (least, most) = isNeed ? (nil, most ?? least) : (least ?? most, nil)
        case .most: (least, most) = (nil, most ?? least)
        }
        if let least, least > own.least?.size ?? 0 {
            own.least = (least, doubt)
            if own.most == nil { own.label = key }
        }
        if let most, most > own.most?.size ?? 0 {
            own.most = (most, doubt)
            own.label = key
        }
        stated[label.quantity] = own
    }

    /// Writes the gathered sizes into a product, and estimates for missing ones.
    mutating func settle(into product: inout Product) {
        if stated[.depth]?.most == nil, let parked = stated[.parkedDepth] {
            stated[.depth] = parked
            notes.append("Its depth is stated only folded up.")
        }
        product.width = settled(.width, guess: guessedWidth)
        product.depth = settled(
            .depth, guess: guessed(.depth, usual: aidClass?.depth, lying: .lyingLength))
        product.height = settled(.height) ?? settled(.threshold)
        product.turningDiameter = settled(.turningDiameter)
        product.clearance = settled(.clearance, guess: guessedClearance)
        product.notes += notes.prefix(Self.mostNotes)
    }

    private static let mostNotes = 40

    private typealias Guess = (most: Int, reason: String)

    private mutating func settled(
        _ quantity: SizeLabel.Quantity, guess: Guess? = nil
    ) -> ProductMeasure? {
        let own = stated[quantity] ?? Stated()
        var measure = ProductMeasure(least: own.least.map { UInt32($0.size) }, label: own.label)
        if let most = own.most {
            (measure.most, measure.guess) = (UInt32(most.size), most.doubt)
            if let least = own.least, least.size > most.size {
                measure.least = nil
                notes.append("“\(own.label)” has a least above its most; the least is left out.")
            }
            return measure
        }
        if !isAccessory, let guess {
            (measure.most, measure.guess) = (UInt32(guess.most), guess.reason)
            return measure
        }
        measure.guess = own.least?.doubt ?? ""
        return own.least == nil ? nil : measure
    }

    private var guessedWidth: Guess? {
        guard let besides = aidClass?.besidesSeat, let seat = stated[.seatWidth]?.widest else {
            return guessed(.width, usual: aidClass?.width, lying: .lyingWidth)
        }
        return (
            max(seat + Int(besides), stated[.width]?.least?.size ?? 0),
            "its seat is \(seat) mm wide, and \(besides) mm more are usual"
        )
    }

    private var guessedClearance: Guess? {
        guard let aidClass, let usual = aidClass.clearance else { return nil }
        return (Int(usual), "not stated; \(usual) mm are usual for \(aidClass.words)")
    }

    private func guessed(
        _ quantity: SizeLabel.Quantity, usual: UInt32?, lying: SizeLabel.Quantity
    ) -> Guess? {
        guard let aidClass, let usual else { return nil }
        let least = stated[quantity]?.least?.size
        let lying = stated[lying]?.widest
        let most = max(Int(usual), least ?? 0, lying ?? 0)
        let known =
            least.map { "only the least is stated, \($0) mm" }
            ?? lying.map { "only the lying surface is stated, \($0) mm" } ?? "not stated"
        return (most, "\(known); \(usual) mm are usual for \(aidClass.words)")
    }
}

extension SizeReading.Stated {
    /// The larger of its ends.
    fileprivate var widest: Int? { most?.size ?? least?.size }
}
