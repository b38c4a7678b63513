import Messages

/// The outlines of walls with a thickness, joined where they share a corner, and where one ends in
/// another.
package struct WallOutlines: Sendable {
    /// By the wall's id: six points counter-clockwise, the two ends of the centre line among them,
    /// so that what several walls share at a corner has no gap.
    package let outlines: [String: Polygon]
    /// By the wall's id, the corners at which it meets others.
    private var joints: [String: Set<PlanPoint>] = [:]

    /// A join that would stick out farther than this many thicknesses is cut off square.
    private static let longestJoin = 3.0

    package init(_ walls: some Collection<Wall>) {
        var corners: [PlanPoint: [(wall: Wall, out: Vector)]] = [:]
        for wall in walls where wall.from != wall.to {
            let along = wall.line.along
            corners[wall.from, default: []].append((wall, along.unit))
            corners[wall.to, default: []].append((wall, -along.unit))
        }
        let bodies = WallBodies(walls) { corners[$0]?.count == 1 }
        var ends: [String: [PlanPoint: End]] = [:]
        for (corner, joined) in corners {
            if joined.count == 1, let end = bodies.end(of: joined[0].wall, at: corner) {
                ends[joined[0].wall.id, default: [:]][corner] = end
                joints[joined[0].wall.id, default: []].insert(corner)
                continue
            }
            for (wall, end) in Self.ends(at: corner.vector, joined) {
                ends[wall, default: [:]][corner] = end
                if joined.count > 1 { joints[wall, default: []].insert(corner) }
            }
        }
        var outlines: [String: Polygon] = [:]
        for wall in walls where wall.from != wall.to {
            guard let start = ends[wall.id]?[wall.from], let end = ends[wall.id]?[wall.to] else {
                continue
            }
            // Left and right are as one looks out of a corner, and so change sides at the end.
            outlines[wall.id] = Polygon([
                start.middle, start.right, end.left, end.middle, end.right, start.left,
            ])
        }
        self.outlines = outlines
    }

    /// Whether a wall meets others at one of its corners.
    package func isJoined(_ wall: String, at corner: PlanPoint) -> Bool {
        joints[wall]?.contains(corner) == true
    }

    /// Where a wall's two surfaces and its centre line end at a corner.
    fileprivate struct End {
        var left: Vector
        var middle: Vector
        var right: Vector

        /// Square across a wall that goes out of a corner.
        init(_ corner: Vector, out: Vector, thickness: UInt32) {
            let half = out.left * (Double(thickness) / 2)
            (left, middle, right) = (corner + half, corner, corner - half)
        }
    }

    /// Each wall's left surface ends where it meets the right surface of the next wall to the left.
    private static func ends(
        at corner: Vector, _ joined: [(wall: Wall, out: Vector)]
    ) -> [(wall: String, end: End)] {
        let sorted = joined.sorted { $0.out.angle < $1.out.angle }
        var ends = sorted.map { End(corner, out: $0.out, thickness: $0.wall.thickness) }
        guard sorted.count > 1 else { return zip(sorted.map(\.wall.id), ends).map { ($0, $1) } }
        for index in sorted.indices {
            let next = (index + 1) % sorted.count
            let (a, b) = (sorted[index], sorted[next])
            let widest = Double(max(a.wall.thickness, b.wall.thickness))
            let across = a.out.cross(b.out)
            guard abs(across) > 1e-6 else { continue }
            let between = ends[next].right - ends[index].left
            let meeting = ends[index].left + a.out * (between.cross(b.out) / across)
            guard meeting.distance(to: corner) <= longestJoin * widest else { continue }
            ends[index].left = meeting
            ends[next].right = meeting
        }
        return zip(sorted.map(\.wall.id), ends).map { ($0, $1) }
    }
}

/// Walls as something that others end in, as the stem of a T does.
private struct WallBodies {
    private var walls: [(wall: Wall, hasFreeStart: Bool, hasFreeEnd: Bool)] = []
    private var index = SpatialIndex()

    /// - Parameter isFree: whether a corner is that of one wall alone.
    init(_ walls: some Collection<Wall>, isFree: (PlanPoint) -> Bool) {
        for wall in walls where wall.from != wall.to {
            index.put(self.walls.count, at: wall.rectangle.bounds.grown(by: 1))
            self.walls.append((wall, isFree(wall.from), isFree(wall.to)))
        }
    }

