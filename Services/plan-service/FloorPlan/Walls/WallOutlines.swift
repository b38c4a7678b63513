import Messages

/// The outlines of walls with their thickness, joined at shared corners and where one ends in
/// another.
package struct WallOutlines: Sendable {
    /// The outlines by wall id: six points counter-clockwise, including the two ends of the centre
    /// line, so that there is no gap between walls that share a corner.
    package let outlines: [String: Polygon]
    /// The corners at which a wall meets others, by wall id.
    private var joints: [String: Set<PlanPoint>] = [:]

    /// The number of thicknesses beyond which a join is cut off square.
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
            // Left and right are seen looking out of a corner, so they change sides at the end.
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

    /// The ends of a wall's two surfaces and its centre line at a corner.
    fileprivate struct End {
        var left: Vector
        var middle: Vector
        var right: Vector

        /// A square end of a wall that leaves a corner.
        init(_ corner: Vector, out: Vector, thickness: UInt32) {
            let half = out.left * (Double(thickness) / 2)
            (left, middle, right) = (corner + half, corner, corner - half)
        }
    }

    /// The ends of walls at a corner: each wall's left surface ends where it meets the right
    /// surface of the next wall to the left.
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

/// Walls that others may end in, like the stem of a T.
private struct WallBodies {
    private var walls: [(wall: Wall, hasFreeStart: Bool, hasFreeEnd: Bool)] = []
    private var index = SpatialIndex()

    /// - Parameter isFree: whether a corner belongs to only one wall.
    init(_ walls: some Collection<Wall>, isFree: (PlanPoint) -> Bool) {
        for wall in walls where wall.from != wall.to {
            index.put(self.walls.count, at: wall.rectangle.bounds.grown(by: 1))
            self.walls.append((wall, isFree(wall.from), isFree(wall.to)))
        }
    }

    /// The end of a wall whose corner is inside another wall, or on its line to the millimetre: at
    /// the other's surface on the side from which it comes. If there are several, the one whose
    /// line is nearest to the corner counts.
    func end(of wall: Wall, at corner: PlanPoint) -> WallOutlines.End? {
        let place = corner.vector
        let far = (corner == wall.from ? wall.to : wall.from).vector
        // If the other wall ends there too, each would end in the other, and nothing would be left.
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

    /// The end of a wall on a straight line beyond its corner; nil if the wall is nearly parallel
    /// to it, or hardly emerges from it.
    /// - Parameters:
    ///   - normal: across the line, toward the side from which the wall comes.
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
    /// The hole of an opening in the wall: across its whole thickness and slightly beyond, so that
    /// it overlaps the rooms on both sides.
    package func hole(_ opening: Opening, width: Double? = nil, beyond: Double = 1) -> Polygon {
        hole(opening.middle(width ?? Double(opening.width)), beyond: beyond)
    }

    /// The same for a range of offsets from the wall's start.
    func hole(_ range: ClosedRange<Double>, beyond: Double) -> Polygon {
        let along = line.along.unit
        let across = along.left * (Double(thickness) / 2 + beyond)
        let (start, end) = (
            line.start + along * range.lowerBound, line.start + along * range.upperBound
        )
        return Polygon([start - across, end - across, end + across, start + across])
    }

    /// The floor that a door leaf sweeps, or slightly more: ``DoorLeaf/swept``; nil if there is no
    /// leaf.
    package func swing(of opening: Opening) -> Polygon? {
        DoorLeaf(of: opening, in: self)?.swept.polygon
    }
}
