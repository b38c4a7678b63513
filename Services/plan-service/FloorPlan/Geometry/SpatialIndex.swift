/// Finds the items near a place without examining all: a grid of square cells, each with a list of
/// the items that touch it, in a hash table so that a plan may be anywhere.
package struct SpatialIndex: Sendable {
    /// An item in a cell. `next` and `before` are its neighbours with the same hash, and `other` is
    /// the same item in another cell, so that an item can be removed without examining its
    /// neighbours.
    private struct Entry {
        var x: Int32
        var y: Int32
        var item: Int32
        var next = none
        var before = none
        var other: Int32
    }

    /// The number of cells from which an item is kept in a separate list.
    private static let mostCells = 256
    private static let none: Int32 = -1

    private let cell: Double
    private var heads: [Int32]
    private var entries: [Entry] = []
    private var free = none
    private var used = 0
    private var bounds: [Bounds] = []
    private var present: [Bool] = []
    /// The newest entry of each item.
    private var newest: [Int32] = []
    private var large: [Int32] = []

    /// An empty index. It is fastest with cells about as wide as its items.
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
            newest.append(Self.none)
        }
        bounds[item] = place
        present[item] = true
        let cells = cells(of: place)
        guard cells.count <= Self.mostCells else { return large.append(Int32(item)) }
        for y in cells.y { for x in cells.x { insert(Int32(item), x, y) } }
    }

    /// Removes an item.
    package mutating func remove(_ item: Int) {
        guard item < present.count, present[item] else { return }
        present[item] = false
        let cells = cells(of: bounds[item])
        guard cells.count <= Self.mostCells else {
            return large.removeAll { $0 == Int32(item) }
        }
        var index = newest[item]
        newest[item] = Self.none
        while index != Self.none {
            let following = entries[Int(index)].other
            take(index)
            index = following
        }
    }

    /// Calls `body` once with each item whose bounds meet these.
    /// - Returns: the number of items examined, counting some several times.
    @discardableResult package func forEach(
        meeting place: Bounds, _ body: (Int) -> Void
    ) -> Int {
        let cells = cells(of: place)
        guard cells.count <= 4 * Self.mostCells else {
            for item in present.indices where present[item] && bounds[item].meets(place) {
                body(item)
            }
            return present.count
        }
        var looks = large.count
        for y in cells.y {
            for x in cells.x {
                var index = heads[slot(x, y)]
                while index != Self.none {
                    looks += 1
                    let entry = entries[Int(index)]
                    index = entry.next
                    guard entry.x == x, entry.y == y else { continue }
                    let other = bounds[Int(entry.item)]
                    if place.meets(other), isCommon(x, y, place, other) { body(Int(entry.item)) }
                }
            }
        }
        for item in large where bounds[Int(item)].meets(place) { body(Int(item)) }
        return looks
    }

    /// Two items that share several cells are reported in one: that of the lower left corner of
    /// their intersection.
    private func isCommon(_ x: Int32, _ y: Int32, _ a: Bounds, _ b: Bounds) -> Bool {
        number(max(a.low.x, b.low.x)) == x && number(max(a.low.y, b.low.y)) == y
    }

    private func number(_ coordinate: Double) -> Int32 {
        // Beyond the limits of a plan everything is in the outermost cells.
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
        let entry = Entry(x: x, y: y, item: item, other: newest[Int(item)])
        var index = free
        if index == Self.none {
            index = Int32(entries.count)
            entries.append(entry)
        } else {
            free = entries[Int(index)].next
            entries[Int(index)] = entry
        }
        newest[Int(item)] = index
        link(index)
    }

    /// Puts an entry before those with the same hash.
    private mutating func link(_ index: Int32) {
        let slot = slot(entries[Int(index)].x, entries[Int(index)].y)
        let next = heads[slot]
        entries[Int(index)].before = Self.none
        entries[Int(index)].next = next
        if next != Self.none { entries[Int(next)].before = index }
        heads[slot] = index
    }

    private mutating func take(_ index: Int32) {
        let entry = entries[Int(index)]
        if entry.before == Self.none {
            heads[slot(entry.x, entry.y)] = entry.next
        } else {
            entries[Int(entry.before)].next = entry.next
        }
        if entry.next != Self.none { entries[Int(entry.next)].before = entry.before }
        entries[Int(index)].next = free
        free = index
        used -= 1
    }

    private mutating func grow() {
        let old = heads
        heads = Array(repeating: Self.none, count: old.count * 4)
        for head in old {
            var index = head
            while index != Self.none {
                let following = entries[Int(index)].next
                link(index)
                index = following
            }
        }
    }
}
