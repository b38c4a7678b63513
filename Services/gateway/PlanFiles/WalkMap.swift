import FloorPlan
import Messages

/// The parts into which a closed walk divides the plane, and how often it goes around each.
///
/// The sides of the walk meet only at its corners. Each edge has two halves, one in each direction,
/// and each half has a part to its left. Around a part, each half is followed by the one that comes
/// next clockwise around the corner to which it leads. From one part to another across an edge, the
/// number of turns changes by how often the walk follows the edge.
struct WalkMap {
    /// The corners, each once.
    private var corners: [PlanPoint] = []
    /// The number of the corner at which each half begins. The number of a half and that of its
    /// twin differ in the lowest bit.
    private var starts: [Int] = []
    /// How many times more often the walk follows a half than its twin.
    private var net: [Int] = []
    /// The halves that begin at each corner, counter-clockwise.
    private var around: [[Int]] = []
    /// The place of each half among those.
    private var places: [Int] = []
    /// The number of the part to the left of each half.
    private var parts: [Int] = []
    /// How often the walk goes around each part, counter-clockwise.
    private var turns: [Int] = []

    /// Nil if sides meet elsewhere than at corners.
    ///
    /// - Parameter walk: the corners in order; the last leads back to the first.
    init?(_ walk: [PlanPoint]) {
        addEdges(of: walk)
        sortHalves()
        let cycles = findParts()
        // Euler's formula holds for a map in the plane.
        guard corners.count - starts.count / 2 + cycles.count == 2 else { return nil }
        guard let turns = countTurns(cycles) else { return nil }
        self.turns = turns
    }

    private mutating func addEdges(of walk: [PlanPoint]) {
        var numbers: [PlanPoint: Int] = [:]
        var path: [Int] = []
        for corner in walk {
            let number = numbers[corner] ?? corners.count
            if number == corners.count {
                numbers[corner] = number
                corners.append(corner)
            }
            path.append(number)
        }
        var known: [[Int]: Int] = [:]
        for (place, from) in path.enumerated() {
            let to = path[(place + 1) % path.count]
            if let half = known[[from, to]] {
                net[half] += 1
                net[half ^ 1] -= 1
            } else if from != to {
                known[[from, to]] = starts.count
                known[[to, from]] = starts.count + 1
                starts += [from, to]
                net += [1, -1]
            }
        }
    }

    private mutating func sortHalves() {
        let angles = starts.indices.map { half in
            (corners[starts[half ^ 1]].vector - corners[starts[half]].vector).angle
        }
        around = [[Int]](repeating: [], count: corners.count)
        for half in starts.indices { around[starts[half]].append(half) }
        places = [Int](repeating: 0, count: starts.count)
        for corner in around.indices {
            let sorted = around[corner].sorted { angles[$0] < angles[$1] }
            around[corner] = sorted
            for (place, half) in sorted.enumerated() { places[half] = place }
        }
    }

    /// The half that comes next clockwise around the corner at which one begins.
    private func clockwise(_ half: Int) -> Int {
        let halves = around[starts[half]]
        return halves[(places[half] + halves.count - 1) % halves.count]
    }

    /// Numbers the parts.
    ///
    /// - Returns: the halves around each.
    private mutating func findParts() -> [[Int]] {
        var cycles: [[Int]] = []
        parts = [Int](repeating: -1, count: starts.count)
        for first in starts.indices where parts[first] < 0 {
            var cycle: [Int] = []
            var half = first
            while parts[half] < 0 {
                parts[half] = cycles.count
                cycle.append(half)
                half = clockwise(half ^ 1)
            }
            cycles.append(cycle)
        }
        return cycles
    }

    /// How often the walk goes around each part; nil if that depends on the way there.
    private func countTurns(_ cycles: [[Int]]) -> [Int]? {
        let areas = cycles.map { Polygon(outline($0).map(\.vector)).signedArea }
        // Around the part outside of everything, the halves run clockwise.
        guard let outside = areas.indices.min(by: { areas[$0] < areas[$1] }) else { return nil }
        var found = [Int?](repeating: nil, count: cycles.count)
        found[outside] = 0
        var waiting = [(part: outside, turns: 0)]
        while let (part, turns) = waiting.popLast() {
            for half in cycles[part] {
                let (beyond, count) = (parts[half ^ 1], turns - net[half])
                guard let known = found[beyond] else {
                    found[beyond] = count
                    waiting.append((beyond, count))
                    continue
                }
                guard known == count else { return nil }
            }
        }
        return found.map { $0 ?? 0 }
    }

    private func outline(_ halves: [Int]) -> [PlanPoint] { halves.map { corners[starts[$0]] } }

    /// The outlines of the floor, none of which has a corner twice or crosses another: those of
    /// rooms counter-clockwise, those of holes in them clockwise.
    ///
    /// The walk goes around floor. Where it does so twice, either two parts of a room overlap, or a
    /// slit leads to a hole; then the hole lies within the floor around which it goes once.
    var outlines: [[PlanPoint]] {
        var isFloor = turns.map { $0 % 2 != 0 }
        var isHole = [Bool](repeating: false, count: turns.count)
        for loop in loops(around: isFloor)
        where Polygon(outline(loop).map(\.vector)).signedArea < 0 {
            for half in loop { isHole[parts[half ^ 1]] = true }
        }
        for part in turns.indices where turns[part] != 0 && !isHole[part] { isFloor[part] = true }
        return loops(around: isFloor).map(outline)
    }

    /// The halves of the outlines of some parts, which are to their left.
    private func loops(around isInside: [Bool]) -> [[Int]] {
        func isBorder(_ half: Int) -> Bool {
            isInside[parts[half]] && !isInside[parts[half ^ 1]]
        }
        var loops: [[Int]] = []
        var isDone = [Bool](repeating: false, count: starts.count)
        for first in starts.indices where isBorder(first) && !isDone[first] {
            var path: [Int] = []
            var begins: [Int: Int] = [:]
            var half = first
            while !isDone[half] {
                isDone[half] = true
                let corner = starts[half]
                if let begin = begins[corner] {
                    // The border touches itself here: what it went around is a loop of its own.
                    loops.append(Array(path[begin...]))
                    for gone in path[begin...] { begins[starts[gone]] = nil }
                    path.removeSubrange(begin...)
                }
                begins[corner] = path.count
                path.append(half)
                half = clockwise(half ^ 1)
                while !isBorder(half) { half = clockwise(half) }
            }
            loops.append(path)
        }
        return loops
    }
}
