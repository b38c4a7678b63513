/// Limits how often something may be done for each of many keys: a number of times at once, and a
/// rate in the long run. It remembers a bounded number of keys, and forgets the quietest first.
public struct SpeedLimit<Key: Hashable & Sendable>: Sendable {
    private struct Bucket: Sendable {
        var left: Double
        var time: Int64
    }

    private let burst: Double
    private let perSecond: Double
    private let most: Int
    private var buckets: [Key: Bucket] = [:]

    /// Makes a limit.
    ///
    /// - Parameters:
    ///   - burst: how many at once.
    ///   - perSecond: how many a second in the long run.
    ///   - most: how many are remembered.
    public init(burst: Int, perSecond: Double, most: Int = 10_000) {
        (self.burst, self.perSecond, self.most) = (Double(burst), perSecond, most)
    }

    /// Counts one more.
    ///
    /// - Parameters:
    ///   - key: who does it.
    ///   - now: milliseconds since 1970 or any other start.
    /// - Returns: nil when it is allowed, else the seconds to wait.
    public mutating func count(_ key: Key, at now: Int64) -> Int? {
        if buckets.count >= most, buckets[key] == nil { forget(at: now) }
        var bucket = buckets[key] ?? Bucket(left: burst, time: now)
        let passed = Double(max(0, now - bucket.time)) / 1000
        bucket.left = min(burst, bucket.left + passed * perSecond)
        bucket.time = now
        defer { buckets[key] = bucket }
        guard bucket.left < 1 else {
            bucket.left -= 1
            return nil
        }
        return max(1, Int(((1 - bucket.left) / perSecond).rounded(.up)))
    }

    /// Takes back one that was counted, because it should not have been.
    ///
    /// - Parameter key: who did it.
    public mutating func takeBack(_ key: Key) {
        guard let left = buckets[key]?.left else { return }
        buckets[key]?.left = min(burst, left + 1)
    }

    /// Forgets those who could do as much as someone new, else the quieter half.
    private mutating func forget(at now: Int64) {
        buckets = buckets.filter {
            $0.value.left + Double(max(0, now - $0.value.time)) / 1000 * perSecond < burst
        }
        guard buckets.count >= most else { return }
        let times = buckets.values.map(\.time).sorted()
        let middle = times[times.count / 2]
        buckets = buckets.filter { $0.value.time > middle }
    }
}
