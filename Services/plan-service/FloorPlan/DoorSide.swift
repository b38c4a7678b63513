import Messages

/// One side of a door, with the ramp on it, if there is one.
package struct DoorSide: Hashable, Sendable {
    /// True if it is on the left of the wall, seen from its start.
    package let isLeft: Bool
    /// The ramp before the door.
    package let ramp: Element?
    /// What makes the ramp unusable; empty for a good one.
    package let faults: [RampFault]
    /// What the plan doesn't say about the ramp.
    package let doubt: RampDoubt?
    /// The step that is left, in millimetres, if any doubt turns out well: the whole threshold
    /// without a ramp, and the higher of threshold and ramp where the ramp has faults.
    package let step: UInt32

    /// The step that is certainly not exceeded, in millimetres; more than any limit if that isn't
    /// known. The ground outside isn't drawn: it is assumed to be as required, like the free floor
    /// before an entrance.
    package var surely: UInt32 { doubt == nil || doubt == .ground ? step : .max }
}

/// What makes a ramp at a threshold unusable.
package enum RampFault: Hashable, Sendable {
    /// It doesn't lie straight before the door.
    case askew
    /// It is too short for what it climbs. `needed` is nil if no single ramp may climb that high.
    case steep(rise: UInt32, length: UInt32, needed: UInt32?)
    /// It is too narrow, or doesn't lie before all of the door.
    case narrow(width: UInt32, needed: UInt32)
}

/// What has to be measured before a ramp counts.
package enum RampDoubt: Hashable, Sendable {
    /// How far below the threshold the ground outside is: the plan ends there.
    case ground
    /// How wide and long it is: its catalogue doesn't say so.
    case size
    /// Whether it can be made as low as it has to be: a catalogue says how high it can be.
    case height
    /// What the standard asks of ramps: it isn't known here. By the limits that were taken instead,
    /// the ramp is good.
    case limits
}

extension FloorPlan {
    /// How far from the wall a ramp may begin, in millimetres.
    package static let rampGap = 100.0
    /// The least cosine of the angle between a ramp and the way through its door, for 8 degrees.
    fileprivate static let straight = 0.99

    /// The ramps.
    package var ramps: [Element] { elements.values.filter { $0.aidRole == .ramp } }

    /// The two sides of a door, left and right of its wall. Each has the step that someone meets
    /// there: a ramp on one side leaves the other as it is, also at an entrance.
    ///
    /// A ramp is at a door if it lies across the middle of it, on the floor. It has to be straight
    /// before the door, as wide as that, and as wide and gentle as the limits ask. One that is
    /// higher than the threshold ends with a step down; outside an entrance it may have come up
    /// from lower ground.
    ///
    /// - Parameters:
    ///   - limits: what ramps have to be like.
    ///   - ramps: the ramps of the plan, or those near the door.
    package func sides(
        of opening: Opening, _ limits: RampLimits = .driven, among ramps: [Element]
    ) -> [DoorSide] {
        guard let wall = walls[opening.wall] else { return [] }
        return [true, false].map { isLeft in
            side(RampPlace(opening, in: wall, isLeft: isLeft), opening, limits, ramps)
        }
    }

    /// True if a ramp lies straight before a door, whatever else is wrong with it: its high end is
    /// there. Both ends of a ramp that leads to no door are free, and one of them is a step.
    package func leads(_ ramp: Element, to opening: Opening) -> Bool {
        !ends(of: ramp, at: opening).isEmpty
    }

    /// The sides of a door to which a ramp leads.
    private func ends(of ramp: Element, at opening: Opening) -> [RampPlace] {
        guard opening.isPassable, let wall = walls[opening.wall] else { return [] }
        return [true, false].map { RampPlace(opening, in: wall, isLeft: $0) }
            .filter { ramp.isStraight(before: $0) && ramp.isNear($0) }
    }

