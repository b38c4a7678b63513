import ProjectRecord

/// Working time as people write it.
package enum Effort {
    /// The maximum, in minutes: 100,000 hours.
    package static let most: UInt32 = 6_000_000

    /// Minutes of a text such as `7:30`, `7.5`, `7,5h` or `450m`; nil if it is none of these. Nil,
    /// too, for `1,000`, which may be a thousand hours or one.
    package static func minutes(of argument: String) -> UInt32? {
        guard !argument.contains(/,\d{3}(?!\d)/) else { return nil }
        let text = argument.lowercased().replacing(",", with: ".")
        var found: Double?
        if let match = text.wholeMatch(of: /(\d{1,6}):([0-5]\d)/) {
            found = Double(match.1).flatMap { hours in
                Double(match.2).map { hours * 60 + $0 }
            }
        } else if let match = text.wholeMatch(of: /(\d{1,7})m(?:in)?/) {
            found = Double(match.1)
        } else if let match = text.wholeMatch(of: /(\d{1,6}(?:\.\d{1,4})?)h?/) {
            found = Double(match.1).map { ($0 * 60).rounded() }
        }
        guard let found, found <= Double(most) else { return nil }
        return UInt32(found)
    }

    /// Hours and minutes, such as `7:30`.
    package static func text(_ minutes: some BinaryInteger) -> String {
        ProjectRecord.hours(Int(clamping: minutes))
    }
}
