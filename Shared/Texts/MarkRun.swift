/// A run of combining marks in a text.
///
/// To hash or compare a text, Swift normalises it, in time quadratic in the length of such a run:
/// 20 s for 128 KB. So a text from outside with an endless one is refused before anything is done
/// with it. Messages refuse it while they are unpacked.
public struct MarkRun: Sendable {
    /// The longest run: that of Unicode's Stream-Safe Text Format (UAX #15). No language needs
    /// more.
    public static let longest = 30
    private var length = 0

    /// A run in a text that has not begun.
    public init() {}

    /// Adds the next character of the text.
    ///
    /// - Returns: true when the run is endless.
    public mutating func add(_ scalar: Unicode.Scalar) -> Bool {
        let isMark =
            scalar.value >= 0x300
            && scalar.properties.canonicalCombiningClass != .notReordered
        length = isMark ? length + 1 : 0
        return length > Self.longest
    }
}

extension String {
    /// True when a run of combining marks is longer than any language needs.
    public var hasEndlessMarks: Bool {
        // No mark precedes U+0300, which begins with 0xCC.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var run = MarkRun()
        return unicodeScalars.contains { run.add($0) }
    }
}

extension String {
    /// The text without the marks that make a run of them longer than any language needs: for what
    /// others have written that is shown rather than refused.
    public var withoutEndlessMarks: String {
        guard hasEndlessMarks else { return self }
        var run = MarkRun()
        var kept = String.UnicodeScalarView()
        for scalar in unicodeScalars where !run.add(scalar) { kept.append(scalar) }
        return String(kept)
    }
}
