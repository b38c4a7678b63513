import Messages

/// The outlines of walls with a thickness, joined where they share a corner.
package struct WallOutlines: Sendable {
    /// By the wall's id: six points counter-clockwise, the two corners of the centre line among
    /// them, so that what several walls share at a corner has no gap.
    package let outlines: [String: Polygon]

    /// A join that would stick out farther than this many thicknesses is cut off square.
    private static let longestJoin = 3.0

    package init(_ walls: some Collection<Wall>) {
        var corners: [PlanPoint: [(wall: Wall, out: Vector)]] = [:]
        for wall in walls where wall.from != wall.to {
            let along = wall.line.along
            corners[wall.from, default: []].append((wall, along.unit))
            corners[wall.to, default: []].append((wall, -along.unit))
        }
        var ends: [String: [PlanPoint: End]] = [:]
        for (corner, joined) in corners {
            for (wall, end) in Self.ends(at: corner.vector, joined) {
                ends[wall, default: [:]][corner] = end
            }
        }
        var outlines: [String: Polygon] = [:]
        for wall in walls where wall.from != wall.to {
            guard let start = ends[wall.id]?[wall.from], let end = ends[wall.id]?[wall.to] else {
                continue
            }
            // Left and right are as one looks out of a corner, and so change sides at the end.
            outlines[wall.id] = Polygon([
                wall.from.vector, start.right, end.left, wall.to.vector, end.right, start.left,
            ])
        }
        self.outlines = outlines
    }

    /// Where a wall's two surfaces end at a corner.
    private struct End {
        var left: Vector
        var right: Vector
    }

    /// Each wall's left surface ends where it meets the right surface of the next wall to the left.
    private static func ends(
        at corner: Vector, _ joined: [(wall: Wall, out: Vector)]
    ) -> [(wall: String, end: End)] {
        let sorted = joined.sorted { $0.out.angle < $1.out.angle }
        var ends = sorted.map { entry in
            let half = Double(entry.wall.thickness) / 2
            return End(
                left: corner + entry.out.left * half, right: corner - entry.out.left * half)
        }
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
