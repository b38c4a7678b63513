/// Searches for the place with the greatest value in a square that is quartered again and again.
struct SquareSearch {
    /// A square, an upper bound of the values in it, and the items that still matter there: by the
    /// number of their list, so that squares are moved without counting references.
    private struct Square {
        let centre: Vector
        let half: Double
        let bound: Double
        let list: Int
    }

    private var heap: [Square] = []
    private var lists: [[Int32]] = []
    private var best: (place: Vector, value: Double)?
    /// The number of items in all lists.
    private var kept = 0
    private let mostBytes: Int

    /// The maximum size in bytes. An empty corridor of the same width everywhere reaches it at more
    /// than 400 m: the squares along its middle are all equally good.
    static let mostBytes = 200_000_000
    /// What a list takes in addition to its items: its header, and its place in the list of lists.
    private static let listBytes = 72

    /// About how many bytes the lists and the squares take.
    private var bytes: Int {
        4 * kept + Self.listBytes * lists.count + MemoryLayout<Square>.stride * heap.count
    }

    /// Searches the places within the bounds, whose values depend on this number of items. Beyond
    /// `mostBytes` the search is given up.
    init(_ bounds: Bounds, items: Int, mostBytes: Int = Self.mostBytes) {
        self.mostBytes = mostBytes
        guard !bounds.isEmpty else { return }
        lists = [Array(0..<Int32(items))]
        let half = max(min(bounds.size.x, bounds.size.y) / 2, 1)
        var y = bounds.low.y + half
        repeat {
            var x = bounds.low.x + half
            repeat {
                push(Square(centre: Vector(x, y), half: half, bound: .infinity, list: 0))
                x += 2 * half
            } while x - half < bounds.high.x
            y += 2 * half
        } while y - half < bounds.high.y
    }

    /// The place with the greatest value that is at least `least`, within the precision. `value`
    /// gets a place, the items that matter around it and the radius, and returns the value there
    /// and those of the items that matter in the square. The value must not change by more than the
    /// distance moved.
    mutating func run(
        precision: Double, least: Double, enough: Double,
        value: (Vector, [Int32], Double) -> (value: Double, items: [Int32])
    ) -> (place: Vector, value: Double)? {
        while let square = pop() {
            if WorkLimit.isOver { break }
            if let best, square.bound <= best.value + precision { break }
            let reach = square.half * 2.0.squareRoot()
            let (found, items) = value(square.centre, lists[square.list], reach)
            if found >= least, found > (best?.value ?? -.infinity) {
                best = (square.centre, found)
                if found >= enough { break }
            }
            let bound = found + reach
            let needed = best.map { $0.value + precision } ?? least
            guard bound > needed, square.half > precision / 8 else { continue }
            let half = square.half / 2
            // What matters in the square is part of what matters around it, and often all of that.
            var list = square.list
            if items.count != lists[list].count {
                list = lists.count
                lists.append(items)
                kept += items.count
            }
            for (x, y) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
                push(
                    Square(
                        centre: square.centre + Vector(x, y), half: half, bound: bound, list: list))
            }
            if bytes > mostBytes { WorkLimit.giveUp() }
        }
        return best
    }

    private mutating func push(_ square: Square) {
        heap.append(square)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].bound > heap[parent].bound else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func pop() -> Square? {
        guard let top = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return top }
        heap[0] = last
        var parent = 0
        while true {
            let (left, right) = (2 * parent + 1, 2 * parent + 2)
            var largest = parent
            if left < heap.count, heap[left].bound > heap[largest].bound { largest = left }
            if right < heap.count, heap[right].bound > heap[largest].bound { largest = right }
            guard largest != parent else { return top }
            heap.swapAt(parent, largest)
            parent = largest
        }
    }
}
