import Papers

/// What is already drawn on a sheet, in squares of a millimetre, so that texts find places where
/// they hide nothing.
struct Occupancy {
    /// How bad it is to write over something.
    enum Cost {
        static let element: UInt8 = 5
        static let line: UInt8 = 12
        /// At this cost or more, nothing may be written over it.
        static let forbidden: UInt8 = 200
        /// A dimension line, which other lines may cross.
        static let dimension: UInt8 = 201
        /// A wall, at which dimension lines end.
        static let wall: UInt8 = 202
    }

    private let columns: Int
    private let rows: Int
    private let box: Drawing.Box
    private var cells: [UInt8]

    /// Begins with nothing drawn in a box; nothing can be outside of it.
    init(_ box: Drawing.Box) {
        self.box = box
        columns = max(1, Int(box.width.rounded(.down)))
        rows = max(1, Int(box.height.rounded(.down)))
        cells = [UInt8](repeating: 0, count: columns * rows)
    }

    /// The columns and rows that a box covers; nil if part of it is outside.
    private func cover(_ other: Drawing.Box) -> (columns: Range<Int>, rows: Range<Int>)? {
        let (left, top) = (other.x - box.x, other.y - box.y)
        guard left >= 0, top >= 0, left + other.width < Double(columns),
            top + other.height < Double(rows)
        else { return nil }
        return (
            Int(left)..<Int(left + other.width) + 1, Int(top)..<Int(top + other.height) + 1
        )
    }

    /// The cost of writing there; nil if it isn't possible.
    func cost(of place: Drawing.Box) -> Int? {
        guard let cover = cover(place) else { return nil }
        return cells.withUnsafeBufferPointer { cells in
            var sum = 0
            for row in cover.rows {
                let begin = row * columns
                // This is sound because everything that is covered lies inside the box.
                for cell in cells[
                    begin + cover.columns.lowerBound..<begin + cover.columns.upperBound]
                {
                    if cell >= Cost.forbidden { return nil }
                    sum += Int(cell)
                }
            }
            return sum
        }
    }

    /// The number of forbidden squares along a line, except near its ends.
    func crossings(from start: Drawing.Point, to end: Drawing.Point) -> Int {
        let (across, down) = (end.x - start.x, end.y - start.y)
        let steps = min(Int(max(abs(across), abs(down))), 4 * (columns + rows))
        guard steps > 4 else { return 0 }
        return (2...steps - 2).count { step in
            let share = Double(step) / Double(steps)
            let (x, y) = (start.x + across * share - box.x, start.y + down * share - box.y)
            guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { return false }
            let cell = cells[Int(y) * columns + Int(x)]
            return cell >= Cost.forbidden && cell != Cost.dimension
        }
    }

    /// True where there is something that a dimension line may not cross.
    ///
    /// - Parameters:
    ///   - place: a place on the sheet.
    ///   - isEnd: true near the end of the line, where a wall doesn't hinder it.
    func isHindrance(at place: Drawing.Point, isEnd: Bool) -> Bool {
        let (x, y) = (place.x - box.x, place.y - box.y)
        guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { return false }
        let cell = cells[Int(y) * columns + Int(x)]
        return cell == Cost.forbidden || (cell == Cost.wall && !isEnd)
    }

    /// Marks a box as taken, as far as it is inside.
    mutating func take(_ place: Drawing.Box, _ cost: UInt8 = Cost.forbidden) {
        let left = max(0, Int(max(place.x - box.x, 0)))
        let right = min(Double(columns), place.x - box.x + place.width)
        let top = max(0, Int(max(place.y - box.y, 0)))
        let bottom = min(Double(rows), place.y - box.y + place.height)
        guard Double(left) < right, Double(top) < bottom else { return }
        for row in top..<min(rows, Int(bottom.rounded(.up))) {
            for column in left..<min(columns, Int(right.rounded(.up))) {
                cells[row * columns + column] = max(cells[row * columns + column], cost)
            }
        }
    }

    /// Marks the area of a polygon as taken: the squares whose middle is inside.
    mutating func take(_ polygon: [Drawing.Point], _ cost: UInt8) {
        let ys = polygon.map { $0.y - box.y }
        guard let low = ys.min(), let high = ys.max(), high >= 0, low < Double(rows) else { return }
        let first = Int(max(0, low.rounded(.down)))
        let last = min(rows - 1, Int(min(high, Double(rows))))
        guard first <= last else { return }
        var crossings: [Double] = []
        for row in first...last {
            let y = Double(row) + 0.5 + box.y
            crossings.removeAll(keepingCapacity: true)
            var previous = polygon[polygon.count - 1]
            for corner in polygon {
                if (corner.y > y) != (previous.y > y) {
                    let share = (y - corner.y) / (previous.y - corner.y)
                    crossings.append(corner.x + share * (previous.x - corner.x) - box.x)
                }
                previous = corner
            }
            crossings.sort()
            for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
                let begin = max(0, Int(max(crossings[pair] + 0.5, 0)))
                let end = Int(min(crossings[pair + 1] + 0.5, Double(columns)))
                guard begin < end else { continue }
                for column in begin..<end {
                    cells[row * columns + column] = max(cells[row * columns + column], cost)
                }
            }
        }
    }

    /// Marks the squares along a line as taken.
    mutating func take(from start: Drawing.Point, to end: Drawing.Point, _ cost: UInt8) {
        let (across, down) = (end.x - start.x, end.y - start.y)
        let steps = min(Int(max(abs(across), abs(down)) * 2) + 1, 4 * (columns + rows))
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            let (x, y) = (start.x + across * share - box.x, start.y + down * share - box.y)
            guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { continue }
            let cell = Int(y) * columns + Int(x)
            cells[cell] = max(cells[cell], cost)
        }
    }
}
