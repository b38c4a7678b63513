import FloorPlan
import Messages

/// The heights of the rooms of a home, which states only those of walls.
struct HomeHeights {
    private let walls: [(wall: Wall, isSloped: Bool)]
    private var index = SpatialIndex(cell: 2_000)

    /// How much the walls of a room may differ in height, in millimetres: the least counts.
    private static let difference: UInt32 = 50
    /// How far from the surface of a wall a room may be drawn, in millimetres.
    private static let gap = 50.0
    /// How much of a side has to be along a wall, in millimetres, unless half of it is.
    private static let least = 100.0

    /// The maximum number of walls that are compared with sides of rooms. After that, heights are
    /// unknown.
    private static let mostLooks = 5_000_000
    private var looks = 0

    /// - Parameter walls: the straight walls of a storey; a sloped one has no single height.
    init(_ walls: [(wall: Wall, isSloped: Bool)]) {
        self.walls = walls
        for (number, wall) in walls.enumerated() {
            let reach = Double(wall.wall.thickness) / 2 + Self.gap
            index.put(number, at: wall.wall.line.bounds.grown(by: reach))
        }
    }

    /// The height of a room in millimetres: that of its lowest wall; 0, which is unknown, if its
    /// walls differ in height or slope, or have no height.
    mutating func height(of room: Room) -> UInt32 {
        var (least, most): (UInt32, UInt32) = (.max, 0)
        var isKnown = true
        let walls = walls
        for side in room.polygon.sides where side.length > 0 {
            guard isKnown, looks < Self.mostLooks else { return 0 }
            let examined = index.forEach(meeting: side.bounds) { number in
                let (wall, isSloped) = walls[number]
                guard isKnown, Self.isWall(wall, along: side) else { return }
                (least, most) = (min(least, wall.height), max(most, wall.height))
                isKnown = !isSloped && wall.height > 0
            }
            looks += 1 + examined
        }
        return isKnown && most > 0 && most - least <= Self.difference ? least : 0
    }

    private static func isWall(_ wall: Wall, along side: Segment) -> Bool {
        let (along, line) = (side.along.unit, wall.line)
        // Within about six degrees.
        guard abs(along.cross(line.along.unit)) < 0.1 else { return false }
        let ends = [line.start, line.end].map { ($0 - side.start).dot(along) }
        let from = max(min(ends[0], ends[1]), 0)
        let common = min(max(ends[0], ends[1]), side.length) - from
        guard common > min(least, side.length / 2) else { return false }
        let middle = side.start + along * (from + common / 2)
        return line.distance(to: middle) <= Double(wall.thickness) / 2 + gap
    }
}
