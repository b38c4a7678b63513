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
    /// The plan without its movable aids.
    package var withoutMovable: FloorPlan {
        var plan = self
        for element in elements.values where element.aidRole == .movable {
            plan.apply(ItemChange(before: PlanItem(item: .element(element))))
        }
        return plan
    }
}
