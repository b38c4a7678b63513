/// Numbers with up to three decimals, as people type and read them.
package enum Thousandths {
    /// The greatest magnitude of a typed number, in whole units.
    private static let mostWhole: Int64 = 9_999_999_999

    /// Reads `4.2`, `-18`, `0,125`; nil for anything else, such as more than three decimals or more
    /// than ten digits before them.
    package static func read(_ text: String) -> Int64? {
        guard let parts = text.wholeMatch(of: /([-−]?)([0-9]{1,10})(?:[.,]([0-9]{1,3}))?/),
            let whole = Int64(parts.2), whole <= mostWhole
        else { return nil }
        let digits = String(parts.3 ?? "")
        let rest = Int64(digits + String(repeating: "0", count: 3 - digits.count)) ?? 0
        return (parts.1.isEmpty ? 1 : -1) * (whole * 1_000 + rest)
    }

    /// Formats a number without superfluous zeros.
    ///
    /// - Parameters:
    ///   - value: the number in thousandths.
    ///   - separator: the decimal separator.
    package static func text(_ value: Int64, separator: String = ".") -> String {
        var digits = String(value.magnitude % 1_000 + 1_000).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        let whole = "\(value < 0 ? "-" : "")\(value.magnitude / 1_000)"
        return digits.isEmpty ? whole : whole + separator + digits
    }
}