    /// The part of a ramp over which a door doesn't open, because it is higher than the threshold
    /// under the leaf, or than what counts as floor; nil if there is none. A ramp that leads to a
    /// door isn't in its way.
    ///
    /// - Parameters:
    ///   - ramp: a ramp.
    ///   - door: the door that may open over it.
    ///   - others: the doors near the ramp, and any others: the high end of the ramp is at the one
    ///     to which it leads. Any part of a ramp that leads to none may be high.
    package func raised(
        _ ramp: Element, under door: Opening, among others: some Sequence<Opening>
    ) -> TurnedRectangle? {
        guard !leads(ramp, to: door) else { return nil }
        guard ramp.height > 0 else { return ramp.rectangle }
        let led = others.filter { leads(ramp, to: $0) }
        let ways = led.flatMap { ends(of: ramp, at: $0) }.map(\.out)
        let rise = led.map(\.rise).max() ?? 0
        // A catalogue says how high a ramp can be.
        let isAdjustable = ramp.product != nil && rise > 0
        let height = isAdjustable ? min(ramp.height, rise) : ramp.height
        let low = max(door.rise, Element.highestFloor)
        guard height > low else { return nil }
        guard let way = ways.first, ways.allSatisfy({ $0.dot(way) > 0 }) else {
            return ramp.rectangle
        }
        let along = Vector(angle: ramp.turn).left
        let down = along.dot(way) > 0 ? along : -along
        let depth = Double(ramp.depth)
        let rest = depth * (1 - Double(low) / Double(height))
        return TurnedRectangle(
            centre: ramp.place - down * ((depth - rest) / 2), width: Double(ramp.width),
            depth: rest, angle: ramp.turn)
    }

    /// The step that is left at a door with its ramps, in millimetres: that of its higher side.
    package func step(at opening: Opening, _ limits: RampLimits = .driven) -> UInt32 {
        sides(of: opening, limits, among: ramps).map(\.surely).max() ?? opening.rise
    }

    private func side(
        _ place: RampPlace, _ opening: Opening, _ limits: RampLimits, _ ramps: [Element]
    ) -> DoorSide {
        let rise = opening.rise
        let highest = ramps.filter { element in
            element.height > 0 && element.elevation == 0 && element.isNear(place)
        }.max { ($0.height, $1.id) < ($1.height, $0.id) }
        func found(
            _ step: UInt32, faults: [RampFault] = [], doubt: RampDoubt? = nil
        ) -> DoorSide {
            DoorSide(
                isLeft: place.isLeft, ramp: highest, faults: faults, doubt: doubt, step: step)
        }
        guard let ramp = highest else { return found(rise) }
        // A catalogue says how high a ramp can be.
        let isAdjustable = ramp.product != nil && rise > 0
        let climbed = isAdjustable ? min(ramp.height, rise) : ramp.height
        let faults = faults(of: ramp, climbing: climbed, at: place, opening, limits)
        guard faults.isEmpty else { return found(max(rise, ramp.height), faults: faults) }
        if ramp.product?.sizeEstimated == true {
            return found(rise - min(ramp.height, rise), doubt: .size)
        }
        let unsaid: RampDoubt? = limits.areAssumed ? .limits : nil
        guard ramp.height > rise else { return found(rise - ramp.height, doubt: unsaid) }
        if opening.entrance, !hasRoom(place) {
            let full = self.faults(of: ramp, climbing: ramp.height, at: place, opening, limits)
            return found(0, doubt: full.isEmpty ? .ground : .height)
        }
        return isAdjustable
            ? found(0, doubt: .height) : found(ramp.height - rise, doubt: unsaid)
    }

    /// True if there is a room on that side of a door.
    private func hasRoom(_ place: RampPlace) -> Bool {
        // A room's outline is at the surface of a wall, or slightly away from it.
        let near = [60.0, 150].map { place.face + place.out * $0 }
        return rooms.values.contains { room in
            let outline = room.polygon
            return near.contains { outline.contains($0) }
        }
    }

