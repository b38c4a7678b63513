/// A cache with a limit on the number and weight of its values. Beyond it, the values put longest
/// ago are dropped first; the one put last always stays.
///
/// A dropped value has to be made or read again: no code may depend on finding it.
public struct BoundedCache<Key: Hashable, Value> {
    private struct Entry {
        var value: Value
        let weight: Int
        let stamp: UInt64
    }

    private let mostEntries: Int
    private let mostWeight: Int
    private var entries: [Key: Entry] = [:]
    /// The keys in the order in which they were put. A key that was put or taken since has another
    /// stamp, or no entry, and is skipped.
    private var order: [(key: Key, stamp: UInt64)] = []
    private var oldest = 0
    private var stamp: UInt64 = 0
    private var weight = 0

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - mostEntries: the maximum number of values.
    ///   - mostWeight: the maximum weight of all together, in any unit.
    public init(mostEntries: Int, mostWeight: Int = .max) {
        self.mostEntries = mostEntries
        self.mostWeight = mostWeight
    }

    /// The number of values in the cache.
    public var count: Int { entries.count }

    /// The keys in the cache, the one put last at the end.
    public var keys: [Key] { order[oldest...].filter(isCurrent).map(\.key) }

    /// The value of a key, which stays in the cache.
    public subscript(key: Key) -> Value? { entries[key]?.value }

    /// Removes and returns the value of a key, so that it can be changed and put back without a
    /// copy.
    public mutating func take(_ key: Key) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        weight -= entry.weight
        return entry.value
    }

    /// Puts a value in place of any other with its key.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - key: its key.
    ///   - weight: its weight, 0 or more.
    public mutating func put(_ value: consuming Value, for key: Key, weight: Int = 0) {
        _ = take(key)
        stamp += 1
        entries[key] = Entry(value: value, weight: weight, stamp: stamp)
        order.append((key, stamp))
        self.weight += weight
        while entries.count > max(1, mostEntries)
            || self.weight > mostWeight && entries.count > 1
        {
            let next = order[oldest]
            oldest += 1
            if isCurrent(next) { _ = take(next.key) }
        }
        if order.count > 2 * entries.count + 16 {
            order = order[oldest...].filter(isCurrent)
            oldest = 0
        }
    }

    /// Drops the values for which `condition` is true.
    public mutating func removeAll(where condition: (Key, Value) -> Bool) {
        for (key, entry) in entries where condition(key, entry.value) { _ = take(key) }
    }

    /// Drops all values.
    public mutating func removeAll() {
        entries.removeAll()
        order.removeAll()
        (oldest, weight) = (0, 0)
    }

    private func isCurrent(_ place: (key: Key, stamp: UInt64)) -> Bool {
        entries[place.key]?.stamp == place.stamp
    }
}
