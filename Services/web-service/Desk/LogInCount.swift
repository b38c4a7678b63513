/// How many of something there are at once, in total and for each log-in.
struct LogInCount {
    /// The streams of open pages.
    static let streams = LogInCount(most: 500, mostOfOne: 6)
    /// The drawings that wait. A small plan takes milliseconds, the largest some seconds.
    static let drawings = LogInCount(most: 16, mostOfOne: 6)

    private let most: Int
    private let mostOfOne: Int
    private var owners: [UInt64: [UInt8]] = [:]
    private var counts: [[UInt8]: Int] = [:]
    private var last: UInt64 = 0

    private init(most: Int, mostOfOne: Int) { (self.most, self.mostOfOne) = (most, mostOfOne) }

    /// Counts one more.
    ///
    /// - Returns: its number, from 1; nil if there are too many.
    mutating func begin(_ logIn: [UInt8]) -> UInt64? {
        guard owners.count < most, counts[logIn, default: 0] < mostOfOne else { return nil }
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
