/// The times that messages may have, in milliseconds since 1970.
///
/// What comes from outside is refused beyond them, and what was kept before is brought within them,
/// so that no sum or difference of two times, and no time a thousand times faster, leaves 64 bits.
public enum MessageTime {
    /// From the beginning of 1970 to the end of 9999.
    public static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    /// The time, or that end of the range to which it is nearer.
    public static func clamped(_ time: Int64) -> Int64 {
        min(max(time, range.lowerBound), range.upperBound)
    }
}
