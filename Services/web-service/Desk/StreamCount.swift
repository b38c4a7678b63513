/// How many streams are open, in total and for each log-in.
struct StreamCount {
    /// The most streams.
    static let most = 500
    /// The most streams of one log-in.
    static let mostOfOne = 6

    private var owners: [UInt64: [UInt8]] = [:]
    private var counts: [[UInt8]: Int] = [:]
    private var last: UInt64 = 0

    /// Counts one more.
    ///
    /// - Returns: its number, from 1; nil if there are too many.
    mutating func begin(_ logIn: [UInt8]) -> UInt64? {
        guard owners.count < Self.most, counts[logIn, default: 0] < Self.mostOfOne else {
            return nil
        }
        last += 1
        owners[last] = logIn
        counts[logIn, default: 0] += 1
        return last
    }

    /// Counts one less.
    mutating func end(_ number: UInt64) {
        guard let logIn = owners.removeValue(forKey: number), let count = counts[logIn] else {
            return
        }
        counts[logIn] = count > 1 ? count - 1 : nil
    }
}
