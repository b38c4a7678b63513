/// Squares in rows, each set or not, 64 to a word.
struct BitGrid {
    let rows: Int
    /// The number of words in a row.
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

    /// Calls `body` with the row and column of each square that is set.
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

    /// Replaces its bits by those of a grid of the same size.
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

/// The placement of a grid's squares.
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

    /// A grid with these measures.
    fileprivate init(origin: Vector, cell: Double, columns: Int, rows: Int) {
        (self.origin, self.cell) = (origin, cell)
        (self.columns, self.rows) = (columns, rows)
    }

    func empty() -> BitGrid { BitGrid(columns: columns, rows: rows) }

    /// The first column, or row, whose centre isn't before a coordinate.
    @inline(__always)
    fileprivate func first(_ coordinate: Double, from origin: Double) -> Int {
        let place = (coordinate - origin) / cell - 0.5
        // Avoid a library call, because this runs for each row of each item.
        let before = Int(place)
        return max(Double(before) < place ? before + 1 : before, 0)
    }

    /// The last column, or row, whose centre isn't after a coordinate.
    @inline(__always)
    fileprivate func last(_ coordinate: Double, from origin: Double, of count: Int) -> Int {
        let place = (coordinate - origin) / cell - 0.5
        let before = Int(place)
        return min(Double(before) > place ? before - 1 : before, count - 1)
    }

    /// The rows whose centres are between the lowest and the highest corner.
    private func rows(of polygon: [Vector]) -> ClosedRange<Int>? {
        let bounds = Bounds(polygon)
        guard !bounds.isEmpty else { return nil }
        let first = first(bounds.low.y, from: origin.y)
        let last = last(bounds.high.y, from: origin.y, of: rows)
        return first <= last ? first...last : nil
    }

    /// Sets or clears the squares whose centres are in a polygon, by the even-odd rule.
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

    /// Clears the squares whose centres are in a convex polygon with counter-clockwise corners.
    func clear(_ polygon: [Vector], in grid: inout BitGrid, _ spans: inout RowSpans) {
        spans.cut(polygon, by: self)
        clear(spans, in: &grid)
    }

    /// Clears the squares whose centres are in spans, or up to `before` millimetres before one.
    func clear(_ spans: RowSpans, in grid: inout BitGrid, before: Double = 0) {
        for index in 0..<max(spans.left.count - 1, 0) {
            set(
                spans.first + index, spans.left[index] - before, spans.right[index], in: &grid,
                false)
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

/// A part of a grid, with its squares in the same places.
struct GridWindow {
    /// The part as a grid of its own.
    let frame: GridFrame
    private let rows: Range<Int>
    /// The words of a row.
    private let words: Range<Int>

    /// The part that contains some bounds, as far as the grid does; nil if the bounds are empty.
    init?(_ bounds: Bounds, of whole: GridFrame) {
        guard !bounds.isEmpty else { return nil }
        func square(_ coordinate: Double, from origin: Double, of count: Int) -> Int {
            Int(min(max((coordinate - origin) / whole.cell, 0), Double(count - 1)))
        }
        let origin = whole.origin
        rows =
            square(bounds.low.y, from: origin.y, of: whole.rows)..<square(
                bounds.high.y, from: origin.y, of: whole.rows) + 1
        words =
            square(bounds.low.x, from: origin.x, of: whole.columns) / 64..<square(
                bounds.high.x, from: origin.x, of: whole.columns) / 64 + 1
        let first = Vector(Double(words.lowerBound * 64), Double(rows.lowerBound))
        frame = GridFrame(
            origin: origin + first * whole.cell, cell: whole.cell, columns: words.count * 64,
            rows: rows.count)
    }

    /// What a grid has in this part.
    func part(of grid: BitGrid) -> BitGrid {
        var bits: [UInt64] = []
        bits.reserveCapacity(rows.count * words.count)
        for row in rows {
            let start = row * grid.words
            bits += grid.bits[(start + words.lowerBound)..<(start + words.upperBound)]
        }
        var part = frame.empty()
        part.replace(bits[...])
        return part
    }
}

/// The interval that a convex polygon covers in the middle of each row; reused between polygons to
/// avoid allocations.
struct RowSpans {
    /// The row of the first span. It is below the polygon unless the grid begins there.
    fileprivate var first = 0
    /// The left ends in millimetres; greater than the right end in rows that the polygon doesn't
    /// cover. The last one belongs to the row above the polygon or the grid.
    fileprivate var left: [Double] = []
    fileprivate var right: [Double] = []

    init() {}

    /// Computes the spans of a polygon with counter-clockwise corners: its right sides go up and
    /// its left sides down, so that each side gives one end of its rows.
    mutating func cut(_ polygon: [Vector], by frame: GridFrame) {
        left.removeAll(keepingCapacity: true)
        right.removeAll(keepingCapacity: true)
        var (low, high) = (Double.infinity, -Double.infinity)
        for corner in polygon {
            low = min(low, corner.y)
            high = max(high, corner.y)
        }
        guard low <= high else { return }
        let origin = frame.origin.y
        first = max(frame.first(low, from: origin) - 1, 0)
        let last = frame.last(high, from: origin, of: frame.rows)
        guard first <= last else { return }
        left.append(contentsOf: repeatElement(.infinity, count: last - first + 2))
        right.append(contentsOf: repeatElement(-.infinity, count: last - first + 2))
        var from = polygon[polygon.count - 1]
        for to in polygon {
            if from.y != to.y { add(from, to, frame) }
            from = to
        }
    }

    private mutating func add(_ from: Vector, _ to: Vector, _ frame: GridFrame) {
        let origin = frame.origin.y
        let low = max(frame.first(min(from.y, to.y), from: origin), first)
        let high = min(
            frame.last(max(from.y, to.y), from: origin, of: .max), first + left.count - 1)
        guard low <= high else { return }
        let slope = (to.x - from.x) / (to.y - from.y)
        for row in low...high {
            let y = origin + (Double(row) + 0.5) * frame.cell
            let x = from.x + (y - from.y) * slope
            if to.y > from.y {
                right[row - first] = max(right[row - first], x)
            } else {
                left[row - first] = min(left[row - first], x)
            }
        }
    }

    /// Extends the spans of a polygon to the area that it covers when it moves down by one row.
    mutating func sweepDown(_ polygon: [Vector], by frame: GridFrame) {
        guard left.count > 1 else { return }
        for index in 0..<left.count - 1 {
            left[index] = min(left[index], left[index + 1])
            right[index] = max(right[index], right[index + 1])
        }
        // Corners between two rows may extend further.
        for corner in polygon {
            let row = frame.last(corner.y, from: frame.origin.y, of: .max) - first
            guard left.indices.dropLast().contains(row) else { continue }
            left[row] = min(left[row], corner.x)
            right[row] = max(right[row], corner.x)
        }
    }
}
