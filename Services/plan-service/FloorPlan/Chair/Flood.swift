/// A flood fill of the places that a chair can reach, row by row, 64 squares at a time.
struct Flood {
    private static let doubling: [UInt64] = [1, 2, 4, 8, 16, 32]

    private var reached: [UInt64]
    private var right: [UInt64] = []
    private var up: [UInt64] = []
    private var turn: [UInt64] = []
    private var waiting: [Int32] = []
    private var isWaiting: [Bool]
    private let layers: Int
    private let symmetric: Int
    private let rows: Int
    private let words: Int
    private let empty: BitGrid

    /// - Parameters:
    ///   - reached: where it begins, for each heading.
    ///   - steps: the moves for each heading, up to the symmetry of the shape.
    ///   - mask: the squares that it may not leave; nil for all.
    init(reached layers: [BitGrid], steps: [Steps], within mask: BitGrid?) {
        self.layers = layers.count
        symmetric = steps.count
        rows = layers[0].rows
        words = layers[0].words
        empty = layers[0]
        reached = layers.flatMap(\.bits)
        isWaiting = Array(repeating: false, count: layers.count * rows)
        for var step in steps {
            if let mask {
                step.turn.formIntersection(mask)
                step.right.formIntersection(mask)
                step.right.formIntersection(mask.rightNeighbours)
                step.up.formIntersection(mask)
                step.up.formIntersection(mask.upperNeighbours)
            }
            right += step.right.bits
            up += step.up.bits
            turn += step.turn.bits
        }
    }

    /// Everything that is reached, for each heading.
    mutating func run() -> [BitGrid] {
        for row in 0..<(layers * rows)
        where reached[(row * words)..<((row + 1) * words)].contains(where: { $0 != 0 }) {
            wait(row)
        }
        var count = 0
        while let next = waiting.popLast() {
            count += 1
            if count & 1023 == 0, WorkLimit.isOver { break }
            isWaiting[Int(next)] = false
            spread(Int(next))
        }
        return (0..<layers).map { layer in
            var grid = empty
            grid.replace(reached[(layer * rows * words)..<((layer + 1) * rows * words)])
            return grid
        }
    }

    private mutating func wait(_ row: Int) {
        guard !isWaiting[row] else { return }
        isWaiting[row] = true
        waiting.append(Int32(row))
    }

    /// Spreads from a row of a heading along the row and to neighbouring rows.
    private mutating func spread(_ number: Int) {
        let (layer, row) = (number / rows, number % rows)
        let same = (layer % symmetric) * rows + row
        let before = (layer + layers - 1) % layers
        spreadAlong(number, moves: same)
        if row + 1 < rows { spread(number, to: number + 1, up, moves: same) }
        if row > 0 { spread(number, to: number - 1, up, moves: same - 1) }
        guard layers > 1 else { return }
        spread(number, to: (layer + 1) % layers * rows + row, turn, moves: same)
        spread(
            number, to: before * rows + row, turn, moves: before % symmetric * rows + row)
    }

    private mutating func spread(
        _ number: Int, to other: Int, _ steps: [UInt64], moves: Int
    ) {
        var found: UInt64 = 0
        reached.withUnsafeMutableBufferPointer { reached in
            steps.withUnsafeBufferPointer { steps in
                for word in 0..<words {
                    let added =
                        reached[number * words + word] & steps[moves * words + word]
                        & ~reached[other * words + word]
                    reached[other * words + word] |= added
                    found |= added
                }
            }
        }
        if found != 0 { wait(other) }
    }

    /// Spreads along the row: by doubling steps within a word, with a carry to the next.
    private mutating func spreadAlong(_ number: Int, moves: Int) {
        reached.withUnsafeMutableBufferPointer { reached in
            right.withUnsafeBufferPointer { right in
                var carry: UInt64 = 0
                for word in 0..<words {
                    let steps = right[moves * words + word]
                    // A square is entered from its left when the square there has the step.
                    var path = steps << 1
                    var found = reached[number * words + word] | carry
                    carry = 0
                    for step in Self.doubling {
                        found |= path & found << step
                        path &= path << step
                    }
                    reached[number * words + word] = found
                    carry = (found & steps) >> 63
                }
                carry = 0
                for word in (0..<words).reversed() {
                    let steps = right[moves * words + word]
                    var path = steps
                    var found = reached[number * words + word]
                    found |= steps & carry
                    for step in Self.doubling {
                        found |= path & found >> step
                        path &= path >> step
                    }
                    reached[number * words + word] = found
                    carry = found << 63
                }
            }
        }
    }
}
