import Messages

/// The outline of a room as the surfaces of the walls along it: when they move, it follows.
///
/// A side belongs to a surface if it is within 2 mm of it; one along several walls has a piece for
/// each. After walls have moved, the corners are where the lines of neighbouring pieces meet; a
/// piece along no wall stays on its line.
struct RoomOutline {
    /// The maximum distance of a side from a surface, in millimetres: twice the rounding error.
    static let tolerance = 2.0

    /// How far from a wall to search for its rooms, in millimetres: around the outside of a corner
    /// a surface extends beyond the end of its wall by up to three thicknesses.
    static let reach = 1_000.0

    /// The length, in millimetres, below which a side has no reliable direction, because corners
    /// are rounded.
    static let shortest = 10.0

    /// A side of the room, or the part of it along one wall.
    struct Piece {
        /// Where it begins.
        let start: Vector
        /// The corners of the room at which it begins: one, two if the corner is cut off, or none
        /// if the side only continues from one wall to the next.
        var corners: [Vector]
        /// Its line, in its own direction.
        let line: Segment
        let surface: Surface?
    }

    /// A surface of a wall, with the wall on its right.
    struct Surface {
        let wall: Wall
        let face: Wall.Face
        let line: Segment
    }

    let room: Room
    private(set) var pieces: [Piece] = []
    /// True if the room is to the left of the outline.
    private let isLeft: Bool

    /// The walls along the outline.
    var walls: Set<String> { Set(pieces.compactMap { $0.surface?.wall.id }) }

    /// - Parameters:
    ///   - walls: those near the room.
    ///   - hasFreeEnd: whether no other wall is joined to an end of a wall.
    init(_ room: Room, walls: [Wall], hasFreeEnd: (PlanPoint) -> Bool) {
        self.room = room
        isLeft = room.polygon.signedArea > 0
        let surfaces = walls.filter { $0.from != $0.to }.flatMap { wall -> [Surface] in
            var faces: [Wall.Face] = [.left, .right]
            if hasFreeEnd(wall.from) { faces.append(.start) }
            if hasFreeEnd(wall.to) { faces.append(.end) }
            return faces.map { Surface(wall: wall, face: $0, line: wall.line(of: $0)) }
        }
        for side in room.polygon.sides where side.start != side.end { add(side, surfaces) }
        takeInCuts()
    }

    private mutating func add(_ side: Segment, _ surfaces: [Surface]) {
        var found = parts(of: side, surfaces, beyond: 0)
        // Around the outside of a corner a surface extends beyond the end of its wall.
        if found.isEmpty { found = parts(of: side, surfaces, beyond: Joint.longest) }
        let sorted = found.sorted {
            ($0.part.lowerBound, -$0.part.upperBound, $0.surface.wall.id)
                < ($1.part.lowerBound, -$1.part.upperBound, $1.surface.wall.id)
        }
        guard !sorted.isEmpty else {
            pieces.append(
                Piece(start: side.start, corners: [side.start], line: side, surface: nil))
            return
        }
        var reached = -Double.infinity
        for (part, surface) in sorted where part.upperBound > reached + 1 {
            let isFirst = reached < 0
            let start = side.start + side.along.unit * max(part.lowerBound, reached)
            pieces.append(
                Piece(
                    start: isFirst ? side.start : start, corners: isFirst ? [side.start] : [],
                    line: side, surface: surface))
            reached = part.upperBound
        }
    }

    /// The parts of a side that are along surfaces, which are extended by some thicknesses beyond
    /// their walls.
    private func parts(
        of side: Segment, _ surfaces: [Surface], beyond: Double
    ) -> [(part: ClosedRange<Double>, surface: Surface)] {
        surfaces.compactMap { surface in
            guard (surface.line.along.dot(side.along) > 0) == isLeft else { return nil }
            let line = surface.line.longer(by: beyond * Double(surface.wall.thickness))
            return side.part(along: line).map { ($0, surface) }
        }
    }

