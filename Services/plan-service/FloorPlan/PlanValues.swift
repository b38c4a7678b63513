import Messages

/// Geometry of the messages that describe a plan.
extension PlanPoint {
    /// The place in millimetres.
    package var vector: Vector { Vector(Double(x), Double(y)) }

    /// The nearest place that a plan can store; a value that isn't a number becomes the farthest.
    package init(_ vector: Vector) {
        func kept(_ value: Double) -> Int32 {
            Int32(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
        }
        self.init(x: kept(vector.x), y: kept(vector.y))
    }
}

extension Wall {
    package var from: PlanPoint { start ?? PlanPoint() }
    package var to: PlanPoint { end ?? PlanPoint() }
    /// Its centre line.
    package var line: Segment { Segment(from.vector, to.vector) }
    package var length: Double { line.length }
}

extension Opening {
    /// The distance from the wall's start to the farther edge of the opening.
    package var endOffset: UInt64 { UInt64(offset) + UInt64(width) }

    /// The height that people have to get over in it, in millimetres: its threshold, or its lower
    /// edge where that is higher.
    package var rise: UInt32 { max(threshold, sill) }

    /// True if nobody measured whether there is a threshold, and no lower edge is known either.
    package var isRiseUnknown: Bool { isPassable && thresholdUnknown && rise == 0 }

    /// True for openings that people can go through.
    package var isPassable: Bool { kind != .window && kind != .unspecified }

    /// The difference between the width of a leaf and the clear width, in millimetres: by Approved
    /// Document M, table 2.1, note 3, a leaf of 826 mm leaves 775.
    package static let leafLoss: UInt32 = 51

    /// The clear width, and whether it was measured. An estimate is never too wide: it is derived
    /// from the leaf, or else from the opening minus a frame (2 x 40 mm) and the leaf.
    package var passage: (width: UInt32, isMeasured: Bool) {
        if let clearWidth { return (clearWidth, !clearEstimated) }
        if kind == .passage { return (width, true) }
        if let leafWidth { return (leafWidth - min(leafWidth, Self.leafLoss), false) }
        let frame: UInt32 = 80
        return (width - min(width, frame + Self.leafLoss), false)
    }
}

extension Opening {
    /// The uncertainty of a clear width derived from the leaf, in millimetres, because of the frame
    /// and the hinges; one derived from the opening has that of the frame as well.
    package static let leafUncertainty: UInt32 = 15
    package static let holeUncertainty: UInt32 = 30

    /// The uncertainty of its clear width in addition to the plan's tolerance, in millimetres.
    package var widthUncertainty: UInt32 {
        if passage.isMeasured { return 0 }
        return leafWidth == nil || clearEstimated ? Self.holeUncertainty : Self.leafUncertainty
    }

    /// The opening, with an estimate of its clear width that follows the width or the leaf by which
    /// it now differs from an earlier state. What was measured stays.
    package func estimated(since old: Opening) -> Opening {
        guard clearEstimated, let clear = clearWidth, clear == old.clearWidth else { return self }
        var changed = self
        if width != old.width, old.width > 0 {
            // The estimate is taken for a share of the width, because a frame and the leaves are
            // narrower in a narrower door.
            let share = UInt64(clear) * UInt64(width) / UInt64(old.width)
            changed.clearWidth = UInt32(clamping: share)
        }
        // A passage has no leaf, and without an estimate its whole width would count as clear.
        guard leafWidth != old.leafWidth, let leafWidth, kind != .passage else { return changed }
        guard let leaves = old.leafWidth, leaves >= clear else {
            (changed.clearWidth, changed.clearEstimated) = (nil, false)
            return changed
        }
        // Each of several leaves takes its part of the width.
        let rest = leafWidth - min(leafWidth, leaves - clear)
        changed.clearWidth = width == old.width ? rest : min(rest, changed.clearWidth ?? rest)
        return changed
    }
}

extension Element {
    /// Its angle, in radians.
    package var turn: Double { Double(angle) / 180_000 * .pi }
    package var place: Vector { (centre ?? PlanPoint()).vector }

    package var outline: ConvexPolygon {
        ConvexPolygon(centre: place, width: Double(width), depth: Double(depth), angle: turn)
    }

    package var rectangle: TurnedRectangle {
        TurnedRectangle(
            centre: place, width: Double(width), depth: Double(depth), angle: turn)
    }

    /// The height below which the head of someone in a chair may be, in millimetres. The eyes of an
    /// adult are up to 1295 mm high (ADA Standards of 1991, figure A3), and the head ends 115 mm
    /// above them.
    package static let seatedHead: UInt32 = 1_410

    /// Whether someone in a chair passes under it: with the knees under what one sits at, with the
    /// head under anything else.
    ///
    /// - Parameters:
    ///   - kneeHeight: the room that the knees need, in millimetres.
    ///   - error: by how much it may be lower than measured, in millimetres.
    package func isPassedUnder(kneeHeight: UInt32, off error: Int = 0) -> Bool {
        let isSatAt = [.washbasin, .table, .kitchenBench].contains(kind)
        let needed = isSatAt ? kneeHeight : max(kneeHeight, Self.seatedHead)
        guard elevation > 0 || error >= 0 else { return false }
        return Int(elevation) >= Int(needed) + error
    }

    /// The range of heights above the floor that it occupies; an unknown height extends to the
    /// ceiling.
    var span: Range<UInt32> {
        let top = elevation.addingReportingOverflow(height)
        let isEndless = height == 0 || top.overflow || elevation == .max
        return min(elevation, .max - 1)..<(isEndless ? .max : top.partialValue)
    }
}

extension Room {
    package var polygon: Polygon { Polygon(corners.map(\.vector)) }
    /// Its area, in square metres.
    package var squareMetres: Double { polygon.area / 1_000_000 }
}

extension PlanItem {
    /// The id of the item.
    package var id: String {
        switch item {
        case .wall(let wall): wall.id
        case .opening(let opening): opening.id
        case .room(let room): room.id
        case .element(let element): element.id
        case nil: ""
        }
    }

    /// Its label; empty if it has none.
    package var label: String {
        switch item {
        case .wall(let wall): wall.label
        case .opening(let opening): opening.label
        case .room(let room): room.name
        case .element(let element): element.label
        case nil: ""
        }
    }

    /// Its name in messages to a person: `“Old basin”`, `wall-3`, `door “Side door”`.
    package var words: String {
        let kind =
            switch item {
            case .wall: "wall"
            case .opening(let opening): opening.kind == .window ? "window" : "door"
            case .room: "room"
            case .element: ""
            case nil: "nothing"
            }
        guard label.isEmpty else { return kind.isEmpty ? "“\(label)”" : "\(kind) “\(label)”" }
        // Most ids say what the thing is.
        let isSaid = kind.isEmpty || id.split(separator: "-").contains { $0 == kind }
        return isSaid ? id : "\(kind) \(id)"
    }
}

extension FloorPlan {
    /// The name of an item in messages to a person, with its id if another has the same name.
    package func words(of item: PlanItem) -> String {
        let (id, label) = (item.id, item.label)
        guard !label.isEmpty else { return item.words }
        let isShared =
            switch item.item {
            case .opening: openings.values.contains { $0.label == label && $0.id != id }
            case .element: elements.values.contains { $0.label == label && $0.id != id }
            case .room: rooms.values.contains { $0.name == label && $0.id != id }
            case .wall: walls.values.contains { $0.label == label && $0.id != id }
            case nil: false
            }
        return isShared ? "\(item.words) (\(id))" : item.words
    }
}
