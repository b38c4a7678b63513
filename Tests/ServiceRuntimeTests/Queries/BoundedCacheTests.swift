import ServiceRuntime
import Testing

@Suite struct BoundedCacheTests {
    @Test func `the oldest entry is dropped first`() {
        var cache = BoundedCache<Int, String>(mostEntries: 3)
        for number in 1...3 { cache.put("\(number)", for: number) }
        cache.put("one", for: 1)
        cache.put("4", for: 4)

        #expect(cache.keys == [3, 1, 4])
        #expect(cache[2] == nil && cache[1] == "one" && cache.count == 3)
    }

    @Test func `the total weight is bounded, but the newest entry always stays`() {
        var cache = BoundedCache<String, Int>(mostEntries: 10, mostWeight: 100)
        for name in ["a", "b", "c"] { cache.put(0, for: name, weight: 40) }
        #expect(cache.keys == ["b", "c"])

        cache.put(0, for: "b", weight: 70)
        #expect(cache.keys == ["b"])

        cache.put(0, for: "heavy", weight: 1000)
        #expect(cache.keys == ["heavy"])

        cache.put(0, for: "light", weight: 1)
        #expect(cache.keys == ["light"])
    }

    @Test func `removed and dropped entries weigh nothing`() {
        var cache = BoundedCache<String, Int>(mostEntries: 10, mostWeight: 100)
        cache.put(1, for: "a", weight: 60)
        cache.put(2, for: "b", weight: 30)
        let taken = [cache.take("a"), cache.take("a")]
        #expect(taken == [1, nil])
        cache.put(3, for: "c", weight: 60)
        #expect(cache.keys == ["b", "c"])

        cache.removeAll { key, value in key == "c" && value == 3 }
        cache.put(4, for: "d", weight: 70)
        #expect(cache.keys == ["b", "d"])

        cache.removeAll()
        #expect(cache.keys == [] && cache.count == 0)
        cache.put(5, for: "e", weight: 100)
        #expect(cache.keys == ["e"])
    }

    @Test func `a cache behaves like a list that drops its first entry`() {
        var random = SystemRandomNumberGenerator()
        var cache = BoundedCache<Int, Int>(mostEntries: 5, mostWeight: 20)
        var list: [(key: Int, value: Int, weight: Int)] = []
        for step in 0..<5_000 {
            let key = Int.random(in: 0..<9, using: &random)
            if Bool.random(using: &random) {
                let weight = Int.random(in: 0..<9, using: &random)
                cache.put(step, for: key, weight: weight)
                list.removeAll { $0.key == key }
                list.append((key, step, weight))
                while list.count > 5
                    || list.count > 1 && list.reduce(0, { $0 + $1.weight }) > 20
                { list.removeFirst() }
            } else {
                let taken = cache.take(key)
                let place = list.firstIndex { $0.key == key }
                let wanted = place.map { list.remove(at: $0).value }
                #expect(taken == wanted)
            }
            #expect(cache.keys == list.map(\.key))
        }
    }
}