    /// Makes a side that cuts off the corner of two walls part of that corner.
    private mutating func takeInCuts() {
        for index in pieces.indices.reversed() where pieces.count > 3 {
            let next = (index + 1) % pieces.count
            let (before, cut, after) = (
                pieces[(index + pieces.count - 1) % pieces.count], pieces[index], pieces[next]
            )
            guard cut.surface == nil, cut.corners.count == 1, after.corners.count == 1,
                let a = before.surface?.wall, let b = after.surface?.wall, a.id != b.id
            else { continue }
            let reach = (Joint.longest + 1) * Double(max(a.thickness, b.thickness))
            let isCut = [a.from, a.to].contains { corner in
                (corner == b.from || corner == b.to)
                    && cut.start.distance(to: corner.vector) <= reach
                    && after.start.distance(to: corner.vector) <= reach
            }
            guard isCut else { continue }
            pieces[next].corners.insert(cut.start, at: 0)
            pieces.remove(at: index)
        }
    }

    /// The room along its walls as they are now; `wall` returns the present wall.
    /// - Throws: if the room would cross itself, or one of its sides would reverse.
    func following(_ wall: @escaping (String) -> Wall?) throws(Refusal) -> Room {
        let isLeft = isLeft
        let joints = zip(pieces.suffix(1) + pieces.dropLast(), pieces).map {
            Joint($0, $1, isLeft: isLeft, wall)
        }
        var corners: [(place: Vector, isCorner: Bool)] = []
        var isTurned = false
        for (index, joint) in joints.enumerated() {
            corners += joint.corners.map { ($0, !pieces[index].corners.isEmpty) }
            guard let start = joint.corners.last,
                let end = joints[(index + 1) % joints.count].corners.first
            else { continue }
            let length = (end - start).dot(joint.onwards.unit)
            let least = min(Self.shortest, pieces[index].line.length * 0.8)
            isTurned = isTurned || length < least
        }
        var changed = room
        changed.corners = Self.simple(corners).map { PlanPoint($0) }
        guard !isTurned, (changed.polygon.signedArea > 0) == isLeft, !changed.polygon.crossesItself
        else {
            throw .conflict(
                "\(PlanItem(item: .room(room)).words) lies along this wall and would be turned "
                    + "inside out; move the wall less far, or remove the room first")
        }
        return changed
    }

    /// Removes duplicate corners, and those on a straight line between walls.
    private static func simple(_ corners: [(place: Vector, isCorner: Bool)]) -> [Vector] {
        var kept = corners
        var index = 0
        while index < kept.count, kept.count > 3 {
            let before = kept[(index + kept.count - 1) % kept.count]
            let after = kept[(index + 1) % kept.count]
            let chord = Segment(before.place, after.place)
            if kept[index].place == before.place
                || !kept[index].isCorner && chord.distance(to: kept[index].place) < 1
            {
                kept.remove(at: index)
            } else {
                index += 1
            }
        }
        return kept.map(\.place)
    }
}

/// The joint of two consecutive pieces of an outline.
private struct Joint {
    /// The distance from the corner of its walls, in thicknesses, beyond which an outline is cut
    /// off.
    static let longest = 3.0

    private let before: RoomOutline.Piece
    private let after: RoomOutline.Piece
    /// True if the room is to the left of the outline.
    private let isLeft: Bool
    private let wall: (String) -> Wall?

    init(
        _ before: RoomOutline.Piece, _ after: RoomOutline.Piece, isLeft: Bool,
        _ wall: @escaping (String) -> Wall?
    ) {
        (self.before, self.after, self.isLeft, self.wall) = (before, after, isLeft, wall)
    }

    /// The present direction of the second piece.
    var onwards: Vector { line(after, now(after)).along }

    /// Its present corners: one, or two if the lines don't meet nearby; none if the outline
    /// continues straight.
    var corners: [Vector] {
        guard hasMoved(before) || hasMoved(after) else { return after.corners }
        let old = places(before.surface?.wall, after.surface?.wall)
        let new = places(now(before), now(after))
        guard after.corners.count == 1, old.count == 1, new.count == 1 else {
            return new.map { PlanPoint($0).vector }
        }
        // Move the corner as it was drawn, so that exact millimetres stay exact.
        let moved = PlanPoint(after.start + (new[0] - old[0])).vector
        return [moved.distance(to: new[0]) < 1.2 ? moved : PlanPoint(new[0]).vector]
    }

    private func now(_ piece: RoomOutline.Piece) -> Wall? {
        piece.surface.flatMap { wall($0.wall.id) }
    }

