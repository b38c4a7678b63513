/// Squares in rows, each set or not, 64 to a word.
struct BitGrid {
    let rows: Int
    /// Words in a row.
    let words: Int
    private(set) var bits: [UInt64]

    init(columns: Int, rows: Int) {
        self.rows = rows
        words = (columns + 63) / 64
        bits = Array(repeating: 0, count: rows * words)
    }

    /// Whether a square is set.
    func contains(_ row: Int, _ column: Int) -> Bool {
        bits[row * words + column >> 6] >> UInt64(column & 63) & 1 != 0
    }

    var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }

    /// Calls with the row and column of each square that is set.
    func forEach(_ body: (Int, Int) -> Void) {
        for (number, word) in bits.enumerated() where word != 0 {
            var rest = word
            while rest != 0 {
                body(number / words, number % words * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }

    /// Sets or clears the squares from one column to another, both included.
    mutating func set(_ row: Int, _ columns: ClosedRange<Int>, _ on: Bool) {
        let (first, last) = (columns.lowerBound >> 6, columns.upperBound >> 6)
        bits.withUnsafeMutableBufferPointer { bits in
            for word in first...last {
                var mask = UInt64.max
                if word == first { mask &= .max << UInt64(columns.lowerBound & 63) }
                if word == last { mask &= .max >> UInt64(63 - columns.upperBound & 63) }
                if on {
                    bits[row * words + word] |= mask
                } else {
                    bits[row * words + word] &= ~mask
                }
            }
        }
    }

    /// Takes the bits of a grid of the same size.
    mutating func replace(_ bits: ArraySlice<UInt64>) { self.bits = Array(bits) }

    mutating func formIntersection(_ other: BitGrid) {
        for index in bits.indices { bits[index] &= other.bits[index] }
    }

    mutating func formUnion(_ other: BitGrid) {
        for index in bits.indices { bits[index] |= other.bits[index] }
    }

    /// The squares whose neighbour to the right is set.
    var rightNeighbours: BitGrid {
        var shifted = self
        for index in bits.indices {
            let isLast = (index + 1) % words == 0
            shifted.bits[index] = bits[index] >> 1 | (isLast ? 0 : bits[index + 1] << 63)
        }
        return shifted
    }

    /// The squares whose neighbour to the left is set.
    var leftNeighbours: BitGrid {
        var shifted = self
        for index in bits.indices {
            let isFirst = index % words == 0
            shifted.bits[index] = bits[index] << 1 | (isFirst ? 0 : bits[index - 1] >> 63)
        }
        return shifted
    }

    /// The squares whose neighbour in the next row is set.
    var upperNeighbours: BitGrid {
        var shifted = self
        shifted.bits = Array(bits.dropFirst(words)) + Array(repeating: 0, count: words)
        return shifted
    }

    /// The squares whose neighbour in the row before is set.
    var lowerNeighbours: BitGrid {
        var shifted = self
        shifted.bits = Array(repeating: 0, count: words) + Array(bits.dropLast(words))
        return shifted
    }
}

/// Where the squares of a grid lie.
struct GridFrame {
    /// The lower left corner of the first square.
    let origin: Vector
    /// The side of a square, in millimetres.
    let cell: Double
    let columns: Int
    let rows: Int

    /// A grid over the bounds; empty bounds get one square.
    init(_ bounds: Bounds, cell: Double) {
        self.cell = cell
        origin = bounds.isEmpty ? .zero : bounds.low
        let size = bounds.isEmpty ? .zero : bounds.size
        columns = max(Int((size.x / cell).rounded(.up)), 1)
        rows = max(Int((size.y / cell).rounded(.up)), 1)
    }

    func empty() -> BitGrid { BitGrid(columns: columns, rows: rows) }

    /// The first column, or row, whose middle isn't before a coordinate.
    private func first(_ coordinate: Double, from origin: Double) -> Int {
        max(Int(((coordinate - origin) / cell - 0.5).rounded(.up)), 0)
    }

    private func last(_ coordinate: Double, from origin: Double, of count: Int) -> Int {
        min(Int(((coordinate - origin) / cell - 0.5).rounded(.down)), count - 1)
    }

    /// The rows whose middles lie between the lowest and the highest corner.
    private func rows(of polygon: [Vector]) -> ClosedRange<Int>? {
        let bounds = Bounds(polygon)
        guard !bounds.isEmpty else { return nil }
        let first = first(bounds.low.y, from: origin.y)
        let last = last(bounds.high.y, from: origin.y, of: rows)
        return first <= last ? first...last : nil
    }

    /// Sets the squares whose middles lie in a polygon, by an even number of crossings.
    func fill(_ polygon: [Vector], in grid: inout BitGrid, _ on: Bool) {
        guard let rows = rows(of: polygon) else { return }
        var crossings: [Double] = []
        for row in rows {
            let y = origin.y + (Double(row) + 0.5) * cell
            crossings.removeAll(keepingCapacity: true)
            var previous = polygon[polygon.count - 1]
            for corner in polygon {
                if (corner.y > y) != (previous.y > y) {
                    let share = (y - corner.y) / (previous.y - corner.y)
                    crossings.append(corner.x + (previous.x - corner.x) * share)
                }
                previous = corner
            }
            crossings.sort()
            for index in stride(from: 0, to: crossings.count - 1, by: 2) {
                set(row, crossings[index], crossings[index + 1], in: &grid, on)
            }
        }
    }

    /// Clears the squares whose middles lie in a convex polygon with its corners counter-clockwise:
    /// its right sides go up and its left ones down, so that each side gives one end of its rows.
    func clear(_ polygon: [Vector], in grid: inout BitGrid, _ spans: inout RowSpans) {
        guard let rows = rows(of: polygon) else { return }
        spans.reset(rows)
        var previous = polygon[polygon.count - 1]
        for corner in polygon {
            let (from, to) = (previous, corner)
            previous = corner
            guard from.y != to.y else { continue }
            let low = max(first(min(from.y, to.y), from: origin.y), rows.lowerBound)
            let high = min(
                last(max(from.y, to.y), from: origin.y, of: self.rows), rows.upperBound)
            guard low <= high else { continue }
            let slope = (to.x - from.x) / (to.y - from.y)
            for row in low...high {
                let y = origin.y + (Double(row) + 0.5) * cell
                spans.add(from.x + (y - from.y) * slope, to: row, isRight: to.y > from.y)
            }
        }
        for row in rows {
            set(
                row, spans.left[row - spans.first], spans.right[row - spans.first], in: &grid, false
            )
        }
    }

    private func set(
        _ row: Int, _ left: Double, _ right: Double, in grid: inout BitGrid, _ on: Bool
    ) {
        guard left <= right else { return }
        let from = first(left, from: origin.x)
        let to = last(right, from: origin.x, of: columns)
        if from <= to { grid.set(row, from...to, on) }
    }
}

/// From where to where a convex polygon reaches in each row; kept between polygons so that none has
/// to make it anew.
struct RowSpans {
    fileprivate var first = 0
    fileprivate var left: [Double] = []
    fileprivate var right: [Double] = []

    init() {}

    fileprivate mutating func reset(_ rows: ClosedRange<Int>) {
        first = rows.lowerBound
        left.removeAll(keepingCapacity: true)
        right.removeAll(keepingCapacity: true)
        left.append(contentsOf: repeatElement(.infinity, count: rows.count))
        right.append(contentsOf: repeatElement(-.infinity, count: rows.count))
    }

    fileprivate mutating func add(_ x: Double, to row: Int, isRight: Bool) {
        if isRight {
            right[row - first] = max(right[row - first], x)
        } else {
            left[row - first] = min(left[row - first], x)
        }
    }
}
