import Messages

/// The rules for a product.
extension Product {
    /// The maximum length of a name, an id or a number, in bytes.
    static let longestText = 1_300
    static let longestNumber = 200
    /// The maximum number of notes.
    static let mostNotes = 50
    /// The maximum of a measure, in millimetres.
    static let largestMeasure: UInt32 = 200_000

    /// Refuses an invalid product, naming what is wrong.
    func validate() throws(Refusal) {
        let words = "the product “\(name.prefix(60))” (\(id.prefix(60)))"
        guard !id.isEmpty else { throw .invalid("the product “\(name.prefix(60))” has no id") }
        guard [id, number, supplierNumber].allSatisfy({ $0.utf8.count <= Self.longestNumber }),
            [name, title, maker, isoTitle].allSatisfy({ $0.utf8.count <= Self.longestText }),
            notes.count <= Self.mostNotes,
            notes.allSatisfy({ $0.utf8.count <= Self.longestText })
        else { throw .invalid("\(words) has a text that is too long, or too many notes") }
        guard [id, number, supplierNumber, name, title, maker].allSatisfy(\.isOnOneLine) else {
            throw .invalid("\(words) has control characters in its texts")
        }
        guard isoCode.isEmpty || (4...8).contains(isoCode.utf8.count),
            isoCode.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            throw .invalid("\(words) has no code of ISO 9999; it has 4 to 8 digits")
        }
        guard [.active, .inactive, .deleted].contains(state), updated >= 0 else {
            throw .invalid("\(words) doesn't say how it stands, or when it was changed")
        }
        guard state == .deleted || !name.isEmpty else { throw .invalid("\(words) has no name") }
        let measures = [width, depth, height, turningDiameter, clearance].compactMap { $0 }
        for measure in measures {
            let sizes = [measure.least, measure.most].compactMap { $0 }
            guard sizes.allSatisfy({ (1...Self.largestMeasure).contains($0) }),
                measure.least ?? 0 <= measure.most ?? .max,
                max(measure.label.utf8.count, measure.guess.utf8.count) <= Self.longestText
            else {
                throw .invalid(
                    "\(words) has a measure that is not from 1 mm to 200 m, or whose least is "
                        + "above its most")
            }
        }
    }
}

extension String {
    /// True if it has no control characters.
    fileprivate var isOnOneLine: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
