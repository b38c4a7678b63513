/// The range of times in messages, in milliseconds since 1970.
///
/// Times from outside that are beyond it are refused, and stored ones are clamped to it, so that no
/// sum or difference of two times, and no time a thousand times faster, overflows 64 bits.
public enum MessageTime {
    /// From the beginning of 1970 to the end of 9999.
    public static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    /// The time clamped to the range.
    public static func clamped(_ time: Int64) -> Int64 {
        min(max(time, range.lowerBound), range.upperBound)
    }
}