    private func hasMoved(_ piece: RoomOutline.Piece) -> Bool {
        guard let surface = piece.surface, let now = wall(surface.wall.id) else { return false }
        return now.line != surface.wall.line || now.thickness != surface.wall.thickness
    }

    private func line(_ piece: RoomOutline.Piece, _ wall: Wall?) -> Segment {
        guard let surface = piece.surface, let wall else { return piece.line }
        let line = wall.line(of: surface.face)
        return isLeft ? line : Segment(line.end, line.start)
    }

    /// The corners of the joint for these walls.
    private func places(_ a: Wall?, _ b: Wall?) -> [Vector] {
        let (first, second) = (line(before, a), line(after, b))
        let (along, onwards) = (first.along.unit, second.along.unit)
        let shared = sharedCorner(a, b)
        let place = shared ?? after.start + displacement(a, b)
        let ends = [
            first.start + along * (place - first.start).dot(along),
            second.start + onwards * (place - second.start).dot(onwards),
        ]
        let (sine, cosine) = (along.cross(onwards), along.dot(onwards))
        guard abs(sine) > (shared == nil ? 0.05 : 0.01) else {
            return cosine > 0 && ends[0].distance(to: ends[1]) < 1.5 ? [ends[0]] : ends
        }
        let meeting = first.start + along * ((second.start - first.start).cross(onwards) / sine)
        // In a sharp corner the surfaces meet far inside, but they do meet.
        let isSharp = cosine < 0 && (sine > 0) == isLeft
        guard let shared, !isSharp else { return [meeting] }
        let thickest = Double(max(a?.thickness ?? 0, b?.thickness ?? 0))
        return meeting.distance(to: shared) <= Self.longest * thickest + 2 ? [meeting] : ends
    }

    private func sharedCorner(_ a: Wall?, _ b: Wall?) -> Vector? {
        guard let a, let b, a.id != b.id else { return nil }
        return [b.from, b.to].filter { $0 == a.from || $0 == a.to }.map(\.vector)
            .min { $0.distance(to: after.start) < $1.distance(to: after.start) }
    }

    /// The movement of the wall's end nearest to this place.
    private func displacement(_ a: Wall?, _ b: Wall?) -> Vector {
        for (piece, wall) in [(before, a), (after, b)] {
            guard let old = piece.surface?.wall, let wall, wall.line != old.line else { continue }
            let ends = [(old.from, wall.from), (old.to, wall.to)].map {
                (old: $0.0.vector, new: $0.1.vector)
            }
            let nearest = ends.min {
                $0.old.distance(to: after.start) < $1.old.distance(to: after.start)
            }
            if let nearest { return nearest.new - nearest.old }
        }
        return .zero
    }
}

extension Wall {
    /// A surface of a wall, seen from its start to its end.
    enum Face: Hashable {
        case left
        case right
        case start
        case end
    }

    /// The line of a surface, with the wall on its right.
    func line(of face: Face) -> Segment {
        let line = line
        let half = line.along.unit.left * (Double(thickness) / 2)
        return switch face {
        case .left: Segment(line.start + half, line.end + half)
        case .right: Segment(line.end - half, line.start - half)
        case .start: Segment(line.start - half, line.start + half)
        case .end: Segment(line.end + half, line.end - half)
        }
    }
}

extension Segment {
    /// The line extended at both ends.
    fileprivate func longer(by distance: Double) -> Segment {
        Segment(start - along.unit * distance, end + along.unit * distance)
    }

    /// The part of this line that is along another, in millimetres from its start; nil if none is.
    fileprivate func part(along other: Segment) -> ClosedRange<Double>? {
        let (length, direction) = (length, along.unit)
        let ends = [other.start, other.end].map { (($0 - start).dot(direction), $0 - start) }
        let (low, high) = (
            max(min(ends[0].0, ends[1].0), 0), min(max(ends[0].0, ends[1].0), length)
        )
        guard high > low, high - low >= min(20, length / 2, other.length / 2) else { return nil }
        let slope =
            (ends[1].1.cross(direction) - ends[0].1.cross(direction)) / (ends[1].0 - ends[0].0)
        let heights = [low, high].map { ends[0].1.cross(direction) + ($0 - ends[0].0) * slope }
        return heights.allSatisfy { abs($0) <= RoomOutline.tolerance } ? low...high : nil
    }
}
