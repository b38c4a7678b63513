/// Finds what lies near a place without looking at everything: a grid of square cells, each a list
/// of what touches it, kept in a hash table so that a plan may lie anywhere.
package struct SpatialIndex: Sendable {
    /// Something in a cell; `next` is the next one with the same hash.
    private struct Entry {
        var x: Int32
        var y: Int32
        var item: Int32
        var next: Int32
    }

    /// What covers more cells than this is kept in a list of its own.
    private static let mostCells = 256
    private static let none: Int32 = -1

    private let cell: Double
    private var heads: [Int32]
    private var entries: [Entry] = []
    private var free = none
    private var used = 0
    private var bounds: [Bounds] = []
    private var present: [Bool] = []
    private var large: [Int32] = []

    /// An empty index. It is fastest with cells about as wide as what is in it.
    package init(cell: Double = 1_000) {
        self.cell = cell
        heads = Array(repeating: Self.none, count: 64)
    }

    /// Adds an item, or moves it. Items are small numbers from 0: their place in a list.
    package mutating func put(_ item: Int, at place: Bounds) {
        if item < present.count, present[item] { remove(item) }
        while bounds.count <= item {
            bounds.append(place)
            present.append(false)
        }
        bounds[item] = place
        present[item] = true
        let cells = cells(of: place)
        guard cells.count <= Self.mostCells else { return large.append(Int32(item)) }
        for y in cells.y { for x in cells.x { insert(Int32(item), x, y) } }
    }

    /// Takes an item out.
    package mutating func remove(_ item: Int) {
        guard item < present.count, present[item] else { return }
        present[item] = false
        let cells = cells(of: bounds[item])
        guard cells.count <= Self.mostCells else {
            return large.removeAll { $0 == Int32(item) }
        }
        for y in cells.y { for x in cells.x { take(Int32(item), x, y) } }
    }

    /// Calls with each item whose bounds meet these, once.
    package func forEach(meeting place: Bounds, _ body: (Int) -> Void) {
        let cells = cells(of: place)
        guard cells.count <= 4 * Self.mostCells else {
            for item in present.indices where present[item] && bounds[item].meets(place) {
                body(item)
            }
            return
        }
        for y in cells.y {
            for x in cells.x {
                var index = heads[slot(x, y)]
                while index != Self.none {
                    let entry = entries[Int(index)]
                    index = entry.next
                    guard entry.x == x, entry.y == y else { continue }
                    let other = bounds[Int(entry.item)]
                    if place.meets(other), isCommon(x, y, place, other) { body(Int(entry.item)) }
                }
            }
        }
        for item in large where bounds[Int(item)].meets(place) { body(Int(item)) }
    }

    /// Calls with each pair of items whose bounds meet, once.
    package func forEachPair(_ body: (Int, Int) -> Void) {
        for head in heads {
            var index = head
            while index != Self.none {
                let entry = entries[Int(index)]
                let place = bounds[Int(entry.item)]
                index = entry.next
                var following = index
                while following != Self.none {
                    let other = entries[Int(following)]
                    following = other.next
                    guard other.x == entry.x, other.y == entry.y else { continue }
                    let otherPlace = bounds[Int(other.item)]
                    if place.meets(otherPlace), isCommon(entry.x, entry.y, place, otherPlace) {
                        body(Int(entry.item), Int(other.item))
                    }
                }
            }
        }
        for (position, item) in large.enumerated() {
            let place = bounds[Int(item)]
            for other in present.indices where present[other] && other != Int(item) {
                guard place.meets(bounds[other]), !large[...position].contains(Int32(other)) else {
                    continue
                }
                body(Int(item), other)
            }
        }
    }

    /// Two that share several cells are reported in one: that of the lower left corner of what they
    /// have in common.
    private func isCommon(_ x: Int32, _ y: Int32, _ a: Bounds, _ b: Bounds) -> Bool {
        number(max(a.low.x, b.low.x)) == x && number(max(a.low.y, b.low.y)) == y
    }

    private func number(_ coordinate: Double) -> Int32 {
        // Beyond what a plan can hold everything lies in the outermost cells.
        Int32(min(max((coordinate / cell).rounded(.down), -1e9), 1e9))
    }

    private func cells(
        of place: Bounds
    ) -> (x: ClosedRange<Int32>, y: ClosedRange<Int32>, count: Int) {
        let x = number(place.low.x)...number(max(place.low.x, place.high.x))
        let y = number(place.low.y)...number(max(place.low.y, place.high.y))
        return (x, y, x.count * y.count)
    }

    private func slot(_ x: Int32, _ y: Int32) -> Int {
        let hash =
            UInt64(UInt32(bitPattern: x)) &* 0x9E37_79B9_7F4A_7C15
            ^ UInt64(UInt32(bitPattern: y)) &* 0xC2B2_AE3D_27D4_EB4F
        return Int(truncatingIfNeeded: (hash ^ hash >> 29) & UInt64(heads.count - 1))
    }

    private mutating func insert(_ item: Int32, _ x: Int32, _ y: Int32) {
        if used >= heads.count { grow() }
        used += 1
        let slot = slot(x, y)
        let entry = Entry(x: x, y: y, item: item, next: heads[slot])
        if free == Self.none {
            heads[slot] = Int32(entries.count)
            entries.append(entry)
        } else {
            let index = free
            free = entries[Int(index)].next
            entries[Int(index)] = entry
            heads[slot] = index
        }
    }

    private mutating func take(_ item: Int32, _ x: Int32, _ y: Int32) {
        let slot = slot(x, y)
        var before = Self.none
        var index = heads[slot]
        while index != Self.none {
            let entry = entries[Int(index)]
            if entry.item == item, entry.x == x, entry.y == y {
                if before == Self.none {
                    heads[slot] = entry.next
                } else {
                    entries[Int(before)].next = entry.next
                }
                entries[Int(index)].next = free
                free = index
                used -= 1
                return
            }
            before = index
            index = entry.next
        }
    }

    private mutating func grow() {
        var live: [Entry] = []
        live.reserveCapacity(used)
        for head in heads {
            var index = head
            while index != Self.none {
                live.append(entries[Int(index)])
                index = entries[Int(index)].next
            }
        }
        heads = Array(repeating: Self.none, count: heads.count * 4)
        free = Self.none
        entries = live
        for index in entries.indices {
            let slot = slot(entries[index].x, entries[index].y)
            entries[index].next = heads[slot]
            heads[slot] = Int32(index)
        }
    }
}