    private func faults(
        of ramp: Element, climbing rise: UInt32, at place: RampPlace, _ opening: Opening,
        _ limits: RampLimits
    ) -> [RampFault] {
        // Along the wall from the middle of the door, and away from the wall; the two corners
        // nearest to it come first.
        let corners = ramp.outline.corners.map { corner in
            let way = corner - place.face
            return Vector(way.dot(place.along), way.dot(place.out))
        }.sorted { $0.y < $1.y }
        guard ramp.isStraight(before: place), corners.count == 4,
            corners[1].y <= Self.rampGap + 1
        else { return [.askew] }
        let floor = RampFloor(corners, at: place, before: opening, in: self)
        // What reaches beyond the middle of the wall serves the other side.
        let length = floor.end - max(corners[1].y, -place.half)
        var faults: [RampFault] = []
        if !limits.allow(rise, over: length) {
            faults.append(
                .steep(
                    rise: rise, length: Self.whole(length),
                    needed: limits.length(for: rise, from: length)))
        }
        let covered = 2 * min(-floor.low, floor.high)
        let door = opening.rampWidth
        let needed = max(door, limits.width)
        let width = Double(ramp.width) - floor.lost
        if width < Double(limits.width) {
            faults.append(.narrow(width: Self.whole(width), needed: needed))
        } else if covered + 2 * Overlap.tolerance < Double(door) {
            faults.append(.narrow(width: Self.whole(covered), needed: needed))
        }
        return faults
    }

    private static func whole(_ length: Double) -> UInt32 { UInt32(min(max(length, 0), 1e9)) }
}

extension Element {
    /// The long sides of a ramp, over which a wheel drops: strips of a millimetre along their
    /// outsides. None for anything else, and for a ramp that is at most 20 mm high, as high as what
    /// counts as floor.
    package var rampEdges: [ConvexPolygon] {
        guard aidRole == .ramp, !(1...Self.highestFloor).contains(height) else { return [] }
        let across = Vector(angle: turn) * (Double(width) / 2 + 0.5)
        return [across, -across].map {
            ConvexPolygon(centre: place + $0, width: 1, depth: Double(depth), angle: turn)
        }
    }

    /// The ends of a ramp: strips like those along its sides. The plan doesn't say which is the
    /// high one; it is the one at the door to which the ramp leads.
    package var rampEnds: [ConvexPolygon] {
        guard !rampEdges.isEmpty else { return [] }
        let along = Vector(angle: turn).left * (Double(depth) / 2 + 0.5)
        return [along, -along].map {
            ConvexPolygon(centre: place + $0, width: Double(width), depth: 1, angle: turn)
        }
    }

    /// True if it lies across the middle of a door, or begins near it.
    fileprivate func isNear(_ door: RampPlace) -> Bool {
        [0, FloorPlan.rampGap].contains { outline.depth(of: door.face + door.out * $0) >= -1 }
    }

    fileprivate func isStraight(before door: RampPlace) -> Bool {
        abs(Vector(angle: turn).left.dot(door.out)) >= FloorPlan.straight
    }
}

extension Opening {
    /// How wide a ramp before it has to be, in millimetres: as wide as the door is clear, or as the
    /// whole opening if that wasn't measured, because an estimate is never too wide.
    package var rampWidth: UInt32 {
        passage.isMeasured ? passage.width : max(width, passage.width)
    }
}

/// Where a ramp would lie at a door.
package struct RampPlace: Sendable {
    /// True if it is on the left of the wall, seen from its start.
    package let isLeft: Bool
    /// The direction of the wall from its start to its end, one millimetre long.
    package let along: Vector
    /// The direction away from the wall on this side.
    package let out: Vector
    /// The middle of the door on the surface of the wall.
    package let face: Vector
    /// Half the thickness of the wall, in millimetres.
    package let half: Double

    package init(_ opening: Opening, in wall: Wall, isLeft: Bool) {
        self.isLeft = isLeft
        along = wall.line.along.unit
        out = isLeft ? along.left : -along.left
        half = Double(wall.thickness) / 2
        let middle = Double(opening.offset) + Double(opening.width) / 2
        face = wall.line.start + along * middle + out * half
    }
}