    /// How a wall ends whose corner lies in another one, or on its line to the millimetre: at the
    /// surface of that one on the side from which it comes. Of several the one counts on whose line
    /// it ends the nearest.
    func end(of wall: Wall, at corner: PlanPoint) -> WallOutlines.End? {
        let place = corner.vector
        let far = (corner == wall.from ? wall.to : wall.from).vector
        // Where the other one ends too, it would end in this one as well, and nothing be left.
        let margin = Double(wall.thickness) / 2
        var nearest: (distance: Double, id: String, end: WallOutlines.End)?
        index.forEach(meeting: Bounds([place])) { number in
            let (other, hasFreeStart, hasFreeEnd) = walls[number]
            let along = other.line.along.unit
            let way = place - other.line.start
            let (share, height) = (along.dot(way), along.cross(way))
            let side = along.cross(far - other.line.start) < 0 ? -1.0 : 1
            guard other.id != wall.id, share >= (hasFreeStart ? margin : 0),
                other.length - share >= (hasFreeEnd ? margin : 0),
                abs(height) <= max(Double(other.thickness) / 2, 1),
                (nearest.map { (abs(height), other.id) < ($0.distance, $0.id) }) ?? true,
                let end = Self.end(
                    of: wall, from: place, to: far, normal: along.left * side,
                    rise: Double(other.thickness) / 2 - height * side)
            else { return }
            nearest = (abs(height), other.id, end)
        }
        return nearest?.end
    }

    /// The end of a wall on a straight line that lies beyond its corner; nothing when the wall runs
    /// along it for far, or hardly comes out of it.
    /// - Parameters:
    ///   - normal: across the line, to the side from which the wall comes.
    ///   - rise: from the corner to the line along it, in millimetres.
    private static func end(
        of wall: Wall, from corner: Vector, to far: Vector, normal: Vector, rise: Double
    ) -> WallOutlines.End? {
        let out = (far - corner).unit
        let steepness = out.dot(normal)
        guard steepness > 0.2 else { return nil }
        let slant = out.left.dot(normal) / steepness * Double(wall.thickness) / 2
        let middle = rise / steepness
        guard middle + abs(slant) < wall.length / 2 else { return nil }
        var end = WallOutlines.End(corner, out: out, thickness: wall.thickness)
        end.left = end.left + out * (middle - slant)
        end.middle = end.middle + out * middle
        end.right = end.right + out * (middle + slant)
        return end
    }
}

extension Wall {
    /// The hole of an opening in it: across its whole thickness and a little beyond, so that it
    /// overlaps the rooms on both sides.
    package func hole(_ opening: Opening, width: Double? = nil, beyond: Double = 1) -> Polygon {
        let along = line.along.unit
        let middle = Double(opening.offset) + Double(opening.width) / 2
        let half = (width ?? Double(opening.width)) / 2
        let across = along.left * (Double(thickness) / 2 + beyond)
        let (start, end) = (
            line.start + along * (middle - half), line.start + along * (middle + half)
        )
        return Polygon([start - across, end - across, end + across, start + across])
    }

    /// The floor that a door leaf sweeps: a quarter of a circle about its hinges, with sides enough
    /// to be within 3 mm; nothing for what has no leaf.
    package func swing(of opening: Opening) -> Polygon? {
        guard opening.kind == .door else { return nil }
        let along = line.along.unit
        let leaf = Double(opening.leafWidth ?? opening.width)
        let hinge =
            line.start
            + along * Double(opening.hingesAtEnd ? opening.endOffset : UInt64(opening.offset))
        let side = opening.swingsRight ? -along.left : along.left
        let pivot = hinge + side * (Double(thickness) / 2)
        let closed = opening.hingesAtEnd ? -along : along
        let steps = 12
        let arc = (0...steps).map { step in
            let turn = Vector(angle: Double(step) / Double(steps) * .pi / 2)
            return pivot + closed * (leaf * turn.x) + side * (leaf * turn.y)
        }
        return Polygon([pivot] + arc)
    }
}
