import Messages

/// What an aid does in a plan, by its class of ISO 9999.
package enum AidRole: Hashable, Sendable {
    /// Lies on the floor at a door, is driven over, and lowers its threshold.
    case ramp
    /// Is moved out of the way when it isn't used, such as a shower chair.
    case movable
    /// Lifts a person, and is turned with that person in it.
    case hoist
    /// Is held by hand.
    case grabRail

    /// The classes by the beginnings of their codes: 18 30 15 and 18 30 18 are ramps, 12 36 03 to
    /// 12 36 09 hoists on wheels, 09 12 03 commodes, 09 33 07 shower chairs, 09 33 12 shower
    /// trolleys, 18 18 11 rails that fold up, and 18 18 other handrails and grab rails.
    private static let classes: [(code: String, role: AidRole)] = [
        ("183015", ramp), ("183018", ramp), ("123603", hoist), ("123604", hoist),
        ("123606", hoist), ("123609", hoist), ("091203", movable), ("093307", movable),
        ("093312", movable), ("181811", movable), ("1818", grabRail),
    ]

    fileprivate static func of(_ code: String) -> AidRole? {
        let digits = code.filter(\.isNumber)
        return classes.first { digits.hasPrefix($0.code) }?.role
    }
}

extension Element {
    /// Its role; nil for a thing that isn't an aid, or an aid without a role.
    package var aidRole: AidRole? {
        guard kind == .aid else { return nil }
        let code = product?.isoCode ?? ""
        return AidRole.of(code.isEmpty ? aidClass : code)
    }
}

extension FloorPlan {
    /// How far from the wall a ramp may begin, in millimetres.
    private static let rampGap = 100.0

    /// The plan without its movable aids.
    package var withoutMovable: FloorPlan {
        var plan = self
        for element in elements.values where element.aidRole == .movable {
            plan.apply(ItemChange(before: PlanItem(item: .element(element))))
        }
        return plan
    }

    /// The ramps at a door, on the left and on the right of its wall, seen from the wall's start.
    /// A ramp is at a door if it lies across the middle of it.
    package func ramps(at opening: Opening) -> (left: Element?, right: Element?) {
        guard let wall = walls[opening.wall] else { return (nil, nil) }
        let along = wall.line.along.unit
        let middle =
            wall.line.start + along * (Double(opening.offset) + Double(opening.width) / 2)
        func ramp(_ side: Vector) -> Element? {
            let face = middle + side * (Double(wall.thickness) / 2)
            let near = [0, Self.rampGap].map { face + side * $0 }
            return elements.values.filter { element in
                element.aidRole == .ramp && element.height > 0
                    && near.contains { element.outline.depth(of: $0) >= -1 }
            }.max { ($0.height, $1.id) < ($1.height, $0.id) }
        }
        return (ramp(along.left), ramp(-along.left))
    }

    /// The step that is left at a door with its ramps, in millimetres: that of its threshold where
    /// it has one on a side that a person comes from. What is before an entrance isn't drawn, so
    /// one ramp is enough there.
    package func step(at opening: Opening) -> UInt32 {
        let rise = opening.rise
        guard rise > 0 else { return 0 }
        let (left, right) = ramps(at: opening)
        let steps = [left, right].map { rise - min($0?.height ?? 0, rise) }
        return (opening.entrance ? steps.min() : steps.max()) ?? rise
    }
}
